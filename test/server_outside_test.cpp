// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Servers from plain threads and from another runtime: started, called, found by name, shut down.

#define BOOST_TEST_MODULE server_outside
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "recorder.hpp"
#include "servers.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/runtime.hpp>
#include <smarm/send.hpp>
#include <smarm/server_name.hpp>
#include <smarm/server_name_in_runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/system_error.hpp>

#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

constexpr smarm::server_name<logger> the_logger{"logger"};

// Its init ends it.
class refusing : public smarm::gen_server<refusing> {
public:
  explicit refusing(bool throws) : throws_(throws) {}
  smarm::init_result init() const {
    if (throws_) {
      throw std::runtime_error("cannot");
    }
    return smarm::init_result::ignore();
  }

private:
  bool throws_;
};

// Has a handler that no stop reaches.
class deaf : public smarm::gen_server<deaf> {
public:
  struct wait {};
  deaf(smarm::receiver<int> gate, recorder& to) : gate_(std::move(gate)), to_(to) {}
  void handle_cast(wait) {
    const smarm::disable_stop masked;
    to_.note("waits");
    (void)gate_.recv();
  }

private:
  smarm::receiver<int> gate_;
  recorder& to_;
};

// As a server's class may have it: one of the arguments is itself a handle.
class keeps_a_handle : public smarm::gen_server<keeps_a_handle> {
public:
  struct is_it_live {
    smarm::pid who;
  };
  explicit keeps_a_handle(smarm::runtime_handle in) : in_(std::move(in)) {}
  bool handle_call(is_it_live m) const { return in_.is_live(m.who); }

private:
  smarm::runtime_handle in_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(server_outside, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_plain_thread_starts_calls_and_shuts_down_a_server) {
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.start();
  auto server = rt.handle().start_server<logger>(std::ref(seen)).value();
  BOOST_TEST(server.cast(logger::note{"x"}).has_value());
  BOOST_TEST((server.call(logger::log{}, 100s).value() == strings{"init", "x"}));
  auto later = server.send_request(logger::log{}, std::chrono::steady_clock::now() + 100s).value();
  BOOST_TEST((later.recv().value() == strings{"init", "x"}));
  BOOST_TEST(server.shutdown(exit_kind::shutdown, 100s).has_value());
  CHECK_LIST(seen.all(), {"terminate shutdown", "destroyed"});
  BOOST_TEST((error_of(server.call(logger::log{})) == errc::server_down));
  BOOST_TEST(server.shutdown(exit_kind::stopped, 100s).has_value()); // it has ended
  rt.wait();
}

BOOST_AUTO_TEST_CASE(a_thread_s_shutdown_ends_in_time) {
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.start();
  auto [to, from] = smarm::channel<int>();
  auto server = rt.handle().start_server<deaf>({.label = "deaf"}, std::move(from), std::ref(seen));
  BOOST_TEST(server->cast(deaf::wait{}).has_value());
  while (seen.count("waits") == 0) {
    std::this_thread::yield();
  }
  BOOST_TEST((error_of(server->shutdown(exit_kind::shutdown, 1ms)) == errc::timed_out));
  BOOST_TEST(to.send(1).has_value());
  BOOST_TEST(server->shutdown(exit_kind::shutdown, 100s).has_value());
  rt.wait();
}

BOOST_AUTO_TEST_CASE(a_start_from_outside_fails_as_any_start) {
  smarm::runtime_handle kept;
  {
    smarm::runtime rt(quiet(2));
    kept = rt.handle();
    BOOST_TEST((error_of(kept.start_server<refusing>(true)) == errc::runtime_down));
    rt.start();
    BOOST_TEST((error_of(kept.start_server<refusing>(false)) == errc::start_ignored));
    BOOST_TEST((error_of(kept.start_server<refusing>(true)) == errc::start_failed));
    BOOST_TEST(
        (error_of(kept.start_server<refusing>({.stack_size = 1}, true)) == errc::invalid_config));
    BOOST_TEST((error_of(smarm::start_server<refusing>(true)) == errc::not_in_actor));
    rt.wait();
    BOOST_TEST((error_of(kept.start_server<refusing>(true)) == errc::runtime_down));
  }
  BOOST_TEST((error_of(kept.start_server<refusing>(true)) == errc::runtime_down));
  BOOST_TEST(
      (error_of(smarm::runtime_handle().start_server<refusing>(true)) == errc::runtime_down));
}

BOOST_AUTO_TEST_CASE(a_handle_as_the_first_argument_is_the_server_s) {
  bool live = false;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto server = smarm::start_server<keeps_a_handle>(rt.handle()).value();
    live = server.call(keeps_a_handle::is_it_live{server.id()}).value();
  });
  BOOST_TEST(live);
}

