// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What every test program tells the sanitizers. Compiled in rather than taken from the environment,
// so that a test started by hand behaves as it does under b2.

#include <smarm/detail/config.hpp>

// Without a symbolizer of its own version a report has no names and no suppression matches.
#if defined(__clang__) && __clang_major__ == 19 &&                                                 \
    __has_include("/usr/lib/llvm-19/bin/llvm-symbolizer")
#define SMARM_TEST_SYMBOLIZER ":external_symbolizer_path=/usr/lib/llvm-19/bin/llvm-symbolizer"
#else
#define SMARM_TEST_SYMBOLIZER ""
#endif

#if SMARM_ASAN
extern "C" const char* __asan_default_options() {
  return "detect_stack_use_after_return=1" SMARM_TEST_SYMBOLIZER;
}

extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }
#endif

#if SMARM_TSAN
extern "C" const char* __tsan_default_options() {
  // Of a signal that arrives about when a thread changes its fiber, such as one that asks for a
  // backtrace, it believes now and then that the handler never returned.
  return "second_deadlock_stack=1:report_signal_unsafe=0" SMARM_TEST_SYMBOLIZER;
}

// The counter of an exception_ptr lives in libstdc++, which is not instrumented.
extern "C" const char* __tsan_default_suppressions() { return "race:std::__exception_ptr\n"; }
#endif
