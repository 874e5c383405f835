// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The three stages in which a child is ended: it is asked, it is stopped, it is abandoned.

#define BOOST_TEST_MODULE supervisor_ending
#include <boost/test/unit_test.hpp>

#include "supervision.hpp"
#include "tokens.hpp"

#include <smarm/dynamic_supervisor.hpp>
#include <smarm/error.hpp>
#include <smarm/link.hpp>
#include <smarm/registry.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/supervisor.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

// How a child behaves when it is to end.
enum class manner {
  goes,        // when it is asked to
  asks_twice,  // its terminate waits until it is told that its time is up
  never_stops, // it looks at nothing
};

class stubborn : public smarm::gen_server<stubborn> {
public:
  struct spin {};
  struct ping {};
  stubborn(recorder& seen, std::string id, manner how, std::atomic<bool>* release)
      : seen_(seen), id_(std::move(id)), how_(how), release_(release) {}
  void handle_cast(spin) {
    while (how_ == manner::never_stops && !release_->load()) {
      smarm::disable_stop masked;
      smarm::this_actor::yield();
    }
  }
  bool handle_call(ping) const { return true; }
  void terminate(const smarm::exit_reason& why) {
    seen_.note(id_ + " ends, " + smarm::to_string(why.kind()));
    if (how_ == manner::asks_twice) {
      try {
        smarm::this_actor::sleep_for(1h);
      } catch (const smarm::stop_unwind&) {
        seen_.note(id_ + " is stopped");
        throw;
      }
    }
    seen_.note(id_ + " is through");
  }

private:
  recorder& seen_;
  std::string id_;
  manner how_;
  std::atomic<bool>* release_;
};

smarm::child_spec spec(recorder& seen, const std::string& id, manner how,
                       std::chrono::nanoseconds shutdown, std::chrono::nanoseconds grace,
                       std::atomic<bool>* release = nullptr) {
  return {.id = id,
          .start = smarm::server<stubborn>(std::ref(seen), id, how, release),
          .shutdown = shutdown,
          .grace = grace};
}

} // namespace

BOOST_AUTO_TEST_CASE(who_goes_when_asked_is_not_stopped) {
  recorder seen;
  recorder reports;
  smarm::runtime(with_reports(reports)).run([&] {
    auto sup = smarm::start_supervisor({}, {spec(seen, "a", manner::goes, 1h, 1h)}).value();
    (void)sup.terminate_child("a");
  });
  CHECK_LIST(seen.all(), {"a ends, shutdown", "a is through"});
  BOOST_TEST(reports.all().empty());
}

BOOST_AUTO_TEST_CASE(who_takes_longer_than_its_shutdown_is_stopped) {
  recorder seen;
  recorder reports;
  smarm::runtime(with_reports(reports)).run([&] {
    auto sup = smarm::start_supervisor({}, {spec(seen, "a", manner::asks_twice, 1ms, 1h)}).value();
    (void)sup.terminate_child("a");
  });
  CHECK_LIST(seen.all(), {"a ends, shutdown", "a is stopped"});
  CHECK_LIST(reports.all(), {"stopped a"});
}

BOOST_AUTO_TEST_CASE(a_shutdown_of_0_stops_at_once) {
  recorder seen;
  smarm::runtime({.schedulers = 1, .reports = [](const smarm::report&) {}}).run([&] {
    auto sup = smarm::start_supervisor({}, {spec(seen, "a", manner::goes, 0s, 1h)}).value();
    (void)sup.terminate_child("a");
  });
  CHECK_LIST(seen.all(), {"a ends, stopped", "a is through"});
}

