// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The accessor of the run-time library's globals, out of line so that no compiler remembers its
// answer.

#include <smarm/detail/exception_globals.hpp>

#include <cxxabi.h>

namespace smarm::detail {

exception_globals* this_thread_exception_globals() noexcept {
  auto* globals = reinterpret_cast<exception_globals*>(abi::__cxa_get_globals());
  // Hides that the result depends on the thread only, from which purity would be inferred.
  asm volatile("" : "+r"(globals) : : "memory");
  return globals;
}

} // namespace smarm::detail
