// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the runtime does when there is no memory: this program's operator new can be told to fail.

#define BOOST_TEST_MODULE memory_failure
#include <boost/test/unit_test.hpp>

#include <smarm/link.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

namespace {
std::atomic<bool> exhausted{false};
} // namespace

#if !SMARM_TSAN // which brings, with clang, functions that cannot be replaced
// Not inlined: compilers take a free that meets its operator new for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* p = exhausted ? nullptr : std::malloc(size != 0 ? size : 1);
  if (p == nullptr) {
    throw std::bad_alloc();
  }
  return p;
}
// A sanitizer has one of its own for this form, which would not go with the delete below.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return exhausted ? nullptr : std::malloc(size != 0 ? size : 1);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

BOOST_AUTO_TEST_CASE(an_actor_that_fails_for_want_of_memory_takes_nobody_along) {
  smarm::runtime rt({.schedulers = 1});
  smarm::exit_status how;
  rt.run([&] {
    auto greedy = smarm::spawn({.label = "a label that is longer than a short string"}, [] {
      exhausted = true;
      throw std::bad_alloc();
    });
    how = greedy.join();
    exhausted = false;
  });
  BOOST_TEST((how.kind() == smarm::exit_kind::failed));
  BOOST_TEST(rt.stats().sink_failures == 1u);
}

BOOST_AUTO_TEST_CASE(those_who_wait_for_an_end_for_want_of_memory_are_told) {
  smarm::exit_kind by_monitor{};
  smarm::exit_kind by_link{};
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    auto exits = smarm::trap_exit();
    auto greedy = smarm::spawn_link([] {
      exhausted = true;
      throw std::bad_alloc();
    });
    auto watch = smarm::monitor(greedy.id());
    auto told = exits.recv();
    auto down = watch.recv();
    exhausted = false;
    by_link = told->reason.kind();
    by_monitor = down->reason.kind();
  });
  BOOST_TEST((by_monitor == smarm::exit_kind::failed));
  BOOST_TEST((by_link == smarm::exit_kind::failed));
}
#else
BOOST_AUTO_TEST_CASE(memory_does_not_fail_under_this_sanitizer) {
  BOOST_TEST_MESSAGE("not tested: operator new cannot be replaced here");
}
#endif