// Who hears of the end of one that was abandoned, and what of it is free again.
BOOST_AUTO_TEST_CASE(who_does_not_end_is_abandoned_and_is_to_others_as_if_it_had_ended) {
  static constexpr smarm::server_name<stubborn> the_name("stubborn");
  recorder seen;
  recorder reports;
  std::vector<std::string> facts;
  std::atomic<bool> release{false};
  smarm::runtime rt(with_reports(reports));
  const smarm::runtime_handle handle = rt.handle();
  rt.run([&] {
    auto a = spec(seen, "a", manner::never_stops, 1ms, 1ms);
    a.start = smarm::server(the_name, std::ref(seen), std::string("a"), manner::never_stops,
                            &release);
    auto sup = smarm::start_supervisor({}, {a}).value();
    auto first = the_name.whereis().value();
    const smarm::pid who = first.id();
    (void)first.cast(stubborn::spin{});
    auto before = smarm::monitor(who);
    auto trap = smarm::spawn([&, who] {
      auto exits = smarm::trap_exit();
      smarm::link(who);
      seen.note("linked to it: " + exits.recv()->reason.text());
    });
    smarm::this_actor::yield();
    (void)sup.terminate_child("a");
    facts.push_back("monitor: " + before.recv()->reason.text());
    facts.push_back("later monitor: " + smarm::monitor(who).recv()->reason.text());
    facts.push_back(std::string("name: ") + (smarm::whereis("stubborn") ? "taken" : "free"));
    facts.push_back("call: " + std::to_string(first.call(stubborn::ping{}).error().value()));
    facts.push_back("register: " +
                    std::to_string(smarm::register_name("other", who).error().value()));
    facts.push_back("abandoned: " + std::to_string(sup.count_children()->abandoned));
    facts.push_back(std::string("next: ") +
                    (sup.restart_child("a").has_value() ? "runs" : "does not run"));
    facts.push_back(std::string("the name is its own: ") +
                    (the_name.whereis()->id() != who ? "yes" : "no"));
    release = true; // and the first one ends, of which nobody hears any more
    (void)trap.join();
    while (handle.is_live(who)) {
      smarm::this_actor::yield();
    }
    facts.push_back(before.try_recv().error() == errc::closed ||
                            before.try_recv().error() == errc::empty
                        ? "one message"
                        : "two messages");
    facts.push_back(the_name.whereis()->id() != who ? "the name stays" : "the name is lost");
  });
  CHECK_LIST(facts, {"monitor: stopped", "later monitor: no_process", "name: free",
                     "call: " + std::to_string(static_cast<int>(errc::server_down)),
                     "register: " + std::to_string(static_cast<int>(errc::no_process)),
                     "abandoned: 1", "next: runs", "the name is its own: yes", "one message",
                     "the name stays"});
  BOOST_TEST(reports.count("abandoned a") == 1u);
  BOOST_TEST(seen.count("linked to it: stopped") == 1u);
}

// Nobody but the server itself can take its queue apart, which it does when it ends after all.
BOOST_AUTO_TEST_CASE(calls_in_the_queue_of_an_abandoned_server_are_answered_when_it_ends) {
  recorder seen;
  recorder reports;
  std::vector<errc> codes;
  std::atomic<bool> release{false};
  smarm::runtime rt(with_reports(reports));
  rt.run([&] {
    auto sup =
        smarm::start_supervisor({}, {spec(seen, "a", manner::never_stops, 1ms, 1ms, &release)})
            .value();
    auto server = sup.find_child<stubborn>("a").value();
    (void)server.cast(stubborn::spin{});
    auto queued = server.send_request(stubborn::ping{}).value();
    auto waiting = smarm::spawn([&] { codes.push_back(code(server.call(stubborn::ping{}))); });
    auto limited = smarm::spawn([&] { codes.push_back(code(server.call(stubborn::ping{}, 1ms))); });
    smarm::this_actor::yield();
    (void)sup.terminate_child("a");
    (void)limited.join(); // has not had to wait for anything but its time
    codes.push_back(code(server.call(stubborn::ping{}))); // comes too late to be queued
    codes.push_back(code(queued.try_recv()));
    release = true;
    codes.push_back(code(queued.recv()));
    (void)waiting.join();
  });
  BOOST_TEST(reports.count("abandoned a") == 1u);
  BOOST_TEST((codes == std::vector<errc>{errc::timed_out, errc::server_down, errc::empty,
                                         errc::server_down, errc::server_down}));
}

BOOST_AUTO_TEST_CASE(an_abandoned_sibling_does_not_keep_its_group_from_being_started) {
  recorder seen;
  nursery n;
  std::atomic<bool> release{false};
  std::string state;
  smarm::runtime({.schedulers = 1, .reports = [](const smarm::report&) {}}).run([&] {
    auto sup = smarm::start_supervisor(
                   {.strategy = smarm::one_for_all},
                   {child(n, "a"), spec(seen, "s", manner::never_stops, 1ms, 1ms, &release)})
                   .value();
    (void)sup.find_child<stubborn>("s")->cast(stubborn::spin{});
    end_child(sup, "a", failure());
    for (const auto& c : sup.which_children().value()) {
      state += c.id + ' ' + smarm::to_string(c.state) + ' ';
    }
    release = true;
  });
  BOOST_TEST(state == "a running s running ");
}

