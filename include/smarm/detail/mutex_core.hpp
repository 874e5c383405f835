// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a mutex consists of: a word that names the owner, and the queue of those who wait.
//
// An unlock with somebody in the queue does one of two things. It hands the mutex over: the first one
// is the owner from then on, before it runs. Or it frees it and calls the first one, which keeps its
// place and comes for it; whoever runs meanwhile may lock and unlock as if nobody waited. Handing over
// alone would be fair but slow: whoever unlocks and comes back has to queue, so that each lock takes
// a switch, for ever. A waiter is called once at most. If it finds the mutex taken it insists: the
// next unlock hands over to it, and so do some unlocks after it.
//
// The word is marked while the owner's unlock has to look at the queue: somebody is in it, and nobody
// was called who is still to come. Who was called sees to the mark when it comes, so a waiter is
// always in somebody's charge: the owner's, if the word is marked, or that of the one called.

#ifndef SMARM_DETAIL_MUTEX_CORE_HPP
#define SMARM_DETAIL_MUTEX_CORE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/waiter_queue.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace smarm::detail {

template <class Env>
class basic_mutex_core {
public:
  using identity = std::uintptr_t; // of a caller, see Env
  using waiter = basic_waiter<Env>;

  constexpr basic_mutex_core() noexcept = default;
  basic_mutex_core(const basic_mutex_core&) = delete;
  basic_mutex_core& operator=(const basic_mutex_core&) = delete;
  ~basic_mutex_core() {
    SMARM_ASSERT(word_.load(std::memory_order_relaxed) == 0 && "destroyed while somebody holds it");
  }

  [[nodiscard]] SMARM_ALWAYS_INLINE bool try_lock(identity me) noexcept {
    identity seen = 0;
    return word_.compare_exchange_strong(seen, me, std::memory_order_acq_rel,
                                         std::memory_order_relaxed);
  }

  // Reliable where it matters: nobody but `me` makes it so or ends it.
  [[nodiscard]] bool held_by(identity me) const noexcept {
    return (word_.load(std::memory_order_relaxed) & ~contended) == me;
  }

  // Who has it at the moment, or 0. What it names may be looked at: it is as its owner knew it.
  [[nodiscard]] identity owner() const noexcept {
    return word_.load(std::memory_order_acquire) & ~contended;
  }

  SMARM_ALWAYS_INLINE void unlock() noexcept {
    if (SMARM_UNLIKELY(!free_if_alone())) {
      serve_queue();
    }
  }

  // Into the queue; true: not, since the caller is the owner. One that was called and comes with
  // another registration keeps its place.
  bool enter(waiter& w, typename Env::registration r) noexcept {
    const std::lock_guard guard(queue_);
    if (called_ == &w) {
      if (take_or_mark(r, queue_.alone(w) ? 0 : contended)) {
        end_call(w);
        return true;
      }
      called_ = nullptr;
      insists_ = true;
      w.who = r;
      return false;
    }
    // While one is called it will set the mark.
    if (called_ != nullptr ? take(r, 0) : take_or_mark(r, 0)) {
      return true;
    }
    w.who = r;
    queue_.push(w);
    return false;
  }

  // By a waiter that was woken. True: it was called and is the owner now.
  bool come(waiter& w) noexcept {
    const std::lock_guard guard(queue_);
    if (called_ != &w || !take(w.who, queue_.alone(w) ? 0 : contended)) {
      return false;
    }
    end_call(w);
    return true;
  }

  enum class departure : unsigned char {
    gone,   // it is not in the queue any more
    called, // it keeps its place until it enters again or gives the call back
    granted // it was popped already
  };
  departure leave(waiter& w) noexcept {
    const std::lock_guard guard(queue_);
    if (called_ == &w) {
      return departure::called;
    }
    if (w.linked && queue_.first() == &w) {
      insists_ = false; // nobody but the first one does
    }
    if (!queue_.remove(w)) {
      return departure::granted;
    }
    if (queue_.empty()) {
      word_.fetch_and(~contended, std::memory_order_relaxed);
    }
    return departure::gone;
  }

  // By one that was called and wants it no more: it is the next one's call.
  void give_back_call(waiter& w) noexcept {
    typename Env::registration next{};
    {
      const std::lock_guard guard(queue_);
      end_call(w);
      if (queue_.empty()) {
        return;
      }
      if (mark()) {
        return;
      }
      called_ = queue_.first();
      next = called_->who;
    }
    Env::wake(next);
  }

private:
  static constexpr identity contended = 1;

