// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The counts that latches, barriers and semaphores are given.

#ifndef SMARM_DETAIL_CHECK_COUNT_HPP
#define SMARM_DETAIL_CHECK_COUNT_HPP

#include <cstddef>
#include <cstdint>

namespace smarm::detail {

// Throws boost::system::system_error: invalid_config, count_out_of_range.
[[noreturn]] void throw_bad_count(const char* whose, std::ptrdiff_t count);
[[noreturn]] void throw_count_out_of_range(const char* call, std::ptrdiff_t n);

// The count that something is made with, if it is one.
[[nodiscard]] constexpr std::ptrdiff_t checked_count(const char* whose, std::ptrdiff_t count,
                                                     std::ptrdiff_t most = PTRDIFF_MAX) {
  if (count < 0 || count > most) {
    throw_bad_count(whose, count);
  }
  return count;
}

} // namespace smarm::detail

#endif
