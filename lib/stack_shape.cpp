// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Rounding to pages.

#include <smarm/detail/stack_shape.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace smarm::detail {
namespace {

std::size_t whole_pages(std::size_t bytes, std::size_t least) noexcept {
  const std::size_t page = page_size();
  const std::size_t most = SIZE_MAX / 8 / page;
  return std::clamp(bytes / page + (bytes % page != 0), least, most) * page;
}

} // namespace

std::size_t page_size() noexcept {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

stack_shape stack_shape::rounded() const noexcept {
  return {whole_pages(reserve, 4), whole_pages(guard, 1)};
}

} // namespace smarm::detail
