// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The text for Prometheus: every family once, with its type, and labels that are escaped.

#define BOOST_TEST_MODULE prometheus
#include <boost/test/unit_test.hpp>

#include <smarm/prometheus.hpp>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

smarm::actor_info named(std::vector<std::string> names, std::size_t depth) {
  smarm::actor_info a;
  a.names = std::move(names);
  a.inbox_depth = depth;
  a.state = smarm::actor_state::parked;
  return a;
}

std::string text_of(const smarm::runtime_snapshot& all, std::size_t most = 200) {
  smarm::runtime_stats stats;
  stats.schedulers = 2;
  stats.spawned = 12'345'678'901'234;
  smarm::scheduler_info first, second;
  second.id = 1;
  second.switches = 7;
  second.overruns = 8;
  second.spurious = 9;
  second.armed_timers = 10;
  return smarm::prometheus_text(stats, {first, second}, all, {.most_actors = most});
}

bool has(const std::string& text, const std::string& line) {
  return ('\n' + text).find('\n' + line + '\n') != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_family_is_told_of_once_and_has_its_samples_behind) {
  const std::string text = text_of({});
  std::set<std::string> families;
  std::string family, line, kind, name;
  std::istringstream lines(text);
  bool right = text.ends_with('\n');
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    words >> kind;
    if (kind == "#") {
      words >> kind >> name;
      if (kind == "HELP") {
        right = right && families.insert(name).second;
        family = name;
      } else {
        std::string type;
        words >> type;
        right = right && kind == "TYPE" && name == family && (type == "gauge" || type == "counter") &&
                (type == "counter") == name.ends_with("_total");
      }
    } else {
      right = right && kind.substr(0, kind.find('{')) == family;
    }
    BOOST_TEST_CONTEXT(line) { BOOST_TEST(right); }
  }
  BOOST_TEST(families.size() > 20U);
  BOOST_TEST(has(text, "smarm_actors_spawned_total 12345678901234"));
  BOOST_TEST(has(text, "smarm_scheduler_switches_total{scheduler=\"1\"} 7"));
  BOOST_TEST(has(text, "smarm_scheduler_overruns_total{scheduler=\"0\"} 0"));
  BOOST_TEST(has(text, "smarm_scheduler_overruns_total{scheduler=\"1\"} 8"));
  BOOST_TEST(has(text, "smarm_scheduler_spurious_wakes_total{scheduler=\"1\"} 9"));
  BOOST_TEST(has(text, "smarm_scheduler_armed_timers{scheduler=\"1\"} 10"));
}

BOOST_AUTO_TEST_CASE(cycles_are_told_where_they_are_counted) {
  smarm::runtime_snapshot all;
  all.actors = {named({"a"}, 1), named({}, 2)};
  all.actors[0].budget_cycles = 5;
  all.actors[1].budget_cycles = 6;
  BOOST_TEST(text_of(all).find("cycles{name") == std::string::npos);
  BOOST_TEST(text_of(all).find("smarm_budget_cycles") == std::string::npos);
  all.budget_accounting = true;
  BOOST_TEST(has(text_of(all), "smarm_actor_budget_cycles_total{name=\"a\"} 5"));
  BOOST_TEST(has(text_of(all), "smarm_budget_cycles 11"));
}

BOOST_AUTO_TEST_CASE(labels_are_escaped_and_are_utf_8) {
  smarm::runtime_snapshot all;
  all.actors = {named({"a\\b\"c\nd"}, 1), named({"\xc3\xa4\xff\xed\xa0\x80"}, 2)};
  const std::string text = text_of(all);
  BOOST_TEST(has(text, "smarm_actor_inbox_messages{name=\"a\\\\b\\\"c\\nd\"} 1"));
  const std::string bad = "\xef\xbf\xbd";
  BOOST_TEST(has(text, "smarm_actor_inbox_messages{name=\"\xc3\xa4" + bad + bad + bad + bad + "\"} 2"));
  BOOST_TEST(has(text, "smarm_actors{state=\"parked\"} 2"));
  BOOST_TEST(has(text, "smarm_inbox_messages 3"));
  BOOST_TEST(has(text, "smarm_inbox_messages_max 2"));
}

BOOST_AUTO_TEST_CASE(there_is_one_series_for_a_name_and_not_too_many) {
  smarm::runtime_snapshot all;
  all.actors = {named({"b", "a"}, 1), named({"a"}, 2), named({"c"}, 3), named({}, 4)};
  const std::string text = text_of(all, 2);
  const auto count = [&](const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
      ++n;
    }
    return n;
  };
  BOOST_TEST(count("smarm_actor_inbox_messages{name=\"a\"}") == 1U);
  BOOST_TEST(count("smarm_actor_inbox_messages{name=\"b\"}") == 1U);
  BOOST_TEST(count("smarm_actor_inbox_messages{") == 2U);
}
