// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What can be seen of a server's work: traces, statistics, and the report of its failure.

#define BOOST_TEST_MODULE sys_trace
#include <boost/test/unit_test.hpp>

#include "looked_at.hpp"
#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/sys.hpp>
#include <smarm/this_actor.hpp>

#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace sys = smarm::sys;
using smarm::errc;

namespace {

using reports = basic_recorder<smarm::report>;

void in_runtime(reports& told, const std::function<void()>& body) {
  smarm::runtime rt(
      {.schedulers = 1, .reports = [&told](const smarm::report& r) { told.note(r); }});
  rt.run(body);
}

// Without the server's pid in front.
std::string words(const sys::event& e) {
  std::ostringstream out;
  out << e;
  std::string text = std::move(out).str();
  const auto scope = text.find("smarm_test::");
  if (scope != std::string::npos) {
    text.erase(scope, std::string("smarm_test::").size());
  }
  return text.substr(text.find(' ') + 1);
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A server that handles one of each kind.
class busy : public smarm::gen_server<busy> {
public:
  struct go {
    smarm::receiver<int> infos;
    smarm::server_ref<till> other;
    smarm::pid watched;
  };
  void init() { continue_with(1); }
  void handle_continue(int) {}
  void handle_cast(go g) {
    receive_info(std::move(g.infos));
    expect(g.other.send_request(till::total{}).value(), 'x');
    (void)arm_after(1ns, 1L);
    watch(g.watched);
    idle_after(1ms);
  }
  void handle_info(int) {}
  void handle_timer(long) {}
  void handle_down(const smarm::down&) {}
  void handle_reply(char, const boost::system::result<int>&) {}
  void handle_idle() {}
};

} // namespace

BOOST_AUTO_TEST_SUITE(sys_trace_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_trace_shows_what_is_taken_up_and_what_became_of_it) {
  reports told;
  recorder to, traced;
  in_runtime(told, [&] {
    auto server = start_till(to);
    (void)server.call(till::total{}); // not seen
    (void)sys::trace(server, [&](const sys::event& e) { traced.note(words(e)); }).value();
    (void)server.cast(till::add{1});
    (void)server.call(till::total{});
    (void)server.call(till::later{});
    auto gate = hold(server, to);
    auto late = server.send_request(till::total{}, 1ns).value();
    (void)gate.send(1);
    (void)late.recv();
    (void)server.shutdown(smarm::exit_kind::shutdown, 1h);
  });
  CHECK_LIST(traced.all(), {"received a cast of till::add", "handled a cast of till::add",
                            "received a call of till::total", "replied to a call of till::total",
                            "received a call of till::later", "handled a call of till::later",
                            "received a cast of till::hold", "handled a cast of till::hold",
                            "received a call of till::total",
                            "skipped, too late, a call of till::total", "handled its end"});
}

BOOST_AUTO_TEST_CASE(nothing_is_shown_any_more_when_it_is_untraced_and_the_sink_is_gone) {
  reports told;
  recorder to, traced;
  auto token = std::make_shared<int>();
  std::vector<long> uses;
  in_runtime(told, [&] {
    auto server = start_till(to);
    (void)sys::trace(server, [&traced, token](const sys::event&) { traced.note("x"); });
    (void)server.cast(till::add{1});
    (void)server.call(till::total{});
    uses.push_back(token.use_count());
    (void)sys::untrace(server, 1h).value();
    uses.push_back(token.use_count());
    (void)server.call(till::total{});
    (void)sys::trace(server, [token](const sys::event&) {});
    (void)server.shutdown(smarm::exit_kind::shutdown, 1h);
    uses.push_back(token.use_count()); // the ref is still there
  });
  BOOST_TEST(traced.size() == 4u);
  CHECK_LIST(uses, {2, 1, 1});
}

BOOST_AUTO_TEST_CASE(a_sink_that_throws_is_reported_once_and_the_server_goes_on) {
  reports told;
  recorder to;
  int calls = 0, total = 0;
  bool traced = true;
  in_runtime(told, [&] {
    auto server = start_till(to);
    (void)sys::trace(server, [&](const sys::event&) {
      ++calls;
      throw std::runtime_error("disk full");
    });
    (void)server.cast(till::add{2});
    total = server.call(till::total{}).value();
    traced = sys::statistics(server).value().traced;
  });
  BOOST_TEST(calls == 1);
  BOOST_TEST(total == 2);
  BOOST_TEST(!traced);
  const auto all = told.all();
  BOOST_REQUIRE(all.size() == 1u);
  BOOST_TEST((all[0].kind == smarm::report_kind::callback_failed));
  BOOST_TEST(says(all[0].text, "disk full"), all[0].text);
}

BOOST_AUTO_TEST_CASE(a_sink_may_wait_and_meets_no_stop) {
  reports told;
  recorder to;
  bool whole = false;
  in_runtime(told, [&] {
    auto server = start_till(to);
    (void)sys::trace(server, [&](const sys::event& e) {
      if (e.kind == sys::event_kind::cast && e.stage == sys::event_stage::received) {
        smarm::this_actor::sleep_for(1ms);
        whole = true;
      }
    });
    (void)server.cast(till::add{2});
    until([&] { return parked(server.id()) && !whole; });
    (void)server.shutdown(smarm::exit_kind::shutdown, 1h);
  });
  BOOST_TEST(whole);
}

// ---- statistics

BOOST_AUTO_TEST_CASE(statistics_count_by_kind) {
  reports told;
  recorder to;
  sys::server_statistics s;
  in_runtime(told, [&] {
    auto other = start_till(to);
    auto watched = smarm::spawn([] { smarm::this_actor::sleep_for(1h); });
    auto server = smarm::start_server<busy>().value();
    (void)sys::state(server).value(); // it counts from now on; and it has continued before
    auto [out, in] = smarm::channel<int>();
    (void)server.cast(busy::go{std::move(in), other, watched.id()});
    (void)out.send(1);
    (void)smarm::request_stop(watched.id());
    (void)watched.join();
    const auto count = [&] { return sys::statistics(server).value(); };
    until([&] {
      s = count();
      return s.handled.idle > 0 &&
             s.handled.downs + s.handled.infos + s.handled.timers + s.handled.replies == 4;
    });
  });
  BOOST_TEST(s.handled.casts == 1);
  BOOST_TEST(s.handled.calls == 0);
  BOOST_TEST(s.handled.downs == 1);
  BOOST_TEST(s.handled.infos == 1);
  BOOST_TEST(s.handled.timers == 1);
  BOOST_TEST(s.handled.replies == 1);
  BOOST_TEST(says(s.type, "busy"), s.type);
}

BOOST_AUTO_TEST_CASE(statistics_say_how_long_the_queue_is_however_often_they_are_asked) {
  reports told;
  recorder to;
  std::vector<std::size_t> queued;
  sys::server_statistics last;
  smarm::pid id;
  in_runtime(told, [&] {
    auto server = start_till(to);
    id = server.id();
    const auto look = [&] { queued.push_back(sys::statistics(server).value().queued); };
    look();
    (void)sys::suspend(server).value();
    for (int i = 0; i < 100; ++i) {
      (void)server.cast(till::add{1});
    }
    look();
    auto pending = server.send_request(till::later{}, 1ns).value();
    look();
    (void)server.cast(till::run{[&](till&) { queued.push_back(0); }});
    for (int i = 0; i < 10; ++i) {
      (void)server.cast(till::add{1});
    }
    look();
    (void)sys::resume(server).value();
    (void)pending.recv();
    (void)server.call(till::total{});
    look();
    last = sys::statistics(server, 1h).value();
  });
  CHECK_LIST(queued, {0, 100, 101, 112, 0, 0});
  BOOST_TEST(last.server == id);
  BOOST_TEST(last.handled.casts == 111);
  BOOST_TEST(last.handled.calls == 2);
  BOOST_TEST(last.handled.deferred == 1);
  BOOST_TEST(last.expired == 1);
  BOOST_TEST(last.received == 113);
  BOOST_TEST(last.capacity == 0);
  std::ostringstream text;
  text << last;
  BOOST_TEST(says(text.str(), "till"), text.str());
  BOOST_TEST(says(text.str(), "expired 1"), text.str());
}

BOOST_AUTO_TEST_CASE(a_look_between_two_messages_finds_the_rest) {
  reports told;
  recorder to;
  std::vector<std::size_t> queued;
  in_runtime(told, [&] {
    auto server = start_till(to);
    (void)sys::suspend(server).value();
    std::vector<smarm::sender<int>> gates;
    for (int i = 0; i < 4; ++i) {
      auto [open, gate] = smarm::channel<int>();
      (void)server.cast(till::hold{std::move(gate)});
      gates.push_back(std::move(open));
    }
    queued.push_back(sys::statistics(server).value().queued);
    (void)sys::resume(server).value();
    for (auto& gate : gates) { // each look comes when the handler before it is done
      until([&] { return to.count("holds") > queued.size() - 1; });
      auto looker = smarm::spawn([&] { queued.push_back(sys::statistics(server).value().queued); });
      until([&] { return parked(looker.id()); });
      (void)gate.send(1);
      (void)looker.join();
    }
  });
  CHECK_LIST(queued, {4, 3, 2, 1, 0});
}

// ---- reports

BOOST_AUTO_TEST_CASE(the_report_of_a_failed_server_says_what_it_did_and_how_it_was) {
  reports told;
  recorder to;
  in_runtime(told, [&] {
    auto server = start_till(to);
    (void)server.cast(till::add{4});
    (void)server.call(till::total{});
    auto gate = hold(server, to);
    (void)server.cast(till::fail{});
    (void)server.cast(till::add{1});
    auto caller = smarm::spawn([&] { (void)server.call(till::total{}); });
    until([&] { return parked(caller.id()); });
    (void)gate.send(1);
    (void)caller.join();
  });
  const auto all = told.all();
  BOOST_REQUIRE(all.size() == 1u);
  BOOST_TEST(says(all[0].text, "told to"), all[0].text);
  BOOST_TEST(
      all[0].details ==
      "while it handled a cast of smarm_test::till::fail; a smarm_test::till with 2 requests "
      "queued, state: total 4");
}

BOOST_AUTO_TEST_CASE(the_report_names_the_call_the_timer_and_the_stop) {
  reports told;
  recorder to;
  in_runtime(told, [&] {
    auto one = start_till(to);
    (void)one.call(till::fail{});
    auto two = start_till(to);
    auto gate = hold(two, to);
    (void)smarm::request_stop(two.id());
    auto ended = smarm::monitor(two.id());
    (void)ended.recv();
    auto three = start_till(to);
    (void)three.cast(till::leave{smarm::exit_reason::failed("enough")});
    (void)smarm::monitor(three.id()).recv();
  });
  const auto all = told.all();
  BOOST_REQUIRE(all.size() == 3u);
  BOOST_TEST(says(all[0].details, "while it handled a call of smarm_test::till::fail"),
             all[0].details);
  BOOST_TEST((all[1].kind == smarm::report_kind::actor_stopped));
  BOOST_TEST(says(all[1].details, "while it handled a cast of smarm_test::till::hold"),
             all[1].details);
  BOOST_TEST(says(all[2].details, "a smarm_test::till with 0 requests queued, state: total 0"),
             all[2].details);
}

BOOST_AUTO_TEST_CASE(a_describe_that_throws_spoils_no_report) {
  reports told;
  recorder to;
  in_runtime(told, [&] {
    auto server = start_till(to);
    (void)sys::with_state(server, [](till& t) { t.describe_throws = true; });
    (void)server.call(till::fail{});
  });
  const auto all = told.all();
  BOOST_REQUIRE(all.size() == 1u);
  BOOST_TEST(says(all[0].details, "(its describe threw: no more to say)"), all[0].details);
  BOOST_TEST(says(all[0].text, "told to"), all[0].text);
}

BOOST_AUTO_TEST_CASE(a_clean_end_describes_nothing) {
  reports told;
  recorder to;
  int described = 0;
  struct counts : smarm::gen_server<counts> {
    explicit counts(int& n) : n_(n) {}
    void describe(std::ostream&) const { ++n_; }
    int& n_;
  };
  in_runtime(told, [&] {
    (void)smarm::start_server<counts>(std::ref(described)).value();
    auto server = smarm::start_server<counts>(std::ref(described)).value();
    (void)server.shutdown(smarm::exit_kind::shutdown, 1h);
  });
  BOOST_TEST(described == 0);
  BOOST_TEST(told.size() == 0u);
}

BOOST_AUTO_TEST_CASE(the_report_of_a_server_that_did_not_start_says_so) {
  struct stillborn : smarm::gen_server<stillborn> {
    void init() { throw std::runtime_error("no file"); }
    void describe(std::ostream& out) const { out << "empty"; }
  };
  struct unmade : smarm::gen_server<unmade> {
    unmade() { throw std::runtime_error("no memory"); }
  };
  reports told;
  in_runtime(told, [&] {
    (void)smarm::start_server<stillborn>();
    (void)smarm::start_server<unmade>();
  });
  const auto all = told.all();
  BOOST_REQUIRE(all.size() == 2u);
  BOOST_TEST(says(all[0].details, "while it started"), all[0].details);
  BOOST_TEST(says(all[0].details, "state: empty"), all[0].details);
  BOOST_TEST(says(all[1].details, "while it started"), all[1].details);
}

BOOST_AUTO_TEST_SUITE_END()
