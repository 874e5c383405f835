// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The slot word under every interleaving of an actor, its wakers, its stoppers and two schedulers.
// The part of the protocol that lives in the runtime (look at the stop flag after the park, publish
// only what has been switched away from) is played by `player` below.

#include "suite.hpp"

#include <smarm/detail/slot_word.hpp>

namespace {

using smarm::detail::slot_state;
using smarm::detail::wait_ticket;
using smarm::detail::wake_result;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

using right = smarm::detail::basic_slot_word<mc::atomics, false>;
using checked = smarm::detail::basic_slot_word<mc::atomics, true>;

// ---- words with one thing wrong

// Overwrites a notification that came before the park.
struct parks_by_store : right {
  bool park(bool masked) {
    const word w = word_.load();
    word_.store(with_state(w, parked_as(masked)));
    return true;
  }
};

struct wakes_only_the_parked : right {
  wake_result wake(wait_ticket t) {
    return snapshot().state == slot_state::running ? wake_result::nothing : right::wake(t);
  }
};

struct wakes_by_store : right {
  wake_result wake(wait_ticket t) {
    const word w = word_.load();
    if (w >> state_bits != t || state_of(w) != slot_state::parked) {
      return wake_result::nothing;
    }
    word_.store(with_state(next_epoch(w), slot_state::queued));
    return wake_result::enqueue;
  }
};

struct wakes_without_consuming : right {
  wake_result wake(wait_ticket t) {
    word w = word_.load();
    for (;;) {
      const bool is_parked = state_of(w) == slot_state::parked;
      if (w >> state_bits != t || !(is_parked || state_of(w) == slot_state::running)) {
        return wake_result::nothing;
      }
      if (word_.compare_exchange_strong(
            w, with_state(w, is_parked ? slot_state::queued : slot_state::notified))) {
        return is_parked ? wake_result::enqueue : wake_result::notified;
      }
    }
  }
};

struct leaves_without_retiring : right {
  bool retire() { return false; }
};

// In two steps, the wrong one first: a wake fits in between.
struct eats_before_it_bumps : right {
  bool retire() {
    word w = word_.load();
    if (state_of(w) == slot_state::notified) {
      word_.store(with_state(w, slot_state::running));
      return true;
    }
    w = word_.load();
    while (!word_.compare_exchange_strong(w, next_epoch(w))) {
    }
    return false;
  }
};

struct reclaims_within_the_generation : right {
  bool reclaim() {
    word_.store(pack(generation_of(word_.load()), slot_state::vacant));
    return true;
  }
};

struct stops_any_generation : right {
  bool stop_wake(std::uint32_t) {
    word w = word_.load();
    return state_of(w) == slot_state::parked &&
           word_.compare_exchange_strong(w, with_state(next_epoch(w), slot_state::queued));
  }
};

struct stops_consume_masked_waits : right {
  bool stop_wake(std::uint32_t generation) {
    word w = word_.load();
    if (state_of(w) == slot_state::parked_masked) {
      word_.compare_exchange_strong(w, next_epoch(w));
      return false;
    }
    return right::stop_wake(generation);
  }
};

struct stops_end_masked_waits : right {
  bool stop_wake(std::uint32_t) {
    word w = word_.load();
    while (state_of(w) == slot_state::parked || state_of(w) == slot_state::parked_masked) {
      if (word_.compare_exchange_strong(w, with_state(next_epoch(w), slot_state::queued))) {
        return true;
      }
    }
    return false;
  }
};

struct stops_notify_the_running : right {
  bool stop_wake(std::uint32_t generation) {
    word w = word_.load();
    if (state_of(w) == slot_state::running) {
      word_.compare_exchange_strong(w, with_state(next_epoch(w), slot_state::notified));
      return false;
    }
    return right::stop_wake(generation);
  }
};

struct claims_blindly : checked {
  bool claim() {
    word_.store(with_state(word_.load(), slot_state::running));
    return true;
  }
};

struct claims_by_store : checked {
  bool claim() {
    const word w = word_.load();
    if (state_of(w) != slot_state::queued) {
      return false;
    }
    word_.store(with_state(w, slot_state::running));
    return true;
  }
};

struct holds_by_store : right {
  bool hold(smarm::detail::slot_snapshot& was) {
    was = snapshot();
    if (was.state != slot_state::parked) {
      return false;
    }
    word_.store(with_state(word_.load(), slot_state::running));
    return true;
  }
};

// A new wait: whoever has the ticket of the old one comes to nothing.
struct holds_with_a_new_epoch : right {
  bool hold(smarm::detail::slot_snapshot& was) {
    word w = word_.load();
    was = snapshot_of(w);
    return was.state == slot_state::parked &&
           word_.compare_exchange_strong(w, with_state(next_epoch(w), slot_state::running));
  }
};

// ---- the runtime around the word

struct manners {
  bool forgets_the_flag = false; // after a park
  std::memory_order flag_order = memory_order_seq_cst;
  bool flag_after_the_word = false; // by the one who stops
  bool saves_late = false;          // publishes itself before it has switched away
  bool takes_back_by_store = false; // a park that was not registered yet
};

template <class Word>
struct player {
  explicit player(manners m = {}) : how(m) {}

