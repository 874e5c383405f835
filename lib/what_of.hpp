// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What an exception says.

#ifndef SMARM_LIB_WHAT_OF_HPP
#define SMARM_LIB_WHAT_OF_HPP

#include <exception>
#include <string>

namespace smarm::detail {

[[nodiscard]] inline std::string what_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "something that is no std::exception";
  }
}

} // namespace smarm::detail

#endif
