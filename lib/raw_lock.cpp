// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The lock's slow path, compiled once.

#include <smarm/detail/raw_lock.hpp>

namespace smarm::detail {

template class basic_raw_lock<std_atomics, linux_futex>;

} // namespace smarm::detail
