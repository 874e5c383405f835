// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The end of the root, or a shutdown, against those who spawn and end meanwhile: whoever is left
// without a live parent is asked to go, by a sweep or by its spawner, and nobody else is.

#include "suite.hpp"

#include <smarm/detail/life_account.hpp>
#include <smarm/detail/root_end.hpp>
#include <smarm/detail/stop_word.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>

namespace {

using smarm::detail::slot_status;
using smarm::detail::stop_flag::shutdown;
using std::memory_order_acq_rel;
using std::memory_order_relaxed;

using right = smarm::detail::basic_root_end<mc::atomics>;
using without_fences = smarm::detail::basic_root_end<mc::atomics_without_fences>;

struct one_slot {
  smarm::detail::basic_slot_word<mc::atomics, false> word;
  smarm::detail::basic_stop_word<mc::atomics> stop;
  mc::atomic<std::uint64_t> parent{0};
  mc::atomic<std::uint32_t> join{0};
};

constexpr std::uint64_t nobody = std::uint64_t{9} << 32;
constexpr std::uint64_t first_in(std::uint64_t index) { return index << 32; }

// The slots of a runtime: 0 is the root's.
struct table {
  mutable std::array<one_slot, 4> slots;
  mc::atomic<std::uint32_t> used_count{0};

  [[nodiscard]] std::uint32_t used() const { return used_count.load(); }
  [[nodiscard]] one_slot* find(std::uint32_t i) const { return i < 4 ? &slots[i] : nullptr; }
};

// ---- ends with one thing wrong

struct clears_the_wish_last : right {
  template <class Ask>
  void sweep(const table& t, Ask ask) {
    const bool wanted = sweep_wanted_.load();
    right::sweep(t, ask);
    if (wanted) {
      sweep_wanted_.store(false);
    }
  }
};

struct asks_whoever_is_there : right {
  template <class Ask>
  void sweep(const table& t, Ask ask) {
    right::sweep(t, [&](std::uint32_t i, std::uint32_t, one_slot& s) {
      ask(i, s.word.snapshot().generation, s);
    });
  }
};

// ---- the runtime around it

struct manners {
  bool root_is_dead_already = false; // and a sweep is wanted
  bool looks_before_it_ends = false;
  // What a processor may make of the ending without the fence: the read-modify-write is an exclusive
  // load and an exclusive store, and the look at the announcement goes between the two.
  bool looks_before_the_join_word_is_stored = false;
  bool dies_silently = false;
  bool sweeps_before_it_announces = false;
  bool spawner_does_not_look = false;
  bool turns_away_at_a_closed_door = false;
};

template <class End>
struct runtime {
  explicit runtime(manners m) : how(m) { begin(0, nobody); }

  End end;
  table all;
  manners how;

