// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Which of several a key belongs to: evenly, also for keys that are numbers with a pattern.

#ifndef SMARM_DETAIL_PARTITION_OF_HPP
#define SMARM_DETAIL_PARTITION_OF_HPP

#include <boost/container_hash/hash.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smarm::detail {

// boost::hash, and what reads like a text is one, however it is kept.
struct key_hash {
  template <class Key>
  [[nodiscard]] std::size_t operator()(const Key& key) const {
    if constexpr (std::convertible_to<const Key&, std::string_view>) {
      return boost::hash<std::string_view>()(key);
    } else {
      return boost::hash<Key>()(key);
    }
  }
};

// From 0 to `count` - 1. Not a remainder: many hashes of integers are the integers, and keys with a
// common factor would meet in few places.
[[nodiscard]] inline std::size_t partition_of(std::size_t hash, std::size_t count) noexcept {
  const std::uint64_t spread =
      std::uint64_t{hash} * 0x9e3779b97f4a7c15; // 2^64 over the golden ratio
  return static_cast<std::size_t>((spread >> 32) * count >> 32);
}

} // namespace smarm::detail

#endif
