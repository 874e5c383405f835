// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What is said about an overflow, to whom other faults go, and that signal stacks come and go.

#define BOOST_TEST_MODULE stack_overflow
#include <boost/test/unit_test.hpp>

#include "child_process.hpp"
#include "fiber.hpp"

#include <smarm/detail/alternate_signal_stack.hpp>
#include <smarm/detail/stack_overflow.hpp>

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <csetjmp>
#include <cstdint>
#include <string>

namespace {

using namespace smarm::detail;
using smarm_test::child_end;
using smarm_test::fiber;
using smarm_test::in_child;

constexpr std::size_t kib = 1024;

overflow_subject running;
overflow_subject find_running() noexcept { return running; }

SMARM_NOINLINE int recurse(const char* above) {
  char frame[1000] = {above[0]};
  asm volatile("" : : "r"(frame) : "memory"); // all of it, not only what is read
  if (frame[0] == 0) return 0;                // never, but the compiler cannot know
  const int below = recurse(frame);
  return below + frame[0];
}

SMARM_NOINLINE int overflow() {
  const char start = 1;
  return recurse(&start);
}

// To the second page, which is never mapped and is not null.
void write_nowhere() {
  std::uintptr_t volatile address = page_size();
  *reinterpret_cast<volatile int*>(address) = 1;
}

// The body of an actor <7.42> on a stack of the shape.
template <class Body>
void run_as_actor(stack_pool& pool, const stack_shape& shape, const char* label, Body body) {
  fiber actor(pool, pool.acquire(shape).value(), [&](fiber&) { body(); });
  running = {&actor.stack(), 7, 42, label};
  actor.resume();
}

// A sanitizer's handler, being the previous one, ends the process in its own way.
bool died_of(const child_end& end, [[maybe_unused]] int signal) {
#if SMARM_ASAN || SMARM_TSAN
  return end.signal != 0 || end.status != 0;
#else
  return end.signal == signal;
#endif
}

bool says(const child_end& end, const std::string& text) {
  return end.error.find(text) != std::string::npos;
}

} // namespace

#define CHECK_SAYS(end, text) BOOST_TEST(says(end, text), "what it said: " << (end).error)
#define CHECK_DOES_NOT_SAY(end, text) BOOST_TEST(!says(end, text), "what it said: " << (end).error)

BOOST_AUTO_TEST_CASE(an_overflow_names_the_actor_and_its_sizes_and_the_remedy) {
  for (const guard_method method : {guard_method::automatic, guard_method::mapping}) {
    const child_end end = in_child([&] {
      alternate_signal_stack signals("test");
      if (!report_stack_overflows(&find_running)) return 1;
      stack_pool pool({.guard = method});
      run_as_actor(pool, stack_shape{}, "worker", [] { (void)overflow(); });
      return 0;
    });
    BOOST_TEST(died_of(end, SIGSEGV));
    CHECK_SAYS(end, "smarm: stack overflow in actor <7.42> \"worker\": 256 KiB reserve, 64 KiB "
                    "guard; raise spawn_options::stack_size or config::stack_size\n");
  }
}

BOOST_AUTO_TEST_CASE(an_actor_without_a_label_on_a_stack_of_its_own_shape) {
  const child_end end = in_child([] {
    alternate_signal_stack signals("test");
    if (!report_stack_overflows(&find_running)) return 1;
    stack_pool pool;
    run_as_actor(pool, {512 * kib, 128 * kib}, nullptr, [] { (void)overflow(); });
    return 0;
  });
  BOOST_TEST(died_of(end, SIGSEGV));
  CHECK_SAYS(end, "stack overflow in actor <7.42>: 512 KiB reserve, 128 KiB guard;");
}

