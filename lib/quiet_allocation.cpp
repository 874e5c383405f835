// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/quiet_allocation.hpp>

#include <smarm/detail/config.hpp>

namespace smarm::detail {
namespace {

// How many live on this thread. Nothing switches while one lives, so it may be thread-local; it is
// reached through a call, as every thread-local of this library is.
thread_local unsigned depth = 0;

SMARM_NOINLINE unsigned* this_depth() noexcept {
  unsigned* d = &depth;
  asm volatile("" : "+r"(d) : : "memory");
  return d;
}

} // namespace

quiet_allocation::quiet_allocation() noexcept { ++*this_depth(); }
quiet_allocation::~quiet_allocation() { --*this_depth(); }
bool quiet_allocation::active() noexcept { return *this_depth() != 0; }

} // namespace smarm::detail
