// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A frame that leaps over the guard is found where it is probed page by page, as the library's
// own are, and where it comes to rest on something that faults; that is what the guard is for.

#define BOOST_TEST_MODULE large_frame
#include <boost/test/unit_test.hpp>

#include "../child_process.hpp"
#include "../fiber.hpp"

#include <smarm/detail/alternate_signal_stack.hpp>
#include <smarm/detail/stack_overflow.hpp>

#include <string>

int probed_frame();
int unprobed_frame();

void use(char* first) { *const_cast<volatile char*>(first) = 1; }

namespace {

using namespace smarm::detail;
using smarm_test::child_end;
using smarm_test::fiber;

overflow_subject running;
overflow_subject find_running() noexcept { return running; }

// On the stack `number` of a fresh slab, counted from the lowest.
child_end call_on_stack(int number, int (*function)()) {
  return smarm_test::in_child([=] {
    alternate_signal_stack signals("test");
    if (!report_stack_overflows(&find_running)) return 1;
    stack_pool pool;
    stack* on = pool.acquire().value();
    for (int i = 0; i < number; ++i) on = pool.acquire().value();
    fiber actor(pool, on, [&](fiber&) { (void)function(); });
    running = {on, 7, 42, "large"};
    actor.resume();
    ::_exit(5); // the pool misses stacks
  });
}

} // namespace

BOOST_AUTO_TEST_CASE(a_probed_frame_hits_the_guard_on_any_stack) {
  for (const int number : {0, 7}) {
    const child_end end = call_on_stack(number, &probed_frame);
    BOOST_TEST(end.status != 5);
    BOOST_TEST(end.error.find("stack overflow in actor <7.42> \"large\": 256 KiB reserve, 64 KiB "
                              "guard; raise") != std::string::npos,
               "what it said: " << end.error);
  }
}

BOOST_AUTO_TEST_CASE(an_unprobed_frame_on_the_lowest_stack_is_reported_as_a_leap) {
  const child_end end = call_on_stack(0, &unprobed_frame);
  BOOST_TEST(end.status != 5);
  BOOST_TEST(end.error.find("a frame leapt ") != std::string::npos,
             "what it said: " << end.error);
}
