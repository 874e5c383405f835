// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What tells one process group from another: its scope, its name, and the type of its members.

#ifndef SMARM_DETAIL_GROUP_KEY_HPP
#define SMARM_DETAIL_GROUP_KEY_HPP

#include <smarm/detail/published.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smarm::detail {

// FNV-1a, folded: computed where the group's constant is, by the compiler.
[[nodiscard]] constexpr std::uint64_t hash_of_text(std::string_view text,
                                                   std::uint64_t seed) noexcept {
  for (const char c : text) {
    seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  seed *= 0x9e3779b97f4a7c15U;
  return seed ^ seed >> 32;
}
[[nodiscard]] constexpr std::uint64_t hash_of_group(std::string_view scope,
                                                    std::string_view name) noexcept {
  return hash_of_text(name, hash_of_text(scope, 0xcbf29ce484222325U));
}

struct group_key {
  std::string_view scope;
  std::string_view name;
  type_key actor = nullptr;
  std::uint64_t hash = 0; // of scope and name

  friend bool operator==(const group_key& a, const group_key& b) noexcept {
    return a.hash == b.hash && a.actor == b.actor && a.name == b.name && a.scope == b.scope;
  }
};

struct group_key_hash {
  using is_avalanching = void; // the low bits are as good as the high ones
  std::size_t operator()(const group_key& key) const noexcept {
    return static_cast<std::size_t>(key.hash);
  }
};

} // namespace smarm::detail

#endif
