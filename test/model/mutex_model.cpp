// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The mutex and the semaphore: one owner at a time, no grant lost, whoever gives up meanwhile.

#include "waiting_env.hpp"

#include <smarm/detail/mutex_core.hpp>
#include <smarm/detail/semaphore_core.hpp>

#include <utility>

namespace {

using smarm::detail::basic_mutex_core;
using smarm::detail::basic_mutex_wait;
using smarm::detail::basic_queued_wait;
using smarm::detail::basic_semaphore_core;

enum class wrong { nothing, torn_compare, keeps_the_mark, sets_no_mark };

template <wrong Wrong>
struct wrong_atomics : mc::atomics {
  template <class T>
  class atomic : public mc::atomic<T> {
  public:
    using mc::atomic<T>::atomic;
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure) noexcept {
      if (Wrong != wrong::torn_compare) {
        return mc::atomic<T>::compare_exchange_strong(expected, desired, success, failure);
      }
      const T seen = this->load();
      const bool same = seen == expected;
      expected = seen;
      if (same) {
        this->store(desired);
      }
      return same;
    }
    // The mark that somebody waits, set by who comes to wait.
    bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                               std::memory_order failure) noexcept {
      return Wrong == wrong::sets_no_mark ||
             mc::atomic<T>::compare_exchange_weak(expected, desired, success, failure);
    }
    // The same mark, when the last one has given up.
    T fetch_and(T by, std::memory_order order) noexcept {
      return Wrong == wrong::keeps_the_mark ? this->load(order)
                                            : mc::atomic<T>::fetch_and(by, order);
    }
  };
};

template <class Env, class Core>
struct right_wait : basic_queued_wait<Env, Core> {
  using basic_queued_wait<Env, Core>::basic_queued_wait;
};

// Gives up without looking whether it was granted meanwhile.
template <class Env, class Core>
struct lost_grant : basic_queued_wait<Env, Core> {
  using basic_queued_wait<Env, Core>::basic_queued_wait;
  bool withdraw() noexcept {
    (void)this->place.leave(this->self);
    return true;
  }
};

template <class Env>
using right_mutex_wait = basic_mutex_wait<Env>;

// The same for the mutex.
template <class Env>
struct lost_mutex : basic_mutex_wait<Env> {
  using basic_mutex_wait<Env>::basic_mutex_wait;
  bool withdraw() noexcept {
    (void)this->place.leave(this->self);
    return true;
  }
};

// Takes a grant that is under way for one that has come, and leaves its frame to the granter.
template <class Env>
struct leaves_mutex_early : basic_mutex_wait<Env> {
  using base = basic_mutex_wait<Env>;
  using base::base;
  bool withdraw() noexcept {
    const auto how = this->place.leave(this->self);
    mc::require(how != base::core::departure::granted || this->satisfied(),
                "the granter still needs the frame");
    this->called = how == base::core::departure::called;
    return how != base::core::departure::granted;
  }
};

// Was called, gives up, and tells nobody.
template <class Env>
struct keeps_the_call : basic_mutex_wait<Env> {
  using basic_mutex_wait<Env>::basic_mutex_wait;
  ~keeps_the_call() { this->called = false; }
};

// Comes too late, and waits again behind everybody.
template <class Env>
struct loses_its_place : basic_mutex_wait<Env> {
  using basic_mutex_wait<Env>::basic_mutex_wait;
  bool withdraw() noexcept {
    const bool gone = basic_mutex_wait<Env>::withdraw();
    if (std::exchange(this->called, false)) {
      this->place.give_back_call(this->self);
    }
    return gone;
  }
};

template <class Env>
struct mutex_state {
  using core = basic_mutex_core<Env>;

  mc::undestroyed<core> mutex;
  mc::caller callers[4];
  mc::atomic<int> count{0};
  int entered = 0;

  void inside() {
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    mutex->unlock();
  }
  void check() {
    mc::require(count.load() == entered, "one owner at a time");
    mc::require(mutex->try_lock(Env::identity(callers[3])), "free in the end");
    mutex->unlock();
  }
};

// So many who lock it, and so many who may give up; so many times each.
template <int Patient, int Impatient, int Times = 1, class Env = mc::waits<>,
          template <class> class Wait = right_mutex_wait>