  Word word;
  mc::atomic<int> entries{0}; // in run queues
  mc::atomic<bool> stop{false};
  mc::atomic<bool> saved{false}; // the context is complete
  manners how;

  // A first run, before the threads start.
  void begin() {
    word.publish_queued();
    mc::require(word.claim(), "a fresh actor can be claimed");
  }
  void enqueue() { mc::require(entries.fetch_add(1) == 0, "at most one entry"); }
  void switch_away() { saved.store(true, memory_order_release); }

  // The scheduler's side of it: pop the entry, claim, go on.
  void resume() {
    mc::block(entries, [](int count) { return count > 0; });
    entries.fetch_sub(1);
    mc::require(word.claim(), "what was popped can be claimed");
    mc::require(saved.exchange(false), "only a saved context is resumed");
  }
  // The successor's side of a park.
  void after_park(bool masked) {
    if (!word.park(masked)) {
      enqueue();
    } else {
      look_at_the_flag();
    }
  }
  void look_at_the_flag() {
    if (!how.forgets_the_flag && stop.load(memory_order_seq_cst) && word.stop_wake(0)) {
      enqueue();
    }
  }
  void leave_by_park(bool masked) {
    if (how.saves_late) {
      after_park(masked);
      switch_away();
    } else {
      switch_away();
      after_park(masked);
    }
  }
  void park(bool masked = false) {
    leave_by_park(masked);
    resume();
  }
  void wake(wait_ticket t) {
    if (word.wake(t) == wake_result::enqueue) {
      enqueue();
    }
  }
  void request_stop() {
    if (how.flag_after_the_word) {
      const bool parked = word.stop_wake(0);
      stop.store(true, how.flag_order);
      return parked ? enqueue() : void();
    }
    stop.store(true, how.flag_order);
    if (word.stop_wake(0)) {
      enqueue();
    }
  }
  void require_running() {
    mc::require(word.snapshot().state == slot_state::running, "runs, without a notification");
    mc::require(entries.load() == 0, "no entry is left");
  }
};

// ---- scenarios

// Register, look at the condition, wait; against set the condition, look for a registration, wake.
template <class Word>
void park_against_wake(mc::world& world) {
  struct state : player<Word> {
    mc::atomic<bool> condition{false};
    mc::atomic<wait_ticket> registered{0}; // 0: nobody, else the ticket + 1
  };
  auto& s = world.make<state>();
  s.begin();
  world.thread([&s] {
    const wait_ticket t = s.word.begin_wait();
    s.registered.store(t + 1);
    if (s.condition.load()) {
      s.word.retire();
    } else {
      s.park();
      mc::require(s.condition.load(), "a wake has a reason");
    }
  });
  world.thread([&s] {
    s.condition.store(true);
    if (const wait_ticket r = s.registered.exchange(0)) {
      s.wake(r - 1);
    }
  });
  world.finally([&s] { s.require_running(); });
}

template <class Word>
void two_wakers(mc::world& world) {
  auto& s = world.make<player<Word>>();
  s.begin();
  const wait_ticket t = s.word.begin_wait();
  world.thread([&s] { s.park(); });
  world.thread([&s, t] { s.wake(t); });
  world.thread([&s, t] { s.wake(t); });
  world.finally([&s] { s.require_running(); });
}

// A wait with two wakers, then a second wait that trusts its wake. `Parks`: the first one is parked
// on, else it is left because its answer was there already.
template <class Word, bool Parks>
void late_wake(mc::world& world) {
  struct state : player<Word> {
    mc::atomic<bool> answered{false};
    mc::atomic<wait_ticket> second{0};
  };
  auto& s = world.make<state>();
  s.begin();
  const wait_ticket first = s.word.begin_wait();
  world.thread([&s] {
    if (Parks) {
      s.park();
    } else {
      s.word.retire();
    }
    s.second.store(s.word.begin_wait());
    s.park();
    mc::require(s.answered.load(), "only its own waker ends the second wait");
  });
  world.thread([&s, first] { s.wake(first); });
  if (Parks) {
    world.thread([&s, first] { s.wake(first); });
  }
  world.thread([&s] {
    mc::block(s.second, [](wait_ticket t) { return t != 0; });
    s.answered.store(true);
    s.wake(s.second.load());
  });
  world.finally([&s] { s.require_running(); });
}

// Somebody looks at the stack of a parked actor, which is woken or stopped meanwhile.
template <class Word, bool Stopped>
void looked_at_while_parked(mc::world& world, manners how) {
  struct state : player<Word> {
    using player<Word>::player;
    mc::atomic<bool> looking{false};
  };
  auto& s = world.make<state>(how);
  s.begin();
  const wait_ticket t = s.word.begin_wait();
  world.thread([&s] {
    s.park();
    mc::require(!s.looking.load(), "nobody looks at a stack that is in use");
  });
  world.thread([&s] {
    smarm::detail::slot_snapshot was{};
    if (s.word.hold(was)) {
      s.looking.store(true);
      mc::require(s.saved.load(), "what is looked at is complete");
      s.looking.store(false);
      s.after_park(false);
    }
  });
  if (Stopped) {
    world.thread([&s] { s.request_stop(); });
  } else {
    world.thread([&s, t] { s.wake(t); });
  }
  world.finally([&s] { s.require_running(); });
}

// The slot gets a new occupant while a waker and a stopper of the old one are on their way; the new
// one parks at once and must be left alone.
template <class Word>
void reused_slot(mc::world& world) {
  auto& s = world.make<player<Word>>();
  s.begin();
  const wait_ticket old = s.word.begin_wait();
  world.thread([&s] {
    s.word.retire();
    s.word.finish();
    mc::require(s.word.reclaim(), "there is a next generation");
    s.begin();
    mc::require(s.word.park(false), "nobody has woken the newcomer");
  });
  world.thread([&s, old] { s.wake(old); });
  world.thread([&s] { s.request_stop(); });
  world.finally([&s] {
    const auto now = s.word.snapshot();
    mc::require(now.generation == 1 && now.epoch == 0 && now.state == slot_state::parked,
                "the newcomer is untouched");
    mc::require(s.entries.load() == 0, "and not queued");
  });
}

// Nothing but the stop ends this wait.
template <class Word>
void park_against_stop(mc::world& world, manners how) {
  auto& s = world.make<player<Word>>(how);
  s.begin();
  world.thread([&s] {
    s.park();
    mc::require(s.stop.load(), "the stop ended it");
  });
  world.thread([&s] { s.request_stop(); });
  world.finally([&s] { s.require_running(); });
}

// Parked by one scheduler, woken from somewhere, resumed by another one.
template <class Word>
void resumed_elsewhere(mc::world& world, manners how) {
  auto& s = world.make<player<Word>>(how);
  s.begin();
  const wait_ticket t = s.word.begin_wait();
  world.thread([&s] { s.leave_by_park(false); });
  world.thread([&s] { s.resume(); });
  world.thread([&s, t] { s.wake(t); });
  world.finally([&s] { s.require_running(); });
}

// A wait that a wake and a stop both want to end, and a second one that only the stop may end.
template <class Word>
void park_against_stop_and_wake(mc::world& world, manners how) {
  auto& s = world.make<player<Word>>(how);
  s.begin();
  const wait_ticket t = s.word.begin_wait();
  world.thread([&s] {
    s.park();
    if (!s.stop.load()) {
      s.park();
      mc::require(s.stop.load(), "the stop ended it");
    }
  });
  world.thread([&s, t] { s.wake(t); });
  world.thread([&s] { s.request_stop(); });
  world.finally([&s] { s.require_running(); });
}

// Two stops while stops are masked: only the true waker ends the wait; once the mask is off, the
// next wait is ended by the flag.
template <class Word>
void masked_wait(mc::world& world, manners how) {
  struct state : player<Word> {
    using player<Word>::player;
    mc::atomic<bool> answered{false};
  };
  auto& s = world.make<state>(how);
  s.begin();
  const wait_ticket t = s.word.begin_wait();
  world.thread([&s] {
    s.park(true);
    mc::require(s.answered.load(), "a stop does not end a masked wait");
    if (!s.stop.load()) { // the mask is off: a stop point
      s.park();
      mc::require(s.stop.load(), "the stop ended it");
    }
  });
  world.thread([&s] {
    s.request_stop();
    s.request_stop();
  });
  world.thread([&s, t] {
    s.answered.store(true);
    s.wake(t);
  });
  world.finally([&s] { s.require_running(); });
}

// A yielded actor stands in the ring as running. It is popped again, and then trusts a wake.
template <class Word>
void yield_against_stop(mc::world& world, manners how) {
  struct state : player<Word> {
    using player<Word>::player;
    mc::atomic<bool> answered{false};
  };
  auto& s = world.make<state>(how);
  s.begin();
  world.thread([&s] {
    if (s.how.saves_late) {
      s.word.requeue();
      s.enqueue();
      s.switch_away();
    } else {
      s.switch_away();
      s.word.requeue();
      s.enqueue();
    }
  });
  world.thread([&s] { // another scheduler
    s.resume();
    const wait_ticket t = s.word.begin_wait();
    s.park(true);
    mc::require(s.answered.load(), "no stale notification survives the yield");
    mc::require(s.word.wake(t) == wake_result::nothing, "its ticket is consumed");
  });
  world.thread([&s] { s.request_stop(); });
  world.thread([&s] { // the waker, once the actor has parked
    mc::block([&s] { return s.word.snapshot().state == slot_state::parked_masked; });
    s.answered.store(true);
    s.wake(wait_ticket(s.word.snapshot().epoch));
  });
  world.finally([&s] { s.require_running(); });
}

// Something has queued an actor twice; it yields once in between. A checked word lets one in.
template <class Word>
void entered_twice(mc::world& world) {
  struct state {
    Word word;
    mc::atomic<int> entries{2};
    mc::atomic<int> runners{0};
  };
  auto& s = world.make<state>();
  s.word.publish_queued();
  for (int scheduler = 0; scheduler < 2; ++scheduler) {
    world.thread([&s] {
      for (int turn = 0; turn < 2 && s.entries.load() > 0; ++turn) {
        s.entries.fetch_sub(1);
        if (s.word.claim()) {
          mc::require(s.runners.fetch_add(1) == 0, "one runner");
          s.runners.fetch_sub(1);
          if (turn == 0) {
            s.word.requeue();
            s.entries.fetch_add(1);
          }
        }
      }
    });
  }
}

// A receiver that is registered by its successor, after the park: against a stop and, if there is
// one, a sender.
template <class Word, bool Sender>
void registered_by_the_successor(mc::world& world, manners how) {
  enum : int { empty, waiting, full };
  struct state : player<Word> {
    using player<Word>::player;
    mc::atomic<int> inbox{empty};
    mc::atomic<wait_ticket> ticket{0};
  };
  auto& s = world.make<state>(how);
  s.begin();
  world.thread([&s] {
    const wait_ticket t = s.word.begin_wait();
    s.ticket.store(t, memory_order_relaxed);
    s.switch_away();
    s.word.park_unregistered(false);
    int expected = empty;
    if (s.inbox.compare_exchange_strong(expected, waiting)) {
      s.look_at_the_flag();
    } else if (s.how.takes_back_by_store) {
      s.enqueue(); // as if nobody else could have touched a parked word
    } else {
      s.wake(t);
    }
    s.resume();
    mc::require(s.inbox.load() == full || s.stop.load(), "a wake has a reason");
  });
  if (Sender) {
    world.thread([&s] {
      if (s.inbox.exchange(full) == waiting) {
        s.wake(s.ticket.load(memory_order_relaxed));
      }
    });
  }
  world.thread([&s] { s.request_stop(); });
  world.finally([&s] { s.require_running(); });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.store_buffers = true, .reduced = true};
  const auto with = [](auto scenario, manners how) {
    return [scenario, how](mc::world& world) { scenario(world, how); };
  };
  mc::suite suite("slot_word", argc, argv);

