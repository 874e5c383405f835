// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Selects that share out fairly, and selectors, whose arms come and go.

#define BOOST_TEST_MODULE selector
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "selecting.hpp"

#include <smarm/runtime.hpp>
#include <smarm/select.hpp>
#include <smarm/selector.hpp>
#include <smarm/spawn.hpp>

#include <boost/system/system_error.hpp>

#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::channel;
using smarm::errc;

BOOST_AUTO_TEST_SUITE(selector_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_fair_select_takes_ready_arms_in_turn) {
  std::vector<std::size_t> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    auto [to_c, c] = channel<int>();
    (void)to_a.send(1);
    (void)to_b.send(1);
    (void)to_c.send(1);
    smarm::selector fair(smarm::selector::order::fair);
    fair.add(a);
    fair.add(b);
    for (int i = 0; i < 4; ++i) {
      got.push_back(fair.wait());
    }
    std::vector<std::size_t> often(3);
    for (int i = 0; i < 300; ++i) {
      ++often[smarm::select_fair(a, b, c)];
    }
    for (const std::size_t times : often) {
      got.push_back(times >= 95 && times <= 105);
    }
  });
  CHECK_LIST(got, {0, 1, 0, 1, 1, 1, 1});
}

// The turns of one must not be what moves the other on.
BOOST_AUTO_TEST_CASE(fair_selects_that_alternate_starve_no_arm) {
  std::vector<std::size_t> often(8);
  smarm::run([&] {
    std::vector<std::pair<smarm::sender<int>, smarm::receiver<int>>> all;
    for (int i = 0; i < 4; ++i) {
      all.push_back(channel<int>());
      (void)all.back().first.send(1);
    }
    auto& a = all[0].second;
    auto& b = all[1].second;
    auto& c = all[2].second;
    auto& d = all[3].second;
    smarm::selector first(smarm::selector::order::fair);
    smarm::selector second(smarm::selector::order::fair);
    first.add(a);
    first.add(b);
    second.add(c);
    second.add(d);
    for (int i = 0; i < 1000; ++i) {
      ++often[smarm::select_fair(a, b)];
      ++often[2 + smarm::select_fair(c, d)];
      ++often[4 + first.wait()];
      ++often[6 + second.wait()];
    }
  });
  for (const std::size_t times : often) {
    BOOST_TEST(times > 400u);
  }
}

BOOST_AUTO_TEST_CASE(a_fair_selector_shares_alike_between_neighbours_behind_idle_arms) {
  std::vector<std::size_t> often(5);
  smarm::run([&] {
    std::vector<std::pair<smarm::sender<int>, smarm::receiver<int>>> all;
    smarm::selector fair(smarm::selector::order::fair);
    all.reserve(5);
    for (int i = 0; i < 5; ++i) {
      all.push_back(channel<int>());
      fair.add(all.back().second);
    }
    (void)all[3].first.send(1);
    (void)all[4].first.send(1);
    for (int i = 0; i < 100; ++i) {
      ++often[fair.wait()];
    }
  });
  CHECK_LIST(often, {0, 0, 0, 50, 50});
}

BOOST_AUTO_TEST_CASE(arms_of_a_selector_come_and_go_and_keep_their_index) {
  std::vector<std::size_t> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    auto [to_c, c] = channel<std::string>();
    smarm::selector s(a, b);
    got.push_back(s.add(c));
    (void)to_b.send(1);
    (void)to_c.send("x");
    got.push_back(s.wait());
    s.remove(1);
    s.remove(1);
    s.remove(99);
    got.push_back(s.size());
    got.push_back(s.wait());
    got.push_back(s.add(b)); // the gap
    got.push_back(s.try_wait().value());
    (void)b.try_recv();
    (void)c.try_recv();
    got.push_back(error_of(s.try_wait()) == errc::empty);
    got.push_back(error_of(s.wait_for(1ns)) == errc::timed_out);
    got.push_back(error_of(s.wait_until(std::chrono::steady_clock::now())) == errc::timed_out);
  });
  CHECK_LIST(got, {2, 1, 2, 2, 1, 1, 1, 1, 1});
}

BOOST_AUTO_TEST_CASE(a_selector_without_arms_is_refused) {
  std::string got;
  smarm::run([&] {
    smarm::selector s;
    got = refusal([&] { (void)s.wait(); }, errc::empty);
  });
  BOOST_TEST(contains(got, "no arm"), got);
}

BOOST_AUTO_TEST_CASE(many_arms_are_selected_one_after_the_other) {
  constexpr std::size_t n = 200;
  std::vector<std::size_t> got;
  smarm::run([&] {
    std::vector<smarm::sender<std::size_t>> to;
    std::vector<smarm::receiver<std::size_t>> from;
    for (std::size_t i = 0; i < n; ++i) {
      auto [tx, rx] = channel<std::size_t>();
      to.push_back(std::move(tx));
      from.push_back(std::move(rx));
    }
    smarm::selector all;
    for (auto& rx : from) {
      all.add(rx);
    }
    auto sending = smarm::spawn([&] {
      for (std::size_t i = 0; i < n; ++i) {
        (void)to[i * 7 % n].send(i);
        smarm::this_actor::yield();
      }
    });
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t which = all.wait();
      got.push_back(which == i * 7 % n && from[which].try_recv() == i ? 0 : i);
    }
    (void)sending.join();
  });
  BOOST_TEST((got == std::vector<std::size_t>(n, 0)));
}

BOOST_AUTO_TEST_SUITE_END()
