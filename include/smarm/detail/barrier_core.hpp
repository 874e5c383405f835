// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a barrier consists of: a phase, how many are still to arrive in it, and the queue of those who
// wait for its end. The part that does not depend on the completion function.

#ifndef SMARM_DETAIL_BARRIER_CORE_HPP
#define SMARM_DETAIL_BARRIER_CORE_HPP

#include <smarm/detail/waiter_queue.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace smarm::detail {

enum class arrival : unsigned char {
  early,   // others are still missing
  last,    // the caller completes the phase
  too_many // not counted: so many are not missing
};

template <class Env>
class basic_barrier_core {
public:
  using waiter = basic_waiter<Env>;

  constexpr explicit basic_barrier_core(std::ptrdiff_t expected) noexcept
      : expected_(expected), missing_(expected) {}
  basic_barrier_core(const basic_barrier_core&) = delete;
  basic_barrier_core& operator=(const basic_barrier_core&) = delete;

  // `phase` gets the one that the caller arrives in.
  [[nodiscard]] arrival arrive(std::ptrdiff_t n, bool drops, std::uint64_t& phase) noexcept {
    const std::lock_guard guard(queue_);
    if (drops && missing_ == 0 && expected_ > 0) { // the phase is being completed: it has arrived
      --expected_;
      phase = phase_;
      return arrival::early;
    }
    if (n <= 0 || n > missing_) {
      return arrival::too_many;
    }
    missing_ -= n;
    if (drops) {
      --expected_;
    }
    phase = phase_;
    return missing_ == 0 ? arrival::last : arrival::early;
  }

  // By the last to arrive: the next phase begins, and all who wait go on.
  void complete() noexcept {
    waiter* all = nullptr;
    {
      const std::lock_guard guard(queue_);
      ++phase_;
      missing_ = expected_;
      all = queue_.pop_all();
    }
    basic_waiter_queue<Env>::grant(all);
  }

  // One that arrived in the phase gives up, unless it is the phase's end that it did not wait for.
  void take_back(std::uint64_t phase) noexcept {
    const std::lock_guard guard(queue_);
    if (phase_ == phase && missing_ > 0) {
      ++missing_;
    }
  }

  [[nodiscard]] bool over(std::uint64_t phase) noexcept {
    const std::lock_guard guard(queue_);
    return phase_ != phase;
  }

  // A place of basic_queued_wait: the end of a phase.
  struct end_of_phase {
    basic_barrier_core& of;
    std::uint64_t phase;

    bool enter(waiter& w) noexcept {
      const std::lock_guard guard(of.queue_);
      if (of.phase_ != phase) {
        return true;
      }
      of.queue_.push(w);
      return false;
    }
    bool leave(waiter& w) noexcept {
      const std::lock_guard guard(of.queue_);
      return of.queue_.remove(w);
    }
  };

protected: // the model tests derive mutations
  basic_waiter_queue<Env> queue_;
  std::ptrdiff_t expected_; // these under the queue's lock
  std::ptrdiff_t missing_;
  std::uint64_t phase_ = 0;
};

using barrier_core = basic_barrier_core<runtime_waits>;

// Suspends until the phase is over. Stop point. Throws as barrier::wait.
void wait_for_phase(barrier_core& at, std::uint64_t phase);

} // namespace smarm::detail

#endif
