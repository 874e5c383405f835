// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The join word: the end of an actor against the holder of its handle, who waits, gives up and waits
// again, hands the handle on or drops it. The end is seen by exactly one, no joiner sleeps past it,
// the slot is given back once, and nobody is woken with what a later joiner left.

#include "sleeper.hpp"
#include "suite.hpp"

#include <smarm/detail/join_word.hpp>

namespace {

using smarm::detail::join_found;
using std::memory_order_relaxed;

using right = smarm::detail::basic_join_word<mc::atomics>;
using joiner = smarm::detail::basic_joiner<mc::atomics, mc::sleeper>;

// ---- words with one thing wrong

join_found found(std::uint32_t state) {
  return state == 0 ? join_found::handle : state == 1 ? join_found::joiner : join_found::detached;
}

struct ends_by_store : right {
  join_found end(const joiner& beside, mc::sleeper*& who, std::uint64_t& ticket) {
    const std::uint32_t seen = word_.load();
    who = beside.who.load(memory_order_relaxed);
    ticket = beside.ticket.load(memory_order_relaxed);
    word_.store(done);
    return found(state_of(seen));
  }
};

struct takes_the_word_first : right {
  join_found end(const joiner& beside, mc::sleeper*& who, std::uint64_t& ticket) {
    const std::uint32_t seen = word_.exchange(done);
    if (state_of(seen) == waiting) {
      who = beside.who.load(memory_order_relaxed);
      ticket = beside.ticket.load(memory_order_relaxed);
    }
    return found(state_of(seen));
  }
};

struct reads_the_joiner_once : right {
  join_found end(const joiner& beside, mc::sleeper*& who, std::uint64_t& ticket) {
    std::uint32_t seen = word_.load();
    do {
      if (state_of(seen) == waiting && who == nullptr) {
        who = beside.who.load(memory_order_relaxed);
        ticket = beside.ticket.load(memory_order_relaxed);
      }
    } while (!word_.compare_exchange_weak(seen, done));
    return found(state_of(seen));
  }
};

struct does_not_count_the_waits : right {
  bool enroll(joiner& beside, mc::sleeper* who, std::uint64_t ticket) {
    std::uint32_t seen = open;
    beside.who.store(who, memory_order_relaxed);
    beside.ticket.store(ticket, memory_order_relaxed);
    return word_.compare_exchange_strong(seen, waiting);
  }
};

struct enrolls_before_it_says_who : right {
  bool enroll(joiner& beside, mc::sleeper* who, std::uint64_t ticket) {
    std::uint32_t seen = word_.load();
    if (state_of(seen) != open ||
        !word_.compare_exchange_strong(seen, (seen + one_wait) | waiting)) {
      return false;
    }
    beside.who.store(who, memory_order_relaxed);
    beside.ticket.store(ticket, memory_order_relaxed);
    return true;
  }
};

struct enrolls_by_store : right {
  bool enroll(joiner& beside, mc::sleeper* who, std::uint64_t ticket) {
    const std::uint32_t seen = word_.load();
    if (state_of(seen) != open) {
      return false;
    }
    beside.who.store(who, memory_order_relaxed);
    beside.ticket.store(ticket, memory_order_relaxed);
    word_.store((seen + one_wait) | waiting);
    return true;
  }
};

struct withdraws_by_store : right {
  bool withdraw() {
    const std::uint32_t seen = word_.load();
    if (state_of(seen) != waiting) {
      return false;
    }
    word_.store(seen & ~state_mask);
    return true;
  }
};

struct detaches_by_store : right {
  bool detach() {
    if (state_of(word_.load()) != open) {
      return false;
    }
    word_.store(detached);
    return true;
  }
};

// ---- the runtime around the word

template <class Word>
struct target {
  Word join;
  joiner beside;
  mc::atomic<int> outcome{0};
  mc::atomic<int> given_back{0};
  mc::atomic<int> lives{1};
  mc::atomic<int> handed_on{0};
  mc::atomic<int> armed{0};
  mc::sleeper first;
  mc::sleeper second;

  void give_back() {
    mc::require(given_back.fetch_add(1) + 1 == lives.load(), "a slot is given back once a life");
  }

