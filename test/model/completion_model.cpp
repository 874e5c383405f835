// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What an actor awaits is completed once, by another thread: the actor sees the result and sleeps past
// nothing, though a stop or a deadline may end any of its waits, and its frame goes as soon as it knows.

#include "sleeper.hpp"
#include "suite.hpp"

#include <smarm/detail/completion_word.hpp>

namespace {

using smarm::detail::wait_ticket;
using std::memory_order_relaxed;

using right = smarm::detail::basic_completion_word<mc::atomics>;

// ---- words with one thing wrong

struct completes_in_two_steps : right {
  wait_ticket complete() noexcept {
    const wait_ticket seen = word_.load();
    word_.store(done);
    return seen;
  }
};

struct learns_whom_to_wake_afterwards : right {
  wait_ticket complete() noexcept {
    word_.store(done);
    return nobody_waits;
  }
};

struct enrolls_by_store : right {
  bool enroll(wait_ticket ticket) noexcept {
    if (completed()) {
      return false;
    }
    word_.store(ticket);
    return true;
  }
};

struct withdraws_by_store : right {
  bool withdraw(wait_ticket) noexcept {
    word_.store(nobody_waits);
    return true;
  }
};

struct result_comes_late : right {
  static constexpr bool late = true;
};
template <class Word>
constexpr bool late = requires {
  Word::late;
};

// ---- the frame

template <class Word>
struct frame {
  Word word;
  mc::atomic<int> value{0};
  mc::atomic<int> left{0}; // the actor has gone on, and with it the frame
  mc::atomic<int> armed{0};
  mc::sleeper actor;

  void complete() {
    if (!late<Word>) {
      value.store(7, memory_order_relaxed);
    }
    mc::require(left.load(memory_order_relaxed) == 0, "completed in a frame that is there");
    const wait_ticket ticket = word.complete();
    if (late<Word>) {
      value.store(7, memory_order_relaxed);
    }
    if (ticket != right::nobody_waits) {
      actor.wake(ticket);
    }
  }

  // As wait_as_actor does it, until it is completed, whatever wakes the actor in between.
  void wait() {
    for (int turn = 0; !word.completed(); ++turn) {
      const wait_ticket ticket = actor.word.begin_wait();
      if (!word.enroll(ticket)) {
        break;
      }
      if (turn == 0) {
        armed.store(1);
      }
      actor.park();
      if (word.completed() || !word.withdraw(ticket)) {
        break;
      }
    }
    int not_armed = 0;
    armed.compare_exchange_strong(not_armed, 2);
    mc::require(word.completed(), "the actor goes on when it is completed");
    mc::require(value.load(memory_order_relaxed) == 7, "the result is there");
    left.store(1, memory_order_relaxed);
  }
  // Ends the first wait, if there is one.
  void ring() {
    mc::block(armed, [](int yes) { return yes != 0; });
    if (armed.load() == 1) {
      actor.wake(0);
    }
  }
};

template <class Word>
void is_awaited(mc::world& world) {
  auto& f = world.make<frame<Word>>();
  world.thread([&f] { f.wait(); });
  world.thread([&f] { f.complete(); });
  world.finally([&f] { f.actor.require_running(); });
}

template <class Word>
void the_time_is_up(mc::world& world) {
  auto& f = world.make<frame<Word>>();
  world.thread([&f] { f.wait(); });
  world.thread([&f] { f.complete(); });
  world.thread([&f] { f.ring(); });
  world.finally([&f] { f.actor.require_running(); });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.store_buffers = true, .reduced = true};
  mc::suite suite("completion", argc, argv);

  suite.model("is_awaited", all, &is_awaited<right>);
  suite.mutation("completes_in_two_steps", all, &is_awaited<completes_in_two_steps>);
  suite.mutation("learns_whom_to_wake_afterwards", all,
                 &is_awaited<learns_whom_to_wake_afterwards>);
  suite.mutation("enrolls_by_store", all, &is_awaited<enrolls_by_store>);
  suite.mutation("result_comes_late", all, &is_awaited<result_comes_late>, "the result is there");

  suite.model("the_time_is_up", all, &the_time_is_up<right>);
  suite.mutation("withdraws_by_store", all, &the_time_is_up<withdraws_by_store>);
  return suite.result();
}
