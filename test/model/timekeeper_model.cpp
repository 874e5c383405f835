// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Timers and lone items while schedulers sleep: no deadline is slept past, and nothing waits behind
// a busy scheduler for ever as long as another one is idle.

#include "idle_scenario.hpp"

namespace {

using smarm::detail::idle_options;
using smarm::detail::idle_result;
using smarm::detail::idle_rules;
using smarm::detail::no_deadline;

constexpr idle_options no_standby{.spin_ns = 0, .standby_first_ns = 0};
constexpr idle_options standby{
  .spin_ns = 0, .standby_first_ns = 1, .standby_limit_ns = 1, .linger_ns = 1};

constexpr std::int64_t near = 5;
constexpr std::int64_t far = mc::far_away + 1;

struct insert_wakes_nobody : idle_rules {
  static constexpr bool insert_wakes = false;
};
struct claimed_forgets : idle_rules {
  static constexpr bool claimed_searches = false;
};
struct no_hand_on : idle_rules {
  static constexpr bool hand_on = false;
};

template <class Atomics, class Rules>
struct timers : mc::idle_scenario<Atomics, Rules> {
  using mc::idle_scenario<Atomics, Rules>::idle_scenario;

  mc::atomic<int> fired{0};

  void wait_until_fired() {
    mc::block([this] { return fired.load() == 1; });
  }
};

// A near deadline comes from outside while one sleeper sleeps towards a far one.
template <class Atomics = mc::atomics, class Rules = idle_rules>
void earlier_insert(mc::world& world, unsigned schedulers) {
  using state = timers<Atomics, Rules>;
  auto& s = world.make<state>(schedulers, no_standby);
  s.ends_ = schedulers > 1;
  s.coordinator_.note_deadline(0, far);
  for (unsigned id = 0; id < schedulers; ++id) {
    world.thread([&s, id, schedulers] {
      typename state::source source{s};
      if (s.coordinator_.idle(id, source) == idle_result::timed_out && schedulers > 1) {
        s.finish();
        s.coordinator_.verdict_changed();
      }
    });
  }
  world.thread([&s] { s.coordinator_.note_deadline(0, near); });
}

// Items come as the deadline passes: who is woken by both at once loses neither.
template <class Atomics = mc::atomics, class Rules = idle_rules>
void item_against_deadline(mc::world& world) {
  using state = timers<Atomics, Rules>;
  auto& s = world.make<state>(2u, no_standby);
  s.items_in_use_ = 2;
  s.coordinator_.note_deadline(0, near);
  world.thread([&s] {
    typename state::source source{s};
    for (int taken = 0, fired = 0; taken + fired < 3;) {
      if (s.coordinator_.idle(0, source) == idle_result::work_found) {
        ++taken;
      } else {
        s.coordinator_.note_deadline(0, no_deadline);
        ++fired;
      }
    }
  });
  world.thread([&s] {
    s.push(0);
    s.coordinator_.wake_for_injection();
    s.push(1);
    s.coordinator_.wake_for_injection();
  });
}

// One scheduler is busy, arms a timer, and goes on until the other one has fired it.
template <class Atomics = mc::atomics, class Rules = idle_rules>
void insert_by_a_busy_one(mc::world& world) {
  using state = timers<Atomics, Rules>;
  auto& s = world.make<state>(2u, no_standby);
  s.coordinator_.note_deadline(0, far);
  world.thread([&s] {
    typename state::source source{s};
    mc::require(s.coordinator_.idle(0, source) == idle_result::timed_out, "only time ends it");
    s.fired.store(1);
  });
  world.thread([&s] {
    s.coordinator_.note_own_deadline(1, near);
    s.wait_until_fired();
  });
}

// Two timers. What the first one makes runnable does not end before the second one has fired, so
// who kept time for the first cannot be who fires the second.
template <class Atomics = mc::atomics, class Rules = idle_rules>
void timekeeper_goes_to_work(mc::world& world, const idle_options& options) {
  using state = timers<Atomics, Rules>;
  auto& s = world.make<state>(2u, options);
  s.ends_ = true;
  s.coordinator_.note_deadline(0, near);
  for (unsigned id = 0; id < 2; ++id) {
    world.thread([&s, id] {
      typename state::source source{s};
      while (s.coordinator_.idle(id, source) == idle_result::timed_out) {
        int none = 0;
        if (s.fired.compare_exchange_strong(none, 1)) {
          s.coordinator_.note_deadline(0, 2 * near);
          s.coordinator_.cover(id);
          mc::block([&s] { return s.fired.load() == 2; });
          s.finish();
          s.coordinator_.verdict_changed();
        } else if (s.coordinator_.deadline_due(0)) {
          s.coordinator_.note_deadline(0, no_deadline);
          s.fired.store(2);
        }
      }
    });
  }
}

// An item comes from outside while all are idle. Who takes it sends a message, which wakes nobody,
// and then does not come back before the other one has taken what the message made runnable. With
// an item before that one, somebody may just be about to stand by no longer.
template <class Atomics = mc::atomics, class Rules = idle_rules>
void left_behind(mc::world& world, unsigned schedulers, const idle_options& options,
                 bool again = false) {
  using state = timers<Atomics, Rules>;
  auto& s = world.make<state>(schedulers, options);
  s.items_in_use_ = again ? 2 : 1;
  s.lone_in_use_ = 1;
  s.ends_ = true;
  for (unsigned id = 0; id < schedulers; ++id) {
    world.thread([&s, id] {
      typename state::source source{s};
      while (s.coordinator_.idle(id, source) == idle_result::work_found) {
        if (source.taken == 0) {
          s.push_lone(0);
          s.wait_until_lone_taken(0);
          s.finish();
          s.coordinator_.verdict_changed();
        }
      }
    });
  }
  world.thread([&s, again] {
    if (again) {
      s.push(1);
      s.coordinator_.wake_for_injection();
    }
    s.push(0);
    s.coordinator_.wake_for_injection();
  });
}

// One is busy from the start, so the other one stands by for it.
template <class Atomics = mc::atomics>
void left_behind_later(mc::world& world, const idle_options& options) {
  using state = timers<Atomics, idle_rules>;
  auto& s = world.make<state>(2u, options);
  s.lone_in_use_ = 1;
  world.thread([&s] {
    typename state::source source{s};
    mc::require(s.coordinator_.idle(0, source) == idle_result::work_found, "only work ends it");
  });
  world.thread([&s] {
    s.push_lone(0);
    s.wait_until_lone_taken(0);
  });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options sc{};
  const mc::options all{.store_buffers = true, .reduced = true};
  const mc::options sc2{.preemptions = 2};
  const mc::options tso1{.preemptions = 1, .store_buffers = true};
  const mc::options tso2{.preemptions = 2, .store_buffers = true};
  using mc::atomics;
  using mc::atomics_without_fences;
  mc::suite suite("timekeeper", argc, argv);

  suite.model("earlier_insert", all, [](auto& w) { earlier_insert<>(w, 1); });
  suite.model("earlier_insert_of_two", tso1, [](auto& w) { earlier_insert<>(w, 2); });
  suite.mutation("insert_wakes_nobody", sc, [](auto& w) {
    earlier_insert<atomics, insert_wakes_nobody>(w, 1);
  }, "deadlock");
  suite.mutation("insert_without_a_fence", tso2, [](auto& w) {
    earlier_insert<atomics_without_fences>(w, 1);
  }, "deadlock");
  suite.model("insert_by_a_busy_one", all, &insert_by_a_busy_one<>);
  suite.mutation("insert_by_a_busy_one_wakes_nobody", sc,
                 &insert_by_a_busy_one<atomics, insert_wakes_nobody>, "deadlock");
  suite.mutation("insert_by_a_busy_one_without_a_fence", tso2,
                 &insert_by_a_busy_one<atomics_without_fences>, "deadlock");

  suite.model("item_against_deadline", tso2, &item_against_deadline<>);
  suite.mutation("claimed_forgets", sc2, &item_against_deadline<atomics, claimed_forgets>,
                 "deadlock");

  suite.model("timekeeper_goes_to_work", sc2,
              [](auto& w) { timekeeper_goes_to_work<>(w, standby); });
  suite.mutation("timekeeper_hands_nothing_on", sc2, [](auto& w) {
    timekeeper_goes_to_work<atomics, no_hand_on>(w, standby);
  });

  suite.model("left_behind_later", tso2, [](auto& w) { left_behind_later<>(w, standby); });
  suite.mutation("nobody_stands_by", sc, [](auto& w) { left_behind_later<>(w, no_standby); },
                 "deadlock");
  suite.model("left_behind", tso1, [](auto& w) { left_behind<>(w, 2, standby); });
  suite.model("left_behind_by_one_of_three", {.preemptions = 1},
              [](auto& w) { left_behind<>(w, 3, standby); });
  suite.model("left_behind_again", sc2,
              [](auto& w) { left_behind<>(w, 2, standby, true); });
  suite.mutation("left_behind_for_good", sc2, [](auto& w) {
    left_behind<atomics, no_hand_on>(w, 2, standby);
  });
  return suite.result();
}
