// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A barrier: a group works in phases, and nobody begins the next one before all have ended this one.
// For actors and plain threads; to be used as std::barrier is.
//
//     smarm::barrier phase(4, []() noexcept { ... });   // called once per phase
//     for (...) { work(); phase.arrive_and_wait(); }    // in each of four actors

#ifndef SMARM_BARRIER_HPP
#define SMARM_BARRIER_HPP

#include <smarm/detail/barrier_core.hpp>
#include <smarm/detail/check_count.hpp>
#include <smarm/detail/stops_later.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace smarm {

namespace detail {

struct no_completion {
  void operator()() noexcept {}
};

} // namespace detail

// The completion function is called by the last to arrive, before anybody goes on; it holds no lock
// and may wait, but not for the barrier. No stop ends its waits: it is raised later.
template <class Completion = detail::no_completion>
class barrier {
  static_assert(
      std::is_nothrow_invocable_v<Completion&>,
      "smarm: a barrier's completion function is called without arguments and is noexcept");

public:
  // Says in which phase somebody arrived.
  class arrival_token {
    friend class barrier;
    explicit arrival_token(std::uint64_t phase) noexcept : phase_(phase) {}
    std::uint64_t phase_;
  };

  // A phase is complete when `expected` >= 0 have arrived. Throws boost::system::system_error:
  // invalid_config for a negative count.
  constexpr explicit barrier(std::ptrdiff_t expected, Completion completion = Completion())
      : core_(detail::checked_count("barrier", expected)), completion_(std::move(completion)) {}
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  // Counts the caller, or n > 0 of them, as arrived. Calls the completion function if they are the
  // last. Suspends only if that does; no stop point. Throws boost::system::system_error:
  // count_out_of_range if not so many are missing in this phase; nobody is counted then. Constant
  // time, or linear in the number of waits that it ends.
  [[nodiscard]] arrival_token arrive(std::ptrdiff_t n = 1) { return arrive(n, false); }

  // Suspends until the phase of the token is complete. Stop point. Throws
  // boost::system::system_error: would_block_scheduler if it would have to wait in scheduler
  // context.
  void wait(arrival_token token) { detail::wait_for_phase(core_, token.phase_); }

  // Both. A stop, or an error, that ends the wait takes the arrival back, unless the phase is being
  // completed: who will not come again is then counted out by arrive_and_drop, lest the others wait
  // for it. Errors of both.
  void arrive_and_wait() {
    arrived mine{core_, arrive().phase_};
    detail::wait_for_phase(core_, mine.phase);
    mine.passed = true;
  }

  // Arrives, and is not expected in later phases; while a phase is being completed, only the latter.
  // Suspends only if the completion function does; no
  // stop point. Errors as arrive.
  void arrive_and_drop() { (void)arrive(1, true); }

  // The largest count that is allowed.
  [[nodiscard]] static constexpr std::ptrdiff_t max() noexcept { return PTRDIFF_MAX; }

private:
  struct arrived {
    detail::barrier_core& core;
    std::uint64_t phase;
    bool passed = false;
    ~arrived() {
      if (!passed) {
        core.take_back(phase);
      }
    }
  };

  arrival_token arrive(std::ptrdiff_t n, bool drops) {
    std::uint64_t phase = 0;
    switch (core_.arrive(n, drops, phase)) {
    case detail::arrival::early: break;
    case detail::arrival::last: {
      const detail::stops_later masked; // the function is noexcept, and the others wait for its end
      std::invoke(completion_);
      core_.complete();
      break;
    }
    case detail::arrival::too_many: detail::throw_count_out_of_range("barrier: arrived", n);
    }
    return arrival_token(phase);
  }

  detail::barrier_core core_;
  [[no_unique_address]] Completion completion_;
};

} // namespace smarm

#endif
