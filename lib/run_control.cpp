// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A run of a runtime from its beginning to its end: threads, waiting for the end, and shutting down.

#include <smarm/detail/runtime_state.hpp>

#include <smarm/detail/thread_backtrace.hpp>
#include <smarm/error.hpp>
#include <smarm/trace.hpp>

#include <boost/system/system_error.hpp>

#include <pthread.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace smarm::detail {

void runtime_state::begin_run() {
  std::shared_ptr<void> former_watchdog; // whose thread may want the lock
  // Under the lock: who waits for an end, or asks for one, finds no run or all of it.
  const std::lock_guard guard(end_lock_);
  phase expected = phase::idle;
  if (!phase_.compare_exchange_strong(expected, phase::running, std::memory_order_acq_rel)) {
    throw boost::system::system_error(make_error_code(errc::nested_run),
                                      "smarm::runtime: it is running already");
  }
  // Without a single stack the first actor would wait for ever: there is a caller who can be told.
  const auto probe = stacks.acquire();
  if (!probe) {
    phase_.store(phase::idle, std::memory_order_release);
    if (probe.error().category() == error_category()) {
      throw boost::system::system_error(probe.error(), "smarm::runtime: the first stack");
    }
    throw boost::system::system_error(make_error_code(errc::not_supported),
                                      "smarm::runtime: config::guard: " + probe.error().message());
  }
  stacks.release(*probe);
  if (settings.watchdog) {
    try {
      former_watchdog = std::exchange(watchdog_, make_watchdog(shared_from_this()));
    } catch (...) {
      phase_.store(phase::idle, std::memory_order_release);
      throw;
    }
  }
  for (const auto& s : schedulers) {
    s->reset_counters();
    s->timers.open();
  }
  if (blocking_pool* const pool = blocking_pool_if_any()) {
    open_blocking_pool(*pool);
  }
  life.begin();
  root_end_.begin();
  coordination.reset_counters();
  sink_failures_.store(0, std::memory_order_relaxed);
  running_parts_ = settings.schedulers;
  run_.store(run_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  traces_run_ = !settings.trace_file.empty() && trace::start().has_value();
}

void runtime_state::start_threads(unsigned first) {
  unsigned i = first;
  try {
    threads_.reserve(settings.schedulers);
    for (; i < settings.schedulers; ++i) {
      threads_.emplace_back([this, i] {
        const std::string name = settings.thread_name + '-' + std::to_string(i);
        ::pthread_setname_np(::pthread_self(), name.c_str());
        schedulers[i]->run();
        scheduler_done();
      });
    }
  } catch (...) {
    // Some schedulers are running: they see the end before anybody is told.
    std::uint64_t this_run = 0;
    {
      const std::lock_guard guard(end_lock_);
      running_parts_ = i - first;
      this_run = run_.load(std::memory_order_relaxed);
    }
    (void)life.release_keep_alive();
    started();
    (void)await_end(this_run, no_deadline);
    throw;
  }
  // Not before: what came in by now would have nobody to run it if the threads had been refused.
  life.open_door();
  // Either a shutdown that came meanwhile found the door open, or its wish is seen here.
  if (root_end_.announced_before_spawn()) {
    (void)shut_down_all();
  }
}

void runtime_state::part_begins() noexcept {
  const std::lock_guard guard(end_lock_);
  ++running_parts_;
}

void runtime_state::part_ends() noexcept {
  std::shared_ptr<runtime_state> last; // may be this object's end, so not under the lock
  std::shared_ptr<void> dog;
  bool write = false;
  {
    const std::lock_guard guard(end_lock_);
    if (--running_parts_ == 0) {
      if (blocking_pool* const pool = blocking_pool_if_any()) {
        close_blocking_pool(*pool);
      }
      if (self_ != nullptr) {
        life.await_visitors();
        phase_.store(phase::idle, std::memory_order_release);
        last = std::move(self_);
        write = std::exchange(traces_run_, false);
        dog = std::move(watchdog_);
      }
      ended_.notify_all();
    }
  }
  dog.reset();
  if (write) {
    write_trace();
  }
  if (last != nullptr) {
    last->tell_outsiders();
  }
}

void runtime_state::finish_locked() noexcept {
  for (std::thread& t : threads_) {
    t.join();
  }
  threads_.clear();
  if (blocking_pool* const pool = blocking_pool_if_any()) {
    join_blocking_pool(*pool);
  }
  life.await_visitors(); // those that were turned away may still be on their way out
  phase_.store(phase::idle, std::memory_order_release);
}

void runtime_state::write_trace() noexcept {
  trace::stop();
  std::string why;
  try {
    const auto written = trace::write(settings.trace_file);
    if (written) {
      return;
    }
    why = written.error().message();
  } catch (...) {
    why = "no memory";
  }
  tell_made([&] {
    return report{.kind = report_kind::trace_not_written,
                  .text = "the trace was not written to " + settings.trace_file + ": " + why +
                          ". Correct config::trace_file"};
  });
}

std::vector<std::string> runtime_state::backtrace_on(const scheduler& s) {
  // A thread leaves its run, and is joined, under the lock: until then it can be asked.
  const std::lock_guard guard(end_lock_);
  if (!s.online.load(std::memory_order_acquire)) {
    return {};
  }
  return backtrace_of(s.thread);
}

bool runtime_state::await_end(std::uint64_t run, std::int64_t deadline) noexcept {
  std::unique_lock lock(end_lock_);
  const auto over = [this, run] {
    return running_parts_ == 0 || run_.load(std::memory_order_relaxed) != run;
  };
  if (deadline == no_deadline) {
    ended_.wait(lock, over);
  } else if (!ended_.wait_until(lock,
                                std::chrono::steady_clock::time_point(
                                  std::chrono::nanoseconds(deadline)),
                                over)) {
    return false;
  }
  if (run_.load(std::memory_order_relaxed) == run) {
    finish_locked();
    // Its own thread, which gives a report, leaves it to whoever waits for the run besides, or to the end
    // of the runtime: till then nobody is to find that report's sink gone.
    std::shared_ptr<void> dog;
    if (!on_thread_of(watchdog_)) {
      dog = std::move(watchdog_);
    }
    const bool write = std::exchange(traces_run_, false);
    lock.unlock();
    dog.reset();
    if (write) {
      write_trace();
    }
  }
  return true;
}

void runtime_state::orphan() noexcept {
  {
    const std::lock_guard guard(end_lock_);
    if (!threads_.empty()) {
      for (std::thread& t : threads_) {
        t.detach();
      }
      threads_.clear();
    }
    if (running_parts_ != 0) {
      self_ = shared_from_this();
    }
  }
  (void)shut_down_all();
}

std::uint64_t runtime_state::shut_down_all() noexcept {
  std::uint64_t run = 0;
  {
    const std::lock_guard guard(end_lock_);
    run = run_.load(std::memory_order_relaxed);
    if (running_parts_ == 0) {
      return run;
    }
    root_end_.announce();
  }
  {
    const visit here(*this);
    // It may have ended by now, and another have begun; the one that is let in does not end meanwhile.
    if (here.open()) {
      if (run_.load(std::memory_order_relaxed) != run) {
        return run;
      }
      sweep();
    } else if (root_end_.want_sweep()) {
      // The verdict closes the door before it is sure: who came in before may have spawned, and then
      // the run goes on. If so the schedulers see to it.
      coordination.verdict_changed();
    }
  }
  release_keep_alive_of(run);
  return run;
}

void runtime_state::started() noexcept {
  life.started();
  coordination.verdict_changed();
}

std::uint64_t runtime_state::release_keep_alive() noexcept {
  std::uint64_t run = 0;
  {
    const std::lock_guard guard(end_lock_);
    run = run_.load(std::memory_order_relaxed);
  }
  release_keep_alive_of(run);
  return run;
}

void runtime_state::release_keep_alive_of(std::uint64_t run) noexcept {
  {
    const std::lock_guard guard(end_lock_);
    if (run_.load(std::memory_order_relaxed) != run || running_parts_ == 0 ||
        !life.release_keep_alive()) {
      return;
    }
  }
  coordination.verdict_changed();
}

} // namespace smarm::detail
