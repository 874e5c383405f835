// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What sys does to a server: asks for its state, holds it, works on it. Whoever asks, however he names
// it, and whatever the server is at.

#define BOOST_TEST_MODULE sys
#include <boost/test/unit_test.hpp>

#include "looked_at.hpp"
#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/any_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/sys.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace sys = smarm::sys;
using smarm::errc;

namespace {

struct plain : smarm::gen_server<plain> {};
struct large_server : smarm::gen_server<large_server> {
  struct get {};
  bool handle_call(get) const { return reinterpret_cast<std::uintptr_t>(this) % 256 == 0; }
  alignas(256) int value = 0;
};

inline constexpr smarm::server_name<till> the_till{"till"};

void in_runtime(const std::function<void()>& body, unsigned schedulers = 1) {
  smarm::runtime rt(quiet(schedulers));
  rt.run(body);
}

} // namespace

BOOST_AUTO_TEST_SUITE(sys_suite, *boost::unit_test::timeout(120))

// ---- state

BOOST_AUTO_TEST_CASE(the_state_is_what_describe_writes_whichever_way_the_server_is_named) {
  recorder to;
  strings seen;
  in_runtime([&] {
    auto server = the_till.start(std::ref(to)).value();
    (void)server.cast(till::add{3});
    const smarm::any_server any = server;
    seen = {sys::state(server).value(),
            sys::state(the_till).value(),
            sys::state(any, 1h).value(),
            sys::state("till").value(),
            sys::state(std::string("till"), std::chrono::steady_clock::now() + 1h).value(),
            sys::state(server.id()).value()};
  });
  CHECK_LIST(seen, {"total 0", "total 3", "total 3", "total 3", "total 3", "total 3"});
}

BOOST_AUTO_TEST_CASE(a_server_without_a_name_is_found_by_its_pid) {
  recorder to;
  std::string state;
  bool same = false;
  in_runtime([&] {
    auto server = start_till(to);
    state = sys::state(server.id()).value();
    same = sys::find(server.id()).value() == smarm::any_server(server);
  });
  BOOST_TEST(state == "total 0");
  BOOST_TEST(same);
}

BOOST_AUTO_TEST_CASE(a_class_without_a_describe_is_named) {
  std::string state;
  in_runtime([&] { state = sys::state(smarm::start_server<plain>().value()).value(); });
  BOOST_TEST(state.find("plain") != std::string::npos, state);
}

BOOST_AUTO_TEST_CASE(what_describe_throws_is_said_and_the_server_goes_on) {
  recorder to;
  std::string state;
  int total = 0;
  in_runtime([&] {
    auto server = start_till(to);
    (void)sys::with_state(server, [](till& t) { t.describe_throws = true; });
    state = sys::state(server).value();
    total = server.call(till::total{}).value() + 1;
  });
  BOOST_TEST(state == "total 0 (its describe threw: no more to say)");
  BOOST_TEST(total == 1);
}

BOOST_AUTO_TEST_CASE(plain_threads_and_other_runtimes_look_too) {
  recorder to;
  std::vector<std::string> seen(3);
  std::atomic<bool> done{false};
  smarm::runtime rt(quiet(2));
  const auto handle = rt.handle();
  rt.run([&] {
    auto server = the_till.start(std::ref(to)).value();
    std::thread outside([&] {
      seen[0] = sys::state(sys::find(handle, "till").value()).value();
      seen[1] = sys::state(sys::find(handle, server.id()).value(), 1h).value();
      try {
        (void)sys::state("till");
      } catch (const boost::system::system_error& e) {
        seen[2] = e.code() == errc::not_in_actor ? "not in an actor" : e.what();
      }
      done = true;
    });
    until([&] { return done.load(); });
    outside.join();
  });
  CHECK_LIST(seen, {"total 0", "total 0", "not in an actor"});
  BOOST_TEST((error_of(sys::find(handle, "till")) == errc::unresolved));
  smarm::runtime_handle none;
  BOOST_TEST((error_of(sys::find(none, "till")) == errc::runtime_down));
}

