// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The marks by which a program and the library are held to the same sanitizers at link time.

#include <smarm/detail/fiber_state.hpp>

namespace smarm::detail {

#if SMARM_ASAN
const char library_has_address_sanitizer = 1;
#elif SMARM_TSAN
const char library_has_thread_sanitizer = 1;
#else
const char library_has_no_sanitizer = 1;
#endif

} // namespace smarm::detail
