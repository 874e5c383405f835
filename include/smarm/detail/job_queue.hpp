// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who works on what in a pool of threads: jobs wait for workers, in their order, and workers for jobs,
// the last one first, so that the others may end.
//
// A job is in the queue or it is taken. Both happen under the lock, so whoever wants it back finds out
// which, and a job that was withdrawn is touched by no worker. Each job that comes brings a worker along
// if it can: it calls an idle one, or asks for one more. A worker becomes idle under the lock, too, and
// only if no job is there. So no job waits beside a worker that sleeps.
//
// A worker that was idle for long enough leaves. It stops to be idle and to be counted in one step, so
// that no job counts on it in between.
//
// A worker that is called is unparked after the lock was let go. It may have seen the call by then, have
// worked and have left: its parker has to be there all the same.

#ifndef SMARM_DETAIL_JOB_QUEUE_HPP
#define SMARM_DETAIL_JOB_QUEUE_HPP

#include <smarm/blocking_stats.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/lock_order.hpp>

#include <boost/intrusive/list.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

namespace smarm::detail {

using job_hook = boost::intrusive::list_base_hook<>;

// Derive from it what is queued.
struct queued_job : job_hook {
  std::int64_t since = 0; // when it was posted; under the lock
};

template <class Atomics, class Parker>
struct basic_worker : boost::intrusive::list_base_hook<> {
  // Set under the lock, cleared likewise by the worker; release, for the worker, which looks at it
  // without (acquire).
  typename Atomics::template atomic<bool> called{false};
  Parker parker;
  // When it has left: who left before it, and whether it was the last while no more will come.
  basic_worker* left_before = nullptr;
  bool is_last = false;
};

enum class admission : std::uint8_t {
  refused, // the queue is full
  queued,
  wants_worker // the same, and a worker is to be made: the pool counts it already
};

enum class assignment : std::uint8_t { job, idle, leave };

// Env has lock, and worker, which is derived from worker_base, a basic_worker.
template <class Env, class Job>
class basic_job_queue {
public:
  using worker = typename Env::worker;
  using jobs = boost::intrusive::list<Job, boost::intrusive::base_hook<job_hook>>;

  basic_job_queue(std::size_t most_workers, std::size_t most_queued) noexcept
      : most_workers_(most_workers), most_queued_(most_queued) {}

  // ---- who has a job

  // If `called` is not null afterwards it is to be unparked.
  [[nodiscard]] admission post(Job& job, worker*& called, std::int64_t now) noexcept {
    const std::lock_guard guard(lock_);
    const bool grows = idle_.empty() && workers_ < most_workers_;
    if (idle_.empty() && !grows && jobs_.size() >= most_queued_ + coming_) {
      ++counts_.rejected;
      return admission::refused;
    }
    job.since = now;
    jobs_.push_back(job);
    if (!idle_.empty()) {
      called = &call_one();
    }
    if (grows) {
      ++workers_;
    }
    coming_ += (called != nullptr || grows) ? 1 : 0;
    if (jobs_.size() > coming_) {
      counts_.longest_queue = std::max(counts_.longest_queue, jobs_.size() - coming_);
    }
    return grows ? admission::wants_worker : admission::queued;
  }

  // False: a worker has it.
  [[nodiscard]] bool withdraw(Job& job) noexcept {
    const std::lock_guard guard(lock_);
    if (!job.job_hook::is_linked()) {
      return false;
    }
    jobs_.erase(jobs_.iterator_to(job));
    ++counts_.withdrawn;
    return true;
  }

  // The worker that was wanted cannot be made. If there is none at all, nobody would come for the jobs:
  // they are given back, to be refused.
  [[nodiscard]] jobs no_worker() noexcept {
    const std::lock_guard guard(lock_);
    ++counts_.refused_threads;
    --workers_;
    --coming_;
    jobs nobodys;
    if (workers_ == 0) {
      counts_.rejected += jobs_.size();
      nobodys.swap(jobs_);
    }
    return nobodys;
  }

  // ---- a worker

  void begin() noexcept {
    const std::lock_guard guard(lock_);
    ++counts_.started_threads;
    --coming_;
  }

  // After `idle` it waits until it is called, or leaves. The job that it has done before, if any, is
  // not answered yet: who gets the answer finds the worker free.
  [[nodiscard]] assignment next(worker& me, bool has_done_one, Job*& job,
                                std::int64_t now) noexcept {
    const std::lock_guard guard(lock_);
    if (has_done_one) {
      --running_;
      ++counts_.completed;
    }
    if (me.called.load(std::memory_order_relaxed)) {
      me.called.store(false, std::memory_order_relaxed);
      --coming_;
    }
    if (!jobs_.empty()) {
      job = &jobs_.front();
      jobs_.pop_front();
      ++running_;
      counts_.longest_wait =
          std::max(counts_.longest_wait, std::chrono::nanoseconds(now - job->since));
      return assignment::job;
    }
    if (closed_) {
      leave(me);
      return assignment::leave;
    }
    idle_.push_front(me);
    return assignment::idle;
  }

  // Leaves. False: it was called meanwhile.
  [[nodiscard]] bool give_up(worker& me) noexcept {
    const std::lock_guard guard(lock_);
    if (me.called.load(std::memory_order_relaxed)) {
      return false;
    }
    idle_.erase(idle_.iterator_to(me));
    leave(me);
    return true;
  }

  // ---- around a run

  void open() noexcept {
    const std::lock_guard guard(lock_);
    closed_ = false;
    counts_ = {};
  }
  // From here on workers leave when they have nothing to do. The next of those that are to be unparked
  // for that, or null.
  [[nodiscard]] worker* close() noexcept {
    const std::lock_guard guard(lock_);
    closed_ = true;
    if (idle_.empty()) {
      return nullptr;
    }
    ++coming_;
    return &call_one();
  }
  // Whether no worker is there any more, and then in `last` who left last, if anybody did since it was
  // asked for.
  [[nodiscard]] bool deserted(worker*& last) noexcept {
    const std::lock_guard guard(lock_);
    if (workers_ != 0) {
      return false;
    }
    last = static_cast<worker*>(std::exchange(last_left_, nullptr));
    return true;
  }

  // ---- anybody

  template <class Do>
  decltype(auto) locked(Do what) noexcept {
    const std::lock_guard guard(lock_);
    return what();
  }

  [[nodiscard]] blocking_stats stats() noexcept {
    const std::lock_guard guard(lock_);
    blocking_stats out = counts_;
    out.threads = workers_;
    out.idle = idle_.size();
    out.queued = jobs_.size();
    out.running = running_;
    return out;
  }

protected: // the model test derives its mutations
  void leave(worker& me) noexcept {
    --workers_;
    me.left_before = std::exchange(last_left_, &me);
    me.is_last = closed_ && workers_ == 0;
  }
  worker& call_one() noexcept {
    worker& one = idle_.front();
    idle_.pop_front();
    one.called.store(true, std::memory_order_release);
    return one;
  }

  typename Env::lock lock_{lock_class::leaf}; // of all below
  jobs jobs_;
  boost::intrusive::list<worker> idle_;
  std::size_t workers_ = 0; // with those that are being made
  std::size_t coming_ = 0;  // of these, called or being made, and not here yet
  std::size_t running_ = 0;
  typename Env::worker_base* last_left_ = nullptr;
  bool closed_ = false;
  blocking_stats counts_; // those that only grow
  const std::size_t most_workers_;
  const std::size_t most_queued_;
};

} // namespace smarm::detail

#endif
