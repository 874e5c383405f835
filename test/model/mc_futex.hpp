// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The explorer's side of the futex policy. A sleep whose deadline is not far may end by it at any
// moment, whatever else is going on; a far one never does, so that what only a timeout would have
// cured shows as a deadlock. A scenario makes one kernel before it starts.

#ifndef SMARM_TEST_MODEL_MC_FUTEX_HPP
#define SMARM_TEST_MODEL_MC_FUTEX_HPP

#include "mc_atomic.hpp"

#include <smarm/detail/deadline.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

namespace mc {

inline constexpr std::int64_t far_away = std::int64_t{1} << 40;

class kernel {
public:
  kernel() { the_kernel_ = this; }

  [[nodiscard]] static kernel& now() { return *the_kernel_; }

  // False: timed out.
  bool sleep(const void* word, bool may_expire) {
    waiter self{word};
    waiters_.push_back(&self);
    mc::block([&self, may_expire] { return self.woken || may_expire; });
    if (!self.woken) {
      std::erase(waiters_, &self);
    }
    return self.woken;
  }
  void wake_one(const void* word) {
    std::vector<waiter*> here;
    std::copy_if(waiters_.begin(), waiters_.end(), std::back_inserter(here),
                 [word](const waiter* w) { return w->word == word; });
    if (!here.empty()) {
      const int count = static_cast<int>(here.size());
      waiter* chosen = here[count > 1 ? static_cast<std::size_t>(mc::choose(count)) : 0];
      chosen->woken = true;
      std::erase(waiters_, chosen);
    }
  }

  // Time passes when somebody looks at it, and when a sleep ends by its deadline. Each thread has a
  // time of its own, lest threads learn of each other by it.
  std::int64_t tick() { return ++time(); }
  void reach(std::int64_t deadline) { time() = std::max(time(), deadline); }

private:
  struct waiter {
    const void* word;
    bool woken = false;
  };

  std::int64_t& time() { return times_[world::now()->running()]; }

  static inline kernel* the_kernel_ = nullptr;
  std::vector<waiter*> waiters_;
  std::map<int, std::int64_t> times_;
};

enum class broken { nothing, wait_without_compare, wake_nobody };

template <broken Broken = broken::nothing>
struct basic_futex {
  template <class Word>
  static bool wait(const Word& word, std::uint32_t expected,
                   std::int64_t deadline = smarm::detail::no_deadline) noexcept {
    enter_kernel();
    // From the comparison to the sleep nobody else runs, as under the kernel's lock.
    if (word.load() != expected && Broken != broken::wait_without_compare) {
      return true;
    }
    if (kernel::now().sleep(&word, deadline < far_away)) {
      return true;
    }
    kernel::now().reach(deadline);
    atomics::pause(); // out of time again and again is no progress
    return false;
  }

  template <class Word>
  static void wake_one(const Word& word) noexcept {
    enter_kernel();
    if (Broken != broken::wake_nobody) {
      kernel::now().wake_one(&word);
    }
  }

  static std::int64_t now() noexcept { return kernel::now().tick(); }

private:
  static void enter_kernel() {
    world::now()->point(access::anything, nullptr);
    world::now()->drain();
  }
};

using futex = basic_futex<>;

} // namespace mc

#endif
