// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The raw lock excludes, survives what passes through its sections, and in checked builds names
// both classes when the order of locks is violated.

#define BOOST_TEST_MODULE raw_lock
#include <boost/test/unit_test.hpp>

#include <smarm/detail/raw_lock.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using smarm::detail::lock_class;
using smarm::detail::raw_lock;

namespace {

struct violation {
  lock_class held;
  lock_class wanted;
};
std::vector<violation> violations;

// Records instead of aborting, while it lives.
struct recorded_violations {
  recorded_violations() {
    violations.clear();
    smarm::detail::set_lock_order_handler([](lock_class held, lock_class wanted) {
      violations.push_back({held, wanted});
    });
  }
  ~recorded_violations() { smarm::detail::set_lock_order_handler(nullptr); }
};

} // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(lock_class)

BOOST_AUTO_TEST_SUITE(raw_lock_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(uncontended_lock_and_unlock) {
  raw_lock lock;
  int count = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::lock_guard guard(lock);
    ++count;
  }
  BOOST_TEST(count == 1000);
}

BOOST_AUTO_TEST_CASE(contended_counter_is_exact) {
  raw_lock lock;
  long count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20'000; ++i) {
        const std::lock_guard guard(lock);
        ++count;
      }
    });
  }
  for (auto& t : threads) {
    t.join();
  }
  BOOST_TEST(count == 8 * 20'000);
}

// Sections so long that waiters use up their spins and sleep.
BOOST_AUTO_TEST_CASE(sleepers_get_their_turn) {
  raw_lock lock;
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        const std::lock_guard guard(lock);
        ++count;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    });
  }
  for (auto& t : threads) {
    t.join();
  }
  BOOST_TEST(count == 4 * 20);
}

BOOST_AUTO_TEST_CASE(try_lock_fails_while_it_is_held) {
  raw_lock lock;
  BOOST_TEST(lock.try_lock());
  bool second = true;
  std::thread([&] { second = lock.try_lock(); }).join();
  BOOST_TEST(!second);
  lock.unlock();
  BOOST_TEST(lock.try_lock());
  lock.unlock();
}

BOOST_AUTO_TEST_CASE(an_exception_leaves_the_lock_usable) {
  raw_lock lock;
  try {
    const std::lock_guard guard(lock);
    throw std::runtime_error("in a section");
  } catch (const std::runtime_error&) {
  }
  BOOST_TEST(lock.try_lock());
  lock.unlock();
}

#if SMARM_CHECK_LOCK_ORDER

BOOST_AUTO_TEST_CASE(a_channel_lock_nests_under_a_leaf) {
  const recorded_violations recording;
  raw_lock leaf;
  raw_lock channel(lock_class::channel);
  const std::lock_guard outer(leaf);
  const std::lock_guard inner(channel);
  BOOST_TEST(violations.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_leaf_under_a_channel_lock_is_reported) {
  const recorded_violations recording;
  raw_lock leaf;
  raw_lock channel(lock_class::channel);
  const std::lock_guard outer(channel);
  const std::lock_guard inner(leaf);
  BOOST_TEST_REQUIRE(violations.size() == 1u);
  BOOST_TEST(violations[0].held == lock_class::channel);
  BOOST_TEST(violations[0].wanted == lock_class::leaf);
}

BOOST_AUTO_TEST_CASE(two_locks_of_a_class_are_reported) {
  for (const lock_class c : {lock_class::leaf, lock_class::channel, lock_class::waiters}) {
    const recorded_violations recording;
    raw_lock first(c);
    raw_lock second(c);
    const std::lock_guard outer(first);
    BOOST_TEST(second.try_lock());
    second.unlock();
    BOOST_TEST_REQUIRE(violations.size() == 1u);
    BOOST_TEST(violations[0].held == c);
    BOOST_TEST(violations[0].wanted == c);
  }
}

BOOST_AUTO_TEST_CASE(what_another_thread_holds_does_not_count) {
  const recorded_violations recording;
  raw_lock first;
  raw_lock second;
  const std::lock_guard outer(first);
  std::thread([&] { const std::lock_guard inner(second); }).join();
  BOOST_TEST(violations.size() == 0u);
}

BOOST_AUTO_TEST_CASE(by_default_a_violation_names_both_classes_and_aborts) {
  std::array<int, 2> pipe{};
  BOOST_TEST_REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t child = ::fork();
  BOOST_TEST_REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(pipe[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);
    raw_lock leaf;
    raw_lock channel(lock_class::channel);
    channel.lock();
    leaf.lock();
    ::_exit(0);
  }
  ::close(pipe[1]);
  std::string said;
  std::array<char, 256> buffer{};
  for (ssize_t n = 0; (n = ::read(pipe[0], buffer.data(), buffer.size())) > 0;) {
    said.append(buffer.data(), static_cast<std::size_t>(n));
  }
  ::close(pipe[0]);
  int status = 0;
  BOOST_TEST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(WTERMSIG(status) == SIGABRT);
  BOOST_TEST(said.find("lock order violated") != std::string::npos);
  BOOST_TEST(said.find("leaf") != std::string::npos);
  BOOST_TEST(said.find("channel") != std::string::npos);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
