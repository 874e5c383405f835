// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The run queues as a whole, against schedulers that go to sleep: whoever puts something in and
// then looks for sleepers, and whoever says that it sleeps and then looks for work, cannot miss
// each other. Every queue, with the explorer's list and lock in place of Boost's and the system's.

#include "mc_queues.hpp"
#include "suite.hpp"

#include <smarm/detail/lockfree_queue.hpp>
#include <smarm/detail/mutex_queue.hpp>
#include <smarm/detail/striped_queue.hpp>

#include <array>
#include <memory>

namespace {

using std::memory_order_release;
using std::memory_order_seq_cst;

struct item {
  int taken = 0;
};

template <class Atomics = mc::atomics>
using striped = smarm::detail::striped_queue<item, Atomics, std::allocator<item*>>;
template <class Atomics = mc::atomics>
using lockfree = smarm::detail::lockfree_queue<item, Atomics>;
template <class Atomics = mc::atomics>
using mutexed = smarm::detail::mutex_queue<item, Atomics>;

struct manners {
  bool looks_for_sleepers_first = false; // a pusher
  bool looks_for_work_first = false;     // a sleeper
};

// One scheduler, or two, and the strangers who inject.
template <template <class> class Queue, class Atomics, std::size_t Items>
struct state {
  explicit state(unsigned schedulers) : all(schedulers, Items), sleeper(all, 0) {}

  typename Queue<Atomics>::shared all;
  typename Queue<Atomics>::local sleeper;
  std::array<item, Items> items;
  typename Atomics::template atomic<bool> sleeps{false};
  mc::atomic<int> permits{0};

  void take(item* i) { mc::require(++i->taken == 1, "nothing comes out twice"); }

  void wake_a_sleeper() {
    Atomics::fence(memory_order_seq_cst);
    if (sleeps.load(std::memory_order_relaxed)) {
      permits.store(1);
    }
  }
  void inject(item* i, const manners& how) {
    if (how.looks_for_sleepers_first) {
      wake_a_sleeper();
      all.inject(i);
    } else {
      all.inject(i);
      wake_a_sleeper();
    }
  }
  // Runs what there is and sleeps in between, until so many items have come.
  void run(std::size_t count, const manners& how) {
    while (count > 0) {
      item* i = sleeper.pop();
      i = i != nullptr ? i : sleeper.steal(false);
      if (i != nullptr) {
        take(i);
        --count;
        continue;
      }
      const bool nothing_before = !sleeper.maybe_work(false);
      sleeps.store(true, memory_order_release);
      Atomics::fence(memory_order_seq_cst);
      if (how.looks_for_work_first ? nothing_before : !sleeper.maybe_work(false)) {
        permits.block_until_and_store([](int permit) { return permit > 0; }, 0);
      }
      sleeps.store(false, memory_order_release);
    }
  }
  void require_all_taken() {
    for (const auto& i : items) {
      mc::require(i.taken == 1, "nothing is lost");
    }
    mc::require(all.size() == 0, "the counts agree");
    mc::require(!all.has_injected() && !sleeper.maybe_work(true), "there is nothing to do");
  }
};

template <template <class> class Queue, class Atomics = mc::atomics>
void two_strangers_and_a_sleeper(mc::world& world, manners how) {
  auto& s = world.make<state<Queue, Atomics, 2>>(1U);
  world.thread([&s, how] { s.run(2, how); });
  world.thread([&s, how] { s.inject(&s.items[0], how); });
  world.thread([&s, how] { s.inject(&s.items[1], how); });
  world.finally([&s] { s.require_all_taken(); });
}

// The same with one stranger, for the lock makes many steps.
template <template <class> class Queue, class Atomics = mc::atomics>
void a_stranger_and_a_sleeper(mc::world& world, manners how) {
  auto& s = world.make<state<Queue, Atomics, 2>>(1U);
  world.thread([&s, how] { s.run(2, how); });
  world.thread([&s, how] {
    s.inject(&s.items[0], how);
    s.inject(&s.items[1], how);
  });
  world.finally([&s] { s.require_all_taken(); });
}

// Both schedulers run what was injected; the second one does not sleep but takes what is left.
template <template <class> class Queue>
void a_stranger_and_two_schedulers(mc::world& world) {
  auto& s = world.make<state<Queue, mc::atomics, 3>>(2U);
  world.thread([&s] {
    for (auto& i : s.items) {
      s.all.inject(&i);
    }
  });
  const auto scheduler = [&s](unsigned id) {
    typename Queue<mc::atomics>::local local(s.all, id);
    for (int turn = 0; turn < 2; ++turn) {
      if (item* const i = local.pop()) {
        s.take(i);
      }
    }
  };
  world.thread([scheduler] { scheduler(0); });
  world.thread([scheduler] { scheduler(1); });
  world.finally([&s] {
    while (item* const i = s.sleeper.pop()) {
      s.take(i);
    }
    s.require_all_taken();
  });
}

// A scheduler that makes two items and is busy with something else: its sibling must come for one
// of them, since the pusher looks for a sleeper once it has a surplus.
template <template <class> class Queue, class Atomics = mc::atomics>
void a_surplus_and_a_sleeper(mc::world& world, manners how) {
  auto& s = world.make<state<Queue, Atomics, 2>>(2U);
  world.thread([&s, how] { s.run(1, how); });
  world.thread([&s] {
    typename Queue<Atomics>::local busy(s.all, 1);
    for (auto& i : s.items) {
      if (!busy.push(&i)) {
        s.wake_a_sleeper();
      }
    }
    mc::block([&s] { return s.items[0].taken + s.items[1].taken == 1; });
    s.take(busy.pop());
  });
  world.finally([&s] { s.require_all_taken(); });
}

} // namespace

