// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#define BOOST_TEST_MODULE trace
#include <boost/test/unit_test.hpp>

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/system_error.hpp>

#include <algorithm>
#include <chrono>
#include <vector>

namespace {

using namespace std::chrono_literals;
using smarm::trace_event;

std::vector<trace_event> events_of(const std::vector<smarm::trace_record>& all, smarm::pid actor) {
  std::vector<trace_event> out;
  for (const auto& r : all) {
    if (r.actor == actor) {
      out.push_back(r.what);
    }
  }
  return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_life_is_recorded_in_order) {
  smarm::runtime rt({.schedulers = 1});
  smarm::pid child;
  rt.run([&] {
    auto h = smarm::spawn([] {
      smarm::this_actor::yield();
      smarm::this_actor::sleep_for(1ms);
    });
    child = h.id();
    smarm::this_actor::yield();
    (void)h.join();
  });
  const auto all = rt.trace();
  const std::vector<trace_event> expected = {
    trace_event::spawn, trace_event::resume, trace_event::yield, trace_event::resume,
    trace_event::park,  trace_event::wake,   trace_event::resume, trace_event::end};
  BOOST_TEST((events_of(all, child) == expected));
  BOOST_TEST(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.cycles < b.cycles;
  }));
}

BOOST_AUTO_TEST_CASE(the_next_run_starts_with_an_empty_trace) {
  smarm::runtime rt({.schedulers = 1});
  rt.run([] {
    for (int i = 0; i < 10; ++i) {
      (void)smarm::spawn([] {}).join();
    }
  });
  const auto before = rt.trace().size();
  rt.run([] {});
  BOOST_TEST(rt.trace().size() < before);
}

BOOST_AUTO_TEST_CASE(a_running_runtime_refuses_to_show_its_trace) {
  smarm::runtime rt({.schedulers = 1});
  rt.start();
  BOOST_CHECK_EXCEPTION(rt.trace(), boost::system::system_error, [](const auto& e) {
    return e.code() == smarm::errc::nested_run;
  });
  rt.wait();
}
