// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How servers start and end: what init may say, what is called at each ending, and who hears of it.

#define BOOST_TEST_MODULE server_life
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "recorder.hpp"
#include "servers.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/link.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

// Its init does what it is told to.
class starter : public smarm::gen_server<starter> {
public:
  enum class how { ok, ignore, stop, fail, fail_to_be_made, go_on };
  struct ping {};
  struct rest {};

  starter(how what, recorder& to) : what_(what), to_(to) {
    if (what == how::fail_to_be_made) {
      throw std::runtime_error("cannot be made");
    }
  }
  ~starter() { to_.note("destroyed"); }

  smarm::init_result init() {
    to_.note("init");
    switch (what_) {
    case how::ignore: return smarm::init_result::ignore();
    case how::stop: return smarm::init_result::stop(exit_kind::shutdown);
    case how::fail: throw std::runtime_error("cannot start");
    case how::go_on: continue_with(rest{}); break;
    default: break;
    }
    return smarm::init_result::ok();
  }
  void handle_continue(rest) { to_.note("continues"); }
  int handle_call(ping) {
    to_.note("call");
    return 1;
  }
  void terminate(const smarm::exit_reason& why) { to_.note(smarm::to_string(why.kind())); }

private:
  how what_;
  recorder& to_;
};

constexpr smarm::server_name<starter> the_starter{"starter"};
constexpr smarm::server_name<logger> the_logger{"logger"};

strings started_as(starter::how what) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto s = the_starter.start(what, std::ref(seen));
    const errc got = error_of(s);
    seen.note(got == errc{}                ? "started"
              : got == errc::start_ignored ? "ignored"
              : got == errc::start_failed  ? "failed"
                                           : "?");
    if (s) {
      (void)s->call(starter::ping{});
    }
    // After an error nothing holds the name.
    seen.note(the_starter.whereis() ? "there" : "not there");
  });
  return seen.all();
}

// Ends a server in one of several ways while a hundred calls are queued behind a handler that waits.
enum class ending { normal, failed, stopped, shut_down, thrown_while_waiting };

strings ended_by(ending how) {
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto server = smarm::start_server<logger>(std::ref(seen)).value();
    auto ended = smarm::monitor(server.id());
    (void)server.cast(logger::wait_for{std::move(rx)});
    if (how == ending::normal) {
      (void)server.cast(logger::leave{exit_kind::normal});
    } else if (how == ending::failed) {
      (void)server.cast(logger::fail{});
    } else if (how == ending::thrown_while_waiting) {
      (void)server.cast(logger::leave{smarm::exit_reason::failed("said so")});
    }
    std::vector<smarm::pending_reply<strings>> calls;
    for (int i = 0; i < 100; ++i) {
      calls.push_back(server.send_request(logger::log{}).value());
    }
    while (seen.count("waits") == 0) {
      smarm::this_actor::yield();
    }
    if (how == ending::stopped) {
      (void)smarm::request_stop(server.id());
    } else if (how == ending::shut_down) {
      (void)smarm::request_shutdown(server.id());
    } else {
      (void)tx.send(1);
    }
    int down = 0;
    for (auto& call : calls) {
      down += error_of(call.recv()) == errc::server_down;
    }
    const exit_kind kind = ended.recv().value().reason.kind();
    seen.note(std::to_string(down) + " " + smarm::to_string(kind));
  });
  return seen.all();
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_life, *boost::unit_test::timeout(120))

// ---- starting

BOOST_AUTO_TEST_CASE(init_decides_whether_a_server_starts) {
  using how = starter::how;
  CHECK_LIST(started_as(how::ok), {"init", "started", "call", "there", "shutdown", "destroyed"});
  CHECK_LIST(started_as(how::go_on),
             {"init", "continues", "started", "call", "there", "shutdown", "destroyed"});
  CHECK_LIST(started_as(how::ignore), {"init", "normal", "destroyed", "ignored", "not there"});
  CHECK_LIST(started_as(how::stop), {"init", "shutdown", "destroyed", "failed", "not there"});
  CHECK_LIST(started_as(how::fail), {"init", "failed", "destroyed", "failed", "not there"});
  CHECK_LIST(started_as(how::fail_to_be_made), {"failed", "not there"});
}

// Who traps exits hears of a start that failed by what it returns, and of nothing else.
BOOST_AUTO_TEST_CASE(a_start_that_fails_sends_its_starter_no_exit) {
  using how = starter::how;
  recorder seen;
  std::vector<errc> codes;
  std::size_t signals = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto exits = smarm::trap_exit();
    for (const how what : {how::fail, how::fail_to_be_made, how::stop, how::ignore}) {
      codes.push_back(error_of(smarm::start_server<starter>(what, std::ref(seen))));
      codes.push_back(error_of(the_starter.start(what, std::ref(seen))));
      smarm::this_actor::yield();
    }
    while (exits.try_recv()) {
      ++signals;
    }
  });
  BOOST_TEST((codes == std::vector<errc>{errc::start_failed, errc::start_failed, errc::start_failed,
                                         errc::start_failed, errc::start_failed, errc::start_failed,
                                         errc::start_ignored, errc::start_ignored}));
  BOOST_TEST(signals == 0u);
}

// ---- ending

BOOST_AUTO_TEST_CASE(at_every_ending_queued_calls_are_answered_and_terminate_is_called) {
  CHECK_LIST(ended_by(ending::normal), {"waits", "terminate normal", "destroyed", "100 normal"});
  CHECK_LIST(ended_by(ending::failed), {"waits", "terminate failed", "destroyed", "100 failed"});
  CHECK_LIST(ended_by(ending::thrown_while_waiting),
             {"waits", "terminate failed", "destroyed", "100 failed"});
  CHECK_LIST(ended_by(ending::stopped), {"waits", "terminate stopped", "destroyed", "100 stopped"});
  CHECK_LIST(ended_by(ending::shut_down),
             {"waits", "terminate shutdown", "destroyed", "100 shutdown"});
}

