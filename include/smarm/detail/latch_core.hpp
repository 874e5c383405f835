// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a latch consists of: a count and the queue of those who wait until it is zero.

#ifndef SMARM_DETAIL_LATCH_CORE_HPP
#define SMARM_DETAIL_LATCH_CORE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/waiter_queue.hpp>

#include <cstddef>
#include <mutex>

namespace smarm::detail {

template <class Env>
class basic_latch_core {
public:
  using waiter = basic_waiter<Env>;

  constexpr explicit basic_latch_core(std::ptrdiff_t expected) noexcept : count_(expected) {}
  basic_latch_core(const basic_latch_core&) = delete;
  basic_latch_core& operator=(const basic_latch_core&) = delete;

  // False: n is negative or more than what is left, and nothing was counted.
  [[nodiscard]] bool count_down(std::ptrdiff_t n) noexcept {
    waiter* all = nullptr;
    {
      const std::lock_guard guard(queue_);
      if (n < 0 || n > count_) {
        return false;
      }
      count_ -= n;
      if (count_ == 0) {
        all = queue_.pop_all();
      }
    }
    // Who is granted may destroy the latch: nothing of it is touched any more.
    basic_waiter_queue<Env>::grant(all);
    return true;
  }

  // Under the lock, although it is one word: whoever sees it open knows that the one who opened it
  // is out of it.
  [[nodiscard]] bool open() noexcept {
    const std::lock_guard guard(queue_);
    return count_ == 0;
  }

  // A place of basic_queued_wait.
  bool enter(waiter& w) noexcept {
    const std::lock_guard guard(queue_);
    if (count_ == 0) {
      return true;
    }
    queue_.push(w);
    return false;
  }
  bool leave(waiter& w) noexcept {
    const std::lock_guard guard(queue_);
    return queue_.remove(w);
  }

protected: // the model tests derive mutations
  basic_waiter_queue<Env> queue_;
  std::ptrdiff_t count_; // under the queue's lock
};

using latch_core = basic_latch_core<runtime_waits>;

} // namespace smarm::detail

#endif
