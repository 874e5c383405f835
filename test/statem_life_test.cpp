// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How machines start, end, and are looked at.

#define BOOST_TEST_MODULE statem_life
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/gen_statem.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/sys.hpp>
#include <smarm/this_actor.hpp>

#include <boost/describe/enum.hpp>

#include <atomic>
#include <mutex>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

BOOST_DEFINE_ENUM_CLASS(phase, fresh, busy, tired)

enum class start { well, ignored, refused, init_fails, enter_fails };

class worker : public smarm::gen_statem<worker, phase> {
  using enum phase;

public:
  struct go {};
  struct wait_for_busy {
    int n;
    using reply = int;
  };
  struct fail {};
  struct end_well {};
  struct end_as {
    smarm::exit_reason why;
  };
  struct end_from_enter {};
  struct doze {
    std::chrono::nanoseconds by;
  };
  struct rests {};
  struct told {};
  struct ping {
    using reply = int;
  };
  using events = smarm::events<go, wait_for_busy, fail, end_well, end_as, end_from_enter, doze,
                               rests, told, ping>;

  explicit worker(recorder& to, start how = start::well) : to_(to), how_(how) {}
  ~worker() { to_.note("destroyed"); }

  smarm::init_result init() {
    to_.note("init");
    switch (how_) {
    case start::ignored: return smarm::init_result::ignore();
    case start::refused: return smarm::init_result::stop(exit_kind::shutdown);
    case start::init_fails: throw std::runtime_error("no init");
    default: return smarm::init_result::ok();
    }
  }
  void enter(smarm::in<fresh>) {
    to_.note("enter fresh");
    if (how_ == start::enter_fails) {
      throw std::runtime_error("no entry");
    }
  }
  void enter(smarm::in<tired>) {
    to_.note("enter tired");
    stop(exit_kind::shutdown);
  }
  void exit(smarm::any_state) { to_.note("exit"); }
  void terminate(const smarm::exit_reason& why) {
    to_.note(std::string("terminate ") + smarm::to_string(why.kind()));
    next_event(told{}); // too late, and goes with the machine
    timeout("late", 0ns, told{});
  }
  void describe(std::ostream& out) const { out << "worked " << worked_; }

  smarm::to<busy> on(smarm::any_state, go) {
    ++worked_;
    return {};
  }
  smarm::postponed on(smarm::any_state, wait_for_busy, smarm::reply_to<int>);
  smarm::stay on(smarm::in<busy>, wait_for_busy w, smarm::reply_to<int> r) {
    r.reply(w.n);
    return {};
  }
  smarm::stay on(smarm::any_state, fail) { throw std::runtime_error("told to"); }
  smarm::stopped on(smarm::any_state, end_well) { return {}; }
  smarm::one_of<smarm::stop, busy> on(smarm::any_state, end_as e) { return stop(std::move(e.why)); }
  smarm::to<tired> on(smarm::any_state, end_from_enter) { return {}; }
  smarm::stay on(smarm::any_state, doze d) {
    timeout("rest", d.by, rests{});
    return {};
  }
  smarm::stay on(smarm::any_state, rests) {
    to_.note("rested");
    next_event(told{});
    return {};
  }
  smarm::stay on(smarm::any_state, told) { return {}; }
  smarm::stay on(smarm::any_state, ping, smarm::reply_to<int> r) {
    r.reply(1);
    return {};
  }

private:
  recorder& to_;
  start how_;
  int worked_ = 0;
};

constexpr smarm::server_name<worker> the_worker{"worker"};

BOOST_DEFINE_ENUM_CLASS(light, dark, bright)

// Has a timeout in each state, which the next event ends.
class blinker : public smarm::gen_statem<blinker, light> {
public:
  struct flip {};
  struct too_long {};
  struct flips {
    using reply = int;
  };
  using events = smarm::events<flip, too_long, flips>;

