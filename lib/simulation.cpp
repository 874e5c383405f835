// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/simulation.hpp>

namespace smarm::detail {

constinit thread_local simulation* simulated = nullptr;

std::uint64_t random_seed() {
  return simulated != nullptr ? simulated->chance() : std::random_device()();
}

} // namespace smarm::detail