  suite.model("no_lost_wakeup_park_vs_wake", all, &park_against_wake<right>);
  suite.model("no_lost_wakeup_park_vs_wake_checked", all, &park_against_wake<checked>);
  suite.mutation("parks_by_store", all, &park_against_wake<parks_by_store>, "deadlock");
  suite.mutation("wakes_only_the_parked", all, &park_against_wake<wakes_only_the_parked>,
                 "deadlock");

  suite.model("two_wakers_one_enqueue", all, &two_wakers<right>);
  suite.mutation("wakes_by_store", all, &two_wakers<wakes_by_store>);

  suite.model("consumed_epoch_never_lands", all, &late_wake<right, true>);
  suite.mutation("wakes_without_consuming", all, &late_wake<wakes_without_consuming, true>);

  suite.model("retire_eats_late_notification", all, &late_wake<right, false>);
  suite.mutation("leaves_without_retiring", all, &late_wake<leaves_without_retiring, false>);
  suite.mutation("eats_before_it_bumps", all, &late_wake<eats_before_it_bumps, false>);

  suite.model("stale_wake_never_hits_reused_slot", all, &reused_slot<right>);
  suite.mutation("reclaims_within_the_generation", all,
                 &reused_slot<reclaims_within_the_generation>);
  suite.mutation("stops_any_generation", all, &reused_slot<stops_any_generation>);

