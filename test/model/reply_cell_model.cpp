// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The node of a call: its answer, whether by the server or by the server's death, against a caller that
// waits, whose time is up, or that lets go. The answer is seen whole or not at all, nobody sleeps past
// it, and the node is freed exactly once, by the second of the two.

#include "sleeper.hpp"
#include "suite.hpp"

#include <smarm/detail/reply_cell.hpp>

namespace {

using smarm::detail::join_found;
using std::memory_order_relaxed;

using right = smarm::detail::basic_join_word<mc::atomics>;
using joiner = smarm::detail::basic_joiner<mc::atomics, mc::sleeper>;

// ---- words with one thing wrong

struct answers_by_store : right {
  join_found end(const joiner& beside, mc::sleeper*& who, std::uint64_t& ticket) {
    const std::uint32_t seen = word_.load();
    who = beside.who.load(memory_order_relaxed);
    ticket = beside.ticket.load(memory_order_relaxed);
    word_.store(done);
    return state_of(seen) == open      ? join_found::handle
           : state_of(seen) == waiting ? join_found::joiner
                                       : join_found::detached;
  }
};

struct answers_before_the_value_is_there : right {
  template <class... Arguments>
  join_found end(Arguments&... arguments) {
    return right::end(arguments...);
  }
  static constexpr bool value_last = true;
};

struct lets_go_by_store : right {
  bool detach() {
    const std::uint32_t seen = word_.load();
    if (state_of(seen) == done) {
      return false;
    }
    word_.store(detached);
    return true;
  }
};

struct always_frees_when_it_lets_go : right {
  bool detach() {
    (void)right::detach();
    return false;
  }
};

struct withdraws_without_looking : right {
  bool withdraw() {
    word_.store(open);
    return true;
  }
};

template <class Word>
constexpr bool value_last = requires {
  Word::value_last;
};

// ---- the node

template <class Word>
struct node {
  smarm::detail::basic_reply_state<mc::atomics, mc::sleeper, Word> state;
  mc::atomic<int> value{0};
  mc::atomic<int> freed{0};
  mc::atomic<int> armed{0};
  mc::sleeper caller;

  void drop() { mc::require(freed.fetch_add(1) == 0, "a node is freed once"); }
  void use() { mc::require(freed.load() == 0, "a node is used while it is there"); }

  void answer() {
    use();
    if (!value_last<Word>) {
      value.store(7, memory_order_relaxed);
    }
    state.answer([](mc::sleeper* who, std::uint64_t ticket) noexcept { who->wake(ticket); },
                 [this]() noexcept { drop(); });
    if (value_last<Word>) {
      value.store(7, memory_order_relaxed);
    }
  }
  void let_go() {
    state.let_go([this]() noexcept { drop(); });
  }
  void take() {
    use();
    mc::require(value.load(memory_order_relaxed) == 7, "the answer is there");
  }
  // As wait_as_actor does it. True: answered.
  bool wait(bool timed) {
    const std::uint64_t ticket = caller.word.begin_wait();
    if (!state.enroll(&caller, ticket)) {
      return true;
    }
    if (timed) {
      armed.store(1);
    }
    caller.park();
    return state.answered() || !state.withdraw();
  }
  void ring() {
    mc::block(armed, [](int yes) { return yes != 0; });
    if (armed.load() == 1) {
      caller.wake(0);
    }
  }
  void require_over() {
    mc::require(freed.load() == 1, "a node is freed in the end");
    caller.require_running();
  }
};

// ---- scenarios

template <class Word>
void one_waits(mc::world& world) {
  auto& n = world.make<node<Word>>();
  world.thread([&n] { n.answer(); });
  world.thread([&n] {
    mc::require(n.wait(false), "only the answer ends it");
    n.take();
    n.let_go();
  });
  world.finally([&n] { n.require_over(); });
}

template <class Word>
void one_lets_go(mc::world& world) {
  auto& n = world.make<node<Word>>();
  world.thread([&n] { n.answer(); });
  world.thread([&n] { n.let_go(); });
  world.finally([&n] { n.require_over(); });
}

// The caller's time is up: it lets go, or finds the answer after all.
template <class Word>
void one_gives_up(mc::world& world) {
  auto& n = world.make<node<Word>>();
  world.thread([&n] { n.answer(); });
  world.thread([&n] {
    const bool answered = n.wait(true);
    int not_armed = 0;
    n.armed.compare_exchange_strong(not_armed, 2);
    if (answered) {
      n.take();
    }
    n.let_go();
  });
  world.thread([&n] { n.ring(); });
  world.finally([&n] { n.require_over(); });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.store_buffers = true, .reduced = true};
  mc::suite suite("reply_cell", argc, argv);

  suite.model("one_waits", all, &one_waits<right>);
  suite.mutation("answers_by_store", all, &one_waits<answers_by_store>);
  suite.mutation("answers_before_the_value_is_there", all,
                 &one_waits<answers_before_the_value_is_there>);

  suite.model("one_lets_go", all, &one_lets_go<right>);
  suite.mutation("lets_go_by_store", all, &one_lets_go<lets_go_by_store>);
  suite.mutation("always_frees_when_it_lets_go", all, &one_lets_go<always_frees_when_it_lets_go>,
                 "a node is");

  suite.model("one_gives_up", all, &one_gives_up<right>);
  suite.mutation("gives_up_by_store", all, &one_gives_up<lets_go_by_store>);
  suite.mutation("withdraws_without_looking", all, &one_gives_up<withdraws_without_looking>);
  return suite.result();
}