  // As wait_as_actor does it. False: the wait was timed, and the time was up.
  bool join_as(mc::sleeper& me, bool timed) {
    for (;;) {
      const std::uint64_t ticket = me.word.begin_wait();
      if (!join.enroll(beside, &me, ticket)) {
        break;
      }
      if (timed) {
        armed.store(1);
      }
      me.park();
      if (join.ended() || !join.withdraw()) {
        break;
      }
      if (timed) {
        return false;
      }
    }
    mc::require(outcome.load() == lives.load(), "the outcome is there");
    give_back();
    return true;
  }
  void end_life(int life) {
    outcome.store(life, memory_order_relaxed);
    mc::sleeper* who = nullptr;
    std::uint64_t ticket = 0;
    switch (join.end(beside, who, ticket)) {
    case join_found::handle: break;
    case join_found::joiner:
      mc::require(who != nullptr, "somebody is registered");
      mc::require(life == 2 || lives.load() == 1 || ticket == 0,
                  "the registration is one of that life");
      who->wake(ticket);
      break;
    case join_found::detached: give_back(); break;
    case join_found::attended: mc::require(false, "nobody attends"); break;
    }
  }
  // The clock of the first wait: rings once, at any time after it was armed, if it ever is.
  void ring() {
    mc::block(armed, [](int yes) { return yes != 0; });
    if (armed.load() == 1) {
      first.wake(0);
    }
  }
  bool join_timed() {
    const bool joined = join_as(first, true);
    int not_armed = 0;
    armed.compare_exchange_strong(not_armed, 2);
    return joined;
  }
  void require_all_over(int number_of_lives) {
    mc::require(given_back.load() == number_of_lives, "every life's slot is given back");
    first.require_running();
    second.require_running();
  }
};

// ---- scenarios

template <class Word>
void one_waits(mc::world& world) {
  auto& s = world.make<target<Word>>();
  world.thread([&s] { s.end_life(1); });
  world.thread([&s] { (void)s.join_as(s.first, false); });
  world.finally([&s] { s.require_all_over(1); });
}

template <class Word>
void the_handle_is_dropped(mc::world& world) {
  auto& s = world.make<target<Word>>();
  world.thread([&s] { s.end_life(1); });
  world.thread([&s] {
    if (!s.join.detach()) {
      s.give_back();
    }
  });
  world.finally([&s] { s.require_all_over(1); });
}

// The time is up: the joiner waits again, or drops the handle.
template <class Word, bool Again>
void one_gives_up(mc::world& world) {
  auto& s = world.make<target<Word>>();
  world.thread([&s] { s.end_life(1); });
  world.thread([&s] {
    if (s.join_timed()) {
      return;
    }
    if (Again) {
      (void)s.join_as(s.first, false);
    } else if (!s.join.detach()) {
      s.give_back();
    }
  });
  world.thread([&s] { s.ring(); });
  world.finally([&s] { s.require_all_over(1); });
}

// The time is up, and another actor gets the handle, whose ticket is the same number.
template <class Word>
void the_handle_is_handed_on(mc::world& world) {
  auto& s = world.make<target<Word>>();
  world.thread([&s] { s.end_life(1); });
  world.thread([&s] { s.handed_on.store(s.join_timed() ? 1 : 2); });
  world.thread([&s] {
    mc::block(s.handed_on, [](int yes) { return yes != 0; });
    if (s.handed_on.load() == 2) {
      (void)s.join_as(s.second, false);
    }
  });
  world.thread([&s] { s.ring(); });
  world.finally([&s] { s.require_all_over(1); });
}

// Woken by the clock the joiner sees the end, and the slot lives again while the ending is still at
// it; the same joiner waits for the next tenant.
template <class Word>
void the_slot_is_used_again(mc::world& world) {
  auto& s = world.make<target<Word>>();
  world.thread([&s] { s.end_life(1); });
  world.thread([&s] {
    if (!s.join_timed()) {
      (void)s.join_as(s.first, false);
      s.handed_on.store(1);
      return;
    }
    s.join.begin();
    s.lives.store(2);
    s.handed_on.store(2);
    (void)s.join_as(s.first, false);
  });
  world.thread([&s] {
    mc::block(s.handed_on, [](int yes) { return yes != 0; });
    if (s.handed_on.load() == 2) {
      s.end_life(2);
    }
  });
  world.thread([&s] { s.ring(); });
  world.finally([&s] { s.require_all_over(s.lives.load()); });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.store_buffers = true, .reduced = true};
  const mc::options some{.preemptions = 2, .store_buffers = true};
  mc::suite suite("join_word", argc, argv);

  suite.model("one_waits", all, &one_waits<right>);
  suite.mutation("enrolls_by_store", all, &one_waits<enrolls_by_store>, "deadlock");
  suite.mutation("enrolls_before_it_says_who", all, &one_waits<enrolls_before_it_says_who>);
  suite.mutation("ends_by_store", all, &one_waits<ends_by_store>);

  suite.model("the_handle_is_dropped", all, &the_handle_is_dropped<right>);
  suite.mutation("detaches_by_store", all, &the_handle_is_dropped<detaches_by_store>,
                 "every life's slot");
  suite.mutation("ends_a_dropped_one_by_store", all, &the_handle_is_dropped<ends_by_store>,
                 "every life's slot");

  suite.model("one_gives_up", all, &one_gives_up<right, false>);
  suite.model("one_gives_up_and_waits_again", all, &one_gives_up<right, true>);
  suite.mutation("withdraws_by_store", all, &one_gives_up<withdraws_by_store, false>);
  suite.mutation("reads_the_joiner_once", all, &one_gives_up<reads_the_joiner_once, true>,
                 "deadlock");

  suite.model("the_handle_is_handed_on", all, &the_handle_is_handed_on<right>);
  suite.mutation("does_not_count_the_waits", all,
                 &the_handle_is_handed_on<does_not_count_the_waits>, "deadlock");

  suite.model("the_slot_is_used_again", some, &the_slot_is_used_again<right>);
  suite.mutation("takes_the_word_first", some, &the_slot_is_used_again<takes_the_word_first>);
  return suite.result();
}