  suite.model("stop_vs_park", all, with(&park_against_stop<right>, {}));
  suite.model("stop_vs_park_and_wake", all, with(&park_against_stop_and_wake<right>, {}));
  suite.mutation("parker_forgets_the_flag", all,
                 with(&park_against_stop<right>, {.forgets_the_flag = true}), "deadlock");
  suite.mutation("flag_is_set_after_the_look_at_the_word", all,
                 with(&park_against_stop<right>, {.flag_after_the_word = true}));
  suite.mutation("flag_is_a_release_store", all,
                 with(&park_against_stop<right>, {.flag_order = memory_order_release}), "deadlock");

  suite.model("stop_during_masked_wait", all, with(&masked_wait<right>, {}));
  suite.mutation("stop_consumes_the_epoch_of_a_masked_wait", all,
                 with(&masked_wait<stops_consume_masked_waits>, {}), "deadlock");
  suite.mutation("stop_ends_a_masked_wait", all,
                 with(&masked_wait<stops_end_masked_waits>, {}), "does not end a masked");
  suite.mutation("unmasked_park_forgets_the_flag", all,
                 with(&masked_wait<right>, {.forgets_the_flag = true}), "deadlock");

  suite.model("stop_vs_yield", all, with(&yield_against_stop<right>, {}));
  suite.model("stop_vs_yield_checked", all, with(&yield_against_stop<checked>, {}));
  suite.mutation("stop_writes_running_words", all,
                 with(&yield_against_stop<stops_notify_the_running>, {}));
  suite.mutation("yields_before_the_switch", all,
                 with(&yield_against_stop<right>, {.saves_late = true}), "saved context");
  suite.model("resumed_elsewhere", all, with(&resumed_elsewhere<right>, {}));
  suite.mutation("parks_before_the_switch", all,
                 with(&resumed_elsewhere<right>, {.saves_late = true}), "saved context");