void locking(mc::world& world) {
  using state = mutex_state<Env>;
  auto& s = world.make<state>();
  for (int i = 0; i < Patient + Impatient; ++i) {
    world.thread([&s, i] {
      auto& me = s.callers[i];
      for (int time = 0; time < Times; ++time) {
        if (!s.mutex->try_lock(Env::identity(me))) {
          Wait<Env> wait(*s.mutex);
          if (!mc::wait_for_mutex(wait, me, i < Patient)) {
            return;
          }
        }
        mc::require(s.mutex->held_by(Env::identity(me)), "who has it is its owner");
        ++s.entered;
        s.inside();
      }
    });
  }
  world.finally([&s] { s.check(); });
}

template <class Env>
struct semaphore_state {
  using core = basic_semaphore_core<Env>;

  mc::undestroyed<core> places{0u};
  mc::caller callers[3];
  int got = 0;
};

// Two who acquire, the second of whom may give up, and two places for them.
template <int Releases, class Env = mc::waits<>, template <class, class> class Wait = right_wait>
void acquiring(mc::world& world) {
  using state = semaphore_state<Env>;
  auto& s = world.make<state>();
  for (int i = 0; i < 2; ++i) {
    world.thread([&s, i] {
      if (!s.places->try_acquire()) {
        Wait<Env, typename state::core> wait(*s.places);
        if (i == 0) {
          mc::wait(wait, s.callers[i]);
        } else if (!mc::wait_or_give_up(wait, s.callers[i])) {
          return;
        }
      }
      ++s.got;
    });
  }
  world.thread([&s] {
    for (int i = 0; i < Releases; ++i) {
      mc::require(s.places->release(2 / Releases, 2), "there is room");
    }
  });
  world.finally([&s] {
    for (; s.got < 2; ++s.got) {
      mc::require(s.places->try_acquire(), "nothing is lost");
    }
    mc::require(!s.places->try_acquire(), "and nothing comes from nowhere");
  });
}

// Looks at the count first, and adds then.
template <class Env>
struct looks_first : basic_semaphore_core<Env> {
  using basic_semaphore_core<Env>::basic_semaphore_core;
  bool release(std::uint64_t n, std::uint64_t most) {
    return n <= most - this->count() && basic_semaphore_core<Env>::release(n, 1000);
  }
};
template <class Env>
using right_semaphore = basic_semaphore_core<Env>;

// One place at most. Two release, one may wait for it: what was accepted is there afterwards, and
// the count is never beyond.
template <class Env = mc::waits<>, template <class> class Core = right_semaphore>
void at_most_one(mc::world& world) {
  struct state {
    mc::undestroyed<Core<Env>> places{0u};
    mc::caller caller;
    mc::atomic<int> accepted{0};
    int got = 0;
  };
  auto& s = world.make<state>();
  for (int i = 0; i < 2; ++i) {
    world.thread([&s] {
      if (s.places->release(1, 1)) {
        s.accepted.fetch_add(1);
      }
      mc::require(s.places->count() <= 1, "never more than the maximum");
    });
  }
  world.thread([&s] {
    basic_queued_wait<Env, Core<Env>> wait(*s.places);
    s.got = mc::wait_or_give_up(wait, s.caller) ? 1 : 0;
  });
  world.finally([&s] {
    mc::require(static_cast<int>(s.places->count()) + s.got == s.accepted.load(),
                "what was accepted is there");
  });
}

// Knows when what it guards is gone.
struct mortal_lock : mc::step_lock<mc::lock_excludes::yes> {
  using mc::step_lock<mc::lock_excludes::yes>::step_lock;
  void unlock() {
    mc::step_lock<mc::lock_excludes::yes>::unlock();
    mc::require(!dead, "the semaphore was destroyed under the lock");
  }
  static inline bool dead = false;
};
struct mortal_waits : mc::waits<> {
  using lock = mortal_lock;
};

template <class Env>
struct grants_under_the_lock : basic_semaphore_core<Env> {
  using basic_semaphore_core<Env>::basic_semaphore_core;
  bool release(std::uint64_t n, std::uint64_t) {
    const std::lock_guard guard(this->queue_);
    auto* w = this->queue_.pop();
    this->word_.store((n - (w != nullptr ? 1 : 0)) << 1);
    smarm::detail::basic_waiter_queue<Env>::grant(w);
    return true;
  }
};