BOOST_AUTO_TEST_CASE(who_cannot_be_reached_is_said_to_be) {
  recorder to;
  std::vector<errc> seen;
  in_runtime([&] {
    auto server = start_till(to);
    const smarm::pid id = server.id();
    auto ended = smarm::monitor(id);
    const smarm::any_server kept = server;
    (void)server.shutdown(smarm::exit_kind::shutdown, 1h);
    auto other = smarm::spawn([] { smarm::this_actor::sleep_for(1h); });
    seen = {error_of(sys::state(server)),
            error_of(sys::state(kept)),
            error_of(sys::state(id)),
            error_of(sys::state("nobody")),
            error_of(sys::state(other.id())),
            error_of(sys::state(smarm::any_server())),
            error_of(sys::state(smarm::pid::none()))};
    (void)smarm::request_stop(other.id());
    (void)other.join();
  });
  const std::vector<errc> wanted = {errc::server_down, errc::server_down, errc::no_process,
                                    errc::unresolved,  errc::no_channel,  errc::server_down,
                                    errc::no_process};
  BOOST_TEST((seen == wanted));
}

BOOST_AUTO_TEST_CASE(an_over_aligned_server_is_where_it_should_be) {
  bool aligned = false;
  in_runtime([&] {
    auto server = smarm::start_server<large_server>().value();
    aligned = server.call(large_server::get{}).value();
    (void)sys::state(server).value();
  });
  BOOST_TEST(aligned);
}

// ---- what comes first

BOOST_AUTO_TEST_CASE(a_look_passes_the_inbox_by) {
  recorder to;
  std::string early, late;
  in_runtime([&] {
    auto server = start_till(to);
    auto gate = hold(server, to);
    for (int i = 0; i < 1000; ++i) {
      (void)server.cast(till::add{1});
    }
    auto looker = smarm::spawn([&] { early = sys::state(server).value(); });
    until([&] { return parked(looker.id()); });
    (void)gate.send(1);
    (void)looker.join();
    (void)server.call(till::total{});
    late = sys::state(server).value();
  });
  BOOST_TEST(early == "total 0");
  BOOST_TEST(late == "total 1000");
}

BOOST_AUTO_TEST_CASE(downs_are_handled_before_a_look_and_timers_after_it) {
  recorder to;
  in_runtime([&] {
    auto server = start_till(to);
    auto worker = smarm::spawn([] { smarm::this_actor::sleep_for(1h); });
    (void)server.cast(till::watch_it{worker.id()});
    (void)server.cast(till::remind{1ns});
    auto gate = hold(server, to); // which the timer's arming has come before
    (void)smarm::request_stop(worker.id());
    (void)worker.join();
    (void)server.cast(till::add{1});
    auto looker =
        smarm::spawn([&] { (void)sys::with_state(server, [&](till&) { to.note("looked at"); }); });
    until([&] { return parked(looker.id()); });
    (void)gate.send(1);
    (void)looker.join();
    (void)server.call(till::total{});
  });
  strings seen = to.all();
  std::erase(seen, "timer"); // due before or after the handler was held
  std::erase(seen, "holds");
  seen.resize(3);
  CHECK_LIST(seen, {"down", "looked at", "add 1"});
}

// ---- suspend and resume

BOOST_AUTO_TEST_CASE(a_suspended_server_handles_nothing_and_all_of_it_when_it_is_resumed) {
  recorder to;
  strings while_suspended;
  bool waits_to_be_resumed = false;
  in_runtime([&] {
    auto server = start_till(to);
    auto worker = smarm::spawn([] { smarm::this_actor::sleep_for(1h); });
    (void)server.cast(till::watch_it{worker.id()});
    (void)server.cast(till::remind{1h});
    (void)server.call(till::total{});
    (void)sys::suspend(server).value();
    (void)sys::suspend(server, 1h).value(); // twice is once
    for (int i = 0; i < 3; ++i) {
      (void)server.cast(till::add{i});
      until([&] { return parked(server.id()); });
    }
    (void)smarm::request_stop(worker.id());
    (void)worker.join();
    (void)sys::state(server).value();
    until([&] { return parked(server.id()); });
    while_suspended = to.all();
    waits_to_be_resumed = this_runtime().slots.find(server.id().index())->waits_for.load() ==
                          smarm::detail::wait_kind::resumption;
    (void)sys::resume(server).value();
    (void)server.call(till::total{});
    (void)sys::resume(server).value(); // of one that goes on
  });
  BOOST_TEST(while_suspended.empty());
  BOOST_TEST(waits_to_be_resumed);
  CHECK_LIST(to.all(), {"down", "add 0", "add 1", "add 2", "terminate shutdown", "destroyed"});
}

