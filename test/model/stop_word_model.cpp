// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The stop word: requests from other threads against an actor that opens waits, parks, masks stops
// and ends. No request is lost, none reaches another tenant, and each reaches the actor at most once
// a wait. The actor goes through its waits as wait_as_actor does.

#include "sleeper.hpp"
#include "suite.hpp"

#include <smarm/detail/stop_word.hpp>

#include <cstdint>

namespace {

using smarm::detail::stop_result;
using smarm::detail::stop_flag::any;
using smarm::detail::stop_flag::shutdown;
using smarm::detail::stop_flag::stop;
using smarm::detail::stop_flag::urgent;

using right = smarm::detail::basic_stop_word<mc::atomics>;

// ---- words with one thing wrong

struct wakes_before_it_says_why : right {
  template <class Word>
  stop_result request(std::uint32_t generation, std::uint64_t flag, Word& word) {
    const bool woken = word.stop_wake(generation);
    const stop_result result = right::request(generation, flag, word);
    return woken                            ? stop_result::enqueue
           : result == stop_result::enqueue ? stop_result::asked
                                            : result;
  }
};

struct asks_by_store : right {
  template <class Word>
  stop_result request(std::uint32_t generation, std::uint64_t flag, Word& word) {
    const std::uint64_t seen = word_.load();
    if (seen >> 32 != generation) {
      return stop_result::no_actor;
    }
    word_.store(seen | flag);
    return word.stop_wake(generation) ? stop_result::enqueue : stop_result::asked;
  }
};

struct asks_late : right { // as a release store may
  template <class Word>
  stop_result request(std::uint32_t generation, std::uint64_t flag, Word& word) {
    word_.store(word_.load() | flag, std::memory_order_release);
    return word.stop_wake(generation) ? stop_result::enqueue : stop_result::asked;
  }
};

struct asks_any_tenant : right {
  template <class Word>
  stop_result request(std::uint32_t, std::uint64_t flag, Word& word) {
    word_.fetch_or(flag);
    return word.stop_wake(word.snapshot().generation) ? stop_result::enqueue : stop_result::asked;
  }
};

struct asks_the_dead : right {
  template <class Word>
  stop_result request(std::uint32_t generation, std::uint64_t flag, Word& word) {
    word_.fetch_or(flag);
    return word.stop_wake(generation) ? stop_result::enqueue : stop_result::asked;
  }
};

struct stays_silent_if_asked_before : right {
  template <class Word>
  stop_result request(std::uint32_t generation, std::uint64_t flag, Word& word) {
    if ((word_.load() & any) != 0) {
      return stop_result::asked;
    }
    return right::request(generation, flag, word);
  }
};

struct forgets_to_look_after_the_park : right {
  template <class Word>
  bool after_park(std::uint32_t, Word&) const {
    return false;
  }
};

struct looks_before_the_park : right {
  mutable bool seen = false;
  template <class Word>
  bool after_park(std::uint32_t generation, Word& word) const {
    return seen && word.stop_wake(generation);
  }
};

struct wakes_whoever_parks_there : right {
  template <class Word>
  bool after_park(std::uint32_t, Word& word) const {
    return (word_.load() & any) != 0 && word.stop_wake(word.snapshot().generation);
  }
};

struct looks_for_no_urgent_stop_after_the_park : right {
  template <class Word>
  bool after_park_unless_urgent(std::uint32_t, Word&) const {
    return false;
  }
};

struct looks_for_any_stop_after_the_park : right {
  template <class Word>
  bool after_park_unless_urgent(std::uint32_t generation, Word& word) const {
    return (word_.load() & any) != 0 && word.urgent_wake(generation);
  }
};

struct insists_in_two_steps : right { // and looks too early at what was asked before
  template <class Word>
  stop_result insist(std::uint32_t generation, Word& word) {
    const bool again = requested();
    const stop_result asked = right::request(generation, stop, word);
    if (!again || asked == stop_result::no_actor) {
      return asked;
    }
    word_.fetch_or(urgent);
    return word.urgent_wake(generation) ? stop_result::enqueue : asked;
  }
};

struct insists_quietly : right {
  template <class Word>
  stop_result insist(std::uint32_t generation, Word& word) {
    const std::uint64_t more = requested() ? stop | urgent : stop;
    word_.fetch_or(more);
    return word.stop_wake(generation) ? stop_result::enqueue : stop_result::asked;
  }
};

// ---- the actor

enum class waited { ready, raised };

struct source {
  mc::atomic<std::uint64_t> registered{0}; // 0, or the ticket + 1
  mc::atomic<int> come{0};
};

template <class Stop>
struct actor : mc::sleeper {
  Stop asked;
  source soon; // answered by answer()
  source never;
  int masks = 0;
  bool ending = false; // that is what the mask is for
  int raised = 0;

