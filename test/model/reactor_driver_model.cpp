// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The driver that sleeps in an event loop: what happens in the loop is seen by somebody, be the loop
// empty, slept in, or just being left by a scheduler that only looked; and a permit ends the sleep.

#include "mc_futex.hpp"
#include "suite.hpp"

#include <smarm/detail/reactor_driver.hpp>

namespace {

using smarm::detail::basic_parker;
using smarm::detail::basic_reactor_driver;
using smarm::detail::no_deadline;
using smarm::detail::reactor_rules;

struct announces_nothing : reactor_rules {
  static constexpr bool announces = false;
};

// Leaving in two steps instead of one.
struct torn_atomics : mc::atomics {
  template <class T>
  class atomic : public mc::atomic<T> {
  public:
    using mc::atomic<T>::atomic;
    T exchange(T value, std::memory_order) noexcept {
      const T old = this->load();
      this->store(value);
      return old;
    }
  };
};

// Things happen outside of it; whoever is inside handles them.
template <bool Deaf = false>
class event_loop {
public:
  void happen() noexcept { happened_.store(1); }

  void run(std::int64_t) noexcept {
    alone([this] {
      mc::block([this] { return happened_.load() == 1 || interrupted_.load() == 1; });
      interrupted_.store(0);
      (void)handle();
    });
  }
  bool poll() noexcept {
    bool news = false;
    alone([this, &news] { news = handle(); });
    return news;
  }
  void interrupt() noexcept { interrupted_.store(Deaf ? 0 : 1); }

  [[nodiscard]] bool handled() noexcept { return handled_.load() == 1; }

private:
  bool handle() noexcept {
    if (happened_.load() == 0) {
      return false;
    }
    happened_.store(0);
    handled_.store(1);
    return true;
  }
  template <class What>
  void alone(What what) {
    mc::require(!busy_, "one thread at a time is inside");
    busy_ = true;
    what();
    busy_ = false;
  }

  mc::atomic<int> happened_{0};
  mc::atomic<int> handled_{0};
  mc::atomic<int> interrupted_{0};
  bool busy_ = false;
};

template <class Atomics, class Rules, class Loop = event_loop<>>
struct state {
  using parker = basic_parker<mc::atomics, mc::futex>;

  mc::kernel kernel;
  basic_reactor_driver<Atomics, parker, Loop, Rules> driver;
  parker sleeper;
  mc::atomic<int> told{0};
};

// One sleeps, others are busy and look in, and something happens in the loop at any moment. The
// sleeper goes on when it was handled, wherever that was.
template <class Atomics = mc::atomics, class Rules = reactor_rules>
void nothing_is_missed(mc::world& world, int busy) {
  auto& s = world.make<state<Atomics, Rules>>();
  world.thread([&s] {
    while (!s.driver.loop().handled()) {
      (void)s.driver.wait_until(no_deadline, s.sleeper);
    }
  });
  for (int i = 0; i < busy; ++i) {
    world.thread([&s] {
      if (s.driver.poll()) {
        s.sleeper.unpark(); // what it brought has been seen to, and the run is over
      }
    });
  }
  world.thread([&s] { s.driver.loop().happen(); });
}

// A permit comes instead, at any moment.
template <bool Deaf = false>
void a_permit_ends_the_sleep(mc::world& world) {
  auto& s = world.make<state<mc::atomics, reactor_rules, event_loop<Deaf>>>();
  world.thread([&s] {
    while (s.told.load() == 0) {
      (void)s.driver.wait_until(no_deadline, s.sleeper);
    }
  });
  world.thread([&s] { (void)s.driver.poll(); });
  world.thread([&s] {
    s.told.store(1, std::memory_order_relaxed);
    s.sleeper.unpark();
  });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options tso{.store_buffers = true, .reduced = true};
  const mc::options tso2{.preemptions = 2, .store_buffers = true};
  mc::suite suite("reactor_driver", argc, argv);
  suite.model("nothing_is_missed", tso, [](auto& w) { nothing_is_missed(w, 1); });
  suite.model("nothing_is_missed_by_three", tso2, [](auto& w) { nothing_is_missed(w, 2); });
  suite.mutation("announces_nothing", tso, [](auto& w) {
    nothing_is_missed<mc::atomics, announces_nothing>(w, 1);
  });
  suite.mutation("leaves_in_two_steps", tso,
                 [](auto& w) { nothing_is_missed<torn_atomics>(w, 1); });
  suite.model("a_permit_ends_the_sleep", tso, &a_permit_ends_the_sleep<>);
  suite.mutation("a_permit_interrupts_nothing", tso, &a_permit_ends_the_sleep<true>);
  return suite.result();
}
