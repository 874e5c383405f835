// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The verdict that all have ended, against those who spawn, end, come in from outside and wake from
// outside: it falls only when nobody lives and nobody can come any more, and the runtime goes only
// when nobody is inside.

#include "sleeper.hpp"
#include "suite.hpp"

#include <smarm/detail/life_account.hpp>

#include <array>
#include <cstdint>
#include <mutex>

namespace {

using std::memory_order_relaxed;
using std::memory_order_release;

struct verdict_lock {
  mc::atomic<int> word{0};
  void lock() {
    word.block_until_and_store([](int held) { return held == 0; }, 1);
  }
  void unlock() { word.store(0); }
};
struct no_lock {
  void lock() {}
  void unlock() {}
};

struct counters {
  smarm::detail::basic_counter<mc::atomics> spawned, ended;
};

template <class Lock = verdict_lock>
using account = smarm::detail::basic_life_account<mc::atomics, Lock>;
using right = account<>;

// ---- accounts with one thing wrong

struct counts_spawns_first : right {
  template <class Schedulers>
  bool all_ended(const Schedulers& schedulers) const {
    std::uint64_t spawned = spawned_outside_.load();
    for (const auto& s : schedulers) {
      spawned += s->spawned.value();
    }
    std::uint64_t ended = 0;
    for (const auto& s : schedulers) {
      ended += s->ended.value();
    }
    return spawned == ended;
  }
};

// The verdict, step by step; each of the first four may be left out.
template <bool Closes, bool Waits, bool LooksAgain, bool Reopens>
struct hasty : right {
  template <class Schedulers>
  bool finished(const Schedulers& schedulers) {
    if (finished_.load()) {
      return true;
    }
    if (keep_alive_.load() != 0 || !all_ended(schedulers)) {
      return false;
    }
    const std::lock_guard guard(verdict_lock_);
    if (Closes) {
      closed_.store(true);
    }
    mc::block([this] { return !Waits || visitors_.load() == 0; });
    if (LooksAgain && !all_ended(schedulers)) {
      if (Reopens) {
        closed_.store(false);
      }
      return false;
    }
    finished_.store(true);
    return true;
  }
};

struct forgets_the_keep_alive : right {
  template <class Schedulers>
  bool finished(const Schedulers& schedulers) {
    (void)right::release_keep_alive();
    return right::finished(schedulers);
  }
};

struct may_end_before_it_began : right {
  void begin() {
    right::begin();
    right::started();
  }
};

struct looks_at_the_door_first : right {
  bool enter() {
    const bool open = !closed_.load();
    visitors_.fetch_add(1);
    return open;
  }
};

struct leaves_before_it_spawns : right {
  void spawned_outside() {
    visitors_.fetch_sub(1);
    right::spawned_outside();
    visitors_.fetch_add(1);
  }
};

struct does_not_await_visitors : right {
  void await_visitors() {}
  template <class Schedulers>
  bool finished(const Schedulers& schedulers) {
    return all_ended(schedulers);
  }
};

// ---- scenarios

template <class Account>
struct runtime {
  Account life;
  std::array<counters, 2> schedulers;
  std::array<counters*, 2> both{&schedulers[0], &schedulers[1]};
  mc::atomic<int> ready{0};
  mc::atomic<int> alive{0}; // what the verdict is about
  mc::atomic<int> over{0};  // the verdict has fallen
  mc::atomic<int> gone{0};  // so has the runtime

