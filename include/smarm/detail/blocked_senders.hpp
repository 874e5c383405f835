// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The senders that wait for room in a bounded channel, in the order in which they began to. One
// that was woken, found the room taken by somebody who had not waited, and waits again, gets its
// old place.
//
// The receiver takes one entry for each message that it takes while somebody is blocked, so there
// is always one wake under way for each free cell, or nobody left to wake. That holds because a
// sender that was woken always tries to push next: a stop or a deadline that comes with its wake
// is looked at only after that.

#ifndef SMARM_DETAIL_BLOCKED_SENDERS_HPP
#define SMARM_DETAIL_BLOCKED_SENDERS_HPP

#include <cstdint>
#include <mutex>

namespace smarm::detail {

// In the frame of a sender that waits.
template <class Registration>
struct blocked_sender {
  Registration who{};
  blocked_sender* before = nullptr;
  blocked_sender* after = nullptr;
  std::uint64_t place = 0; // 0: it never waited
  bool listed = false;
};

// All under the lock, which is taken inside open waits: nothing in here switches or runs user code.
template <class Ring, class Registration, class Lock>
class basic_blocked_senders {
public:
  using entry = blocked_sender<Registration>;

  template <class... Arguments>
  explicit basic_blocked_senders(const Arguments&... for_lock) noexcept : lock_(for_lock...) {}

  // False: there is room, or the ring is closed. Nobody has seen the entry then.
  [[nodiscard]] bool add(Ring& ring, entry& e) noexcept {
    const std::lock_guard guard(lock_);
    if (e.place == 0) {
      e.place = ++places_;
    }
    link(e);
    if (ring.block()) {
      return true;
    }
    unlink(e);
    return false;
  }

  // True: it was still there. False: somebody took it out and wakes it.
  [[nodiscard]] bool remove(Ring& ring, entry& e) noexcept {
    const std::lock_guard guard(lock_);
    if (!e.listed) {
      return false;
    }
    unlink(e);
    ring.unblock();
    return true;
  }

  [[nodiscard]] bool taken(const entry& e) noexcept {
    const std::lock_guard guard(lock_);
    return !e.listed;
  }

  // Takes out the first entry; the caller wakes `who`. False: there is none.
  [[nodiscard]] bool take_first(Ring& ring, Registration& who) noexcept {
    const std::lock_guard guard(lock_);
    if (first_ == nullptr) {
      return false;
    }
    entry& e = *first_;
    who = e.who; // from here on the entry may be gone as soon as the lock is free
    unlink(e);
    ring.unblock();
    return true;
  }

protected: // the model tests derive mutants
  void link(entry& e) noexcept {
    entry* at = last_;
    while (at != nullptr && at->place > e.place) {
      at = at->before;
    }
    e.before = at;
    e.after = at != nullptr ? at->after : first_;
    (e.before != nullptr ? e.before->after : first_) = &e;
    (e.after != nullptr ? e.after->before : last_) = &e;
    e.listed = true;
  }

  void unlink(entry& e) noexcept {
    (e.before != nullptr ? e.before->after : first_) = e.after;
    (e.after != nullptr ? e.after->before : last_) = e.before;
    e.before = e.after = nullptr;
    e.listed = false;
  }

  Lock lock_;
  entry* first_ = nullptr;
  entry* last_ = nullptr;
  std::uint64_t places_ = 0;
};

} // namespace smarm::detail

#endif
