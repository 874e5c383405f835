// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The condition variable: whoever is in the mutex's queue or the condition's is found by the notify
// that follows a change, and one who gives up passes no notify by.

#include "waiting_env.hpp"

#include <smarm/detail/condition_core.hpp>
#include <smarm/detail/mutex_core.hpp>

namespace {

using smarm::detail::basic_condition_core;
using smarm::detail::basic_condition_wait;
using smarm::detail::basic_mutex_core;
using smarm::detail::basic_mutex_wait;

// Forgets to note that somebody waits.
struct unmarked_atomics : mc::atomics {
  template <class T>
  class atomic : public mc::atomic<T> {
  public:
    using mc::atomic<T>::atomic;
    void store(T value, std::memory_order order) noexcept {
      if (value != T{1} || order != std::memory_order_relaxed || sizeof(T) != sizeof(bool)) {
        mc::atomic<T>::store(value, order);
      }
    }
  };
};

template <class Env>
struct right_wait : basic_condition_wait<Env> {
  using basic_condition_wait<Env>::basic_condition_wait;
};

// Out of the mutex first, then into the queue.
template <class Env>
struct late_enrolment : basic_condition_wait<Env> {
  using basic_condition_wait<Env>::basic_condition_wait;
  smarm::detail::enrolment enroll(const typename Env::registration& r) noexcept {
    this->released = true;
    this->held.unlock();
    return this->queued.enroll(r);
  }
};

template <class Env>
struct lost_notify : basic_condition_wait<Env> {
  using basic_condition_wait<Env>::basic_condition_wait;
  bool withdraw() noexcept {
    (void)this->queued.place.leave(this->queued.self);
    return true;
  }
};

// Into the queue, out of the lock, into the wait: and, as a mutation, out of the lock first.
template <class Env, bool Right>
struct any_lock : smarm::detail::basic_announced_wait<Env> {
  any_lock(basic_condition_core<Env>& at, basic_mutex_core<Env>& mutex) noexcept
      : smarm::detail::basic_announced_wait<Env>(at) {
    if (Right) {
      this->announce();
    }
    mutex.unlock();
    if (!Right) {
      this->announce();
    }
  }
};
template <class Env>
using announced = any_lock<Env, true>;
template <class Env>
using announced_late = any_lock<Env, false>;

template <class Env, template <class> class Wait>
struct state {
  mc::undestroyed<basic_mutex_core<Env>> mutex;
  mc::undestroyed<basic_condition_core<Env>> changed;
  mc::caller callers[3];
  mc::atomic<int> tokens{0};

  void lock(mc::caller& me) {
    if (!mutex->try_lock(Env::identity(me))) {
      basic_mutex_wait<Env> wait(*mutex);
      (void)mc::wait_for_mutex(wait, me);
    }
  }
  // With the mutex, before and after. False: gave up.
  template <bool Patient>
  bool wait(mc::caller& me) {
    Wait<Env> waiting(*changed, *mutex);
    bool notified = true;
    if constexpr (Patient) {
      mc::wait(waiting, me);
    } else {
      notified = mc::wait_or_give_up(waiting, me);
    }
    lock(me);
    return notified;
  }
  void take(mc::caller& me) {
    lock(me);
    while (tokens.load(std::memory_order_relaxed) == 0) {
      (void)wait<true>(me);
    }
    add(-1);
    mutex->unlock();
  }
  void give(mc::caller& me) {
    lock(me);
    add(1);
    mutex->unlock();
    changed->notify_one();
  }
  void add(int n) {
    tokens.store(tokens.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
};

// One takes, one gives.
template <class Env = mc::waits<>, template <class> class Wait = right_wait>
void one_waits(mc::world& world) {
  auto& s = world.make<state<Env, Wait>>();
  world.thread([&s] { s.take(s.callers[0]); });
  world.thread([&s] { s.give(s.callers[1]); });
  world.finally([&s] { mc::require(s.tokens.load() == 0, "taken once"); });
}

// Two take, one gives to both.
template <class Env = mc::waits<>, template <class> class Wait = right_wait>
void all_are_notified(mc::world& world) {
  auto& s = world.make<state<Env, Wait>>();
  world.thread([&s] { s.take(s.callers[0]); });
  world.thread([&s] { s.take(s.callers[1]); });
  world.thread([&s] {
    s.lock(s.callers[2]);
    s.add(2);
    s.mutex->unlock();
    s.changed->notify_all();
  });
  world.finally([&s] { mc::require(s.tokens.load() == 0, "each taken once"); });
}

// The first may give up, and then looks at nothing any more; but if it was notified and there is a
// token, it leaves that to the other one and says so. So the other always gets it, unless the one
// notify was lost.
template <class Env = mc::waits<>, template <class> class Wait = right_wait>
void one_gives_up(mc::world& world) {
  struct with_end : state<Env, Wait> {
    mc::atomic<bool> taken{false};
  };
  auto& s = world.make<with_end>();
  world.thread([&s] {
    auto& me = s.callers[0];
    s.lock(me);
    bool hands_on = false;
    if (!s.taken.load()) {
      hands_on = s.template wait<false>(me) && s.tokens.load(std::memory_order_relaxed) > 0;
    }
    s.mutex->unlock();
    if (hands_on) {
      s.changed->notify_one();
    }
  });
  world.thread([&s] {
    auto& me = s.callers[1];
    s.lock(me);
    while (s.tokens.load(std::memory_order_relaxed) == 0) {
      (void)s.template wait<true>(me);
    }
    s.add(-1);
    s.taken.store(true);
    s.mutex->unlock();
    s.changed->notify_all(); // the first need not give up
  });
  world.thread([&s] { s.give(s.callers[2]); });
}

} // namespace

int main(int argc, char** argv) {
  using mc::lock_excludes;
  const mc::options tso{.store_buffers = true, .reduced = true};
  const mc::options bounded{.preemptions = 3};
  mc::suite suite("condition", argc, argv);
  suite.model("one_waits", tso, &one_waits<>);
  suite.model("all_are_notified", bounded, &all_are_notified<>);
  suite.mutation("late_enrolment", tso, &one_waits<mc::waits<>, late_enrolment>, "deadlock");
  suite.mutation("nobody_is_noted", tso, &one_waits<mc::waits<unmarked_atomics>>, "deadlock");
  suite.mutation("a_notify_wakes_nobody", tso,
                 &one_waits<mc::waits<mc::atomics, lock_excludes::yes, false>>, "deadlock");
  suite.model("one_gives_up", bounded, &one_gives_up<>);
  suite.mutation("who_gives_up_loses_its_notify", bounded, &one_gives_up<mc::waits<>, lost_notify>,
                 "deadlock");
  suite.model("any_lock_one_waits", tso, &one_waits<mc::waits<>, announced>);
  suite.model("any_lock_all_are_notified", {.preemptions = 2},
              &all_are_notified<mc::waits<>, announced>);
  suite.model("any_lock_one_gives_up", {.preemptions = 2}, &one_gives_up<mc::waits<>, announced>);
  suite.mutation("any_lock_announced_late", tso, &one_waits<mc::waits<>, announced_late>,
                 "deadlock");
  return suite.result();
}
