// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The choices of a build that change what inlined code and the compiled library share. A program
// that made others than its library does not link, and the symbol that the linker misses says
// which: library_built_with<run_queue_mutex, trace_off, address_sanitizer, ...>. Build the library
// with the same choices: with b2 or CMake they come with it by themselves.

#ifndef SMARM_DETAIL_BUILD_CHOICES_HPP
#define SMARM_DETAIL_BUILD_CHOICES_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/run_queue.hpp>
#include <smarm/detail/slot.hpp>
#include <smarm/detail/trace.hpp>

#include <type_traits>

namespace smarm::detail {

struct trace_on;
struct trace_off;
struct checked;
struct unchecked;
struct valgrind_on;
struct valgrind_off;
struct budget_on;
struct budget_off;
struct address_sanitizer;
struct thread_sanitizer;
struct no_sanitizer;

template <class RunQueue, class Trace, class Sanitizer, class Checks, class Valgrind,
          class Budget>
struct library_built_with {
  static void here() noexcept;
};

using these_choices = library_built_with<
  run_queue_choice, std::conditional_t<tracing, trace_on, trace_off>,
  std::conditional_t<SMARM_ASAN, address_sanitizer,
                     std::conditional_t<SMARM_TSAN, thread_sanitizer, no_sanitizer>>,
  std::conditional_t<SMARM_CHECKED, checked, unchecked>,
  std::conditional_t<SMARM_VALGRIND, valgrind_on, valgrind_off>,
  std::conditional_t<budgeting, budget_on, budget_off>>;

// Every program that includes this refers to the library's symbol.
[[gnu::used]] inline void (*const library_choices)() noexcept = &these_choices::here;

} // namespace smarm::detail

#endif
