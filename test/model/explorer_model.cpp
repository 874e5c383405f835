// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The explorer explored: litmus tests whose answers are known. An explorer that misses one of the
// mutations here would let a broken protocol pass.

#include "suite.hpp"

namespace {

using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

struct two_words {
  mc::atomic<int> x{0};
  mc::atomic<int> y{0};
  int seen_x = -1;
  int seen_y = -1;
};

// Store one, look at the other: the shape of every "publish, then is anybody asleep?".
template <class Atomics>
void dekker(mc::world& world, std::memory_order order, bool fence) {
  struct words {
    typename Atomics::template atomic<int> x{0};
    typename Atomics::template atomic<int> y{0};
    int seen_x = -1;
    int seen_y = -1;
  };
  auto& s = world.make<words>();
  world.thread([&s, order, fence] {
    s.x.store(1, order);
    if (fence) {
      Atomics::fence(memory_order_seq_cst);
    }
    s.seen_y = s.y.load();
  });
  world.thread([&s, order, fence] {
    s.y.store(1, order);
    if (fence) {
      Atomics::fence(memory_order_seq_cst);
    }
    s.seen_x = s.x.load();
  });
  world.finally([&s] { mc::require(s.seen_x + s.seen_y > 0, "one sees the other"); });
}

// A buffer keeps the order of its stores and never hides a thread's own store from it.
void message(mc::world& world) {
  auto& s = world.make<two_words>();
  world.thread([&s] {
    s.x.store(1, memory_order_relaxed);
    s.y.store(1, memory_order_release);
    mc::require(s.x.load() == 1, "own store is seen");
  });
  world.thread([&s] { mc::require(s.y.load() == 0 || s.x.load() == 1, "order is kept"); });
}

// Two increments; apart, one of them is lost.
template <bool Torn>
void increments(mc::world& world) {
  auto& s = world.make<two_words>();
  const auto body = [&s] {
    if (Torn) {
      s.x.store(s.x.load() + 1);
    } else {
      s.x.fetch_add(1);
    }
  };
  world.thread(body);
  world.thread(body);
  world.thread(body);
  world.finally([&s] { mc::require(s.x.load() == 3, "three increments"); });
}

// A spin loop ends whichever side runs first, and a late store is not taken for a deadlock.
template <bool Stores>
void spin(mc::world& world) {
  auto& s = world.make<two_words>();
  world.thread([&s] {
    while (s.x.load() == 0) {
      mc::atomics::pause();
    }
  });
  world.thread([&s] {
    while (s.x.load() == 0) {
      mc::atomics::pause();
    }
  });
  world.thread([&s] {
    (void)s.y.load();
    s.x.store(Stores ? 1 : 0, memory_order_relaxed);
  });
}

// A bounded spinner may give up before anybody else has done anything.
void impatience(mc::world& world) {
  auto& s = world.make<two_words>();
  world.thread([&s] {
    for (int i = 0; i < 2 && s.x.load() == 0; ++i) {
      mc::atomics::pause();
    }
    s.seen_x = s.x.load();
  });
  world.thread([&s] { s.x.store(1); });
  world.finally([&s] { mc::require(s.seen_x == 1, "nobody gives up early"); });
}

// The wake is sent before the sleeper has looked: it must block on the state, not on the event.
template <bool OnState>
void sleep_and_wake(mc::world& world) {
  auto& s = world.make<two_words>();
  world.thread([&s] {
    const int before = OnState ? 0 : s.x.load();
    mc::block([&s, before = before] { return s.x.load() != before; });
  });
  world.thread([&s] { s.x.store(1); });
}

void choices(mc::world& world) {
  auto& s = world.make<two_words>();
  world.thread([&s] { s.seen_x = mc::choose(3); });
  world.finally([&s] { mc::require(s.seen_x != 2, "two was not chosen"); });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options sc{};
  const mc::options tso{.store_buffers = true};
  mc::suite suite("explorer", argc, argv);

  suite.model("dekker_is_sound_without_buffers", sc,
              [](auto& w) { dekker<mc::atomics>(w, memory_order_release, false); });
  suite.model("dekker_with_fences", tso,
              [](auto& w) { dekker<mc::atomics>(w, memory_order_release, true); });
  suite.model("dekker_with_seq_cst", tso,
              [](auto& w) { dekker<mc::atomics>(w, memory_order_seq_cst, false); });
  suite.mutation("dekker_without_a_fence", tso,
                 [](auto& w) { dekker<mc::atomics>(w, memory_order_release, false); });
  suite.mutation("dekker_with_fences_that_do_nothing", tso, [](auto& w) {
    dekker<mc::atomics_without_fences>(w, memory_order_release, true);
  });
  suite.mutation("dekker_with_demoted_stores", tso, [](auto& w) {
    dekker<mc::atomics_without_seq_cst_stores>(w, memory_order_seq_cst, false);
  });
  suite.model("message", tso, &message);
  suite.model("increments", sc, &increments<false>);
  suite.mutation("torn_increments", sc, &increments<true>, "three increments");
  suite.mutation("torn_increments_by_one_preemption", {.preemptions = 1}, &increments<true>);
  suite.model("torn_increments_in_turn", {.preemptions = 0}, &increments<true>);
  suite.model("spin", tso, &spin<true>);
  suite.mutation("spin_for_nothing", sc, &spin<false>, "livelock");
  suite.mutation("impatience", {.spins = 2}, &impatience);
  suite.model("sleep_and_wake", tso, &sleep_and_wake<true>);
  suite.mutation("sleep_on_the_event", sc, &sleep_and_wake<false>, "deadlock");
  suite.mutation("choices", sc, &choices);
  return suite.result();
}
