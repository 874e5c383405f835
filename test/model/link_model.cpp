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

constexpr int most = 3;

// What an actor has of its link with one other.
struct half {
  bool there = false;
  int put = 0; // how often it came, and how often an unlink took it
  int unlinked = 0;
  mc::atomic<int> signals{0}; // that the other one's end has given
};

// Everything but the lock and what is waited for belongs to whoever holds the lock.
struct actor {
  actor_lock lock;
  bool alive = true;
  std::array<half, most> with;
  mc::atomic<int> under_way{0};
};

// What the place does wrong.
enum class fault { none, signal_not_counted, signal_without_taking, tells_the_first_only };

struct place {
  std::array<actor, most> actors;
  fault wrong = fault::none;

  bool put(int at, int other) {
    actor& a = actors[at];
    const std::lock_guard guard(a.lock);
    half& h = a.with[other];
    if (a.alive && !h.there) {
      h.there = true;
      ++h.put;
    }
    return a.alive;
  }
  bool take(int at, int other, bool& pending) {
    actor& a = actors[at];
    const std::lock_guard guard(a.lock);
    pending = a.under_way.load() != 0;
    const bool there = std::exchange(a.with[other].there, false);
    a.with[other].unlinked += there;
    return there;
  }
  void await_signals(int at) {
    actors[at].under_way.block_until([](int n) { return n == 0; });
  }
  bool take_to_signal(int at, int from) {
    actor& a = actors[at];
    const std::lock_guard guard(a.lock);
    const bool there =
        std::exchange(a.with[from].there, false) || wrong == fault::signal_without_taking;
    if (there && wrong != fault::signal_not_counted) {
      a.under_way.fetch_add(1);
    }
    return there;
  }
  void signal(int at, int from) {
    actor& a = actors[at];
    a.with[from].signals.fetch_add(1);
    const std::lock_guard guard(a.lock);
    if (wrong != fault::signal_not_counted) {
      a.under_way.fetch_sub(1);
    }
  }
  // As the end of an actor does it: its own halves are taken out first.
  template <class Steps>
  void end(int who) {
    std::array<bool, most> had{};
    {
      actor& a = actors[who];
      const std::lock_guard guard(a.lock);
      a.alive = false;
      for (int other = 0; other < most; ++other) {
        had[other] = std::exchange(a.with[other].there, false);
        a.with[other].put -= had[other]; // gone with its actor
      }
    }
    for (int other = 0; other < most; ++other) {
      if (had[other]) {
        Steps::signal(*this, other, who);
        if (wrong == fault::tells_the_first_only) {
          return;
        }
      }
    }
  }
  void begin_linked(int one, int two) {
    for (half* h : {&actors[one].with[two], &actors[two].with[one]}) {
      h->there = true;
      h->put = 1;
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

constexpr int x = 0, y = 1, z = 2;

void each_half_once(const actor& a) {
  for (const half& h : a.with) {
    mc::require(h.signals.load() + h.unlinked + h.there == h.put, "each half is used once");
  }
}

// ---- scenarios

template <class Steps>
void link_against_end(mc::world& world, fault wrong = fault::none) {
  auto& s = world.make<place>();
  s.wrong = wrong;
  world.thread([&s] { Steps::link(s, y, x); });
  world.thread([&s] { s.end<Steps>(x); });
  world.finally(
      [&s] { mc::require(s.actors[y].with[x].signals.load() == 1, "the signal comes, once"); });
}

template <class Steps>
void second_link_against_end(mc::world& world, fault wrong = fault::none) {
  auto& s = world.make<place>();
  s.wrong = wrong;
  s.begin_linked(x, y);
  world.thread([&s] { Steps::link(s, y, x); });
  world.thread([&s] { s.end<Steps>(x); });
  world.finally([&s] {
    mc::require(s.actors[y].with[x].signals.load() >= 1, "the signal comes");
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
  s.begin_linked(x, y);
  world.thread([&s] {
    Steps::unlink(s, y, x);
    s.seen = s.actors[y].with[x].signals.load();
  });
  world.thread([&s] { s.template end<Steps>(x); });
  world.finally([&s] {
    mc::require(s.actors[y].with[x].signals.load() == s.seen, "nothing comes after unlink");
    each_half_once(s.actors[y]);
  });
}

template <class Steps>
void both_end(mc::world& world, fault wrong = fault::none) {
  auto& s = world.make<place>();
  s.wrong = wrong;
  s.begin_linked(x, y);
  world.thread([&s] { s.end<Steps>(x); });
  world.thread([&s] { s.end<Steps>(y); });
  world.finally([&s] {
    for (const actor& a : s.actors) {
      for (const half& h : a.with) {
        mc::require(!h.there, "nothing is left");
      }
      mc::require(a.under_way.load() == 0, "nothing is left");
      each_half_once(a);
    }
  });
}

// Three that are linked with each other: one ends, one lets go of it, and the third is only told.
template <class Steps>
void in_a_triangle(mc::world& world, fault wrong = fault::none) {
  struct state : place {
    int seen = -1;
  };
  auto& s = world.make<state>();
  s.wrong = wrong;
  s.begin_linked(x, y);
  s.begin_linked(y, z);
  s.begin_linked(x, z);
  world.thread([&s] { s.template end<Steps>(x); });
  world.thread([&s] {
    Steps::unlink(s, y, x);
    s.seen = s.actors[y].with[x].signals.load();
  });
  world.finally([&s] {
    mc::require(s.actors[z].with[x].signals.load() == 1, "who did nothing is told once");
    mc::require(s.actors[y].with[x].signals.load() == s.seen, "nothing comes after unlink");
    mc::require(s.actors[y].with[z].there && s.actors[z].with[y].there, "their own link stays");
    for (const actor& a : s.actors) {
      each_half_once(a);
    }
  });
}

// Two of the three end at once; the third is told of each.
template <class Steps>
void two_of_three_end(mc::world& world, fault wrong = fault::none) {
  auto& s = world.make<place>();
  s.wrong = wrong;
  s.begin_linked(x, y);
  s.begin_linked(y, z);
  s.begin_linked(x, z);
  world.thread([&s] { s.end<Steps>(x); });
  world.thread([&s] { s.end<Steps>(y); });
  world.finally([&s] {
    mc::require(s.actors[z].with[x].signals.load() == 1, "told of one");
    mc::require(s.actors[z].with[y].signals.load() == 1, "told of the other");
    for (const actor& a : s.actors) {
      each_half_once(a);
      mc::require(a.under_way.load() == 0, "nothing is left");
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
    mc::require(s.actors[y].with[x].signals.load() <= 1, "one signal at most");
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

  suite.model("in_a_triangle", all, with(&in_a_triangle<right>));
  suite.mutation("triangle_tells_the_first_only", all,
                 with(&in_a_triangle<right>, fault::tells_the_first_only), "told once");
  suite.mutation("triangle_does_not_wait", all, with(&in_a_triangle<does_not_wait>),
                 "after unlink");
  suite.model("two_of_three_end", all, with(&two_of_three_end<right>));
  suite.mutation("two_of_three_tell_the_first_only", all,
                 with(&two_of_three_end<right>, fault::tells_the_first_only));
  return suite.result();
}
