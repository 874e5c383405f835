// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The account of a task group: who waits for the end of all goes on when the last is over, a task that
// waits for a place is served unless all wait so, and then one of them is told.

#include "waiting_env.hpp"

#include <smarm/detail/task_account.hpp>

namespace {

using smarm::detail::basic_queued_wait;
using smarm::detail::basic_semaphore_core;
using smarm::detail::basic_task_account;
using smarm::detail::basic_waiter;
using smarm::detail::basic_waiter_queue;

template <class Env>
struct right : basic_task_account<Env> {
  using basic_task_account<Env>::basic_task_account;
};

// Looks for tasks first and enters the queue then.
template <class Env>
struct looks_early : basic_task_account<Env> {
  using basic_task_account<Env>::basic_task_account;
  bool enter(basic_waiter<Env>& w) noexcept {
    bool idle = false;
    {
      const std::lock_guard guard(this->idle_);
      idle = this->at_work() == 0;
    }
    if (!idle) {
      const std::lock_guard guard(this->idle_);
      this->idle_.push(w);
    }
    return idle;
  }
};

// Lets every task wait for a place.
template <class Env>
struct refuses_nobody : basic_task_account<Env> {
  using basic_task_account<Env>::basic_task_account;
  bool begin_keeping() noexcept { return true; }
  void end_keeping() noexcept {}
};

// Forgets that a task has stopped waiting.
template <class Env>
struct remembers_for_ever : basic_task_account<Env> {
  using basic_task_account<Env>::basic_task_account;
  void end_keeping() noexcept {}
};

template <class Env, template <class> class Account>
struct group {
  mc::undestroyed<Account<Env>> account;
  mc::caller callers[4];
  mc::atomic<int> refused{0};
  mc::atomic<int> over{0};
  mc::atomic<int> settled{0}; // tasks that will not wait any more

  explicit group(std::uint64_t limit) : account(limit) {}

  // As a spawn takes a place for a task, and counts it.
  void begin() {
    mc::require(account->places.try_acquire(), "there is a place");
    const std::lock_guard guard(*account);
    account->begin();
  }
  void end() {
    over.fetch_add(1);
    account->places.release(1);
    basic_waiter<Env>* all = nullptr;
    {
      const std::lock_guard guard(*account);
      all = account->end();
    }
    basic_waiter_queue<Env>::grant(all);
  }

  // A task spawns a task, which does nothing and ends. With a place it is the same whether that is
  // another actor.
  template <bool Patient>
  void spawn_from_task(mc::caller& me, int others) {
    const bool alone = settled.load() == others;
    if (!account->places.try_acquire()) {
      if (!account->begin_keeping()) {
        mc::require(!alone || others == 0, "refused although another one will end");
        refused.fetch_add(1);
        settled.fetch_add(1);
        return;
      }
      basic_queued_wait<Env, basic_semaphore_core<Env>> wait(account->places);
      bool got = true;
      if (Patient) {
        mc::wait(wait, me);
      } else {
        got = mc::wait_or_give_up(wait, me);
      }
      account->end_keeping();
      settled.fetch_add(1);
      if (!got) {
        return;
      }
    }
    {
      const std::lock_guard guard(*account);
      account->begin();
    }
    end();
  }
};

// Two tasks are at work; one waits for the end of all.
template <class Env = mc::waits<>, template <class> class Account = right>
void one_waits_for_all(mc::world& world) {
  using state = group<Env, Account>;
  auto& s = world.make<state>(2);
  s.begin();
  s.begin();
  for (int i = 0; i < 2; ++i) {
    world.thread([&s] { s.end(); });
  }
  world.thread([&s] {
    basic_queued_wait<Env, Account<Env>> wait(*s.account);
    mc::wait(wait, s.callers[2]);
    mc::require(s.over.load() == 2, "all are over");
  });
}

// So many tasks in a group for as many spawn one each. All end: one at the least is refused if none
// found a place, and not all are.
template <int Tasks, bool Patient = true, class Env = mc::waits<>,
          template <class> class Account = right>
void all_spawn(mc::world& world) {
  using state = group<Env, Account>;
  auto& s = world.make<state>(Tasks);
  for (int i = 0; i < Tasks; ++i) {
    s.begin();
  }
  for (int i = 0; i < Tasks; ++i) {
    world.thread([&s, i] {
      s.template spawn_from_task<Patient>(s.callers[i], Tasks - 1);
      s.end();
    });
  }
  world.finally([&s] {
    // Whoever is refused goes on and ends, which makes room for all others.
    mc::require(s.refused.load() <= 1 || !Patient, "no more are refused than have to be");
    for (int i = 0; i < Tasks; ++i) {
      mc::require(s.account->places.try_acquire(), "every place was given back");
    }
    mc::require(!s.account->places.try_acquire(), "and none twice");
  });
}

} // namespace

int main(int argc, char** argv) {
  using mc::lock_excludes;
  using mute = mc::waits<mc::atomics, lock_excludes::yes, false>;
  const mc::options bounded{.preemptions = 3};
  mc::suite suite("task_account", argc, argv);
  suite.model("one_waits_for_all", bounded, &one_waits_for_all<>);
  suite.mutation("looks_early", bounded, &one_waits_for_all<mc::waits<>, looks_early>, "deadlock");
  suite.mutation("wakes_nobody", bounded, &one_waits_for_all<mute>, "deadlock");
  suite.model("one_spawns", bounded, &all_spawn<1>);
  suite.model("two_spawn", bounded, &all_spawn<2>);
  suite.model("three_spawn", {.preemptions = 2}, &all_spawn<3>);
  suite.model("two_spawn_and_give_up", bounded, &all_spawn<2, false>);
  suite.mutation("refuses_nobody", bounded, &all_spawn<2, true, mc::waits<>, refuses_nobody>,
                 "deadlock");
  suite.mutation("remembers_for_ever", bounded,
                 &all_spawn<2, false, mc::waits<>, remembers_for_ever>, "refused although");
  return suite.result();
}