  // The spawner fills the slot; for the others it is vacant until it is published.
  void fill(std::uint32_t i, std::uint64_t parent) {
    one_slot& s = all.slots[i];
    s.stop.begin(s.word.snapshot().generation);
    s.parent.store(parent, memory_order_relaxed);
    s.join.store(0, memory_order_relaxed);
    all.used_count.store(std::max(i + 1, all.used_count.load()), memory_order_relaxed);
  }
  void publish(std::uint32_t i) { all.slots[i].word.publish_queued(); }
  void begin(std::uint32_t i, std::uint64_t parent) {
    fill(i, parent);
    publish(i);
    (void)all.slots[i].word.claim();
  }
  void ask(std::uint32_t i, std::uint32_t generation) {
    (void)all.slots[i].stop.request(generation, shutdown, all.slots[i].word);
  }
  void sweep() {
    end.sweep(all,
              [this](std::uint32_t i, std::uint32_t generation, one_slot&) { ask(i, generation); });
  }
  void publish_parentless(std::uint32_t i) {
    publish(i);
    if (!how.spawner_does_not_look && end.announced_before_spawn()) {
      ask(i, 0);
    }
  }
  void die(std::uint32_t i) {
    one_slot& s = all.slots[i];
    const bool first = how.looks_before_it_ends && end.announced();
    s.word.finish();
    bool between = false;
    if (how.looks_before_the_join_word_is_stored) {
      std::uint32_t seen = s.join.load();
      do {
        between = end.announced();
      } while (!s.join.compare_exchange_weak(seen, 3));
    } else {
      s.join.exchange(3, memory_order_acq_rel);
    }
    const bool announced = how.looks_before_it_ends ? first
                           : how.looks_before_the_join_word_is_stored
                               ? between
                               : end.announced_before_death();
    if (announced && !how.dies_silently) {
      (void)end.want_sweep();
    }
  }
  void root_dies() {
    all.slots[0].word.finish();
    all.slots[0].join.exchange(3, memory_order_acq_rel);
    if (how.sweeps_before_it_announces) {
      sweep();
      return end.announce();
    }
    end.announce();
    sweep();
  }
  // A scheduler, now and then.
  void look_around() {
    if (end.sweep_wanted()) {
      sweep();
    }
  }
  [[nodiscard]] bool asked(std::uint32_t i) { return all.slots[i].stop.requested(); }
};

// ---- scenarios

// A child of the root spawns one that never ends, and dies.
template <class End>
void a_parent_dies(mc::world& world, manners how) {
  auto& s = world.make<runtime<End>>(how);
  s.begin(1, first_in(0));
  s.fill(2, first_in(1));
  if (how.root_is_dead_already) {
    s.root_dies();
    (void)s.end.want_sweep();
  } else {
    world.thread([&s] { s.root_dies(); });
  }
  world.thread([&s] {
    s.publish(2);
    s.die(1);
  });
  world.thread([&s] { s.look_around(); });
  world.finally([&s] {
    s.look_around();
    mc::require(s.asked(2), "the orphan is asked");
  });
}

// The same over one generation more, where all but the last die.
template <class End>
void a_line_dies_out(mc::world& world, manners how) {
  struct state : runtime<End> {
    using runtime<End>::runtime;
    mc::atomic<int> grandchild{0};
  };
  auto& s = world.make<state>(how);
  s.begin(1, first_in(0));
  s.fill(2, first_in(1));
  s.fill(3, first_in(2));
  world.thread([&s] { s.root_dies(); });
  world.thread([&s] {
    s.publish(2);
    s.grandchild.store(1, std::memory_order_release);
    s.die(1);
  });
  world.thread([&s] {
    mc::block(s.grandchild, [](int there) { return there != 0; });
    (void)s.all.slots[2].word.claim();
    s.publish(3);
    s.die(2);
  });
  world.finally([&s] {
    s.look_around();
    mc::require(s.asked(3), "the orphan is asked");
  });
}

// From outside, or in scheduler context: nobody's death will ask for a sweep.
template <class End>
void one_without_a_parent_comes(mc::world& world, manners how) {
  auto& s = world.make<runtime<End>>(how);
  s.fill(1, nobody);
  world.thread([&s] { s.root_dies(); });
  world.thread([&s] { s.publish_parentless(1); });
  world.finally([&s] { mc::require(s.asked(1), "the orphan is asked"); });
}

// During the sweep a slot gets a new tenant, whose parent lives.
template <class End>
void a_slot_changes_hands(mc::world& world, manners how) {
  auto& s = world.make<runtime<End>>(how);
  s.begin(1, first_in(0));
  s.begin(2, first_in(0));
  world.thread([&s] { s.root_dies(); });
  world.thread([&s] {
    s.die(2);
    mc::require(s.all.slots[2].word.reclaim(), "there is a next generation");
    s.fill(2, first_in(1));
    s.publish(2);
  });
  world.finally([&s] {
    mc::require(s.asked(1), "the root's child is asked");
    s.look_around();
    mc::require(!s.asked(2), "who has a live parent is left alone");
  });
}

// A shutdown while the verdict that all have ended is in doubt: the door is closed for a moment.
template <class End>
void a_shutdown_meets_the_verdict(mc::world& world, manners how) {
  struct no_lock { // whose waiting is not looked into here
    void lock() {}
    void unlock() {}
  };
  struct counters {
    smarm::detail::basic_counter<mc::atomics> spawned, ended;
  };
  struct state : runtime<End> {
    using runtime<End>::runtime;
    smarm::detail::basic_life_account<mc::atomics, no_lock> life;
    counters one;
    std::array<counters*, 1> schedulers{&one};
    mc::atomic<int> spawned{0};
  };
  auto& s = world.make<state>(how);
  s.all.slots[0].word.finish(); // no root
  s.fill(1, nobody);
  s.life.begin();
  (void)s.life.release_keep_alive();
  s.life.open_door();
  s.life.started();
  world.thread([&s] { // spawns from outside
    if (s.life.enter()) {
      s.life.spawned_outside();
      s.publish_parentless(1);
      s.spawned.store(1);
    }
    s.life.leave();
  });
  world.thread([&s] { // the scheduler
    if (!s.life.finished(s.schedulers)) {
      s.look_around();
    }
  });
  world.thread([&s] { // shuts down
    s.end.announce();
    if (s.life.enter()) {
      s.sweep();
    } else if (!s.how.turns_away_at_a_closed_door) {
      (void)s.end.want_sweep();
    }
    s.life.leave();
  });
  world.finally([&s] {
    s.look_around();
    if (s.spawned.load() != 0) {
      mc::require(!s.life.finished(s.schedulers), "no verdict while one lives");
      mc::require(s.asked(1), "who was let in is asked");
    }
  });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.store_buffers = true, .reduced = true};
  const mc::options some{.preemptions = 2, .store_buffers = true};
  const auto with = [](auto scenario, manners how) {
    return [scenario, how](mc::world& world) { scenario(world, how); };
  };
  mc::suite suite("root_end", argc, argv);

