// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The raw lock: one holder at a time, and nobody sleeps past an unlock.

// The explored threads share one system thread, by which the order is kept.
#define SMARM_CHECK_LOCK_ORDER 0

#include "mc_futex.hpp"
#include "suite.hpp"

#include <smarm/detail/raw_lock.hpp>

namespace {

using smarm::detail::basic_raw_lock;

// The third state is what tells an unlock that somebody sleeps. Who was woken cannot know that it
// was the last one, so it has to leave that state behind.
enum class wrong { nothing, woken_forgets_the_others, torn_exchange, torn_compare };

template <wrong Wrong>
struct wrong_atomics : mc::atomics {
  template <class T>
  class atomic : public mc::atomic<T> {
  public:
    using mc::atomic<T>::atomic;
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order = std::memory_order_relaxed) noexcept {
      if (Wrong == wrong::torn_compare && this->load() == expected) {
        this->store(desired);
        return true;
      }
      return mc::atomic<T>::compare_exchange_strong(expected, desired, success);
    }
    T exchange(T value, std::memory_order order) noexcept {
      if (Wrong == wrong::torn_exchange) {
        const T old = this->load();
        this->store(value);
        return old;
      }
      T unlocked{0};
      if (Wrong == wrong::woken_forgets_the_others && value == T{2} &&
          this->compare_exchange_strong(unlocked, T{1}, order)) {
        return T{0};
      }
      return mc::atomic<T>::exchange(value, order);
    }
  };
};

template <int Threads, class Atomics = mc::atomics, class Futex = mc::futex>
void exclusion(mc::world& world) {
  struct state {
    mc::kernel kernel;
    basic_raw_lock<Atomics, Futex, 1> lock;
    mc::atomic<int> count{0};
  };
  auto& s = world.make<state>();
  for (int i = 0; i < Threads; ++i) {
    world.thread([&s] {
      s.lock.lock();
      s.count.store(s.count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      s.lock.unlock();
    });
  }
  world.finally([&s] { mc::require(s.count.load() == Threads, "one holder at a time"); });
}

template <class Atomics = mc::atomics>
void trying(mc::world& world) {
  struct state {
    mc::kernel kernel;
    basic_raw_lock<Atomics, mc::futex, 1> lock;
    mc::atomic<int> count{0};
    int tried = 0;
  };
  auto& s = world.make<state>();
  world.thread([&s] {
    s.lock.lock();
    s.count.store(s.count.load() + 1);
    s.lock.unlock();
  });
  world.thread([&s] {
    if (s.lock.try_lock()) {
      s.count.store(s.count.load() + 1);
      s.lock.unlock();
      s.tried = 1;
    }
  });
  world.finally([&s] { mc::require(s.count.load() == 1 + s.tried, "one holder at a time"); });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options tso{.store_buffers = true, .reduced = true};
  mc::suite suite("raw_lock", argc, argv);
  suite.model("exclusion_of_two", tso, &exclusion<2>);
  suite.model("exclusion_of_three", {.preemptions = 3}, &exclusion<3>);
  suite.mutation("torn_exchange", tso, &exclusion<2, wrong_atomics<wrong::torn_exchange>>);
  suite.mutation("torn_compare", tso, &exclusion<2, wrong_atomics<wrong::torn_compare>>,
                 "one holder");
  suite.mutation("woken_forgets_the_others", {.preemptions = 3},
                 &exclusion<3, wrong_atomics<wrong::woken_forgets_the_others>>, "deadlock");
  suite.mutation("unlock_wakes_nobody", tso,
                 &exclusion<2, mc::atomics, mc::basic_futex<mc::broken::wake_nobody>>, "deadlock");
  suite.mutation("kernel_does_not_compare", tso,
                 &exclusion<2, mc::atomics, mc::basic_futex<mc::broken::wait_without_compare>>,
                 "deadlock");
  suite.model("trying", tso, &trying<>);
  suite.mutation("trying_torn", tso, &trying<wrong_atomics<wrong::torn_compare>>, "one holder");
  return suite.result();
}
