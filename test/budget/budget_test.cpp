// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The cycles that actors spend running, where they are counted.

#define BOOST_TEST_MODULE budget
#include <boost/test/unit_test.hpp>

#include "../probe.hpp"
#include "../waiting.hpp"

#include <smarm/detail/cycles.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/introspect.hpp>
#include <smarm/stop.hpp>

#include <cstdint>

using namespace smarm_test;
using smarm::actor_state;

namespace {

constexpr std::uint64_t work = 2'000'000;

void compute() {
  const std::uint64_t began = smarm::detail::cycles_now();
  while (smarm::detail::cycles_now() - began < work) {
    smarm::this_actor::checkpoint();
  }
}

struct worker : smarm::gen_server<worker> {
  struct job {};
  void handle_call(job) { compute(); }
};

} // namespace

BOOST_AUTO_TEST_CASE(what_an_actor_computes_is_charged_to_it_and_to_nobody_else) {
  bool said = false;
  std::uint64_t busy = 0, quiet_one = 0, again = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto lazy = smarm::spawn([] { smarm::this_actor::sleep_for(std::chrono::hours(1)); });
    until([&] { return parked(lazy.id()); });
    auto h = smarm::spawn([] {
      compute();
      smarm::this_actor::sleep_for(std::chrono::hours(1));
    });
    until([&] { return parked(h.id()); });
    said = smarm::introspect::snapshot().budget_accounting;
    busy = smarm::introspect::actor_info(h.id())->budget_cycles;
    quiet_one = smarm::introspect::actor_info(lazy.id())->budget_cycles;
    const smarm::pid before = h.id();
    smarm::request_stop(h.id());
    smarm::request_stop(lazy.id());
    (void)h.join();
    (void)lazy.join();
    auto next = smarm::spawn([] { smarm::this_actor::sleep_for(std::chrono::hours(1)); });
    until([&] { return parked(next.id()); });
    again = smarm::introspect::actor_info(next.id())->budget_cycles;
    (void)before;
    smarm::request_stop(next.id());
    (void)next.join();
  });
  // The counter goes on while somebody else has the processor core, so there is no upper bound but that
  // of who only waits, which is not charged for what others computed.
  BOOST_TEST(said);
  BOOST_TEST(busy > 0U);
  BOOST_TEST(quiet_one > 0U);
  BOOST_TEST(again > 0U);
}

BOOST_AUTO_TEST_CASE(what_a_server_computes_is_charged_though_it_has_no_stack_afterwards) {
  std::uint64_t before = 0, after = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto s = smarm::start_server<worker>().value();
    until([&] { return parked(s.id()); });
    before = smarm::introspect::actor_info(s.id())->budget_cycles;
    (void)s.call(worker::job{});
    until([&] { return parked(s.id()); });
    after = smarm::introspect::actor_info(s.id())->budget_cycles;
  });
  BOOST_TEST(after > before);
}
