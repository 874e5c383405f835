// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The coordinator: nobody sleeps while there is work, or an end to be seen.

#include "idle_scenario.hpp"

namespace {

using smarm::detail::idle_options;
using smarm::detail::idle_result;
using smarm::detail::idle_rules;

constexpr idle_options sleeps_at_once{.spin_ns = 0, .standby_first_ns = 0};
constexpr idle_options searches_first{.spin_ns = 1, .lone_ns = mc::far_away, .standby_first_ns = 0};

struct no_recheck : idle_rules {
  static constexpr bool recheck = false;
};
struct search_ends_late : idle_rules {
  static constexpr bool search_ends_first = false;
};
struct no_chain : idle_rules {
  static constexpr bool chain = false;
};
struct end_wakes_nobody : idle_rules {
  static constexpr bool end_wakes = false;
};

// Work comes from outside, an item per thread; a scheduler takes it all.
template <int Items, class Atomics = mc::atomics, class Rules = idle_rules>
void no_lost_wake(mc::world& world, unsigned schedulers, const idle_options& options) {
  auto& s = world.make<mc::idle_scenario<Atomics, Rules>>(schedulers, options);
  s.items_in_use_ = Items;
  world.thread([&s] {
    for (int taken = 0; taken < Items; ++taken) {
      typename mc::idle_scenario<Atomics, Rules>::source source{s};
      mc::require(s.coordinator_.idle(0, source) == idle_result::work_found, "only work ends it");
    }
  });
  for (int item = 0; item < Items; ++item) {
    world.thread([&s, item] {
      s.push(item);
      s.coordinator_.wake_for_injection();
    });
  }
}

// Two items and two schedulers; each of them holds its item until the other one was taken as well.
// Whoever is told of one item only has to pass on that there is another.
template <bool TwoWakes, class Atomics = mc::atomics, class Rules = idle_rules>
void chain(mc::world& world, const idle_options& options) {
  auto& s = world.make<mc::idle_scenario<Atomics, Rules>>(2u, options);
  s.items_in_use_ = 2;
  for (unsigned id = 0; id < 2; ++id) {
    world.thread([&s, id] {
      typename mc::idle_scenario<Atomics, Rules>::source source{s};
      mc::require(s.coordinator_.idle(id, source) == idle_result::work_found, "only work ends it");
      s.wait_until_taken(1 - source.taken);
    });
  }
  world.thread([&s] {
    s.push(0);
    if (TwoWakes) {
      s.coordinator_.wake_for_injection();
    }
    s.push(1);
    s.coordinator_.wake_for_injection();
  });
}

// The verdict changes while all sleep: whoever changed it wakes one, and that one tells all.
template <bool Wakes, class Atomics = mc::atomics, class Rules = idle_rules>
void the_end(mc::world& world, unsigned schedulers, const idle_options& options) {
  auto& s = world.make<mc::idle_scenario<Atomics, Rules>>(schedulers, options);
  s.ends_ = true;
  for (unsigned id = 0; id < schedulers; ++id) {
    world.thread([&s, id] {
      typename mc::idle_scenario<Atomics, Rules>::source source{s};
      mc::require(s.coordinator_.idle(id, source) == idle_result::finished, "only the end ends it");
    });
  }
  world.thread([&s] {
    s.finish();
    if (Wakes) {
      s.coordinator_.verdict_changed();
    }
  });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options sc{.reduced = true};
  const mc::options tso{.store_buffers = true, .reduced = true};
  const mc::options tso2{.preemptions = 2, .store_buffers = true};
  mc::suite suite("coordinator", argc, argv);

  suite.model("no_lost_wake", tso, [](auto& w) { no_lost_wake<1>(w, 2, sleeps_at_once); });
  suite.model("no_lost_wake_alone", tso, [](auto& w) { no_lost_wake<1>(w, 1, sleeps_at_once); });
  suite.model("no_lost_wake_of_two", tso2, [](auto& w) { no_lost_wake<2>(w, 2, sleeps_at_once); });
  suite.mutation("no_recheck", sc, [](auto& w) {
    no_lost_wake<1, mc::atomics, no_recheck>(w, 2, sleeps_at_once);
  });
  suite.mutation("no_fences", tso2, [](auto& w) {
    no_lost_wake<1, mc::atomics_without_fences>(w, 2, sleeps_at_once);
  });

  suite.model("search", tso, [](auto& w) { no_lost_wake<1>(w, 2, searches_first); });
  suite.model("search_of_two", tso2, [](auto& w) { no_lost_wake<2>(w, 2, searches_first); });
  suite.mutation("search_ends_late", sc, [](auto& w) {
    no_lost_wake<1, mc::atomics, search_ends_late>(w, 2, searches_first);
  });
  suite.mutation("search_without_fences", tso2, [](auto& w) {
    no_lost_wake<1, mc::atomics_without_fences>(w, 2, searches_first);
  });

  suite.model("chain", tso2, [](auto& w) { chain<false>(w, sleeps_at_once); });
  suite.model("chain_of_searches", tso2, [](auto& w) { chain<true>(w, searches_first); });
  suite.mutation("no_chain", sc, [](auto& w) {
    chain<false, mc::atomics, no_chain>(w, sleeps_at_once);
  });
  suite.mutation("no_chain_of_searches", sc, [](auto& w) {
    chain<true, mc::atomics, no_chain>(w, searches_first);
  });

  suite.model("the_end", tso2, [](auto& w) { the_end<true>(w, 2, sleeps_at_once); });
  suite.model("the_end_of_three", tso2,
              [](auto& w) { the_end<true>(w, 3, searches_first); });
  suite.mutation("the_end_without_a_wake", sc,
                 [](auto& w) { the_end<false>(w, 2, sleeps_at_once); });
  suite.mutation("the_end_without_a_fence", tso2, [](auto& w) {
    the_end<true, mc::atomics_without_fences>(w, 2, sleeps_at_once);
  });
  suite.mutation("the_end_wakes_nobody", sc, [](auto& w) {
    the_end<true, mc::atomics, end_wakes_nobody>(w, 2, sleeps_at_once);
  });
  return suite.result();
}