int main(int argc, char** argv) {
  using without_fences = mc::atomics_without_fences;
  const mc::options all{.store_buffers = true, .reduced = true};
  const auto with = [](auto scenario, manners how) {
    return [scenario, how](mc::world& world) { scenario(world, how); };
  };
  mc::suite suite("run_queue", argc, argv);

  suite.model("striped_injection", all, with(&two_strangers_and_a_sleeper<striped>, {}));
  suite.model("lockfree_injection", all, with(&two_strangers_and_a_sleeper<lockfree>, {}));
  suite.model("mutex_injection", all, with(&a_stranger_and_a_sleeper<mutexed>, {}));
  suite.mutation("striped_injection_without_fences", all,
                 with(&two_strangers_and_a_sleeper<striped, without_fences>, {}), "deadlock");
  suite.mutation("lockfree_injection_without_fences", all,
                 with(&two_strangers_and_a_sleeper<lockfree, without_fences>, {}), "deadlock");
  suite.mutation("mutex_injection_without_fences", all,
                 with(&a_stranger_and_a_sleeper<mutexed, without_fences>, {}), "deadlock");
  suite.mutation("injects_after_the_look_for_sleepers", all,
                 with(&two_strangers_and_a_sleeper<striped>, {.looks_for_sleepers_first = true}),
                 "deadlock");
  suite.mutation("sleeps_after_the_look_for_work", all,
                 with(&two_strangers_and_a_sleeper<striped>, {.looks_for_work_first = true}),
                 "deadlock");

  suite.model("striped_shared", all, &a_stranger_and_two_schedulers<striped>);
  suite.model("lockfree_shared", all, &a_stranger_and_two_schedulers<lockfree>);
  suite.model("mutex_shared", all, &a_stranger_and_two_schedulers<mutexed>);

  suite.model("striped_surplus", all, with(&a_surplus_and_a_sleeper<striped>, {}));
  suite.mutation("striped_surplus_without_fences", all,
                 with(&a_surplus_and_a_sleeper<striped, without_fences>, {}), "deadlock");
  return suite.result();
}
