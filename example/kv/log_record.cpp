// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "log_record.hpp"

#include "checksum.hpp"

#include <boost/endian/conversion.hpp>

namespace kv {

namespace {

template <class T>
T number_at(const record_header& h, std::size_t at) noexcept {
  return boost::endian::endian_load<T, sizeof(T), boost::endian::order::little>(
      reinterpret_cast<const unsigned char*>(h.data() + at));
}

template <class T>
void put_number(record_header& h, std::size_t at, T value) noexcept {
  boost::endian::endian_store<T, sizeof(T), boost::endian::order::little>(
      reinterpret_cast<unsigned char*>(h.data() + at), value);
}

} // namespace

record_header header_of(std::string_view content) noexcept {
  record_header h{};
  put_number<std::uint64_t>(h, 0, content.size());
  put_number<std::uint32_t>(h, 8, checksum(content));
  put_number<std::uint32_t>(h, 12, checksum({h.data(), 12}));
  return h;
}

std::optional<record_shape> read_header(const record_header& h) noexcept {
  if (number_at<std::uint32_t>(h, 12) != checksum({h.data(), 12})) {
    return std::nullopt;
  }
  return record_shape{number_at<std::uint64_t>(h, 0), number_at<std::uint32_t>(h, 8)};
}

} // namespace kv
