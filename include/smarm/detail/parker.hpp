// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where one thread sleeps until another one has something for it. A permit that comes before the
// sleep ends it at once, so "check, then park" loses nothing; permits do not add up. Only the
// owner parks; anybody unparks. A return may be spurious: park in a loop over what is waited for.
//
// The owner may also sleep somewhere else, in an event loop, between enter and leave: an unpark
// then interrupts that loop instead of waking the futex.

#ifndef SMARM_DETAIL_PARKER_HPP
#define SMARM_DETAIL_PARKER_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/futex.hpp>

#include <cstdint>

namespace smarm::detail {

// What somebody can sleep in besides a futex. interrupt() comes from any thread and must not be
// lost when it comes before the sleep has begun, or after it ended.
class interruptible {
public:
  virtual void interrupt() noexcept = 0;

protected:
  ~interruptible() = default;
};

template <class Atomics, class Futex>
class basic_parker {
public:
  basic_parker() noexcept = default;
  basic_parker(const basic_parker&) = delete;
  basic_parker& operator=(const basic_parker&) = delete;

  // Owner. True: a permit was consumed, be it one that raced the deadline. False: the deadline.
  bool park(std::int64_t deadline = no_deadline) noexcept {
    if (!announce(parked)) {
      return true;
    }
    while (Futex::wait(word_, parked, deadline)) {
      std::uint32_t seen = notified;
      if (word_.compare_exchange_strong(seen, empty, std::memory_order_acq_rel,
                                        std::memory_order_acquire)) {
        return true;
      }
    }
    return take_permit();
  }

  // Owner, around a sleep in `place`. False: a permit was there and is consumed, do not sleep.
  [[nodiscard]] bool enter(interruptible& place) noexcept {
    place_ = &place;
    return announce(parked_elsewhere);
  }
  // True: a permit was consumed. The place may see one more interrupt() after this.
  bool leave() noexcept { return take_permit(); }

  // Any thread. True: the owner slept. The owner may be up and away before this returns, so parker
  // and place must outlive the call.
  bool unpark() noexcept {
    const std::uint32_t before = word_.exchange(notified, std::memory_order_acq_rel);
    if (before == parked) {
      Futex::wake_one(word_);
    } else if (before == parked_elsewhere) {
      place_->interrupt();
    }
    return before == parked || before == parked_elsewhere;
  }

private:
  static constexpr std::uint32_t empty = 0, parked = 1, parked_elsewhere = 2, notified = 3;

  bool announce(std::uint32_t how) noexcept {
    std::uint32_t seen = empty;
    if (SMARM_LIKELY(word_.compare_exchange_strong(seen, how, std::memory_order_acq_rel,
                                                   std::memory_order_acquire))) {
      return true;
    }
    SMARM_ASSERT(seen == notified);
    take_permit();
    return false;
  }

  // An exchange, because another permit may have merged into the one that was seen, and what its
  // sender did before must be visible as well.
  bool take_permit() noexcept {
    return word_.exchange(empty, std::memory_order_acq_rel) == notified;
  }

  // empty, parked, parked_elsewhere by the owner, notified by wakers; acquire and release both
  // ways: the owner sees what a waker did before, a waker sees place_.
  typename Atomics::template atomic<std::uint32_t> word_{empty};
  interruptible* place_ = nullptr; // written by the owner before it announces
};

using parker = basic_parker<std_atomics, linux_futex>;

// The parker on which the calling thread waits when it is no scheduler. It is never freed, only
// handed on to a later thread, so a late unpark does no harm.
[[nodiscard]] parker& this_thread_parker();

} // namespace smarm::detail

#endif