  explicit runtime(bool keep = false) {
    life.begin();
    if (!keep) {
      (void)life.release_keep_alive();
    }
    life.open_door();
    life.started();
  }
  // An actor on scheduler i spawns another one.
  void spawn_on(int i) {
    alive.fetch_add(1, memory_order_relaxed);
    schedulers[static_cast<std::size_t>(i)].spawned.add();
  }
  void end_on(int i) {
    alive.fetch_sub(1, memory_order_relaxed);
    schedulers[static_cast<std::size_t>(i)].ended.add();
  }
  bool look() {
    const bool yes = life.finished(both);
    if (yes) {
      mc::require(alive.load() == 0, "the verdict falls when nobody lives");
      over.store(1);
    }
    return yes;
  }
  void come_in() {
    if (life.enter()) {
      alive.fetch_add(1, memory_order_relaxed);
      life.spawned_outside();
      mc::require(over.load() == 0, "nobody is let in after the verdict");
      ready.fetch_add(1, memory_order_release);
    }
    life.leave();
  }
  // Scheduler i runs one actor if there is one.
  void run_one(int i) {
    int count = ready.load();
    while (count > 0) {
      if (ready.compare_exchange_strong(count, count - 1)) {
        return end_on(i);
      }
    }
  }
};

// One actor spawns, on scheduler 0, the next one, which runs on scheduler 1 and spawns another that
// runs on scheduler 0. Somebody adds up meanwhile.
template <class Account>
void sums(mc::world& world) {
  auto& s = world.make<runtime<Account>>();
  s.spawn_on(0);
  world.thread([&s] {
    s.spawn_on(0);
    s.ready.store(1, memory_order_release);
    s.end_on(0);
    mc::block(s.ready, [](int n) { return n == 2; });
    s.end_on(0);
  });
  world.thread([&s] {
    mc::block(s.ready, [](int n) { return n == 1; });
    s.spawn_on(1);
    s.ready.store(2, memory_order_release);
    s.end_on(1);
  });
  world.thread([&s] {
    if (s.life.all_ended(s.both)) {
      mc::require(s.alive.load() == 0, "equal sums mean that nobody lives");
    }
  });
  world.finally([&s] { mc::require(s.life.all_ended(s.both), "in the end the sums are equal"); });
}

// One comes in from outside while two schedulers find nothing to do.
template <class Account, int Schedulers>
void a_visitor(mc::world& world) {
  auto& s = world.make<runtime<Account>>();
  world.thread([&s] { s.come_in(); });
  for (int i = 0; i < Schedulers; ++i) {
    world.thread([&s, i] {
      if (!s.look()) {
        s.run_one(i);
        (void)s.look();
      }
    });
  }
  world.finally([&s] {
    s.run_one(0);
    mc::require(s.alive.load() == 0, "everybody that was let in could run");
    mc::require(s.look(), "in the end the verdict falls");
    mc::require(Schedulers == 1 || !s.life.enter(), "and the door is closed");
  });
}

// The verdict closes the door, and proves wrong.
template <class Account>
void the_door_opens_again(mc::world& world) {
  auto& s = world.make<runtime<Account>>();
  world.thread([&s] { s.come_in(); });
  world.thread([&s] { (void)s.look(); });
  world.finally([&s] {
    const bool lives = s.alive.load() != 0;
    mc::require(s.life.enter() == lives, "the door is open if and only if somebody lives");
    s.life.leave();
  });
}

// Nobody lives, but somebody wants the runtime to stay.
template <class Account>
void the_keep_alive(mc::world& world) {
  auto& s = world.make<runtime<Account>>(true);
  mc::atomic<int>& released = world.make<mc::atomic<int>>(0);
  world.thread([&s, &released] {
    if (s.look()) {
      mc::require(released.load() != 0, "the verdict respects the keep-alive");
    }
  });
  world.thread([&s, &released] {
    released.store(1);
    mc::require(s.life.release_keep_alive(), "there was one");
  });
  world.finally([&s] { mc::require(s.look(), "in the end the verdict falls"); });
}

// Somebody waits for the end of a run that is only just being started.
template <class Account>
void the_start(mc::world& world) {
  struct state {
    Account life;
    counters one;
    std::array<counters*, 1> schedulers{&one};
    mc::atomic<int> there{0};
  };
  auto& s = world.make<state>();
  s.life.begin();
  world.thread([&s] {
    if (s.life.finished(s.schedulers)) {
      mc::require(s.there.load() != 0, "no run ends before it has begun");
    }
  });
  world.thread([&s] { (void)s.life.release_keep_alive(); });
  world.thread([&s] {
    s.life.open_door();
    s.there.store(1);
    s.life.started();
  });
  world.finally([&s] {
    mc::require(s.life.finished(s.schedulers), "in the end the verdict falls");
    mc::require(!s.life.enter(), "a run that is over lets nobody in");
    s.life.leave();
  });
}

enum class waker { counted, counts_late, leaves_early };

// The last actor is woken from outside, and ends, and with it the runtime.
template <class Account, waker Waker>
void a_wake_from_outside(mc::world& world) {
  struct state : runtime<Account> {
    mc::sleeper actor;
    void touch() { mc::require(this->gone.load() == 0, "who is inside finds the runtime there"); }
  };
  auto& s = world.make<state>();
  s.spawn_on(0);
  const std::uint64_t ticket = s.actor.word.begin_wait();
  mc::require(s.actor.word.park(true), "nobody else wakes it");
  world.thread([&s, ticket] {
    mc::require(s.actor.word.wake(ticket) == smarm::detail::wake_result::enqueue, "it is parked");
    if (Waker != waker::counts_late) {
      s.life.enter_as_waker();
    }
    s.touch();
    s.actor.enqueue();
    if (Waker == waker::leaves_early) {
      s.life.leave();
    }
    if (Waker == waker::counts_late) {
      s.life.enter_as_waker();
    }
    s.touch(); // wakes a scheduler
    if (Waker != waker::leaves_early) {
      s.life.leave();
    }
  });
  world.thread([&s] {
    mc::block(s.actor.entries, [](int n) { return n != 0; });
    s.end_on(0);
    mc::require(s.look(), "the last one has ended");
    s.life.await_visitors();
    s.gone.store(1);
  });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.store_buffers = true, .reduced = true};
  const mc::options some{.preemptions = 2, .store_buffers = true};
  mc::suite suite("life_account", argc, argv);