  suite.model("a_parent_dies", all, with(&a_parent_dies<right>, {}));
  suite.mutation("looks_before_it_ends", all,
                 with(&a_parent_dies<right>, {.looks_before_it_ends = true}), "is asked");
  suite.mutation("looks_before_the_join_word_is_stored", all,
                 with(&a_parent_dies<right>, {.looks_before_the_join_word_is_stored = true}),
                 "is asked");
  suite.mutation("dies_silently", all, with(&a_parent_dies<right>, {.dies_silently = true}),
                 "is asked");
  suite.mutation("sweeps_before_it_announces", all,
                 with(&a_parent_dies<right>, {.sweeps_before_it_announces = true}), "is asked");
  suite.mutation("clears_the_wish_last", all,
                 with(&a_parent_dies<clears_the_wish_last>, {.root_is_dead_already = true}),
                 "is asked");
  suite.model("a_parent_dies_during_a_sweep", all,
              with(&a_parent_dies<right>, {.root_is_dead_already = true}));

  suite.model("a_line_dies_out", all, with(&a_line_dies_out<right>, {}));
  suite.mutation("a_line_dies_silently", all,
                 with(&a_line_dies_out<right>, {.dies_silently = true}), "is asked");

  suite.model("one_without_a_parent_comes", all, with(&one_without_a_parent_comes<right>, {}));
  suite.mutation("spawner_does_not_look", all,
                 with(&one_without_a_parent_comes<right>, {.spawner_does_not_look = true}),
                 "is asked");
  suite.mutation("spawner_looks_without_a_fence", all,
                 with(&one_without_a_parent_comes<without_fences>, {}), "is asked");

  suite.model("a_slot_changes_hands", all, with(&a_slot_changes_hands<right>, {}));
  suite.mutation("asks_whoever_is_there", all,
                 with(&a_slot_changes_hands<asks_whoever_is_there>, {}), "left alone");

  suite.model("a_shutdown_meets_the_verdict", some, with(&a_shutdown_meets_the_verdict<right>, {}));
  suite.mutation("turns_away_at_a_closed_door", some,
                 with(&a_shutdown_meets_the_verdict<right>, {.turns_away_at_a_closed_door = true}),
                 "is asked");
  return suite.result();
}