  suite.model("looked_at_vs_wake", all, with(&looked_at_while_parked<right, false>, {}));
  suite.model("looked_at_vs_stop", all, with(&looked_at_while_parked<right, true>, {}));
  suite.mutation("parks_again_by_store", all,
                 with(&looked_at_while_parked<parks_by_store, false>, {}), "deadlock");
  suite.mutation("holds_by_store", all, with(&looked_at_while_parked<holds_by_store, false>, {}));
  suite.mutation("holds_with_a_new_epoch", all,
                 with(&looked_at_while_parked<holds_with_a_new_epoch, false>, {}), "deadlock");
  suite.mutation("looks_and_forgets_the_flag", all,
                 with(&looked_at_while_parked<right, true>, {.forgets_the_flag = true}),
                 "deadlock");

  suite.model("a_second_entry_is_refused", all, &entered_twice<checked>);
  suite.mutation("claims_blindly", all, &entered_twice<claims_blindly>, "one runner");
  suite.mutation("claims_by_store", all, &entered_twice<claims_by_store>, "one runner");

  suite.model("registered_by_the_successor", all,
              with(&registered_by_the_successor<right, true>, {}));
  suite.model("registered_by_the_successor_nobody_sends", all,
              with(&registered_by_the_successor<right, false>, {}));
  suite.mutation("takes_a_park_back_by_store", all,
                 with(&registered_by_the_successor<right, true>, {.takes_back_by_store = true}));
  suite.mutation("successor_forgets_the_flag", all,
                 with(&registered_by_the_successor<right, false>, {.forgets_the_flag = true}),
                 "deadlock");
  return suite.result();
}