  suite.model("sums", all, &sums<right>);
  suite.mutation("counts_spawns_first", all, &sums<counts_spawns_first>, "nobody lives");

  suite.model("a_visitor", some, &a_visitor<right, 1>);
  suite.model("a_visitor_and_two_schedulers", some, &a_visitor<right, 2>);
  suite.mutation("does_not_close_the_door", some, &a_visitor<hasty<false, true, true, true>, 1>);
  suite.mutation("does_not_wait_for_visitors", some, &a_visitor<hasty<true, false, true, true>, 1>);
  suite.mutation("does_not_look_again", some, &a_visitor<hasty<true, true, false, true>, 1>);
  suite.mutation("two_verdicts_at_once", some, &a_visitor<account<no_lock>, 2>);
  suite.mutation("looks_at_the_door_first", some, &a_visitor<looks_at_the_door_first, 1>);
  suite.mutation("leaves_before_it_spawns", some, &a_visitor<leaves_before_it_spawns, 1>);

  suite.model("the_door_opens_again", some, &the_door_opens_again<right>);
  suite.mutation("does_not_open_the_door_again", some,
                 &the_door_opens_again<hasty<true, true, true, false>>, "the door");

  suite.model("the_keep_alive", some, &the_keep_alive<right>);
  suite.model("the_start", some, &the_start<right>);
  suite.mutation("may_end_before_it_began", some, &the_start<may_end_before_it_began>);
  suite.mutation("forgets_the_keep_alive", some, &the_keep_alive<forgets_the_keep_alive>);

  suite.model("a_wake_from_outside", some, &a_wake_from_outside<right, waker::counted>);
  suite.mutation("waker_counts_late", some, &a_wake_from_outside<right, waker::counts_late>,
                 "finds the runtime");
  suite.mutation("waker_leaves_early", some, &a_wake_from_outside<right, waker::leaves_early>,
                 "finds the runtime");
  suite.mutation("does_not_await_visitors", some,
                 &a_wake_from_outside<does_not_await_visitors, waker::counted>,
                 "finds the runtime");
  return suite.result();
}