  [[nodiscard]] bool only_ends() const { return ending && masks == 1; }
  [[nodiscard]] bool stop_point() {
    if (asked.requested() && (masks == 0 || (only_ends() && asked.requested(urgent)))) {
      ++raised;
      return true;
    }
    return false;
  }
  void publish_parked(bool deaf) {
    if constexpr (requires { asked.seen; }) {
      asked.seen = asked.requested();
    }
    park(deaf, [this, deaf] {
      if (!deaf && asked.after_park(0, word)) {
        enqueue();
      }
    });
  }
  void publish_parked_unless_urgent() {
    const bool parks = word.park_unless_urgent();
    if (!parks || asked.after_park_unless_urgent(0, word)) {
      enqueue();
    }
    mc::block(entries, [](int count) { return count > 0; });
    entries.fetch_sub(1);
    mc::require(word.claim(), "what was popped can be claimed");
  }
  // As in a server's terminate.
  waited wait_at_the_end(source& from) {
    if (stop_point()) {
      return waited::raised;
    }
    for (;;) {
      from.registered.store(word.begin_wait() + 1);
      if (from.come.load() != 0) {
        from.registered.store(0);
        word.retire();
        return waited::ready;
      }
      if (asked.requested(urgent)) {
        publish_parked(false);
      } else {
        publish_parked_unless_urgent();
      }
      if (from.come.load() != 0 || from.registered.exchange(0) == 0) {
        return waited::ready;
      }
      mc::require(stop_point(), "nothing but an urgent stop ends the wait");
      return waited::raised;
    }
  }
  waited wait_for(source& from) {
    if (stop_point()) {
      return waited::raised;
    }
    for (;;) {
      from.registered.store(word.begin_wait() + 1);
      if (from.come.load() != 0) {
        from.registered.store(0);
        word.retire();
        return waited::ready;
      }
      publish_parked(masks != 0);
      if (from.come.load() != 0 || from.registered.exchange(0) == 0) {
        return waited::ready;
      }
      if (stop_point()) {
        return waited::raised;
      }
      mc::require(masks == 0, "a stop does not end a masked wait");
    }
  }
  // By somebody else.
  void answer() {
    soon.come.store(1);
    if (const std::uint64_t who = soon.registered.exchange(0)) {
      wake(who - 1);
    }
  }
  void insist() {
    if (asked.insist(0, word) == stop_result::enqueue) {
      enqueue();
    }
  }
  stop_result request(std::uint64_t flag, std::uint32_t generation = 0) {
    const stop_result result = asked.request(generation, flag, word);
    if (result == stop_result::enqueue) {
      enqueue();
    }
    return result;
  }
};

// ---- scenarios

// Nothing but the requests ends this wait; there may be two of them.
template <class Stop, int Requests>
void a_wait_for_ever(mc::world& world) {
  auto& s = world.make<actor<Stop>>();
  world.thread(
      [&s] { mc::require(s.wait_for(s.never) == waited::raised && s.raised == 1, "raised once"); });
  world.thread([&s] {
    mc::require(s.request(shutdown) != stop_result::no_actor, "a live actor can be asked");
  });
  if (Requests == 2) {
    world.thread([&s] {
      mc::require(s.request(stop) != stop_result::no_actor, "a live actor can be asked");
    });
  }
  world.finally([&s] {
    s.require_running();
    mc::require(s.asked.requested(shutdown) && (Requests == 1 || s.asked.requested(stop)),
                "no flag is lost");
  });
}

// An answer and a stop want to end the wait. If it was the answer, the next wait ends by the stop.
template <class Stop>
void an_answered_wait(mc::world& world) {
  auto& s = world.make<actor<Stop>>();
  world.thread([&s] {
    if (s.wait_for(s.soon) == waited::ready) {
      mc::require(s.wait_for(s.never) == waited::raised, "the stop is not lost");
    }
  });
  world.thread([&s] { s.answer(); });
  world.thread([&s] { (void)s.request(stop); });
  world.finally([&s] { s.require_running(); });
}

// Two stops while stops are masked: only the answer ends the wait. After it the mask goes, and the
// next wait raises, once.
template <class Stop>
void a_masked_wait(mc::world& world) {
  auto& s = world.make<actor<Stop>>();
  world.thread([&s] {
    ++s.masks;
    mc::require(s.wait_for(s.soon) == waited::ready, "a stop is not raised under a mask");
    --s.masks;
    mc::require(s.wait_for(s.never) == waited::raised && s.raised == 1, "raised after the mask");
  });
  world.thread([&s] { s.answer(); });
  world.thread([&s] {
    (void)s.request(shutdown);
    (void)s.request(stop);
  });
  world.finally([&s] { s.require_running(); });
}

// The first stop was raised and swallowed; the second one comes at any time around a masked wait.
template <class Stop>
void a_second_stop_after_the_mask(mc::world& world) {
  auto& s = world.make<actor<Stop>>();
  (void)s.asked.request(0, shutdown, s.word);
  world.thread([&s] {
    ++s.masks;
    (void)s.wait_for(s.soon);
    --s.masks;
    mc::require(s.stop_point(), "a stop that was swallowed is raised again");
  });
  world.thread([&s] { (void)s.request(stop); });
  world.thread([&s] { s.answer(); });
  world.finally([&s] {
    s.require_running();
    mc::require(s.asked.requested(stop), "the second one is there too");
  });
}

// The actor ends, and the slot gets another tenant, who parks.
template <class Stop>
void a_request_for_the_tenant_before(mc::world& world) {
  auto& s = world.make<actor<Stop>>();
  world.thread([&s] {
    s.word.finish();
    mc::require(s.word.reclaim(), "there is a next generation");
    s.asked.begin(1);
    s.word.publish_queued();
    mc::require(s.word.claim() && s.word.park(false), "nobody has woken the newcomer");
  });
  world.thread([&s] { (void)s.request(stop); });
  world.finally([&s] {
    mc::require(!s.asked.requested(), "the newcomer was not asked");
    mc::require(s.entries.load() == 0, "nor queued");
    mc::require(s.request(stop, 0) == stop_result::no_actor, "who has ended cannot be asked");
    mc::require(s.request(stop, 1) == stop_result::enqueue, "but the newcomer can");
  });
}

// A scheduler has published the park and is slow; meanwhile the actor is woken and ends, and the slot
// has another tenant, who was asked too and is looked after by its own scheduler.
template <class Stop>
void a_scheduler_that_looks_late(mc::world& world) {
  auto& s = world.make<actor<Stop>>();
  mc::atomic<int>& resumed = world.make<mc::atomic<int>>(0);
  const std::uint64_t ticket = s.word.begin_wait();
  world.thread([&s, &resumed] {
    mc::require(s.word.park(false), "not woken yet");
    resumed.store(1);
    mc::require(!s.asked.after_park(0, s.word), "the newcomer's wait is none of its business");
  });
  world.thread([&s, &resumed, ticket] {
    mc::block(resumed, [](int yes) { return yes != 0; });
    mc::require(s.word.wake(ticket) == smarm::detail::wake_result::enqueue && s.word.claim(),
                "woken and resumed elsewhere");
    s.word.finish();
    (void)s.word.reclaim();
    s.asked.begin(1);
    s.word.publish_queued();
    (void)s.word.claim();
    (void)s.asked.request(1, stop, s.word);
    mc::require(s.word.park(false), "not woken yet");
  });
}

// The actor ends, after a shutdown, and waits for something that never comes; whoever asked for the
// shutdown has no more patience.
template <class Stop>
void a_last_wait_for_ever(mc::world& world) {
  auto& s = world.make<actor<Stop>>();
  (void)s.asked.request(0, shutdown, s.word);
  s.masks = 1;
  s.ending = true;
  world.thread(
      [&s] { mc::require(s.wait_at_the_end(s.never) == waited::raised && s.raised == 1, "once"); });
  world.thread([&s] { s.insist(); });
  world.finally([&s] {
    s.require_running();
    mc::require(s.asked.requested(stop) && s.asked.requested(urgent), "no flag is lost");
  });
}

// Another one asks for a shutdown meanwhile, which is no reason to hurry: only the answer ends the wait.
template <class Stop>
void a_last_wait_that_is_answered(mc::world& world) {
  auto& s = world.make<actor<Stop>>();
  s.masks = 1;
  s.ending = true;
  world.thread([&s] {
    mc::require(s.wait_at_the_end(s.soon) == waited::ready && s.raised == 0, "not hurried");
  });
  world.thread([&s] { s.answer(); });
  world.thread([&s] { (void)s.request(shutdown); });
  world.finally([&s] { s.require_running(); });
}

// Two who insist, of an actor that nobody had asked before: one of them is the second, and urgent.
template <class Stop>
void two_who_insist(mc::world& world) {
  auto& s = world.make<actor<Stop>>();
  s.masks = 1;
  s.ending = true;
  world.thread(
      [&s] { mc::require(s.wait_at_the_end(s.never) == waited::raised && s.raised == 1, "once"); });
  world.thread([&s] { s.insist(); });
  world.thread([&s] { s.insist(); });
  world.finally([&s] { s.require_running(); });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.store_buffers = true, .reduced = true};
  mc::suite suite("stop_word", argc, argv);

