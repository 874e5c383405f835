// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A value behind a mutex.

#define BOOST_TEST_MODULE synchronized
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/condition_variable.hpp>
#include <smarm/synchronized.hpp>
#include <smarm/this_actor.hpp>

#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using namespace smarm_test;
using smarm::synchronized;

namespace {

using numbers = std::vector<int>;

static_assert(
    std::is_same_v<decltype(*std::declval<const synchronized<int>&>().lock()), const int&>);
static_assert(std::is_same_v<decltype(synchronized(5)), synchronized<int>>);
static_assert(!std::is_convertible_v<int, synchronized<int>>);

} // namespace

BOOST_AUTO_TEST_SUITE(synchronized_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(one_at_a_time_works_with_the_value) {
  synchronized<long> count{0};
  const auto work = [&] {
    for (int i = 0; i < 1000; ++i) {
      count.with_lock([](long& n) { ++n; });
      ++*count.lock();
    }
  };
  std::thread other(work);
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 4; ++i) {
      handles.push_back(smarm::spawn(work));
    }
    join_all(handles);
  });
  other.join();
  BOOST_TEST(count.copy() == 10000);
}

BOOST_AUTO_TEST_CASE(with_lock_returns_what_the_function_returns) {
  synchronized<std::string> name("abc");
  BOOST_TEST(name.with_lock([](std::string& s) { return s.size(); }) == 3u);
  BOOST_TEST(std::as_const(name).with_lock(&std::string::size) == 3u);
  const auto kept = name.with_lock([](auto&) { return std::make_unique<int>(7); });
  BOOST_TEST(*kept == 7);
}

BOOST_AUTO_TEST_CASE(a_function_may_wait_with_the_value) {
  recorder seen;
  synchronized<int> value(1);
  smarm::run([&] {
    auto other = smarm::spawn([&] {
      value.with_lock([&](int& v) {
        smarm::this_actor::yield();
        v = 2;
        seen.note("changed");
      });
    });
    smarm::this_actor::yield();
    seen.note(value.try_lock() ? "free" : "held");
    seen.note(std::to_string(*value.lock()));
    (void)other.join();
  });
  CHECK_LIST(seen.all(), {"held", "changed", "2"});
}

BOOST_AUTO_TEST_CASE(an_arrow_holds_the_lock_for_the_expression) {
  synchronized<numbers> list(3u, 7);
  list->push_back(8);
  BOOST_TEST(std::as_const(list)->size() == 4u);
  BOOST_TEST(static_cast<bool>(list.try_lock()));
}

BOOST_AUTO_TEST_CASE(an_exception_releases_it) {
  synchronized<int> value(1);
  try {
    value.with_lock([](int&) { throw 1; });
  } catch (int) {
  }
  BOOST_TEST(static_cast<bool>(value.try_lock()));
}

BOOST_AUTO_TEST_CASE(copies_and_moves_take_the_value) {
  synchronized<numbers> a(numbers{1, 2});
  synchronized<numbers> b(a);
  BOOST_TEST(b.copy() == (numbers{1, 2}));
  synchronized<numbers> c(std::move(a));
  BOOST_TEST(c.copy() == (numbers{1, 2}));
  BOOST_TEST(a->empty());
  a = b;
  BOOST_TEST(a->size() == 2u);
  a = numbers{5};
  numbers out{9};
  a.swap(out);
  BOOST_TEST(out == numbers{5});
  BOOST_TEST(a.copy() == numbers{9});
  c = std::move(a);
  BOOST_TEST(c.copy() == numbers{9});
  const auto& self = c;
  c = self;
  BOOST_TEST(c.copy() == numbers{9});
}

BOOST_AUTO_TEST_CASE(a_condition_can_be_waited_for_with_its_lock) {
  recorder seen;
  synchronized<int> value;
  smarm::condition_variable changed;
  smarm::run([&] {
    auto waiter = waiting([&] {
      auto locked = value.lock();
      changed.wait(locked.as_lock(), [&] { return *locked == 3; });
      seen.note("three");
    });
    for (int i = 1; i <= 3; ++i) {
      value = i;
      changed.notify_one();
      smarm::this_actor::yield();
    }
    (void)waiter.join();
  });
  CHECK_LIST(seen.all(), {"three"});
}

BOOST_AUTO_TEST_SUITE_END()
