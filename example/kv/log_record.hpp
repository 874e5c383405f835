// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// What logs and snapshots are made of: records, each of them all that was written at once:
//
//     length of the content (8 bytes) | its CRC-32 (4) | CRC-32 of these 12 bytes (4) | the content
//
// with commands, as a client would send them, as content. A record without content is the end of a
// snapshot.

#ifndef KV_LOG_RECORD_HPP
#define KV_LOG_RECORD_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kv {

inline constexpr std::size_t record_header_size = 16;
using record_header = std::array<char, record_header_size>;

struct record_shape {
  std::uint64_t length;
  std::uint32_t checksum; // of the content
};

[[nodiscard]] record_header header_of(std::string_view content) noexcept;
// Nothing: this is no header.
[[nodiscard]] std::optional<record_shape> read_header(const record_header& head) noexcept;

} // namespace kv

#endif
