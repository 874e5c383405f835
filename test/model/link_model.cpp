// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Links against ends and unlinks: each half of a link gives one signal or none, and none comes after an
// unlink has returned.

#include "suite.hpp"

#include <smarm/detail/link_steps.hpp>

#include <array>
#include <mutex>
#include <utility>

namespace {

struct actor_lock {
  mc::atomic<int> word{0};
  void lock() {
    word.block_until_and_store([](int held) { return held == 0; }, 1);
  }
  void unlock() { word.store(0); }
};

// Everything but the lock and what is waited for belongs to whoever holds the lock.
struct actor {
  actor_lock lock;
  bool alive = true;
  bool half = false; // of the link with the other one
  int put = 0;       // how often a half came, and how often an unlink took one
  int unlinked = 0;
  mc::atomic<int> under_way{0};
  mc::atomic<int> signals{0};
};

// What the place does wrong.
enum class fault { none, signal_not_counted, signal_without_taking };

struct place {
  std::array<actor, 2> actors;
  fault wrong = fault::none;

  bool put(int at, int) {
    actor& a = actors[at];
    const std::lock_guard guard(a.lock);
    if (a.alive && !a.half) {
      a.half = true;
      ++a.put;
    }
    return a.alive;
  }
  bool take(int at, int, bool& pending) {
    actor& a = actors[at];
    const std::lock_guard guard(a.lock);
    pending = a.under_way.load() != 0;
    const bool there = std::exchange(a.half, false);
    a.unlinked += there;
    return there;
  }
  void await_signals(int at) {
    actors[at].under_way.block_until([](int n) { return n == 0; });
  }
  bool take_to_signal(int at, int) {
    actor& a = actors[at];
    const std::lock_guard guard(a.lock);
    const bool there = std::exchange(a.half, false) || wrong == fault::signal_without_taking;
    if (there && wrong != fault::signal_not_counted) {
      a.under_way.fetch_add(1);
    }
    return there;
  }
  void signal(int at, int) {
    actor& a = actors[at];
    a.signals.fetch_add(1);
    const std::lock_guard guard(a.lock);
    if (wrong != fault::signal_not_counted) {
      a.under_way.fetch_sub(1);
    }
  }
  // As the end of an actor does it: its own halves are taken out first.
  template <class Steps>
  void end(int who) {
    bool had = false;
    {
      actor& a = actors[who];
      const std::lock_guard guard(a.lock);
      a.alive = false;
      had = std::exchange(a.half, false);
      a.put -= had; // gone with its actor
    }
    if (had) {
      Steps::signal(*this, 1 - who, who);
    }
  }
  void begin_linked() {
    for (actor& a : actors) {
      a.half = true;
      a.put = 1;
    }
  }
};

using right = smarm::detail::link_steps<place>;

// ---- steps in the wrong order, or left out

struct puts_its_own_last : right {
  static void link(place& p, int self, int other) {
    const bool alive = p.put(other, self);
    (void)p.put(self, other);
    if (!alive) {
      signal(p, self, other);
    }
  }
};
struct does_not_see_the_dead : right {
  static void link(place& p, int self, int other) {
    (void)p.put(self, other);
    (void)p.put(other, self);
  }
};
struct does_not_wait : right {
  static void unlink(place& p, int self, int other) {
    bool pending = false;
    (void)p.take(self, other, pending);
    (void)p.take(other, self, pending);
  }
};
struct leaves_its_own : right {
  static void unlink(place& p, int self, int other) {
    bool pending = false;
    (void)p.take(other, self, pending);
    while (pending) {
      p.await_signals(self);
      pending = false;
    }
  }
};

constexpr int x = 0, y = 1;

void each_half_once(const actor& a) {
  mc::require(a.signals.load() + a.unlinked + a.half == a.put, "each half is used once");
}

// ---- scenarios

template <class Steps>
void link_against_end(mc::world& world, fault wrong = fault::none) {
  auto& s = world.make<place>();
  s.wrong = wrong;
  world.thread([&s] { Steps::link(s, y, x); });
  world.thread([&s] { s.end<Steps>(x); });
  world.finally([&s] { mc::require(s.actors[y].signals.load() == 1, "the signal comes, once"); });
}

template <class Steps>
void second_link_against_end(mc::world& world, fault wrong = fault::none) {
  auto& s = world.make<place>();
  s.wrong = wrong;
  s.begin_linked();
  world.thread([&s] { Steps::link(s, y, x); });
  world.thread([&s] { s.end<Steps>(x); });
  world.finally([&s] {
    mc::require(s.actors[y].signals.load() >= 1, "the signal comes");
    each_half_once(s.actors[y]);
  });
}

template <class Steps>
void unlink_against_end(mc::world& world, fault wrong = fault::none) {
  struct state : place {
    int seen = -1;
  };
  auto& s = world.make<state>();
  s.wrong = wrong;
  s.begin_linked();
  world.thread([&s] {
    Steps::unlink(s, y, x);
    s.seen = s.actors[y].signals.load();
  });
  world.thread([&s] { s.template end<Steps>(x); });
  world.finally([&s] {
    mc::require(s.actors[y].signals.load() == s.seen, "nothing comes after unlink");
    each_half_once(s.actors[y]);
  });
}

template <class Steps>
void both_end(mc::world& world, fault wrong = fault::none) {
  auto& s = world.make<place>();
  s.wrong = wrong;
  s.begin_linked();
  world.thread([&s] { s.end<Steps>(x); });
  world.thread([&s] { s.end<Steps>(y); });
  world.finally([&s] {
    for (const actor& a : s.actors) {
      mc::require(!a.half && a.under_way.load() == 0, "nothing is left");
      each_half_once(a);
    }
  });
}

// One links, the other unlinks and then ends.
template <class Steps>
void link_against_unlink_and_end(mc::world& world, fault wrong = fault::none) {
  auto& s = world.make<place>();
  s.wrong = wrong;
  world.thread([&s] { Steps::link(s, y, x); });
  world.thread([&s] {
    Steps::unlink(s, x, y);
    s.end<Steps>(x);
  });
  world.finally([&s] {
    mc::require(s.actors[y].signals.load() <= 1, "one signal at most");
    each_half_once(s.actors[y]);
  });
}

template <class Scenario>
auto with(Scenario scenario, fault wrong = fault::none) {
  return [=](mc::world& world) { scenario(world, wrong); };
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.reduced = true};
  mc::suite suite("link", argc, argv);

  suite.model("link_against_end", all, with(&link_against_end<right>));
  suite.mutation("puts_its_own_last", all, with(&link_against_end<puts_its_own_last>),
                 "the signal comes");
  suite.mutation("does_not_see_the_dead", all, with(&link_against_end<does_not_see_the_dead>),
                 "the signal comes");

  suite.model("second_link_against_end", all, with(&second_link_against_end<right>));
  suite.mutation("signals_twice", all,
                 with(&second_link_against_end<right>, fault::signal_without_taking), "used once");

  suite.model("unlink_against_end", all, with(&unlink_against_end<right>));
  suite.mutation("does_not_wait", all, with(&unlink_against_end<does_not_wait>), "after unlink");
  suite.mutation("leaves_its_own", all, with(&unlink_against_end<leaves_its_own>));
  suite.mutation("signal_not_counted", all,
                 with(&unlink_against_end<right>, fault::signal_not_counted), "after unlink");
  suite.mutation("signals_the_unlinked", all,
                 with(&unlink_against_end<right>, fault::signal_without_taking));

  suite.model("both_end", all, with(&both_end<right>));
  suite.model("link_against_unlink_and_end", all, with(&link_against_unlink_and_end<right>));
  return suite.result();
}
