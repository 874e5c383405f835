// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// When things happen, exactly, in behaviours that go by time: restarts with their back-off and their window,
// timeouts of machines, deadlines of calls, servers that are idle, ticks. On a test runtime's clock, for
// several orders of who runs first.

#define BOOST_TEST_MODULE simulated_time
#include <boost/test/unit_test.hpp>

#include <smarm/child_start.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/gen_statem.hpp>
#include <smarm/start_server.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/test_runtime.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using smarm::errc;

namespace {

constexpr std::uint64_t last_seed = 20;

smarm::test_options quiet(std::uint64_t seed) {
  return {.seed = seed, .settings = {.reports = [](const smarm::report&) {}}};
}

// What happened, and how long after the beginning.
struct journal {
  explicit journal(const smarm::test_runtime& of) : rt(of), begin(of.now()) {}
  void note(std::string what) { lines.emplace_back(rt.now() - begin, std::move(what)); }

  const smarm::test_runtime& rt;
  const std::chrono::steady_clock::time_point begin;
  std::vector<std::pair<nanoseconds, std::string>> lines;
};

using lines = std::vector<std::pair<nanoseconds, std::string>>;

} // namespace

BOOST_AUTO_TEST_CASE(a_child_that_keeps_failing_is_restarted_later_and_later) {
  for (std::uint64_t seed = 0; seed <= last_seed; ++seed) {
    smarm::test_runtime rt(quiet(seed));
    journal seen(rt);
    rt.run([&] {
      auto tree =
          smarm::start_supervisor(
              {.intensity = 100, .period = 1h},
              {{.id = "flaky",
                .start =
                    [&] {
                      seen.note("start");
                      throw std::runtime_error("again");
                    },
                .backoff = smarm::restart_backoff{
                    .initial = 100ms, .maximum = 500ms, .factor = 2, .jitter = 0}}})
              .value();
      rt.advance(1800ms);
      (void)tree.shutdown(1min);
    });
    const lines expected = {{0ms, "start"},   {100ms, "start"},  {300ms, "start"},
                            {700ms, "start"}, {1200ms, "start"}, {1700ms, "start"}};
    BOOST_TEST((seen.lines == expected), "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(jitter_is_the_seeds) {
  const auto starts = [](std::uint64_t seed) {
    smarm::test_runtime rt(quiet(seed));
    journal seen(rt);
    rt.run([&] {
      auto tree = smarm::start_supervisor(
                      {.intensity = 100, .period = 1h},
                      {{.id = "flaky",
                        .start =
                            [&] {
                              seen.note("start");
                              throw std::runtime_error("again");
                            },
                        .backoff = smarm::restart_backoff{.initial = 1s, .jitter = 0.5}}})
                      .value();
      rt.advance(1min);
      (void)tree.shutdown(1min);
    });
    return seen.lines;
  };
  BOOST_TEST((starts(1) == starts(1)));
  BOOST_TEST((starts(1) != starts(2)));
}

BOOST_AUTO_TEST_CASE(a_supervisor_gives_up_at_the_restart_that_is_one_too_many_in_its_window) {
  const auto outlives = [](nanoseconds between) {
    smarm::test_runtime rt(quiet(1));
    bool alive = false;
    rt.run([&] {
      auto tree = smarm::start_supervisor({.intensity = 3, .period = 10s},
                                          {{.id = "fails", .start =
                                                               [between] {
                                                                 smarm::this_actor::sleep_for(between);
                                                                 throw std::runtime_error("again");
                                                               }}})
                      .value();
      rt.advance(10min);
      alive = rt.handle().is_live(tree.id());
      (void)tree.shutdown(1min);
    });
    return alive;
  };
  BOOST_TEST(!outlives(1s));
  BOOST_TEST(!outlives(3333ms)); // the fourth comes 9.999 s after the first
  BOOST_TEST(outlives(3334ms));  // 10.002 s
  BOOST_TEST(outlives(1min));
}

namespace {

enum class lamp_state : std::uint8_t { off, lit, blinking };

class lamp : public smarm::gen_statem<lamp, lamp_state> {
  using enum lamp_state;

public:
  struct press {};
  struct dark {};
  struct blink {};
  using states = smarm::states<off, lit, blinking>;
  using events = smarm::events<press, dark, blink>;

  explicit lamp(journal& seen) : seen_(seen) {}

  void enter(smarm::in<off>) { seen_.note("off"); }
  void enter(smarm::in<lit>) {
    seen_.note("on");
    state_timeout(10s, dark{}); // ends with the state
  }
  void enter(smarm::in<blinking>) {
    seen_.note("blinking");
    timeout("blink", 1s, blink{});
  }

  smarm::to<lit> on(smarm::in<off>, press) { return {}; }
  smarm::to<blinking> on(smarm::in<lit>, press) { return {}; }
  smarm::to<off> on(smarm::in<blinking>, press) {
    cancel_timeout("blink");
    return {};
  }
  smarm::to<off> on(smarm::in<lit>, dark) { return {}; }
  smarm::ignored on(smarm::in<off, blinking>, dark);
  smarm::stay on(smarm::in<blinking>, blink) {
    seen_.note("blink");
    timeout("blink", 1s, blink{});
    return {};
  }
  smarm::ignored on(smarm::in<off, lit>, blink);

private:
  journal& seen_;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_machines_timeouts_come_at_their_times_and_end_with_what_they_belong_to) {
  for (std::uint64_t seed = 0; seed <= last_seed; ++seed) {
    smarm::test_runtime rt(quiet(seed));
    journal seen(rt);
    rt.run([&] {
      auto l = smarm::start_server<lamp>(std::ref(seen)).value();
      const auto press_after = [&](nanoseconds when) {
        rt.advance(when);
        (void)l.cast(lamp::press{});
        rt.run_until_idle();
      };
      press_after(1s);  // on, dark due at 11 s
      rt.advance(20s);  // dark
      press_after(1s);  // on again at 22 s
      press_after(9s);  // blinking at 31 s, dark does not come
      press_after(2500ms);
      rt.advance(1min); // nothing any more
    });
    const lines expected = {{0s, "off"},       {1s, "on"},     {11s, "off"},   {22s, "on"},
                            {31s, "blinking"}, {32s, "blink"}, {33s, "blink"}, {33500ms, "off"}};
    BOOST_TEST((seen.lines == expected), "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(a_call_waits_exactly_as_long_as_it_was_told_to) {
  class slow : public smarm::gen_server<slow> {
  public:
    int handle_call(nanoseconds takes) {
      smarm::this_actor::sleep_for(takes);
      return 1;
    }
  };
  for (std::uint64_t seed = 0; seed <= last_seed; ++seed) {
    smarm::test_runtime rt(quiet(seed));
    journal seen(rt);
    rt.run([&] {
      auto s = smarm::start_server<slow>().value();
      seen.note(s.call(nanoseconds(999ms), 1s) ? "answered" : "too late");
      seen.note(s.call(nanoseconds(1001ms), 1s).error() == errc::timed_out ? "too late" : "?");
      // The server is busy for another millisecond; the deadline is the caller's all the same.
      seen.note(s.call(nanoseconds(1s), 1s).error() == errc::timed_out ? "too late" : "?");
    });
    const lines expected = {{999ms, "answered"}, {1999ms, "too late"}, {2999ms, "too late"}};
    BOOST_TEST((seen.lines == expected), "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(ticks_and_idle_windows_are_regular) {
  class clockwork : public smarm::gen_server<clockwork> {
  public:
    struct tick {};
    struct touch {};
    explicit clockwork(journal& seen) : seen_(seen) {}
    void init() {
      tick_every(7s, tick{});
      idle_after(5s);
    }
    void handle_timer(tick) { seen_.note("tick"); }
    void handle_cast(touch) {}
    void handle_idle() { seen_.note("idle"); }

  private:
    journal& seen_;
  };
  smarm::test_runtime rt(quiet(0));
  journal seen(rt);
  rt.run([&] {
    auto c = smarm::start_server<clockwork>(std::ref(seen)).value();
    rt.advance(4s);
    (void)c.cast(clockwork::touch{}); // idle at 9 s then, but for the tick at 7 s
    rt.advance(18s);
  });
  const lines expected = {{7s, "tick"}, {12s, "idle"}, {14s, "tick"}, {19s, "idle"}, {21s, "tick"}};
  BOOST_TEST((seen.lines == expected));
}
