// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The driver that sleeps in an event loop: what happens in the loop is seen by somebody, be the loop
// empty, slept in, or just being left by a scheduler that only looked; and a permit ends the sleep.

#include "idle_scenario.hpp"

#include <smarm/detail/reactor_driver.hpp>

#include <functional>

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

  std::function<void()> on_event; // what the handler does besides

private:
  bool handle() noexcept {
    if (happened_.load() == 0) {
      return false;
    }
    happened_.store(0);
    handled_.store(1);
    if (on_event) {
      on_event();
    }
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

// Two schedulers that may sleep or be busy, and something that happens in the loop: it makes an item
// of work, which one of the two takes. One of them may come in by an item of its own before.
template <class Rules = smarm::detail::idle_rules>
void somebody_looks(mc::world& world, int items_before) {
  using scenario = mc::idle_scenario<mc::atomics, Rules>;
  using parker = typename scenario::coordinator::parker_type;
  using driver = basic_reactor_driver<mc::atomics, parker, event_loop<>>;
  constexpr smarm::detail::idle_options sleeps_at_once{.spin_ns = 0, .standby_first_ns = 0};

  struct source : scenario::source {
    driver& loop;
    source(scenario& s, driver& d) : scenario::source{s}, loop(d) {}
    bool take(bool lone) noexcept {
      (void)loop.poll();
      return scenario::source::take(lone);
    }
  };

  auto& s = world.make<scenario>(2u, sleeps_at_once);
  auto& d = world.make<driver>();
  s.coordinator_.replace_driver(d);
  s.items_in_use_ = 2;
  s.ends_ = true;
  d.loop().on_event = [&s] { s.push(0); };
  for (unsigned id = 0; id < 2; ++id) {
    world.thread([&s, &d, id] {
      source from(s, d);
      // As a scheduler does: it looks, and sleeps only if it has found nothing.
      while (from.take(false) ||
             s.coordinator_.idle(id, from) != smarm::detail::idle_result::finished) {
        if (from.taken == 0) {
          s.finish();
          s.coordinator_.verdict_changed();
          return;
        }
      }
    });
  }
  if (items_before > 0) {
    world.thread([&s] {
      s.push(1);
      s.coordinator_.wake_for_injection();
    });
  }
  world.thread([&d] { d.loop().happen(); });
}

struct the_last_one_looks_nowhere : smarm::detail::idle_rules {
  static constexpr bool last_one_reacts = false;
};

} // namespace

int main(int argc, char** argv) {
  const mc::options tso{.store_buffers = true, .reduced = true};
  const mc::options tso2{.preemptions = 2, .store_buffers = true};
  const mc::options tso1{.preemptions = 1, .store_buffers = true};
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
  suite.model("somebody_looks", tso2, [](auto& w) { somebody_looks(w, 0); });
  suite.model("somebody_looks_after_work", tso1, [](auto& w) { somebody_looks(w, 1); });
  suite.mutation("the_last_one_looks_nowhere", tso2,
                 [](auto& w) { somebody_looks<the_last_one_looks_nowhere>(w, 0); });
  return suite.result();
}