  suite.model("a_wait_for_ever", all, &a_wait_for_ever<right, 1>);
  suite.mutation("wakes_before_it_says_why", all, &a_wait_for_ever<wakes_before_it_says_why, 1>,
                 "deadlock");
  suite.mutation("asks_late", all, &a_wait_for_ever<asks_late, 1>, "deadlock");
  suite.mutation("forgets_to_look_after_the_park", all,
                 &a_wait_for_ever<forgets_to_look_after_the_park, 1>, "deadlock");
  suite.mutation("looks_before_the_park", all, &a_wait_for_ever<looks_before_the_park, 1>,
                 "deadlock");
  suite.model("two_requests", all, &a_wait_for_ever<right, 2>);
  suite.mutation("asks_by_store", all, &a_wait_for_ever<asks_by_store, 2>, "no flag is lost");

  suite.model("an_answered_wait", all, &an_answered_wait<right>);
  suite.mutation("forgets_to_look_after_an_answer", all,
                 &an_answered_wait<forgets_to_look_after_the_park>, "deadlock");

  suite.model("a_masked_wait", all, &a_masked_wait<right>);
  suite.mutation("forgets_to_look_after_the_mask", all,
                 &a_masked_wait<forgets_to_look_after_the_park>, "deadlock");
  suite.model("a_second_stop_after_the_mask", all, &a_second_stop_after_the_mask<right>);
  suite.mutation("stays_silent_if_asked_before", all,
                 &a_second_stop_after_the_mask<stays_silent_if_asked_before>, "second one");

