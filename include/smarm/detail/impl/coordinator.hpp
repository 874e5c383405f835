// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The bodies of coordinator.hpp.

#ifndef SMARM_DETAIL_IMPL_COORDINATOR_HPP
#define SMARM_DETAIL_IMPL_COORDINATOR_HPP

#include <smarm/detail/coordinator.hpp>

namespace smarm::detail {

template <class Atomics, class Futex, class Rules>
basic_coordinator<Atomics, Futex, Rules>::basic_coordinator(unsigned schedulers,
                                                            driver_type& driver,
                                                            const idle_options& options)
  : schedulers_(schedulers), solo_(schedulers == 1), options_(options), driver_(&driver),
    seats_(std::make_unique<seat[]>(schedulers)), set_(schedulers), board_(schedulers) {
  SMARM_ASSERT(schedulers == clamp_schedulers(schedulers));
}

// ---- going to sleep

template <class Atomics, class Futex, class Rules>
template <idle_source Source>
idle_result basic_coordinator<Atomics, Futex, Rules>::idle(unsigned id, Source& source) noexcept {
  idle_counters& counters = seats_[id].counters;
  standby_pace pace(options_);
  bool searches = options_.spin_ns > 0 && set_.begin_search();
  bool woken = false;
  for (;;) {
    if (searches && search(counters, source)) {
      return leave(id, true, source, idle_result::work_found);
    }

    if (searches && Rules::search_ends_first) {
      set_.add_searcher(id);
    } else {
      set_.add(id);
    }
    Atomics::fence(std::memory_order_seq_cst);
    if (source.finished()) {
      if (set_.remove(id)) {
        set_.end_search(); // a waker had made it the searcher, and the next run has to find none
      }
      standby_.give_up(id);
      if (Rules::end_wakes) {
        wake_all();
      }
      return idle_result::finished;
    }
    if (Rules::recheck && source.pending(false)) {
      const bool claimed = set_.remove(id);
      if (source.take(false)) {
        return leave(id, claimed || (searches && !Rules::search_ends_first), source,
                     idle_result::work_found);
      }
      searches = claimed; // somebody was faster, or is about to let it be seen: look again
      continue;
    }
    if (searches && !Rules::search_ends_first) {
      set_.end_search();
    }

    const sleep_plan plan = plan_sleep(id, pace);
    if (plan.due) {
      return leave(id, set_.remove(id), source, idle_result::timed_out);
    }
    if (woken) {
      counters.spurious.add();
    }
    woken = sleep(id, plan);
    searches = set_.remove(id) && (woken || Rules::claimed_searches);
    if (plan.keeps_time) {
      board_.resign();
    }
    if (searches || woken) {
      continue;
    }

    // The deadline, or the driver has news that the next look finds.
    if ((plan.keeps_time || board_.keeper() == nobody) && board_.earliest() <= Futex::now()) {
      return leave(id, false, source, idle_result::timed_out);
    }
    if (standby_.holder() == id) {
      counters.looks.add();
      if (source.take(true)) {
        counters.lone_taken.add();
        return leave(id, false, source, idle_result::work_found);
      }
      if (!pace.goes_on(set_.all_but(id), departures_.load(std::memory_order_relaxed))) {
        standby_.give_up(id);
      }
    }
  }
}

template <class Atomics, class Futex, class Rules>
template <class Source>
bool basic_coordinator<Atomics, Futex, Rules>::search(idle_counters& counters,
                                                      Source& source) noexcept {
  counters.searches.add();
  const std::int64_t begin = Futex::now();
  const std::int64_t due = board_.earliest();
  std::int64_t lone_since = no_deadline;
  for (std::int64_t now = begin;; now = Futex::now()) {
    if (source.take(false)) {
      counters.search_hits.add();
      return true;
    }
    if (solo_ || !source.pending(true)) {
      lone_since = no_deadline;
    } else if (lone_since == no_deadline) {
      lone_since = now;
    } else if (now - lone_since >= options_.lone_ns && source.take(true)) {
      counters.search_hits.add();
      counters.lone_taken.add();
      return true;
    }
    if (now - begin >= options_.spin_ns || now >= due) {
      return false;
    }
    for (int i = 0; i < 4; ++i) {
      Atomics::pause();
    }
  }
}

// After the bit and the fence: which roles this sleeper has, and how long it may sleep with them.
// Whoever becomes busy, or arms a timer, after this was looked at, sees the bit.
template <class Atomics, class Futex, class Rules>
auto basic_coordinator<Atomics, Futex, Rules>::plan_sleep(unsigned id, standby_pace& pace) noexcept
  -> sleep_plan {
  sleep_plan plan;
  driver_type& driver = *driver_.load(std::memory_order_acquire);
  const bool all_idle = set_.all_but(id);
  if (board_.earliest() != no_deadline && board_.try_keep(id)) {
    plan.keeps_time = true;
    plan.deadline = std::max(board_.arm(), next_expiry_.load(std::memory_order_relaxed));
    if (plan.deadline != no_deadline && plan.deadline <= Futex::now()) {
      board_.resign();
      plan.due = true;
      return plan;
    }
  }
  if (driver.needs_sleeper() ? Rules::last_one_reacts && all_idle && in_driver_.take(nobody, id)
                             : plan.keeps_time) {
    plan.driver = &driver;
  }
  if (solo_ || options_.standby_first_ns == 0) {
    return plan;
  }
  unsigned holder = standby_.holder();
  // Better not one sleeper in both roles: when it leaves as timekeeper, somebody stands by already.
  const bool free = holder == nobody ? !all_idle : !plan.keeps_time && holder == board_.keeper();
  if (holder != id && free && standby_.take(holder, id)) {
    pace.begin(departures_.load(std::memory_order_relaxed));
    holder = id;
  }
  if (holder == id) {
    plan.deadline = std::min(plan.deadline, Futex::now() + pace.sleep(all_idle));
  }
  return plan;
}

template <class Atomics, class Futex, class Rules>
bool basic_coordinator<Atomics, Futex, Rules>::sleep(unsigned id, const sleep_plan& plan) noexcept {
  seat& own = seats_[id];
  own.counters.parks.add();
  if (plan.driver == nullptr) {
    return own.parker.park(plan.deadline);
  }
  const bool permitted = plan.driver->wait_until(plan.deadline, own.parker);
  in_driver_.give_up(id);
  return permitted;
}

// The bit and the timekeeper's role are given back already. What a busy scheduler leaves behind is
// seen to: work that is left, and that somebody stands by.
template <class Atomics, class Futex, class Rules>
template <class Source>
idle_result basic_coordinator<Atomics, Futex, Rules>::leave(unsigned id, bool searched,
                                                            Source& source,
                                                            idle_result why) noexcept {
  if (searched) {
    set_.end_search();
  }
  departures_.fetch_add(1, std::memory_order_relaxed);
  if (solo_) {
    return why;
  }
  standby_.give_up(id);
  Atomics::fence(std::memory_order_seq_cst);
  if (!set_.nobody_to_tell()) {
    if (Rules::chain && source.pending(false)) {
      wake_one(id);
    } else if (why == idle_result::work_found) {
      cover(id);
    }
  }
  return why;
}

template <class Atomics, class Futex, class Rules>
void basic_coordinator<Atomics, Futex, Rules>::cover(unsigned id) noexcept {
  if (Rules::hand_on && !solo_ && options_.standby_first_ns > 0 && !set_.nobody_to_tell() &&
      standby_.holder() == nobody) {
    wake_one(id); // a searcher will do: it stands by if it finds nothing
  }
}

// ---- waking

// While somebody searches it finds what is left, and looks at the verdict and the timers before it
// sleeps. Else a sleeper without a role is woken if there is one, then the timekeeper, and last who
// stands by: it is needed as long as there is any other.
template <class Atomics, class Futex, class Rules>
SMARM_NOINLINE bool basic_coordinator<Atomics, Futex, Rules>::wake_one(unsigned sender) noexcept {
  const unsigned id =
    set_.claim(idle_bit(sender), idle_bit(board_.keeper()), idle_bit(standby_.holder()));
  if (id == nobody) {
    return false;
  }
  if (sender != nobody) {
    seats_[sender].counters.wakes.add();
  }
  seats_[id].parker.unpark();
  return true;
}

template <class Atomics, class Futex, class Rules>
void basic_coordinator<Atomics, Futex, Rules>::wake_all() noexcept {
  for (unsigned id = 0; id < schedulers_; ++id) {
    seats_[id].parker.unpark();
  }
}

// ---- timers

template <class Atomics, class Futex, class Rules>
void basic_coordinator<Atomics, Futex, Rules>::note_own_deadline(unsigned id,
                                                                 std::int64_t deadline) noexcept {
  const bool later = deadline >= board_.next(id);
  board_.publish(id, deadline);
  if (solo_ || later || !Rules::insert_wakes) {
    return;
  }
  Atomics::fence(std::memory_order_seq_cst);
  const unsigned keeper = board_.keeper();
  if (keeper != nobody && board_.overslept(deadline)) {
    seats_[keeper].parker.unpark();
  } // without one: this scheduler is busy, so somebody stands by who will keep time as well
}

template <class Atomics, class Futex, class Rules>
void basic_coordinator<Atomics, Futex, Rules>::note_deadline(unsigned wheel,
                                                             std::int64_t deadline) noexcept {
  const bool later = deadline >= board_.next(wheel);
  board_.publish(wheel, deadline);
  if (later || !Rules::insert_wakes) {
    return;
  }
  Atomics::fence(std::memory_order_seq_cst);
  const unsigned keeper = board_.keeper();
  if (keeper != nobody) {
    if (board_.overslept(deadline)) {
      seats_[keeper].parker.unpark();
    }
  } else if (const unsigned holder = standby_.holder(); holder != nobody) {
    seats_[holder].parker.unpark(); // many in a row merge into one permit
  } else if (!set_.nobody_to_tell()) {
    wake_one(nobody);
  }
}

extern template class basic_coordinator<std_atomics, linux_futex>;

} // namespace smarm::detail

#endif