BOOST_AUTO_TEST_CASE(an_idle_server_is_stopped_and_shut_down) {
  for (const bool clean : {false, true}) {
    recorder seen;
    smarm::runtime rt(quiet(1));
    rt.run([&] {
      auto server = smarm::start_server<logger>(std::ref(seen)).value();
      smarm::this_actor::yield();
      auto how = server.shutdown(clean ? exit_kind::shutdown : exit_kind::stopped, 10s);
      seen.note(how ? "down" : "not down");
    });
    CHECK_LIST(seen.all(),
               {clean ? "terminate shutdown" : "terminate stopped", "destroyed", "down"});
  }
}

BOOST_AUTO_TEST_CASE(terminate_may_wait_and_what_it_throws_makes_a_clean_end_a_failure) {
  struct careless : smarm::gen_server<careless> {
    struct leave {};
    void handle_cast(leave) { stop(); }
    void terminate(const smarm::exit_reason&) {
      smarm::this_actor::sleep_for(1ms);
      throw std::runtime_error("at the end");
    }
  };
  std::string got;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto server = smarm::start_server<careless>().value();
    auto ended = smarm::monitor(server.id());
    (void)server.cast(careless::leave{});
    got = ended.recv().value().reason.text();
  });
  BOOST_TEST(got.find("at the end") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_terminate_throws_is_told_whatever_ended_the_server) {
  struct careless : smarm::gen_server<careless> {
    struct fail {};
    void handle_cast(fail) { throw std::runtime_error("at first"); }
    void terminate(const smarm::exit_reason&) { throw std::runtime_error("at the end"); }
  };
  const auto ended_by = [](auto end) {
    std::string text;
    std::string details;
    smarm::config how = quiet(1);
    how.reports = [&](const smarm::report& r) { details = r.details; };
    smarm::runtime rt(std::move(how));
    rt.run([&] {
      auto server = smarm::start_server<careless>().value();
      auto down = smarm::monitor(server.id());
      end(server);
      text = down.recv().value().reason.text();
    });
    return std::pair(text, details);
  };
  for (const exit_kind how : {exit_kind::shutdown, exit_kind::stopped}) {
    const auto [text, details] = ended_by([&](auto& server) { (void)server.shutdown(how, 10s); });
    BOOST_TEST(text.find("at the end") != std::string::npos);
    BOOST_TEST(details.find("in terminate") != std::string::npos);
  }
  const auto [text, details] = ended_by([](auto& server) { (void)server.cast(careless::fail{}); });
  BOOST_TEST(text.find("at first") != std::string::npos);
  BOOST_TEST(details.find("terminate failed, too") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_end_of_the_root_shuts_servers_down) {
  recorder seen;
  smarm::run([&] {
    static smarm::server_ref<logger> kept;
    kept = smarm::start_server<logger>(std::ref(seen)).value();
    smarm::this_actor::yield();
    seen.note("root ends");
  });
  CHECK_LIST(seen.all(), {"root ends", "terminate shutdown", "destroyed"});
}

// ---- names

BOOST_AUTO_TEST_CASE(a_named_server_is_bound_when_start_returns_and_lives_without_refs) {
  recorder seen;
  std::vector<int> got;
  smarm::run([&] {
    got.push_back(error_of(the_logger.call(logger::log{})) == errc::unresolved);
    got.push_back(the_logger.start(std::ref(seen)).has_value());
    got.push_back(error_of(the_logger.start(std::ref(seen))) == errc::name_taken);
    got.push_back(error_of(the_starter.call(starter::ping{})) == errc::unresolved);
    got.push_back(the_logger.cast(logger::note{"x"}).has_value());
    got.push_back(the_logger.call(logger::log{}, 10s).value() == strings{"init", "x"});
    auto found = the_logger.whereis();
    got.push_back(found.has_value());
    got.push_back(found->shutdown(exit_kind::shutdown, 10s).has_value());
    got.push_back(error_of(the_logger.call(logger::log{})) == errc::unresolved);
    got.push_back(the_logger.start(std::ref(seen)).has_value());
    got.push_back(the_logger.call(logger::log{}).value() == strings{"init"});
  });
  BOOST_TEST(got == std::vector<int>(11, 1), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_name_that_another_type_of_actor_has_is_no_such_server) {
  errc got{};
  smarm::run([&] {
    (void)smarm::register_name("logger", smarm::this_actor::self());
    got = error_of(the_logger.call(logger::log{}));
  });
  BOOST_TEST((got == errc::no_channel));
}

BOOST_AUTO_TEST_CASE(stop_of_a_named_server_releases_a_caller_that_is_queued) {
  errc got{};
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto [done, result] = smarm::channel<errc>();
    auto server = the_logger.start(std::ref(seen)).value();
    (void)server.cast(logger::wait_for{std::move(rx)});
    while (seen.count("waits") == 0) {
      smarm::this_actor::yield();
    }
    auto caller = smarm::spawn(
        [to = std::move(done)] { (void)to.send(error_of(the_logger.call(logger::log{}))); });
    smarm::this_actor::yield();
    (void)smarm::request_stop(server.id());
    got = result.recv().value();
    (void)caller.join();
  });
  BOOST_TEST((got == errc::server_down));
}

BOOST_AUTO_TEST_SUITE_END()