  explicit blinker(std::atomic<int>& late) : late_(late) {}
  void enter(smarm::any_state) { state_timeout(1h, too_long{}); }
  smarm::to<light::bright> on(smarm::in<light::dark>, flip) {
    ++flips_;
    return {};
  }
  smarm::to<light::dark> on(smarm::in<light::bright>, flip) {
    ++flips_;
    return {};
  }
  smarm::stay on(smarm::any_state, too_long) {
    ++late_;
    return {};
  }
  smarm::stay on(smarm::any_state, flips, smarm::reply_to<int> r) {
    r.reply(flips_);
    return {};
  }

private:
  std::atomic<int>& late_;
  int flips_ = 0;
};

BOOST_DEFINE_ENUM_CLASS(post, on_duty)

// Timeouts that are due by the time when the handler, which holds it, returns.
class doorman : public smarm::gen_statem<doorman, post> {
public:
  struct hold {
    smarm::receiver<int> gate;
  };
  struct knock {};
  struct ask {
    using reply = int;
  };
  struct named_time {};
  struct state_time {};
  using events = smarm::events<hold, knock, ask, named_time, state_time>;

  explicit doorman(recorder& to) : to_(to) {}
  smarm::stay on(smarm::any_state, hold h) {
    timeout("named", 1ns, named_time{});
    state_timeout(2ns, state_time{});
    to_.note("holds");
    (void)h.gate.recv();
    return {};
  }
  smarm::stay on(smarm::any_state, knock) { return noted("knock"); }
  smarm::stay on(smarm::any_state, named_time) { return noted("named time"); }
  smarm::stay on(smarm::any_state, state_time) { return noted("state time"); }
  smarm::stay on(smarm::any_state, ask, smarm::reply_to<int> r) {
    r.reply(1);
    return {};
  }

private:
  smarm::stay noted(const char* what) {
    to_.note(what);
    return {};
  }

  recorder& to_;
};

errc start_of(recorder& to, start how) {
  errc error{};
  smarm::runtime(quiet(1)).run([&] {
    error = error_of(the_worker.start(std::ref(to), how));
    if (error != errc{}) {
      to.note(the_worker.whereis() ? "name taken" : "name free");
    }
  });
  return error;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_start_says_how_it_went) {
  // asserts on the main thread
  const auto noted = [](start how, errc expected) {
    recorder seen;
    const errc got = start_of(seen, how);
    BOOST_TEST((got == expected));
    return seen.all();
  };
  CHECK_LIST(noted(start::well, errc{}),
             {"init", "enter fresh", "terminate shutdown", "destroyed"});
  CHECK_LIST(noted(start::ignored, errc::start_ignored),
             {"init", "terminate normal", "destroyed", "name free"});
  CHECK_LIST(noted(start::refused, errc::start_failed),
             {"init", "terminate shutdown", "destroyed", "name free"});
  CHECK_LIST(noted(start::init_fails, errc::start_failed),
             {"init", "terminate failed", "destroyed", "name free"});
  CHECK_LIST(noted(start::enter_fails, errc::start_failed),
             {"init", "enter fresh", "terminate failed", "destroyed", "name free"});
}

BOOST_AUTO_TEST_CASE(a_machine_ends_as_its_row_says) {
  // asserts on the main thread
  const auto ended_by = [](auto event) {
    recorder seen;
    smarm::exit_reason why;
    errc waiting{};
    smarm::runtime(quiet(1)).run([&] {
      const auto w = smarm::start_server<worker>(std::ref(seen)).value();
      auto end = smarm::monitor(w.id());
      auto asked = w.send_request(worker::wait_for_busy{1}).value();
      (void)w.cast(std::move(event));
      auto queued = w.send_request(worker::ping{}).value();
      why = end.recv().value().reason;
      waiting = error_of(asked.recv()) == errc::server_down ? error_of(queued.recv()) : errc{};
    });
    BOOST_TEST((waiting == errc::server_down)); // what was postponed, and what was queued
    strings all = seen.all();
    all.erase(all.begin(), all.begin() + 2);
    all.push_back(smarm::to_string(why.kind()));
    return all;
  };
  // The state is not left: exit is not called.
  CHECK_LIST(ended_by(worker::end_well{}), {"terminate normal", "destroyed", "normal"});
  CHECK_LIST(ended_by(worker::end_as{exit_kind::shutdown}),
             {"terminate shutdown", "destroyed", "shutdown"});
  CHECK_LIST(ended_by(worker::end_as{smarm::exit_reason::failed("enough")}),
             {"terminate failed", "destroyed", "failed"});
  CHECK_LIST(ended_by(worker::fail{}), {"terminate failed", "destroyed", "failed"});
  CHECK_LIST(ended_by(worker::end_from_enter{}),
             {"exit", "enter tired", "terminate shutdown", "destroyed", "shutdown"});
}

