// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What cannot be right in a spec is refused in a sentence that names child and field, and the remedy.

#define BOOST_TEST_MODULE supervisor_checks
#include <boost/test/unit_test.hpp>

#include "supervision.hpp"

#include <smarm/detail/restart_window.hpp>
#include <smarm/dynamic_supervisor.hpp>
#include <smarm/error.hpp>
#include <smarm/supervisor.hpp>

#include <boost/system/system_error.hpp>

#include <chrono>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::child_spec;
using smarm::restart;
using smarm::supervisor_options;

namespace {

std::string refused(const std::function<void()>& call) {
  try {
    call();
  } catch (const boost::system::system_error& e) {
    return e.code() == smarm::errc::invalid_config ? e.what() : "another error";
  }
  return "accepted";
}

std::string refused(const supervisor_options& options, const std::vector<child_spec>& children) {
  return refused([&] { smarm::check_child_specs(options, children); });
}

child_spec fine(std::string id = "a") {
  return {.id = std::move(id), .start = [] {}};
}
template <class Change>
child_spec but(Change change, std::string id = "a") {
  child_spec spec = fine(std::move(id));
  change(spec);
  return spec;
}

struct row {
  std::string seen;
  const char* words; // all of these are in it
};

void check(const std::vector<row>& rows) {
  for (const row& r : rows) {
    BOOST_TEST(r.seen != "accepted", r.words);
    std::istringstream words(r.words);
    for (std::string word; std::getline(words, word, '|');) {
      BOOST_TEST(r.seen.find(word) != std::string::npos, '"' + word + "\" is not in: " + r.seen);
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(what_is_right_is_accepted) {
  BOOST_TEST(refused({}, {}) == "accepted");
  BOOST_TEST(refused({}, {fine("a"), fine("b")}) == "accepted");
  for (const auto how : {smarm::one_for_one, smarm::one_for_all, smarm::rest_for_one}) {
    for (const unsigned intensity : {0U, 1U, 3U, 1'000'000'000U}) {
      BOOST_TEST(refused({.strategy = how, .intensity = intensity}, {fine("a"), fine("b")}) ==
                 "accepted"); // whatever the intensity, the default fits
    }
  }
  // What takes long, but is not ended for a sibling.
  const auto slow = but([](child_spec& s) { s.shutdown = 1h; }, "slow");
  BOOST_TEST(refused({.intensity = 3}, {slow, fine("b")}) == "accepted");
  const auto endless = but([](child_spec& s) { s.shutdown = smarm::infinity; }, "endless");
  BOOST_TEST(refused({}, {endless, fine("b")}) == "accepted");
  BOOST_TEST(refused({.strategy = smarm::one_for_all, .intensity = 3}, {endless}) == "accepted");
  BOOST_TEST(refused({.strategy = smarm::one_for_all, .intensity = 3}, {slow, fine()}) ==
             "accepted");
  BOOST_TEST(refused({.strategy = smarm::rest_for_one, .intensity = 3}, {endless, fine("b")}) ==
             "accepted");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_right_is_refused_by_name) {
  const supervisor_options some = {.auto_shutdown = smarm::auto_shutdown::any_significant};
  const supervisor_options group = {.strategy = smarm::one_for_all, .intensity = 3, .period = 5s};
  check({
      {refused({.period = 0s}, {}), "period|positive"},
      {refused({.period = -1s}, {}), "period|positive"},
      {refused({.strategy = static_cast<smarm::strategy>(7)}, {}), "strategy|one_for_one"},
      {refused({.backoff = {.initial = -1s}}, {}), "backoff.initial|negative"},
      {refused({.backoff = {.initial = 2s, .maximum = 1s}}, {}), "backoff.maximum|1 s|2 s"},
      {refused({.backoff = {.initial = 1s, .factor = 0.5}}, {}), "backoff.factor|0.5|1 or more"},
      {refused({.backoff = {.initial = 1s, .jitter = 1}}, {}), "backoff.jitter"},
      {refused({.backoff = {.initial = 1s, .jitter = -0.1}}, {}), "backoff.jitter"},
      {refused({.backoff = {.initial = 1s, .recovered_after = -1s}}, {}), "recovered_after"},
      {refused({}, {fine("")}), "child 0|id|empty"},
      {refused({}, {fine("x"), fine("y"), fine("x")}), "child \"x\"|id|earlier"},
      {refused({}, {{.id = "a"}}), "child \"a\"|start|smarm::server"},
      {refused({}, {but([](auto& s) { s.shutdown = -1s; })}), "child \"a\"|shutdown|negative"},
      {refused({}, {but([](auto& s) { s.grace = -1s; })}), "child \"a\"|grace|negative"},
      {refused({}, {but([](auto& s) { s.start_limit = 0s; })}), "child \"a\"|start_limit"},
      {refused({}, {but([](auto& s) {
                 s.backoff = {.initial = 1s, .maximum = 0s};
               })}),
       "child \"a\"|backoff.maximum"},
      {refused(some, {but([](auto& s) { s.significant = true; })}),
       "child \"a\"|significant|permanent|transient or temporary"},
      {refused({}, {but([](auto& s) {
                 s.significant = true;
                 s.restart = restart::transient;
               })}),
       "child \"a\"|significant|auto_shutdown|any_significant"},
      {refused(group, {fine("x"), but([](auto& s) { s.shutdown = smarm::infinity; }, "slow")}),
       "child \"slow\"|shutdown is infinity|sibling|never give up"},
      {refused({.intensity = 3, .backoff = {.initial = 2s}}, {}),
       "backoff.initial is 2 s|3 restarts|period of 5 s|never give up|smarm::unlimited"},
      {refused({.intensity = 3}, {but([](auto& s) { s.backoff = {.initial = 2s}; })}),
       "child \"a\"|backoff.initial is 2 s"},
  });
}

BOOST_AUTO_TEST_CASE(a_tree_is_checked_where_it_is_made) {
  check({{refused([] { (void)smarm::supervision_tree({.period = 0s}); }),
          "smarm::supervision_tree: period"},
         {refused([] { (void)smarm::dynamic_supervisor({.period = 0s}); }),
          "smarm::dynamic_supervisor: period"}});
}

BOOST_AUTO_TEST_CASE(a_child_that_comes_later_is_checked_too) {
  std::vector<row> rows;
  smarm::run([&] {
    auto group = smarm::start_supervisor({.strategy = smarm::one_for_all, .intensity = 2},
                                         {{.id = "x", .start = [] {
                                             smarm::this_actor::sleep_for(1h);
                                           }}})
                     .value();
    auto many = smarm::start_dynamic_supervisor().value();
    rows = {{refused([&] { (void)group.start_child(fine("")); }),
             "smarm::supervisor_ref::start_child: id"},
            {refused([&] { (void)group.start_child(but([](auto& s) { s.shutdown = smarm::infinity; })); }),
             "smarm::supervisor_ref::start_child: child \"a\"|shutdown"},
            {refused([&] { (void)group.start_child({.id = "a"}); }), "child \"a\"|start"},
            {refused([&] { (void)many.start_child({.id = "a"}); }),
             "smarm::dynamic_supervisor_ref::start_child: child \"a\"|start"},
            {refused([] { (void)smarm::start_supervisor({.period = 0s}); }),
             "smarm::start_supervisor: period"},
            {refused([] { (void)smarm::start_dynamic_supervisor({.period = 0s}); }),
             "smarm::start_dynamic_supervisor: period"}};
  });
  check(rows);
}

// ---- the window, for itself

BOOST_AUTO_TEST_CASE(restarts_count_for_a_period_and_no_longer) {
  using window = smarm::detail::restart_window;
  const window::time_point start{};
  window w(2, 10s);
  BOOST_TEST(w.add(start));
  BOOST_TEST(w.add(start + 9s));
  BOOST_TEST(!w.add(start + 10s)); // the first is just within
  BOOST_TEST(w.add(start + 10s + 1ns));
  BOOST_TEST(w.size() == 2u);
  BOOST_TEST(!w.add(start + 19s));
  BOOST_TEST(w.add(start + 1h));
  BOOST_TEST(w.size() == 1u);
  window none(0, 10s);
  BOOST_TEST(!none.add(start));
}
