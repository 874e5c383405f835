// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Puts schedulers to sleep and wakes them, so that no runnable actor waits while a core is idle,
// and an idle runtime costs nothing. A scheduler that finds its queue empty calls idle() and
// comes back with work, with timers to fire, or at the end. Whoever makes an actor runnable calls
// one of the wake functions after it has published the actor.
//
//   One searcher. Before it sleeps, one scheduler at a time spins a little. While somebody searches
//     nobody need be woken; so the searcher gives that up first, and then looks once more.
//   Lone items stay. What makes one actor runnable, a message or a spawn, wakes nobody: who did it is
//     most likely about to wait. Surplus and what comes from outside wake a sleeper, which searches.
//   The chain. Who takes work and leaves more behind wakes the next one.
//   The timekeeper. One sleeper sleeps towards the earliest deadline of all wheels.
//     Where deadlines come thick it sleeps a little past it, so that several share the wake-up.
//   The driver. Where input and output happen, the last one to fall asleep sleeps there: as long as
//     anybody is busy it looks there itself, now and then and when it has nothing else to do, and what
//     it begins wakes nobody who waits for such things. The standby looks there too.
//   The standby. While somebody is busy, one sleeper looks again now and then. It takes lone items,
//     and over the timekeeper's part. Once all are idle nobody does, and nobody has a timeout but
//     the timekeeper.
//
// Every decision to sleep is: set the bit, fence, look at what a waker changes. Every decision not
// to wake is: publish, fence, look at the bits. One of the two sees the other.

#ifndef SMARM_DETAIL_COORDINATOR_HPP
#define SMARM_DETAIL_COORDINATOR_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/deadline_board.hpp>
#include <smarm/detail/idle_counters.hpp>
#include <smarm/detail/idle_driver.hpp>
#include <smarm/detail/idle_options.hpp>
#include <smarm/detail/idle_rules.hpp>
#include <smarm/detail/idle_set.hpp>
#include <smarm/detail/standby.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>

namespace smarm::detail {

enum class idle_result : unsigned char {
  work_found, // the source holds what it took
  timed_out,  // a deadline has passed: fire all wheels, then expired() and cover()
  finished,
};

// How one scheduler reaches the work of a runtime.
template <class S>
concept idle_source = requires(S& source, bool lone) {
  // Takes one item and keeps it: from the own queue, from outside, or stolen from a sibling; the
  // only item of a sibling's queue if `lone`. May fail because somebody else was faster.
  { source.take(lone) } noexcept -> std::same_as<bool>;
  // Whether there is anything for take(lone). May err on the side of yes, for a moment.
  { source.pending(lone) } noexcept -> std::same_as<bool>;
  // The verdict that all is over; stays true.
  { source.finished() } noexcept -> std::same_as<bool>;
};

// For a number of schedulers that nobody asked for, such as that of the processors.
[[nodiscard]] constexpr unsigned clamp_schedulers(unsigned wanted) noexcept {
  return std::clamp(wanted, 1u, max_schedulers);
}

template <class Atomics, class Futex, class Rules = idle_rules>
class basic_coordinator {
public:
  using parker_type = basic_parker<Atomics, Futex>;
  using driver_type = basic_idle_driver<parker_type>;

  // 1 … max_schedulers of them; the caller has refused anything else.
  basic_coordinator(unsigned schedulers, driver_type& driver, const idle_options& options = {});

  // Scheduler `id` has nothing to do. Sleeps and wakes until there is something.
  template <idle_source Source>
  [[nodiscard]] idle_result idle(unsigned id, Source& source) noexcept;

  // By any thread: from now on sleepers keep time in this one. Whoever is in the one before comes out
  // of it; both outlive the coordinator.
  void replace_driver(driver_type& driver) noexcept {
    driver_.store(&driver, std::memory_order_release);
    wake_all();
  }

  // ---- after something became runnable, and is visible in a queue

  // By scheduler `id`, onto its own queue, which was not empty before. Without a fence, which would
  // cost more than all the rest: a sleeper whose bit is not to be seen yet may be missed, and may miss
  // the item. Nobody is lost by that: this scheduler comes back to its queue itself, the next item
  // tells again, and while it is busy somebody stands by and looks.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool somebody_to_tell() const noexcept {
    return !set_.nobody_to_tell();
  }
  void wake_for_work(unsigned id) noexcept {
    if (somebody_to_tell()) {
      wake_one(id);
    }
  }
  // By any thread, onto the queue for work from outside.
  void wake_for_injection() noexcept {
    Atomics::fence(std::memory_order_seq_cst);
    if (!set_.nobody_to_tell()) {
      wake_one(nobody);
    }
  }
  // By any thread, after it changed anything that finished() reads.
  void verdict_changed() noexcept { wake_for_injection(); }
  // By any thread, after it published something that only scheduler `id` can take. A permit, so it
  // cannot be lost; if that scheduler does not sleep it costs it one look for nothing.
  void wake(unsigned id) noexcept { seats_[id].parker.unpark(); }
  // A permit for everybody. idle() sends it by itself when it sees the end.
  void wake_all() noexcept;