BOOST_AUTO_TEST_CASE(a_machine_ends_with_its_last_ref_whatever_it_waits_for) {
  recorder seen;
  smarm::runtime(quiet(1)).run([&] {
    auto w = smarm::start_server<worker>(std::ref(seen)).value();
    auto end = smarm::monitor(w.id());
    (void)w.cast(worker::doze{1h});
    (void)w.cast(worker::go{});
    w = {};
    (void)end.recv();
  });
  CHECK_LIST(seen.all(), {"init", "enter fresh", "exit", "terminate normal", "destroyed"});
}

BOOST_AUTO_TEST_CASE(the_report_of_a_failure_names_the_state) {
  std::vector<std::string> texts;
  std::mutex lock;
  recorder seen;
  smarm::runtime rt({.schedulers = 1, .reports = [&](const smarm::report& r) {
                       const std::lock_guard guard(lock);
                       texts.push_back(r.text + r.details);
                     }});
  rt.run([&] {
    const auto w = smarm::start_server<worker>(std::ref(seen)).value();
    auto end = smarm::monitor(w.id());
    auto asked = w.send_request(worker::wait_for_busy{1}).value();
    (void)w.cast(worker::fail{});
    (void)end.recv();
  });
  BOOST_TEST(texts.size() == 1u);
  BOOST_TEST_MESSAGE(texts.front());
  BOOST_TEST(texts.front().find("told to") != std::string::npos);
  BOOST_TEST(texts.front().find("while it handled a cast of") != std::string::npos);
  BOOST_TEST(texts.front().find("state: fresh: worked 0") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_machine_is_looked_at_and_held_as_a_server_is) {
  recorder seen;
  strings states;
  std::vector<std::string> traced;
  smarm::sys::server_statistics before;
  smarm::sys::server_statistics after;
  errc held{};
  int repaired = 0;
  smarm::runtime(quiet(1)).run([&] {
    const auto w = smarm::start_server<worker>(std::ref(seen)).value();
    states.push_back(smarm::sys::state(w).value());
    (void)smarm::sys::trace(w, [&](const smarm::sys::event& e) {
      traced.push_back(std::string(smarm::sys::to_string(e.stage)) + ' ' +
                       smarm::sys::to_string(e.kind));
    });
    auto asked = w.send_request(worker::wait_for_busy{5}).value();
    until([&] { return parked(w.id()); }); // requests of sys come before the inbox
    before = smarm::sys::statistics(w).value();
    (void)smarm::sys::suspend(w);
    (void)w.cast(worker::doze{0ns});
    held = error_of(w.call(worker::ping{}, 1us));
    (void)smarm::sys::resume(w);
    (void)w.cast(worker::go{});
    (void)asked.recv();
    (void)smarm::sys::untrace(w);
    states.push_back(smarm::sys::state(w.id()).value());
    repaired = smarm::sys::with_state(w, [](worker& m) {
                 return m.state() == phase::busy ? 1 : 0;
               }).value();
    after = smarm::sys::statistics(w).value();
  });
  CHECK_LIST(states, {"fresh: worked 0", "busy: worked 1"});
  BOOST_TEST((held == errc::timed_out));
  BOOST_TEST(repaired == 1);
  BOOST_TEST(before.postponed == 1u);
  BOOST_TEST(after.postponed == 0u);
  BOOST_TEST(after.handled.calls == 2u); // one of them had expired; none is counted twice
  BOOST_TEST(after.handled.casts == 2u);
  BOOST_TEST(after.handled.timers == 1u);
  BOOST_TEST(after.handled.internal == 1u);
  CHECK_LIST(traced, {"received a call of", "postponed a call of", "received a cast of",
                      "handled a cast of", "received a timer of", "handled a timer of",
                      "received an internal", "handled an internal", "received a call of",
                      "skipped, too late, a call of", "received a cast of", "handled a cast of",
                      "retried a call of", "handled a call of"});
}

BOOST_AUTO_TEST_CASE(a_timeout_wakes_a_machine_that_waits) {
  recorder seen;
  std::vector<bool> had_stack;
  smarm::runtime(quiet(1)).run([&] {
    const auto w = smarm::start_server<worker>(std::ref(seen)).value();
    (void)w.cast(worker::doze{1ms});
    until([&] { return seen.count("rested") == 1; });
    (void)w.cast(worker::doze{1ms});
    until([&] { return seen.count("rested") == 2; });
  });
  BOOST_TEST(seen.count("rested") == 2u);
}

BOOST_AUTO_TEST_CASE(thousands_of_machines_set_and_end_a_timeout_with_each_event) {
  constexpr std::size_t machines = SMARM_TSAN ? 300 : 3000;
  constexpr int events = 10;
  std::atomic<int> late{0};
  std::size_t armed = 0, afterwards = 1;
  int flips = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    std::vector<smarm::server_ref<blinker>> all;
    for (std::size_t i = 0; i < machines; ++i) {
      all.push_back(smarm::start_server<blinker>(std::ref(late)).value());
    }
    for (int n = 0; n < events; ++n) {
      for (const auto& one : all) {
        (void)one.cast(blinker::flip{});
      }
    }
    for (const auto& one : all) {
      flips += one.call(blinker::flips{}).value();
    }
    armed = rt.stats().armed_timers;
    std::vector<smarm::monitor_ref> ends;
    for (auto& one : all) {
      ends.push_back(smarm::monitor(one.id()));
      one = {};
    }
    for (auto& end : ends) {
      (void)end.recv();
    }
    afterwards = rt.stats().armed_timers;
  });
  BOOST_TEST(flips == static_cast<int>(machines) * events);
  BOOST_TEST(late == 0);
  BOOST_TEST(armed == machines); // the present state's, and none of those before
  BOOST_TEST(afterwards == 0u);
}

