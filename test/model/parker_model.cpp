// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The parker: no permit is lost, whether it comes before the sleep, during it, or as it times out.

#include "mc_futex.hpp"
#include "suite.hpp"

#include <smarm/detail/parker.hpp>

namespace {

using smarm::detail::basic_parker;

// What a thread does instead of the one atomic step that the parker asks for.
enum class torn { nothing, exchange, announce };

template <torn Torn>
struct torn_atomics : mc::atomics {
  template <class T>
  class atomic : public mc::atomic<T> {
  public:
    using mc::atomic<T>::atomic;
    T exchange(T value, std::memory_order order) noexcept {
      if (Torn != torn::exchange) {
        return mc::atomic<T>::exchange(value, order);
      }
      const T old = this->load();
      this->store(value);
      return old;
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure) noexcept {
      if (Torn != torn::announce || desired == T{}) {
        return mc::atomic<T>::compare_exchange_strong(expected, desired, success, failure);
      }
      this->store(desired); // sleep, whatever may have come
      return true;
    }
  };
};

template <class Atomics, class Futex>
struct state {
  mc::kernel kernel;
  basic_parker<Atomics, Futex> parker;
  mc::atomic<int> first{0};
  mc::atomic<int> second{0};
};

// Two wakers, each with something of its own; the owner sleeps until it has seen both.
template <class Atomics = mc::atomics, class Futex = mc::futex>
void two_wakers(mc::world& world) {
  auto& s = world.make<state<Atomics, Futex>>();
  world.thread([&s] {
    while (s.first.load() == 0 || s.second.load() == 0) {
      s.parker.park();
    }
  });
  for (auto* mark : {&s.first, &s.second}) {
    world.thread([&s, mark] {
      mark->store(1, std::memory_order_relaxed);
      s.parker.unpark();
    });
  }
}

// The permit races the deadline: the first sleep reports it, or the second one ends by it.
template <class Atomics = mc::atomics, class Futex = mc::futex>
void permit_against_deadline(mc::world& world) {
  auto& s = world.make<state<Atomics, Futex>>();
  world.thread([&s] {
    if (!s.parker.park(10)) {
      s.parker.park();
    }
    mc::require(s.first.load() == 1, "what came before the permit is seen");
    mc::require(!s.parker.park(20), "the permit was one");
  });
  world.thread([&s] {
    s.first.store(1, std::memory_order_relaxed);
    s.parker.unpark();
  });
}

// Something else to sleep in, whose interrupts stick as an event loop's do.
struct event_loop final : smarm::detail::interruptible {
  explicit event_loop(bool deaf) : deaf_(deaf) {}
  void interrupt() noexcept override { interrupted_.store(deaf_ ? 0 : 1); }
  void run() {
    mc::block([this] { return interrupted_.load() == 1; });
    interrupted_.store(0);
  }

private:
  const bool deaf_;
  mc::atomic<int> interrupted_{0};
};

// Sleeps in the event loop and on the futex by turns.
template <bool Deaf, class Atomics = mc::atomics>
void sleep_elsewhere(mc::world& world) {
  auto& s = world.make<state<Atomics, mc::futex>>();
  auto& loop = world.make<event_loop>(Deaf);
  world.thread([&s, &loop] {
    while (s.first.load() == 0) {
      if (s.parker.enter(loop)) {
        loop.run();
        (void)s.parker.leave();
      }
    }
    while (s.second.load() == 0) {
      s.parker.park();
    }
  });
  for (auto* mark : {&s.first, &s.second}) {
    world.thread([&s, mark] {
      mark->store(1, std::memory_order_relaxed);
      s.parker.unpark();
    });
  }
}

} // namespace

int main(int argc, char** argv) {
  const mc::options tso{.store_buffers = true, .reduced = true};
  mc::suite suite("parker", argc, argv);
  suite.model("two_wakers", tso, &two_wakers<>);
  suite.mutation("sleeps_in_spite_of_a_permit", tso, &two_wakers<torn_atomics<torn::announce>>);
  suite.mutation("permit_is_taken_in_two_steps", tso, &two_wakers<torn_atomics<torn::exchange>>);
  suite.mutation("kernel_does_not_compare", tso,
                 &two_wakers<mc::atomics, mc::basic_futex<mc::broken::wait_without_compare>>);
  suite.mutation("permit_without_a_wake", tso,
                 &two_wakers<mc::atomics, mc::basic_futex<mc::broken::wake_nobody>>);
  suite.model("permit_against_deadline", tso, &permit_against_deadline<>);
  suite.mutation("deadline_swallows_the_permit", tso,
                 &permit_against_deadline<torn_atomics<torn::exchange>>);
  suite.model("sleep_elsewhere", tso, &sleep_elsewhere<false>);
  suite.mutation("sleep_elsewhere_uninterrupted", tso, &sleep_elsewhere<true>);
  suite.mutation("sleep_elsewhere_in_spite_of_a_permit", tso,
                 &sleep_elsewhere<false, torn_atomics<torn::announce>>);
  return suite.result();
}
