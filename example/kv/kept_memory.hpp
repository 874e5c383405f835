// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Buffers that are used again keep their memory, up to a bound: what a client once needed for a large
// value it must not have for ever.

#ifndef KV_KEPT_MEMORY_HPP
#define KV_KEPT_MEMORY_HPP

#include <cstddef>

namespace kv {

// Of a string or a vector, in bytes.
template <class Container>
void clear_and_keep(Container& c, std::size_t most) {
  c.clear();
  if (c.capacity() * sizeof(typename Container::value_type) > most) {
    Container().swap(c);
  }
}

} // namespace kv

#endif