BOOST_AUTO_TEST_CASE(a_full_machine_gets_its_timeouts_and_refuses_with_an_error) {
  recorder seen;
  std::vector<errc> codes;
  smarm::runtime(quiet(1)).run([&] {
    const auto d =
        smarm::start_server<doorman>(
            smarm::server_options{.inbox = {.capacity = 1, .when_full = smarm::overflow::fail}},
            std::ref(seen))
            .value();
    auto [open, gate] = smarm::channel<int>();
    (void)d.cast(doorman::hold{std::move(gate)});
    until([&] { return seen.count("holds") == 1; });
    codes.push_back(error_of(d.cast(doorman::knock{})));
    codes.push_back(error_of(d.cast(doorman::knock{})));
    codes.push_back(error_of(d.call(doorman::ask{})));
    (void)open.send(1);
    until([&] { return seen.count("knock") == 1 && seen.count("state time") == 1; });
    codes.push_back(error_of(d.call(doorman::ask{})));
  });
  BOOST_TEST((codes == std::vector<errc>{errc{}, errc::queue_full, errc::queue_full, errc{}}));
  // What is due comes before what is queued, however full that is.
  CHECK_LIST(seen.all(), {"holds", "named time", "state time", "knock"});
}

BOOST_AUTO_TEST_CASE(a_suspended_machine_handles_none_of_its_own_events) {
  recorder seen;
  std::size_t held = 0;
  smarm::runtime(quiet(1)).run([&] {
    const auto w = smarm::start_server<worker>(std::ref(seen)).value();
    (void)w.cast(worker::doze{1us});
    (void)w.call(worker::ping{});
    (void)smarm::sys::suspend(w);
    smarm::this_actor::sleep_for(1ms);
    held = seen.count("rested");
    (void)smarm::sys::resume(w);
    until([&] { return seen.count("rested") == 1; });
  });
  // It may have rested before it was suspended; it has rested once.
  BOOST_TEST(held <= 1u);
  BOOST_TEST(seen.count("rested") == 1u);
}
