// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "checksum.hpp"

#include <boost/endian/conversion.hpp>

#include <array>
#include <cstddef>

namespace kv {

namespace {

constexpr std::size_t step = 8;
using table = std::array<std::uint32_t, 256>;

// tables[n][b] is what a byte b makes of the sum when n bytes of zero come behind it. As the sum is linear,
// that of eight bytes is put together from one look into each.
constexpr std::array<table, step> make_tables() {
  constexpr std::uint32_t polynomial = 0xedb88320; // its lowest bit first
  std::array<table, step> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) {
      sum = sum >> 1 ^ ((sum & 1) != 0 ? polynomial : 0);
    }
    tables[0][byte] = sum;
  }
  for (std::size_t n = 1; n < step; ++n) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t sum = tables[n - 1][byte];
      tables[n][byte] = sum >> 8 ^ tables[0][sum & 0xff];
    }
  }
  return tables;
}

constexpr std::array<table, step> tables = make_tables();

} // namespace

std::uint32_t checksum(std::string_view content) noexcept {
  const auto* at = reinterpret_cast<const unsigned char*>(content.data());
  const auto* const end = at + content.size();
  std::uint32_t sum = 0xffffffff;
  for (; end - at >= static_cast<std::ptrdiff_t>(step); at += step) {
    const std::uint64_t word = boost::endian::load_little_u64(at) ^ sum;
    sum = 0;
    for (std::size_t n = 0; n < step; ++n) {
      sum ^= tables[step - 1 - n][word >> 8 * n & 0xff];
    }
  }
  for (; at != end; ++at) {
    sum = sum >> 8 ^ tables[0][(sum ^ *at) & 0xff];
  }
  return ~sum;
}

} // namespace kv
