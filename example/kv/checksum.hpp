// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The CRC-32 of Ethernet, gzip and Boost.CRC's crc_32_type. All that is logged goes through it, and clients
// wait meanwhile: so eight bytes at a step, which is some times as fast as Boost.CRC's byte at a step.

#ifndef KV_CHECKSUM_HPP
#define KV_CHECKSUM_HPP

#include <cstdint>
#include <string_view>

namespace kv {

[[nodiscard]] std::uint32_t checksum(std::string_view content) noexcept;

} // namespace kv

#endif