  // After it was freed the next owner may destroy it: nothing is touched any more.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool free_if_alone() noexcept {
    identity seen = word_.load(std::memory_order_relaxed);
    return SMARM_LIKELY((seen & contended) == 0) &&
           word_.compare_exchange_strong(seen, 0, std::memory_order_release,
                                         std::memory_order_relaxed);
  }

  // From free to the caller's; else false. This and the next three: under the queue's lock.
  bool take(const typename Env::registration& r, identity with) noexcept {
    identity seen = 0;
    return word_.compare_exchange_strong(seen, Env::identity(r) | with, std::memory_order_acq_rel,
                                         std::memory_order_relaxed);
  }

  // From owned to marked; false: it is free.
  bool mark() noexcept {
    identity seen = word_.load(std::memory_order_relaxed);
    while (seen != 0) {
      if ((seen & contended) != 0 ||
          word_.compare_exchange_weak(seen, seen | contended, std::memory_order_relaxed,
                                      std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  // True: taken. False: it is somebody's, whose unlock will look at the queue.
  bool take_or_mark(const typename Env::registration& r, identity with) noexcept {
    while (!mark()) {
      if (take(r, with)) {
        return true;
      }
    }
    return false;
  }

  void end_call(waiter& w) noexcept {
    called_ = nullptr;
    (void)queue_.remove(w);
  }

  // An unlock that found the mark.
  SMARM_NOINLINE void serve_queue() noexcept {
    do {
      waiter* granted = nullptr;
      typename Env::registration called{};
      {
        const std::lock_guard guard(queue_);
        waiter* const first = queue_.first();
        if (first != nullptr && !insists_ && hand_overs_ == 0) {
          called_ = first;
          called = first->who;
          // Whoever takes it acquires what was done under the lock. The one called needs the queue's
          // lock to come, so the mutex stays until we have let go of that.
          word_.store(0, std::memory_order_release);
        } else if (first != nullptr) {
          granted = queue_.pop();
          hand_overs_ =
              insists_ ? Env::hand_overs_in_a_row : static_cast<unsigned char>(hand_overs_ - 1);
          insists_ = false;
          // The grant releases what was done under the lock; this, for owner(), whose name it is.
          word_.store(Env::identity(granted->who) | (queue_.empty() ? 0 : contended),
                      std::memory_order_release);
        }
      }
      if (granted != nullptr) {
        basic_waiter_queue<Env>::grant(granted);
        return;
      }
      if (called.who != nullptr) {
        Env::wake(called);
        return;
      }
      // The last waiter has given up meanwhile.
    } while (!free_if_alone());
  }

  // 0: free. Else the owner, and the mark, which changes only under the queue's lock. From 0: whoever
  // locks (acquire; release, for owner()). To 0: the owner (release). From owner to owner: the owner,
  // under the queue's lock (release, likewise). The mark is set and cleared relaxed: it adds nothing.
  typename Env::atomics::template atomic<identity> word_{0};
  basic_waiter_queue<Env> queue_;
  // All three under the queue's lock.
  waiter* called_ = nullptr;     // the first one, if it was called and has not come
  bool insists_ = false;         // the first one came and found the mutex taken
  unsigned char hand_overs_ = 0; // so many unlocks still hand over
};

// A wait source, see wait.hpp: one wait for a mutex.
template <class Env>
struct basic_mutex_wait {
  using core = basic_mutex_core<Env>;

  core& place;
  basic_waiter<Env> self{};
  bool called = false; // and has neither entered again nor given the call back

  explicit basic_mutex_wait(core& at) noexcept : place(at) {}
  basic_mutex_wait(const basic_mutex_wait&) = delete;
  basic_mutex_wait& operator=(const basic_mutex_wait&) = delete;
  // A deadline or a stop came before it could enter again.
  ~basic_mutex_wait() {
    if (SMARM_UNLIKELY(called)) {
      place.give_back_call(self);
    }
  }

  enrolment enroll(typename Env::registration r) noexcept {
    called = false;
    return place.enter(self, r) ? enrolment::ready : enrolment::enrolled;
  }
  bool satisfied() noexcept {
    return self.granted.load(std::memory_order_acquire) || place.come(self);
  }
  bool withdraw() noexcept {
    switch (place.leave(self)) {
    case core::departure::gone: return true;
    case core::departure::called: called = true; return true;
    case core::departure::granted: break;
    }
    spin_until<typename Env::atomics>(
        [this] { return self.granted.load(std::memory_order_acquire); });
    return false;
  }
};

using mutex_core = basic_mutex_core<runtime_waits>;
using mutex_wait = basic_mutex_wait<runtime_waits>;

} // namespace smarm::detail

#endif
