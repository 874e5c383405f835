// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How many descriptors the process may have, which is often fewer than there are to be connections.

#ifndef KV_DESCRIPTOR_LIMIT_HPP
#define KV_DESCRIPTOR_LIMIT_HPP

#include <cstddef>

namespace kv {

// Raises the process's limit so far that so many connections fit, as far as the system lets it. Returns
// for how many there is room now. To be called by who owns the process, before there are connections.
[[nodiscard]] std::size_t make_room_for_connections(std::size_t wanted) noexcept;

} // namespace kv

#endif
