// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The explorer explored: litmus tests whose answers are known. An explorer that misses one of the
// mutations here would let a broken protocol pass.

#include "suite.hpp"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <vector>

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

// ---- the reduced search against the full one

struct operation {
  int what; // load, store, seq_cst store, add, fence
  int word;
};
using program = std::vector<std::vector<operation>>;
using outcomes = std::set<std::vector<int>>;

program random_program(std::mt19937& random) {
  program p(2 + random() % 2);
  const std::size_t length = p.size() == 2 ? 4 : 3;
  for (auto& thread : p) {
    for (std::size_t i = 0; i < length; ++i) {
      thread.push_back({static_cast<int>(random() % 5), static_cast<int>(random() % 2)});
    }
  }
  return p;
}

// Runs it and collects what the loads saw and what memory holds in the end.
void run_program(mc::world& world, const program& p, outcomes& seen) {
  struct state {
    mc::atomic<int> words[2];
    std::vector<std::vector<int>> loads;
  };
  auto& s = world.make<state>();
  s.loads.resize(p.size());
  for (std::size_t t = 0; t < p.size(); ++t) {
    world.thread([&s, &p, t] {
      for (std::size_t i = 0; i < p[t].size(); ++i) {
        auto& word = s.words[p[t][i].word];
        const int value = static_cast<int>(t * 10 + i + 1);
        switch (p[t][i].what) {
        case 0: s.loads[t].push_back(word.load()); break;
        case 1: word.store(value, memory_order_release); break;
        case 2: word.store(value); break;
        case 3: s.loads[t].push_back(word.fetch_add(100)); break;
        default: mc::atomics::fence(memory_order_seq_cst);
        }
      }
    });
  }
  world.finally([&s, &seen] {
    std::vector<int> end{s.words[0].load(), s.words[1].load()};
    for (const auto& l : s.loads) {
      end.insert(end.end(), l.begin(), l.end());
    }
    seen.insert(end);
  });
}

// False if the reduced search missed an outcome of some program.
bool reduction_keeps_all_outcomes(bool store_buffers) {
  std::mt19937 random(7);
  mc::world world;
  long full_runs = 0;
  long reduced_runs = 0;
  for (int i = 0; i < 100; ++i) {
    const program p = random_program(random);
    outcomes full;
    outcomes reduced;
    const auto into = [&p](outcomes& o) {
      return [&p, &o](mc::world& w) { run_program(w, p, o); };
    };
    full_runs += world.explore({.store_buffers = store_buffers}, into(full)).schedules;
    reduced_runs +=
      world.explore({.store_buffers = store_buffers, .reduced = true}, into(reduced)).schedules;
    if (full != reduced) {
      std::printf("program %d: %zu outcomes, reduced %zu\n", i, full.size(), reduced.size());
      return false;
    }
  }
  std::printf("model explorer/reduction_keeps_all_outcomes%s: %ld schedules, reduced to %ld\n",
              store_buffers ? "_with_store_buffers" : "", full_runs, reduced_runs);
  return true;
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
  if (!reduction_keeps_all_outcomes(false) || !reduction_keeps_all_outcomes(true)) {
    return EXIT_FAILURE;
  }
  return suite.result();
}
