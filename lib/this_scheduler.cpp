// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The thread-local variable behind the accessors.

#include <smarm/detail/this_scheduler.hpp>

namespace smarm::detail {

#if defined(__x86_64__) && !defined(__ILP32__)
#define SMARM_TLS_MODEL __attribute__((tls_model("initial-exec")))
#else
#define SMARM_TLS_MODEL
#endif

// Named for the assembler, which also keeps it reachable for a debugger's script.
extern thread_local scheduler* this_scheduler asm("smarm_this_scheduler") SMARM_TLS_MODEL;

// Used and visible even where the optimiser sees the whole program: only assembly refers to it.
[[gnu::used, gnu::visibility("default")]] constinit thread_local scheduler* this_scheduler = nullptr;

SMARM_NOINLINE void set_current_scheduler(scheduler* own) noexcept {
  this_scheduler = own;
  asm volatile("" : : : "memory");
}

#if !defined(__x86_64__) || defined(__ILP32__)

scheduler* current_scheduler() noexcept {
  scheduler* own = this_scheduler;
  // On the result: without it some compilers infer that the function is pure.
  asm volatile("" : "+r"(own) : : "memory");
  return own;
}

#endif

} // namespace smarm::detail