BOOST_AUTO_TEST_CASE(calls_to_a_suspended_server_end_in_time_and_are_skipped_afterwards) {
  recorder to;
  errc seen{};
  std::uint64_t expired = 0;
  in_runtime([&] {
    auto server = start_till(to);
    (void)sys::suspend(server).value();
    seen = error_of(server.call(till::total{}, 1ms));
    (void)sys::resume(server).value();
    (void)server.call(till::total{});
    expired = server.expired_requests();
  });
  BOOST_TEST((seen == errc::timed_out));
  BOOST_TEST(expired == 1);
}

BOOST_AUTO_TEST_CASE(a_suspended_server_is_stopped_and_shut_down_all_the_same) {
  recorder to;
  std::vector<smarm::exit_kind> kinds;
  errc queued{};
  in_runtime([&] {
    for (const auto kind : {smarm::exit_kind::shutdown, smarm::exit_kind::stopped}) {
      auto server = start_till(to);
      auto ended = smarm::monitor(server.id());
      (void)sys::suspend(server).value();
      auto caller = smarm::spawn([&] { queued = error_of(server.call(till::total{})); });
      until([&] { return parked(caller.id()); });
      (void)server.shutdown(kind, 1h);
      (void)caller.join();
      kinds.push_back(ended.recv().value().reason.kind());
    }
  });
  const std::vector<smarm::exit_kind> wanted = {smarm::exit_kind::shutdown,
                                                smarm::exit_kind::stopped};
  BOOST_TEST((kinds == wanted));
  BOOST_TEST((queued == errc::server_down));
}

BOOST_AUTO_TEST_CASE(a_suspended_server_that_nobody_can_resume_handles_what_is_queued_and_ends) {
  recorder to;
  smarm::exit_kind kind{};
  in_runtime([&] {
    auto server = start_till(to);
    auto ended = smarm::monitor(server.id());
    (void)sys::suspend(server).value();
    (void)server.cast(till::add{1});
    server = {};
    kind = ended.recv().value().reason.kind();
  });
  BOOST_TEST((kind == smarm::exit_kind::normal));
  CHECK_LIST(to.all(), {"add 1", "terminate normal", "destroyed"});
}

BOOST_AUTO_TEST_CASE(timers_that_were_due_while_it_was_suspended_fire_when_it_is_resumed) {
  recorder to;
  std::size_t while_suspended = 1;
  in_runtime([&] {
    auto server = start_till(to);
    (void)server.call(till::total{});
    (void)sys::suspend(server).value();
    (void)sys::with_state(server, [](till& t) { t.handle_cast(till::remind{1ns}); });
    smarm::this_actor::sleep_for(5ms);
    (void)sys::state(server).value();
    while_suspended = to.size();
    (void)sys::resume(server).value();
    until([&] { return to.count("timer") == 1; });
  });
  BOOST_TEST(while_suspended == 0);
}

// ---- limits, ends, misuse

