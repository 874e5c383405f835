// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What becomes of the ticks that a server was too busy for.

#define BOOST_TEST_MODULE server_tick
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "servers.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/runtime.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;

namespace {

constexpr auto period = 5ms;

// Its first tick keeps it busy for ten periods.
class metronome : public smarm::gen_server<metronome> {
public:
  using clock = std::chrono::steady_clock;
  struct seen {};

  explicit metronome(smarm::missed_tick policy) : start_(clock::now()) {
    tick_every(period, 0, policy);
  }
  std::vector<clock::duration> handle_call(seen) const { return ticks_; }
  void handle_timer(int) {
    ticks_.push_back(clock::now() - start_);
    if (ticks_.size() == 1) {
      smarm::this_actor::sleep_for(10 * period);
    }
  }

private:
  clock::time_point start_;
  std::vector<clock::duration> ticks_;
};

// The ticks that were handled before a call that has waited since the server became busy.
std::vector<metronome::clock::duration> before_the_call(smarm::missed_tick policy) {
  std::vector<metronome::clock::duration> ticks;
  smarm::run([&] {
    const auto server = smarm::start_server<metronome>(policy).value();
    while (ticks.empty()) {
      smarm::this_actor::sleep_for(period);
      ticks = server.call(metronome::seen{}).value();
    }
  });
  return ticks;
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_tick, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_burst_makes_up_for_all_of_them) {
  const auto ticks = before_the_call(smarm::missed_tick::burst);
  // Due at two, three ... eleven periods, while it was busy.
  BOOST_TEST(ticks.size() >= 10U);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    BOOST_TEST((ticks[i] >= period * (i + 1)));
  }
}

BOOST_AUTO_TEST_CASE(without_one_the_others_are_left_out) {
  BOOST_TEST(before_the_call(smarm::missed_tick::skip).size() < 10U);
  BOOST_TEST(before_the_call(smarm::missed_tick::delay).size() < 10U);
}

BOOST_AUTO_TEST_CASE(after_a_delay_a_whole_period_passes) {
  std::vector<metronome::clock::duration> ticks;
  smarm::run([&] {
    const auto server = smarm::start_server<metronome>(smarm::missed_tick::delay).value();
    while (ticks.size() < 4) {
      smarm::this_actor::sleep_for(period);
      ticks = server.call(metronome::seen{}).value();
    }
  });
  BOOST_TEST((ticks[1] - ticks[0] >= 11 * period));
  BOOST_TEST((ticks[2] - ticks[1] >= period));
  BOOST_TEST((ticks[3] - ticks[2] >= period));
}

BOOST_AUTO_TEST_SUITE_END()
