// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The threads of a runtime that carry out blocking calls. They come when they are needed, and end when
// they have had nothing to do for a while, and at the end of each run.
//
// The records of threads are kept until the pool goes, for others to use: who calls one may come so late
// that it has left. A thread that leaves joins the one that left before it, so at most one is left to be
// joined, and it is no actor that does it: thread-local variables of the user's are destroyed in there.

#ifndef SMARM_LIB_BLOCKING_POOL_HPP
#define SMARM_LIB_BLOCKING_POOL_HPP

#include <smarm/detail/blocking_job.hpp>
#include <smarm/detail/job_queue.hpp>
#include <smarm/detail/parker.hpp>
#include <smarm/detail/patience.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/pid.hpp>

#include <boost/intrusive/list.hpp>

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace smarm::detail {

class runtime_state;

struct pool_worker : basic_worker<std_atomics, parker> {
  pthread_t thread{}; // written by the thread itself
  patience pace;
  std::shared_ptr<blocking_pool> keeps; // the pool, on the way to the thread
  pool_worker* next_spare = nullptr;    // these two under the pool's lock of records
  pool_worker* made_before = nullptr;
};

class blocking_pool : public std::enable_shared_from_this<blocking_pool> {
public:
  explicit blocking_pool(runtime_state& owner);
  ~blocking_pool();

  // ---- actors of the runtime

  // errc{}: it is queued, and answered in the end, if need be with out_of_threads.
  [[nodiscard]] errc post(blocking_job& job) noexcept;
  [[nodiscard]] bool withdraw(blocking_job& job) noexcept { return queue_.withdraw(job); }

  // Jobs that have begun, and that nobody waits for any more. Each keeps the run from being over.
  void add_left(blocking_job& job) noexcept;
  void remove_left(blocking_job& job) noexcept;
  void left_job_ended() noexcept; // this may be gone when it returns, unless a thread of its own calls

  // ---- around a run

  void open() noexcept { queue_.open(); }
  // Asks the threads to end. Nothing is queued, and nothing runs.
  void close() noexcept;
  // After close(): waits until they have.
  void join() noexcept;

  // ---- anybody

  [[nodiscard]] blocking_stats stats() noexcept { return queue_.stats(); }
  // False: whatever the calls before bring about is done, and who waited for them has been woken.
  [[nodiscard]] bool busy() noexcept {
    const blocking_stats now = queue_.stats();
    return now.running + now.queued != 0 || answering_.load(std::memory_order_acquire) != 0;
  }
  [[nodiscard]] std::vector<pid> callers_of_left() const; // throws std::bad_alloc
  void report_failure(blocking_job& job) noexcept;
  [[nodiscard]] runtime_state& owner() const noexcept { return owner_; }

private:
  struct env {
    using lock = raw_lock;
    using worker = pool_worker;
    using worker_base = basic_worker<std_atomics, parker>;
  };
  using left_jobs = boost::intrusive::list<blocking_job, boost::intrusive::base_hook<job_hook>>;

  [[nodiscard]] bool add_thread() noexcept;
  [[nodiscard]] pool_worker* take_record() noexcept;
  void keep_record(pool_worker& spare) noexcept;
  static void* enter(void* worker) noexcept;
  void work(pool_worker& me) noexcept;
  [[nodiscard]] bool await_call(pool_worker& me) noexcept;

  runtime_state& owner_;
  const std::string thread_name_;
  const std::int64_t idle_time_;
  basic_job_queue<env, blocking_job> queue_;
  // Whether an idle thread looks on for a while before it sleeps: one at a time. Written by them; no
  // more than a hint.
  std::atomic<bool> looking_{false};
  // Calls that are counted as carried out, and whose callers do not know yet. Raised before the queue's
  // lock is taken that ends the call (so who finds under that lock that it has ended sees this), lowered
  // (release) when the caller has been woken, for who acts on that (acquire).
  std::atomic<unsigned> answering_{0};
  parker closer_; // of the one thread in join()

  mutable raw_lock lock_; // of all below
  pool_worker* spare_ = nullptr;
  pool_worker* newest_ = nullptr;
  left_jobs left_;
};

// That of a runtime, which gets one at the first call. Throws std::bad_alloc.
[[nodiscard]] blocking_pool& blocking_pool_of(runtime_state& owner);

// The pool on one of whose threads the caller is, or null.
[[nodiscard]] blocking_pool* this_blocking_pool() noexcept;

} // namespace smarm::detail

#endif