BOOST_AUTO_TEST_CASE(a_request_that_was_given_up_is_not_carried_out) {
  recorder to;
  errc seen{};
  bool suspended = true;
  in_runtime([&] {
    auto server = start_till(to);
    auto gate = hold(server, to);
    seen = error_of(sys::suspend(server, 1ms));
    (void)gate.send(1);
    suspended = sys::statistics(server).value().suspended;
  });
  BOOST_TEST((seen == errc::timed_out));
  BOOST_TEST(!suspended);
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_server_that_ends_hears_of_it) {
  recorder to;
  std::vector<errc> seen(3);
  in_runtime([&] {
    auto server = start_till(to);
    auto gate = hold(server, to);
    std::vector<smarm::join_handle> waiting;
    for (errc& one : seen) {
      waiting.push_back(smarm::spawn([&] { one = error_of(sys::state(server)); }));
      until([&] { return parked(waiting.back().id()); });
    }
    (void)server.shutdown(smarm::exit_kind::shutdown, 1h);
    for (auto& one : waiting) {
      (void)one.join();
    }
  });
  for (const errc one : seen) {
    BOOST_TEST((one == errc::server_down));
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_looks_at_itself_is_refused) {
  recorder to;
  std::vector<errc> seen;
  in_runtime([&] {
    auto server = start_till(to);
    (void)server.cast(till::run{[&, server](till&) {
      seen.push_back(error_of(sys::state(server)));
      seen.push_back(error_of(sys::suspend(server.id())));
    }});
    (void)server.call(till::total{});
    (void)sys::with_state(server, [&](till&) { seen.push_back(error_of(sys::resume(server))); });
  });
  const std::vector<errc> wanted(3, errc::calling_self);
  BOOST_TEST((seen == wanted));
}

BOOST_AUTO_TEST_CASE(nothing_waits_in_scheduler_context) {
  recorder to;
  errc seen{};
  in_runtime([&] {
    auto server = start_till(to);
    seen = smarm::this_actor::run_on_thread_stack([&] { return error_of(sys::state(server)); });
  });
  BOOST_TEST((seen == errc::would_block_scheduler));
}

BOOST_AUTO_TEST_CASE(who_is_stopped_while_he_waits_leaves_nothing_behind) {
  recorder to;
  auto token = std::make_shared<int>(0);
  long uses = 0;
  in_runtime([&] {
    auto server = start_till(to);
    auto gate = hold(server, to);
    auto caller =
        smarm::spawn([&] { (void)sys::with_state(server, [token](till&) { return *token; }); });
    until([&] { return parked(caller.id()); });
    (void)smarm::request_stop(caller.id());
    (void)caller.join();
    (void)gate.send(1);
    (void)server.call(till::total{});
    uses = token.use_count();
  });
  BOOST_TEST(uses == 1);
}

// ---- with_state

BOOST_AUTO_TEST_CASE(with_state_works_on_the_object_and_returns_what_its_function_returns) {
  recorder to;
  int doubled = 0, total = 0;
  bool is_21 = false;
  std::unique_ptr<int> moved;
  errc unresolved{};
  in_runtime([&] {
    auto server = the_till.start(std::ref(to)).value();
    (void)server.call(till::total{});
    doubled = sys::with_state(server, [](till& t) { return 2 * (t.total_ = 21); }).value();
    is_21 = sys::with_state(server, [](till& t) { return t.total_ == 21; }).value();
    moved = sys::with_state(
                the_till, [](till& t) { return std::make_unique<int>(t.total_); }, 1h)
                .value();
    total = server.call(till::total{}).value();
    unresolved = error_of(sys::with_state(smarm::server_name<till>("nobody"), [](till&) {}));
  });
  BOOST_TEST(doubled == 42);
  BOOST_TEST(is_21);
  BOOST_TEST(total == 21);
  BOOST_TEST(*moved == 21);
  BOOST_TEST((unresolved == errc::unresolved));
}

BOOST_AUTO_TEST_CASE(what_the_function_throws_reaches_the_caller_and_the_server_goes_on) {
  recorder to;
  std::string caught;
  int total = 0;
  in_runtime([&] {
    auto server = start_till(to);
    try {
      (void)sys::with_state(server, [](till& t) {
        t.total_ = 5;
        throw std::runtime_error("half done");
      });
    } catch (const std::runtime_error& e) {
      caught = e.what();
    }
    total = server.call(till::total{}).value();
  });
  BOOST_TEST(caught == "half done");
  BOOST_TEST(total == 5);
}

BOOST_AUTO_TEST_CASE(a_stop_in_the_function_ends_the_server_and_answers_the_others) {
  recorder to;
  errc first{}, second{};
  in_runtime([&] {
    auto server = start_till(to);
    auto blocked = smarm::spawn([&] {
      first = error_of(sys::with_state(server, [](till&) { smarm::this_actor::sleep_for(1h); }));
    });
    until([&] { return parked(blocked.id()) && parked(server.id()); });
    auto behind = smarm::spawn([&] { second = error_of(sys::state(server)); });
    until([&] { return parked(behind.id()); });
    (void)server.shutdown(smarm::exit_kind::shutdown, 1h);
    (void)blocked.join();
    (void)behind.join();
  });
  BOOST_TEST((first == errc::server_down));
  BOOST_TEST((second == errc::server_down));
}

// ---- refs of any class

BOOST_AUTO_TEST_CASE(a_ref_of_any_class_keeps_the_server_alive) {
  recorder to;
  std::string state;
  in_runtime([&] {
    auto server = start_till(to);
    smarm::any_server any = server;
    auto ended = smarm::monitor(server.id());
    server = {};
    state = sys::state(any).value();
    smarm::any_server copy = any;
    any = {};
    state += sys::state(copy).has_value() ? ", is there" : "";
    copy = {};
    state += smarm::to_string(ended.recv().value().reason.kind());
  });
  BOOST_TEST(state == "total 0, is therenormal");
  BOOST_TEST(to.count("terminate normal") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
