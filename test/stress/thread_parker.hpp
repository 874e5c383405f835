// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where the threads of a stress test sleep. A wake carries the number of the wait that it is meant
// for, as the library's do; one for an earlier wait is ignored.

#ifndef SMARM_TEST_STRESS_THREAD_PARKER_HPP
#define SMARM_TEST_STRESS_THREAD_PARKER_HPP

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

class thread_parker {
public:
  // Two words, so that ThreadSanitizer sees a registration that is read while it is written.
  struct registration {
    thread_parker* who = nullptr;
    std::uint64_t wait = 0;

    void wake() const { who->wake(wait); }
  };

  [[nodiscard]] registration open_wait() { return {this, ++last_}; }

  void sleep() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return woken_ >= last_; });
  }

  // False: nobody came in time.
  [[nodiscard]] bool sleep_for(std::chrono::microseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return woken_ >= last_; });
  }

private:
  void wake(std::uint64_t wait) {
    const std::lock_guard lock(mutex_);
    if (wait > woken_) woken_ = wait;
    changed_.notify_one();
  }

  std::uint64_t last_ = 0; // the sleeper's
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t woken_ = 0; // under the mutex
};

#endif
