// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The slots with which plain threads wait: one for each thread, and no two threads share one, not
// even while a thread ends.

#define BOOST_TEST_MODULE thread_slot
#include <boost/test/unit_test.hpp>

#include <smarm/detail/thread_slot.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/runtime.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <functional>
#include <thread>

using namespace std::chrono_literals;
using smarm::detail::slot;
using smarm::detail::this_thread_slot;

namespace {

// What it was given runs when the thread ends, after everything that the thread made later is gone.
struct last_will {
  std::function<void()> todo;
  ~last_will() {
    if (todo) {
      todo();
    }
  }
};
thread_local last_will will;

} // namespace

BOOST_AUTO_TEST_SUITE(thread_slot_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_thread_keeps_its_slot_and_a_later_one_takes_it_over) {
  const slot* first = nullptr;
  bool kept = false;
  std::thread([&] {
    first = &this_thread_slot();
    kept = first == &this_thread_slot();
  }).join();
  const slot* second = nullptr;
  std::thread([&] { second = &this_thread_slot(); }).join();
  BOOST_TEST(kept);
  BOOST_TEST(first == second);
}

BOOST_AUTO_TEST_CASE(what_waits_after_the_slot_was_given_back_has_one_for_itself) {
  const slot* late = nullptr;
  const slot* late_again = nullptr;
  const slot* others = nullptr;
  std::thread([&] {
    will.todo = [&] {
      late = &this_thread_slot();
      late_again = &this_thread_slot();
      // While this one is still at work another takes what was given back.
      std::thread([&] { others = &this_thread_slot(); }).join();
    };
    (void)this_thread_slot();
  }).join();
  BOOST_TEST(others != nullptr);
  BOOST_TEST(late != others);
  BOOST_TEST(late == late_again);
}

BOOST_AUTO_TEST_CASE(a_join_at_the_very_end_of_a_thread_works) {
  smarm::runtime rt({.schedulers = 1});
  rt.start();
  smarm::exit_kind early = smarm::exit_kind::failed;
  smarm::exit_kind late = smarm::exit_kind::failed;
  std::thread([&] {
    will.todo = [&] {
      late = rt.handle().spawn([] { smarm::this_actor::sleep_for(1ms); }).join().kind();
    };
    early = rt.handle().spawn([] { smarm::this_actor::sleep_for(1ms); }).join().kind();
  }).join();
  rt.wait();
  BOOST_TEST((early == smarm::exit_kind::normal));
  BOOST_TEST((late == smarm::exit_kind::normal));
}

BOOST_AUTO_TEST_SUITE_END()