// Two places; who comes second destroys the semaphore.
template <template <class> class Core = right_semaphore>
void destroyed_by_the_last(mc::world& world) {
  struct state {
    mc::undestroyed<Core<mortal_waits>> places{0u};
    mc::caller caller;
    mc::atomic<bool> first_has_left{false};
  };
  mortal_lock::dead = false;
  auto& s = world.make<state>();
  world.thread([&s] { mc::require(s.places->release(2, 2), "there is room"); });
  world.thread([&s] {
    basic_queued_wait<mortal_waits, Core<mortal_waits>> wait(*s.places);
    mc::wait(wait, s.caller);
    s.first_has_left.store(true);
  });
  world.thread([&s] {
    if (s.first_has_left.load() && s.places->try_acquire()) {
      mortal_lock::dead = true;
    }
  });
}

} // namespace

int main(int argc, char** argv) {
  using mc::lock_excludes;
  const mc::options tso{.store_buffers = true, .reduced = true};
  const mc::options bounded{.preemptions = 3};
  mc::suite suite("mutex", argc, argv);
  suite.model("two", tso, &locking<2, 0>);
  suite.model("two_one_of_whom_gives_up", tso, &locking<1, 1>);
  suite.model("three", bounded, &locking<3, 0>);
  suite.model("three_one_of_whom_gives_up", bounded, &locking<2, 1>);
  suite.model("three_two_of_whom_give_up", bounded, &locking<1, 2>);
  suite.mutation("torn_compare", tso,
                 &locking<2, 0, 1, mc::waits<wrong_atomics<wrong::torn_compare>>>);
  suite.mutation("the_queue_is_not_guarded", bounded,
                 &locking<3, 0, 1, mc::waits<mc::atomics, lock_excludes::no>>);
  suite.mutation("a_grant_wakes_nobody", tso,
                 &locking<2, 0, 1, mc::waits<mc::atomics, lock_excludes::yes, false>>, "deadlock");
  suite.mutation("who_gives_up_loses_its_grant", bounded,
                 &locking<2, 1, 1, mc::waits<>, lost_mutex>);
  suite.mutation("who_gives_up_leaves_before_the_granter", tso,
                 &locking<1, 1, 2, mc::waits<>, leaves_mutex_early>, "the granter");
  suite.mutation("the_mark_outlasts_the_last_waiter", tso,
                 &locking<1, 1, 1, mc::waits<wrong_atomics<wrong::keeps_the_mark>>>);
  const mc::options few{.preemptions = 2};
  suite.model("two_twice", bounded, &locking<2, 0, 2>);
  suite.model("three_twice", few, &locking<3, 0, 2>);
  suite.model("three_twice_one_of_whom_gives_up", few, &locking<2, 1, 2>);
  suite.mutation("who_comes_too_late_sets_no_mark", bounded,
                 &locking<3, 0, 1, mc::waits<wrong_atomics<wrong::sets_no_mark>>>, "deadlock");
  suite.mutation("who_was_called_gives_up_and_tells_nobody", bounded,
                 &locking<2, 1, 1, mc::waits<>, keeps_the_call>, "deadlock");
  suite.mutation("who_comes_too_late_loses_its_place", bounded,
                 &locking<3, 0, 2, mc::waits<>, loses_its_place>, "passed over");
  suite.model("semaphore_two_releases", bounded, &acquiring<2>);
  suite.model("semaphore_one_release_of_two", bounded, &acquiring<1>);
  suite.mutation("semaphore_a_release_wakes_nobody", bounded,
                 &acquiring<1, mc::waits<mc::atomics, lock_excludes::yes, false>>, "deadlock");
  suite.mutation("semaphore_who_gives_up_loses_its_grant", bounded,
                 &acquiring<2, mc::waits<>, lost_grant>);
  suite.model("semaphore_at_most_one", bounded, &at_most_one<>);
  suite.mutation("semaphore_looks_first_and_adds_then", bounded,
                 &at_most_one<mc::waits<>, looks_first>, "never more");
  suite.model("semaphore_destroyed_by_the_last", bounded, &destroyed_by_the_last<>);
  suite.mutation("semaphore_grants_under_the_lock", bounded,
                 &destroyed_by_the_last<grants_under_the_lock>, "under the lock");
  return suite.result();
}