  // By a scheduler to which idle() told of a deadline, after it fired what was due by `now`. If more
  // is due within the slack, the next wake-up is at its end.
  void expired(std::int64_t now) noexcept {
    const bool thick = board_.earliest() - now < options_.timer_slack_ns;
    next_expiry_.store(thick ? now + options_.timer_slack_ns : 0, std::memory_order_relaxed);
  }
  // By scheduler `id`, before it runs something that idle() did not give to it although it came out
  // of idle(): an actor that a timer made runnable.
  void cover(unsigned id) noexcept;

  // ---- timers; both under the lock of the wheel, after its earliest deadline changed

  // By scheduler `id` about its own wheel, while it is busy.
  void note_own_deadline(unsigned id, std::int64_t deadline) noexcept;
  // By anybody about any wheel.
  void note_deadline(unsigned wheel, std::int64_t deadline) noexcept;

  [[nodiscard]] std::int64_t next_deadline(unsigned wheel) const noexcept {
    return board_.next(wheel);
  }
  [[nodiscard]] std::int64_t earliest() const noexcept { return board_.earliest(); }
  // For busy schedulers: one relaxed load, and no look at the clock if nothing is armed.
  [[nodiscard]] bool deadline_due(unsigned wheel) const noexcept {
    const std::int64_t next = board_.next(wheel);
    return SMARM_UNLIKELY(next != no_deadline) && next <= Futex::now();
  }
  [[nodiscard]] bool deadline_due(unsigned wheel, std::int64_t now) const noexcept {
    return board_.next(wheel) <= now;
  }

  // ---- for tests and introspection

  [[nodiscard]] unsigned schedulers() const noexcept { return schedulers_; }
  [[nodiscard]] std::uint64_t sleepers() const noexcept { return set_.sleepers(); }
  [[nodiscard]] bool searched() const noexcept { return set_.searched(); }
  [[nodiscard]] unsigned timekeeper() const noexcept { return board_.keeper(); }
  [[nodiscard]] unsigned standby() const noexcept { return standby_.holder(); }
  [[nodiscard]] const idle_counters& counters(unsigned id) const noexcept {
    return seats_[id].counters;
  }
  // Between two runs, when no scheduler writes them.
  void reset_counters() noexcept {
    for (unsigned id = 0; id < schedulers_; ++id) {
      seats_[id].counters.reset();
    }
  }

private:
  struct alignas(line_pair) seat {
    parker_type parker;                        // wakers write it
    alignas(line_pair) idle_counters counters; // the scheduler writes them
  };
  struct sleep_plan {
    std::int64_t deadline = no_deadline;
    bool keeps_time = false;
    driver_type* driver = nullptr; // to sleep in, else on the own parker
    bool due = false;
  };

  template <class Source>
  [[nodiscard]] bool search(idle_counters& counters, Source& source) noexcept;
  [[nodiscard]] sleep_plan plan_sleep(unsigned id, standby_pace& pace) noexcept;
  [[nodiscard]] bool sleep(unsigned id, const sleep_plan& plan) noexcept;
  template <class Source>
  idle_result leave(unsigned id, bool searched, Source& source, idle_result why) noexcept;
  bool wake_one(unsigned sender) noexcept;

  const unsigned schedulers_;
  const bool solo_; // nobody to wake, or to be woken by, but for what comes from outside
  const idle_options options_;
  // Written by replace_driver; release and acquire, for what it points to. A sleeper that has read the
  // old one gets a permit, and reads again.
  std::atomic<driver_type*> driver_;
  const std::unique_ptr<seat[]> seats_;

  alignas(line_pair) basic_idle_set<Atomics> set_;
  basic_sleeper_role<Atomics> standby_;
  basic_sleeper_role<Atomics> in_driver_; // of one in which things happen

  alignas(line_pair) basic_deadline_board<Atomics> board_;
  // Before this no sleeper wakes for a deadline. Written by who fired timers, read by who sleeps
  // next; relaxed, since an old value only means a wake-up more, or one that is later by the slack.
  std::atomic<std::int64_t> next_expiry_{0};
  // How often anybody left to be busy: relaxed, for the pace of the standby only.
  alignas(line_pair) std::atomic<std::uint64_t> departures_{0};
};

using coordinator = basic_coordinator<std_atomics, linux_futex>;

} // namespace smarm::detail

#include <smarm/detail/impl/coordinator.hpp>

#endif
