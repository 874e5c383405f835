// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A system that gives no more threads. This program's own pthread_create stands in front of the
// system's and refuses when it is told to.

#define BOOST_TEST_MODULE thread_failure
#include <boost/test/unit_test.hpp>

#include <smarm/blocking.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <semaphore>
#include <system_error>
#include <thread>

namespace {

// So many threads may still be made; below zero: any number.
std::atomic<int> allowance{-1};

} // namespace

#if !SMARM_TSAN // it has to see the real one
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*body)(void*), void* argument) {
  using create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static auto* const real = reinterpret_cast<create*>(::dlsym(RTLD_NEXT, "pthread_create"));
  const int left = allowance.load();
  if (left == 0) {
    return EAGAIN;
  }
  if (left > 0) {
    allowance.store(left - 1);
  }
  return real(thread, attributes, body, argument);
}
#endif

namespace {

using namespace std::chrono_literals;
using smarm::errc;

bool can_refuse() {
  allowance.store(0);
  bool refused = false;
  try {
    std::thread([] {}).join();
  } catch (const std::system_error&) {
    refused = true;
  }
  allowance.store(-1);
  return refused;
}

boost::test_tools::assertion_result threads_can_be_refused(boost::unit_test::test_unit_id) {
  static const bool can = can_refuse();
  boost::test_tools::assertion_result result(can);
  result.message() << "the refusal of threads cannot be played in this build";
  return result;
}

template <class Start>
bool refuses_with(int allowed, Start start) {
  allowance.store(allowed);
  bool refused = false;
  try {
    start();
  } catch (const std::system_error& e) {
    refused = e.code() == std::errc::resource_unavailable_try_again;
  }
  allowance.store(-1);
  return refused;
}

void require_as_good_as_new(smarm::runtime& rt) {
  BOOST_TEST((rt.handle().try_spawn([] {}).error() == errc::runtime_down));
  bool ran = false;
  rt.run([&] { ran = smarm::spawn([] {}).join() == smarm::exit_kind::normal; });
  BOOST_TEST(ran);
  BOOST_TEST(rt.stats().spawned == 2u);
  rt.start();
  BOOST_TEST((rt.handle().spawn([] {}).join() == smarm::exit_kind::normal));
  BOOST_TEST(rt.shutdown(1h).empty());
}

} // namespace

BOOST_AUTO_TEST_SUITE(thread_failure_suite, *boost::unit_test::timeout(60)
                                              *boost::unit_test::precondition(threads_can_be_refused))

BOOST_AUTO_TEST_CASE(a_run_without_all_of_its_threads_is_refused_and_leaves_nothing_behind) {
  for (int allowed = 0; allowed < 3; ++allowed) {
    smarm::runtime rt({.schedulers = 4});
    bool ran = false;
    BOOST_TEST(refuses_with(allowed, [&] { rt.run([&] { ran = true; }); }));
    BOOST_TEST(!ran);
    require_as_good_as_new(rt);
  }
}

BOOST_AUTO_TEST_CASE(a_start_without_all_of_its_threads_is_refused_and_leaves_nothing_behind) {
  for (int allowed = 0; allowed < 4; ++allowed) {
    smarm::runtime rt({.schedulers = 4});
    BOOST_TEST(refuses_with(allowed, [&] { rt.start(); }));
    require_as_good_as_new(rt);
  }
}

BOOST_AUTO_TEST_CASE(spawns_from_outside_are_turned_away_while_the_threads_are_refused) {
  for (int i = 0; i < 100; ++i) {
    smarm::runtime rt({.schedulers = 4});
    std::atomic<bool> over{false};
    std::atomic<int> ran{0};
    int spawned = 0;
    std::thread outside([&, handle = rt.handle()] {
      while (!over) {
        if (auto h = handle.try_spawn([&] { ++ran; })) {
          ++spawned;
        }
      }
    });
    BOOST_TEST(refuses_with(i % 4, [&] { rt.start(); }));
    over = true;
    outside.join();
    BOOST_TEST(ran == spawned);
  }
}

BOOST_AUTO_TEST_CASE(a_blocking_call_without_any_thread_fails_and_with_one_waits_for_it) {
  boost::system::error_code alone, detached, after;
  bool called = false, later = false;
  smarm::runtime rt({.schedulers = 2, .blocking_threads = 4});
  rt.run([&] {
    allowance.store(0);
    alone = smarm::try_blocking([&] { called = true; }).error();
    detached = smarm::try_blocking_detached([] {}).error();
    allowance.store(1);
    std::binary_semaphore open{0};
    std::atomic<bool> entered{false};
    auto busy = smarm::spawn([&] {
      smarm::blocking([&] {
        entered = true;
        open.acquire();
      });
    });
    while (!entered) {
      smarm::this_actor::yield();
    }
    auto waits = smarm::spawn([&] { smarm::blocking([&] { later = true; }); });
    while (rt.stats().blocking.refused_threads < 3) {
      smarm::this_actor::yield();
    }
    open.release();
    (void)busy.join();
    (void)waits.join();
    allowance.store(-1);
    after = smarm::try_blocking([] {}).error();
  });
  BOOST_TEST((alone == errc::out_of_threads));
  BOOST_TEST((detached == errc::out_of_threads));
  BOOST_TEST(!called);
  BOOST_TEST(later);
  BOOST_TEST(!after.failed());
  BOOST_TEST(rt.stats().blocking.rejected == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