BOOST_AUTO_TEST_CASE(an_init_that_takes_too_long_is_a_failed_start) {
  struct slow : smarm::gen_server<slow> {
    void init() { smarm::this_actor::sleep_for(1h); }
  };
  recorder reports;
  std::vector<errc> errors;
  smarm::runtime(with_reports(reports)).run([&] {
    auto sup = smarm::start_supervisor({}).value();
    errors.push_back(code(
        sup.start_child({.id = "a", .start = smarm::server<slow>(), .start_limit = 1ms})));
    errors.push_back(code(sup.delete_child("a")));
  });
  CHECK_LIST(errors, {errc::timed_out, errc::no_child});
}

// A supervisor that is told to hurry tells its children.
BOOST_AUTO_TEST_CASE(a_supervisor_that_is_stopped_again_stops_its_children) {
  recorder seen;
  bool in_time = true;
  smarm::runtime({.schedulers = 1, .reports = [](const smarm::report&) {}}).run([&] {
    auto sup = smarm::start_supervisor({}, {spec(seen, "a", manner::asks_twice, 1h, 1h),
                                            spec(seen, "b", manner::asks_twice, 1h, 1h)})
                   .value();
    auto m = smarm::monitor(sup.id());
    in_time = sup.shutdown(1ms).has_value();
    (void)m.recv();
    seen.note("it has ended");
  });
  BOOST_TEST(!in_time);
  // The first in the order of an ending; those that were left at once, side by side.
  BOOST_TEST(seen.all().front() == "b ends, shutdown");
  BOOST_TEST(seen.all().back() == "it has ended");
  BOOST_TEST(seen.count("a ends, stopped") == 1u);
  BOOST_TEST(seen.count("a is stopped") == 1u);
  BOOST_TEST(seen.count("b is stopped") == 1u);
}

BOOST_AUTO_TEST_CASE(nobody_outlives_a_supervisor_that_is_stopped_in_the_midst_of_a_start) {
  nursery n;
  recorder reports;
  smarm::runtime(with_reports(reports)).run([&] {
    struct slow : smarm::gen_server<slow> {
      explicit slow(recorder& r) : seen(r) {}
      void init() {
        seen.note("slow begins");
        smarm::this_actor::sleep_for(1h);
      }
      void terminate(const smarm::exit_reason& why) {
        seen.note(std::string("slow ends, ") + smarm::to_string(why.kind()));
      }
      recorder& seen;
    };
    auto sup = smarm::start_supervisor({.name = "top"}, {child(n, "a")}).value();
    auto starter = smarm::spawn([sup, &n] {
      (void)sup.start_child({.id = "s", .start = smarm::server<slow>(std::ref(n.seen))});
    });
    while (n.seen.count("slow begins") == 0) {
      smarm::this_actor::yield();
    }
    auto m = smarm::monitor(sup.id());
    (void)smarm::request_stop(sup.id());
    (void)m.recv();
    n.seen.note("it has ended");
    (void)starter.join();
  });
  CHECK_LIST(n.seen.all(), {"a starts", "slow begins", "slow ends, shutdown", "a ends, shutdown",
                            "it has ended"});
}

// ---- dynamic supervisors

BOOST_AUTO_TEST_CASE(children_without_an_order_are_ended_all_at_once) {
  recorder seen;
  smarm::runtime({.schedulers = 1, .reports = [](const smarm::report&) {}}).run([&] {
    auto sup = smarm::start_dynamic_supervisor().value();
    for (const char* id : {"a", "b", "c"}) {
      (void)sup.start_child(spec(seen, id, manner::asks_twice, 1ms, 1h)).value();
    }
    (void)sup.shutdown(10s);
  });
  const strings all = seen.all();
  BOOST_REQUIRE(all.size() == 6u);
  for (std::size_t i = 0; i < 3; ++i) { // all were asked before any was stopped
    BOOST_TEST(all[i].find("ends, shutdown") != std::string::npos);
    BOOST_TEST(all[i + 3].find("is stopped") != std::string::npos);
  }
}
