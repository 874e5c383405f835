// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A command on its way through a keyspace.

#ifndef KV_KEYSPACE_CALL_HPP
#define KV_KEYSPACE_CALL_HPP

#include "keyspace.hpp"

namespace kv {

struct keyspace::call {
  const command& what;
  std::span<const std::string_view> words;
  std::int64_t now;
  std::string& reply;
  std::string& changes;

  [[nodiscard]] std::string_view key() const { return words[1]; }
};

} // namespace kv

#endif