  suite.model("a_request_for_the_tenant_before", all, &a_request_for_the_tenant_before<right>);
  suite.mutation("asks_any_tenant", all, &a_request_for_the_tenant_before<asks_any_tenant>);
  suite.mutation("asks_the_dead", all, &a_request_for_the_tenant_before<asks_the_dead>);
  suite.mutation("asks_the_tenant_before_by_store", all,
                 &a_request_for_the_tenant_before<asks_by_store>);

  suite.model("a_scheduler_that_looks_late", all, &a_scheduler_that_looks_late<right>);
  suite.mutation("wakes_whoever_parks_there", all,
                 &a_scheduler_that_looks_late<wakes_whoever_parks_there>, "none of its business");

  suite.model("a_last_wait_for_ever", all, &a_last_wait_for_ever<right>);
  suite.mutation("looks_for_no_urgent_stop_after_the_park", all,
                 &a_last_wait_for_ever<looks_for_no_urgent_stop_after_the_park>, "deadlock");
  suite.mutation("insists_quietly", all, &a_last_wait_for_ever<insists_quietly>, "deadlock");
  suite.model("a_last_wait_that_is_answered", all, &a_last_wait_that_is_answered<right>);
  suite.mutation("looks_for_any_stop_after_the_park", all,
                 &a_last_wait_that_is_answered<looks_for_any_stop_after_the_park>,
                 "nothing but an urgent stop");
  suite.model("two_who_insist", all, &two_who_insist<right>);
  suite.mutation("insists_in_two_steps", all, &two_who_insist<insists_in_two_steps>, "deadlock");
  return suite.result();
}
