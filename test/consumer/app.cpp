// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A user's program: compiles with the headers, links the library, and prints the choices that it
// was compiled with, for the test to compare with those of the library.

#include <smarm.hpp>

#include <iostream>

int main() {
  std::cout << "version " << SMARM_VERSION_STRING << '\n'
#if SMARM_RUN_QUEUE_STRIPED
            << "run-queue striped\n"
#endif
#if SMARM_RUN_QUEUE_LOCKFREE
            << "run-queue lockfree\n"
#endif
#if SMARM_RUN_QUEUE_MUTEX
            << "run-queue mutex\n"
#endif
            << "trace " << SMARM_TRACE << '\n';
  return make_error_code(smarm::errc::closed).message().empty() ? 1 : 0;
}
