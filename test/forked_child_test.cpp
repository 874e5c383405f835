// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Actors that fork: the child may start another program or end, and nothing else. Its parent goes on.

#define BOOST_TEST_MODULE forked_child
#include <boost/test/unit_test.hpp>

#include "child_process.hpp"
#include "waiting.hpp"

#include <smarm/blocking.hpp>
#include <smarm/executor.hpp>
#include <smarm/join_handle.hpp>

#include <csignal>
#include <functional>
#include <string>

using namespace smarm_test;
using namespace std::chrono_literals;

namespace {

// Of a child that an actor forks, and that calls this.
child_end forked_by_an_actor(const std::function<void()>& call) {
  child_end end;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    (void)smarm::get_executor(rt);
    end = in_child([&] {
      call();
      return 7;
    });
    smarm::this_actor::sleep_for(1ms); // the parent is what it was
    (void)smarm::spawn([] {}).join();
  });
  return end;
}

void check_refused(const child_end& end) {
  BOOST_TEST(end.signal == SIGABRT);
  BOOST_TEST(end.error.find("has forked, and the child went on into the runtime") !=
                 std::string::npos,
             end.error);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_child_that_leaves_the_runtime_alone_is_left_alone) {
  const child_end end = forked_by_an_actor([] {});
  BOOST_TEST(end.status == 7);
  BOOST_TEST(end.error == "");
}

BOOST_AUTO_TEST_CASE(a_child_that_waits_ends_with_a_line_that_says_why) {
  check_refused(forked_by_an_actor([] { smarm::this_actor::yield(); }));
  check_refused(forked_by_an_actor([] { smarm::this_actor::sleep_for(1h); }));
  check_refused(forked_by_an_actor([] { (void)smarm::spawn([] {}).join(); }));
}

BOOST_AUTO_TEST_CASE(a_child_of_a_blocking_call_that_returns_from_it_does_so_too) {
  pid_t child = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    smarm::blocking([&] {
      child = ::fork();
      if (child == 0) {
        const rlimit no_core{};
        (void)::setrlimit(RLIMIT_CORE, &no_core);
        ::close(STDERR_FILENO);
        (void)::alarm(30); // rather than be there for ever
      }
    });
  });
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(WTERMSIG(status) == SIGABRT);
}

BOOST_AUTO_TEST_CASE(a_child_that_comes_to_the_end_of_its_actor_does_so_too) {
  pid_t child = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto forks = smarm::spawn([&] {
      child = ::fork();
      if (child == 0) {
        const rlimit no_core{};
        (void)::setrlimit(RLIMIT_CORE, &no_core);
        ::close(STDERR_FILENO);
      }
    });
    (void)forks.join();
  });
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(WTERMSIG(status) == SIGABRT);
}