BOOST_AUTO_TEST_CASE(a_fault_beyond_the_guard_is_reported_as_a_leap) {
  const child_end end = in_child([] {
    alternate_signal_stack signals("test");
    if (!report_stack_overflows(&find_running)) return 1;
    stack_pool pool;
    // The lowest of its slab: below its guard is nothing.
    run_as_actor(pool, stack_shape{}, "leaper", [] {
#if defined(__x86_64__)
      asm volatile("subq $0x80000, %%rsp\n\tmovb $1, (%%rsp)\n\taddq $0x80000, %%rsp" : : : "memory");
#elif defined(__aarch64__)
      asm volatile("sub sp, sp, #0x80, lsl #12\n\tstrb wzr, [sp]\n\tadd sp, sp, #0x80, lsl #12"
                   : : : "memory");
#endif
    });
    return 0;
  });
  BOOST_TEST(died_of(end, SIGSEGV));
  CHECK_SAYS(end, "stack overflow in actor <7.42> \"leaper\": 256 KiB reserve, 64 KiB guard, a frame "
                  "leapt ");
  CHECK_SAYS(end, "-fstack-clash-protection");
}

BOOST_AUTO_TEST_CASE(an_overflow_on_a_pooled_stack_that_no_actor_runs_on) {
  const child_end end = in_child([] {
    alternate_signal_stack signals("test");
    if (!report_stack_overflows(&find_running)) return 1;
    stack_pool pool;
    fiber loop(pool, [](fiber&) { (void)overflow(); });
    loop.resume();
    return 0;
  });
  BOOST_TEST(died_of(end, SIGSEGV));
  CHECK_SAYS(end, "stack overflow outside any actor: 256 KiB reserve, 64 KiB guard; raise "
                  "config::stack_size\n");
}

BOOST_AUTO_TEST_CASE(a_threads_own_stack_is_named_by_what_the_thread_is) {
  const child_end end = in_child([] {
    if (!report_stack_overflows(&find_running)) return 1;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 512 * kib);
    pthread_t thread;
    auto body = [](void*) -> void* {
      alternate_signal_stack signals("scheduler 3");
      (void)overflow();
      return nullptr;
    };
    if (pthread_create(&thread, &attributes, body, nullptr) != 0) return 2;
    pthread_join(thread, nullptr);
    return 0;
  });
  BOOST_TEST(died_of(end, SIGSEGV));
  CHECK_SAYS(end, "smarm: stack overflow in scheduler 3: the thread's own stack of ");
}

BOOST_AUTO_TEST_CASE(the_main_threads_stack_too) {
  const child_end end = in_child([] {
    alternate_signal_stack signals("scheduler 0");
    if (!report_stack_overflows(&find_running)) return 1;
    return overflow();
  });
  BOOST_TEST(died_of(end, SIGSEGV));
  CHECK_SAYS(end, "smarm: stack overflow in scheduler 0: the thread's own stack of ");
}

BOOST_AUTO_TEST_CASE(other_faults_are_not_called_overflows) {
  const auto fault_in_actor = [](auto fault) {
    return in_child([fault] {
      alternate_signal_stack signals("test");
      if (!report_stack_overflows(&find_running)) return 1;
      stack_pool pool;
      run_as_actor(pool, stack_shape{}, "wild", fault);
      return 0;
    });
  };
  const child_end nowhere = fault_in_actor(write_nowhere);
  BOOST_TEST(died_of(nowhere, SIGSEGV));
  CHECK_DOES_NOT_SAY(nowhere, "smarm: stack");
  const child_end strayed = fault_in_actor([] {
    volatile std::byte* const guard = const_cast<std::byte*>(running.on->low() - 100);
    *guard = std::byte{1};
  });
  BOOST_TEST(died_of(strayed, SIGSEGV));
  CHECK_DOES_NOT_SAY(strayed, "smarm: stack");
}

BOOST_AUTO_TEST_CASE(the_handler_that_was_there_before_gets_the_fault) {
  const child_end end = in_child([] {
    struct sigaction own {};
    own.sa_sigaction = [](int number, siginfo_t* info, void*) {
      ::_exit(number == SIGSEGV && info->si_addr != nullptr ? 77 : 78);
    };
    own.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(SIGSEGV, &own, nullptr);
    alternate_signal_stack signals("test");
    if (!report_stack_overflows(&find_running)) return 1;
    stack_pool pool;
    run_as_actor(pool, stack_shape{}, "chained", [] { (void)overflow(); });
    return 0;
  });
  BOOST_TEST(end.signal == 0);
  BOOST_TEST(end.status == 77);
  CHECK_SAYS(end, "in actor <7.42> \"chained\"");
}

namespace {
sigjmp_buf landing;
}

