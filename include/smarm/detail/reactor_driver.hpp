// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The idle driver that sleeps in an event loop: one scheduler waits there for input, output and the
// next deadline at once, and busy ones look in while nobody does. A template over the loop, so
// that the model test runs it over one of its own.
//
// What a Loop does, for one thread at a time but for interrupt():
//   run(deadline)  waits until a handler has run, and runs those that are ready besides; returns by
//                  the deadline at the latest, and at once, once, after an interrupt
//   poll()         runs the handlers that are ready, so many at most; false if there was none
//   interrupt()    from any thread; not lost if nobody is in run()

#ifndef SMARM_DETAIL_REACTOR_DRIVER_HPP
#define SMARM_DETAIL_REACTOR_DRIVER_HPP

#include <smarm/detail/idle_driver.hpp>
#include <smarm/detail/reactor_gate.hpp>

#include <cstdint>
#include <utility>

namespace smarm::detail {

// As they are; the model test has others.
struct reactor_rules {
  static constexpr bool announces = true; // a sleeper that finds somebody inside says that it waits
};

template <class Atomics, class Parker, class Loop, class Rules = reactor_rules>
class basic_reactor_driver : public basic_idle_driver<Parker> {
public:
  template <class... Args>
  explicit basic_reactor_driver(Args&&... args) : loop_(std::forward<Args>(args)...) {}

  bool wait_until(std::int64_t deadline, Parker& own) noexcept override {
    if (Rules::announces ? !gate_.enter_or_announce(own) : !gate_.try_enter()) {
      const bool permitted = own.park(deadline);
      gate_.withdraw();
      return permitted;
    }
    bool permitted = true;
    if (own.enter(*this)) {
      loop_.run(deadline);
      permitted = own.leave();
    }
    gate_.leave();
    return permitted;
  }

  void interrupt() noexcept override { loop_.interrupt(); }

  bool poll() noexcept override {
    if (!gate_.try_enter()) {
      return false;
    }
    const bool news = loop_.poll();
    gate_.leave();
    return news;
  }

  [[nodiscard]] bool needs_sleeper() const noexcept override { return true; }
  [[nodiscard]] bool does_io() const noexcept override { return true; }

  [[nodiscard]] io_stats stats() noexcept override {
    if constexpr (requires { loop_.stats(); }) {
      return loop_.stats();
    } else {
      return {};
    }
  }

  [[nodiscard]] Loop& loop() noexcept { return loop_; }

private:
  basic_reactor_gate<Atomics, Parker> gate_;
  Loop loop_; // touched by who is inside, but for interrupt()
};

} // namespace smarm::detail

#endif