BOOST_AUTO_TEST_CASE(a_thread_uses_a_name_in_a_runtime) {
  recorder seen;
  smarm::runtime_handle kept;
  const auto gone = [&] { return the_logger.in(kept); };
  {
    smarm::runtime rt(quiet(2));
    kept = rt.handle();
    rt.start();
    const auto here = the_logger.in(kept);
    BOOST_TEST((error_of(here.cast(logger::note{"x"})) == errc::unresolved));
    BOOST_TEST((error_of(here.call(logger::log{}, 1s)) == errc::unresolved));
    BOOST_TEST((error_of(here.send_request(logger::log{})) == errc::unresolved));
    BOOST_TEST((error_of(here.shutdown(exit_kind::shutdown, 1s)) == errc::unresolved));
    BOOST_TEST(!here.whereis().has_value());
    BOOST_TEST(here.start(std::ref(seen)).has_value());
    BOOST_TEST((error_of(here.start({.label = "second"}, std::ref(seen))) == errc::name_taken));
    BOOST_TEST(here.cast(logger::note{"x"}).has_value());
    BOOST_TEST((here.call(logger::log{}).value() == strings{"init", "x"}));
    BOOST_TEST(
        (here.send_request(logger::log{}, 100s).value().recv().value() == strings{"init", "x"}));
    BOOST_TEST(here.whereis().has_value());
    BOOST_TEST(here.shutdown(exit_kind::shutdown, 100s).has_value());
    BOOST_TEST(!here.whereis().has_value());
    BOOST_TEST(here.start(std::ref(seen)).has_value());
    BOOST_CHECK_THROW((void)the_logger.whereis(), boost::system::system_error);
    BOOST_TEST(rt.shutdown(100s).empty());
  }
  BOOST_TEST((error_of(gone().cast(logger::note{"x"})) == errc::runtime_down));
  BOOST_TEST((error_of(gone().call(logger::log{})) == errc::runtime_down));
  BOOST_TEST((error_of(gone().start(std::ref(seen))) == errc::runtime_down));
  BOOST_TEST((error_of(gone().shutdown(exit_kind::shutdown, 1s)) == errc::runtime_down));
  BOOST_TEST(!gone().whereis().has_value());
}

BOOST_AUTO_TEST_CASE(an_actor_uses_names_to_the_end) {
  std::vector<int> got;
  recorder seen;
  smarm::run([&] {
    got.push_back(error_of(the_logger.shutdown(exit_kind::shutdown, 1s)) == errc::unresolved);
    (void)the_logger.start(std::ref(seen)).value();
    got.push_back(the_logger.send_request(logger::log{}).value().recv().value() == strings{"init"});
    got.push_back(the_logger.shutdown(exit_kind::shutdown, 100s).has_value());
    got.push_back(error_of(the_logger.send_request(logger::log{})) == errc::unresolved);
    got.push_back(the_logger.start(std::ref(seen)).has_value()); // the name is free at once
  });
  BOOST_TEST(got == std::vector<int>(5, 1), boost::test_tools::per_element());
}

// The same place in two tables is two actors: a ref means the one of its own runtime.
BOOST_AUTO_TEST_CASE(an_actor_shuts_down_a_server_of_another_runtime_and_nobody_of_its_own) {
  recorder seen, mine;
  std::vector<int> got;
  smarm::runtime there(quiet(1)), here(quiet(1));
  there.start();
  std::vector<smarm::server_ref<logger>> theirs;
  for (int i = 0; i < 4; ++i) {
    theirs.push_back(there.handle().start_server<logger>(std::ref(seen)).value());
  }
  here.run([&] {
    std::vector<smarm::server_ref<logger>> ours;
    for (int i = 0; i < 8; ++i) {
      ours.push_back(smarm::start_server<logger>(std::ref(mine)).value());
    }
    auto away = there.handle().start_server<logger>(std::ref(seen)).value();
    got.push_back(away.shutdown(exit_kind::shutdown, 100s).has_value());
    for (auto& one : theirs) {
      got.push_back(one.shutdown(exit_kind::stopped, 100s).has_value());
    }
    for (auto& one : ours) {
      got.push_back(one.call(logger::log{}).has_value());
    }
  });
  BOOST_TEST(got == std::vector<int>(13, 1), boost::test_tools::per_element());
  BOOST_TEST(seen.count("terminate shutdown") == 1);
  BOOST_TEST(seen.count("terminate stopped") == 4);
  there.wait();
}

BOOST_AUTO_TEST_CASE(a_message_that_a_server_has_no_handler_for_is_refused_to_its_sender) {
  errc by_pid{}, as_cast{};
  recorder seen;
  smarm::run([&] {
    auto server = the_logger.start(std::ref(seen)).value();
    by_pid = error_of(smarm::send_dyn<std::string>(server.id(), std::string("what?")));
    as_cast = error_of(smarm::send(smarm::name<int>("logger"), 1));
    (void)server.shutdown(exit_kind::shutdown, 100s);
  });
  BOOST_TEST((by_pid == errc::no_channel));
  BOOST_TEST((as_cast == errc::no_channel));
  CHECK_LIST(seen.all(), {"terminate shutdown", "destroyed"});
}

BOOST_AUTO_TEST_SUITE_END()