BOOST_AUTO_TEST_CASE(a_handler_that_jumps_out_may_catch_the_next_fault_too) {
  const child_end end = in_child([] {
    struct sigaction own {};
    own.sa_handler = [](int) { siglongjmp(landing, 1); };
    ::sigaction(SIGSEGV, &own, nullptr);
    alternate_signal_stack signals("test");
    if (!report_stack_overflows(&find_running)) return 1;
    volatile int caught = 0;
    while (caught < 2) {
      if (sigsetjmp(landing, 1) == 0) {
        write_nowhere();
      } else {
        caught = caught + 1;
      }
    }
    return 40 + caught;
  });
  BOOST_TEST(end.signal == 0);
  BOOST_TEST(end.status == 42);
}

BOOST_AUTO_TEST_CASE(a_signal_that_somebody_sent_is_no_fault_and_still_ends_the_process) {
#if SMARM_ASAN || SMARM_TSAN
  return; // their handlers take it
#endif
  for (const int number : {SIGSEGV, SIGBUS}) {
    const child_end end = in_child([number] {
      alternate_signal_stack signals("test");
      if (!report_stack_overflows(&find_running)) return 1;
      ::raise(number);
      return 0;
    });
    BOOST_TEST(end.signal == number);
    BOOST_TEST(end.error == "");
  }
}

BOOST_AUTO_TEST_CASE(an_ignored_signal_that_somebody_sent_stays_ignored) {
  const child_end end = in_child([] {
    ::signal(SIGSEGV, SIG_IGN);
    alternate_signal_stack signals("test");
    if (!report_stack_overflows(&find_running)) return 1;
    ::raise(SIGSEGV);
    ::raise(SIGSEGV);
    return 5;
  });
  BOOST_TEST(end.status == 5);
}

BOOST_AUTO_TEST_CASE(handlers_are_installed_once) {
  const child_end end = in_child([] {
    if (!report_stack_overflows(&find_running)) return 1;
    struct sigaction first {};
    ::sigaction(SIGSEGV, nullptr, &first);
    ::signal(SIGSEGV, SIG_DFL); // somebody else took it over
    if (!report_stack_overflows(&find_running)) return 2;
    struct sigaction now {};
    ::sigaction(SIGSEGV, nullptr, &now);
    return now.sa_handler == SIG_DFL && (first.sa_flags & SA_ONSTACK) != 0 ? 0 : 3;
  });
  BOOST_TEST(end.status == 0);
}

BOOST_AUTO_TEST_CASE(the_signal_stack_that_was_there_before_comes_back) {
  stack_t before{};
  ::sigaltstack(nullptr, &before);
  {
    alternate_signal_stack outer("outer");
    BOOST_TEST(outer.installed());
    stack_t with_outer{};
    ::sigaltstack(nullptr, &with_outer);
    BOOST_TEST(with_outer.ss_sp != before.ss_sp);
    BOOST_TEST(with_outer.ss_size >= 64 * kib);
    {
      alternate_signal_stack inner("inner");
      stack_t with_inner{};
      ::sigaltstack(nullptr, &with_inner);
      BOOST_TEST(with_inner.ss_sp != with_outer.ss_sp);
    }
    stack_t again{};
    ::sigaltstack(nullptr, &again);
    BOOST_TEST(again.ss_sp == with_outer.ss_sp);
  }
  stack_t after{};
  ::sigaltstack(nullptr, &after);
  BOOST_TEST(after.ss_sp == before.ss_sp);
  BOOST_TEST((after.ss_flags & SS_DISABLE) == (before.ss_flags & SS_DISABLE));
}

BOOST_AUTO_TEST_CASE(a_signal_stack_that_somebody_else_set_meanwhile_stays) {
  stack_t before{};
  ::sigaltstack(nullptr, &before);
  static char memory[64 * 1024];
  stack_t theirs{};
  {
    alternate_signal_stack ours("test");
    theirs.ss_sp = memory;
    theirs.ss_size = sizeof memory;
    ::sigaltstack(&theirs, nullptr);
  }
  stack_t after{};
  ::sigaltstack(nullptr, &after);
  BOOST_TEST(after.ss_sp == theirs.ss_sp);
  before.ss_flags &= SS_DISABLE;
  ::sigaltstack(&before, nullptr);
}
