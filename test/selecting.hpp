// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the tests of select say of it.

#ifndef SMARM_TEST_SELECTING_HPP
#define SMARM_TEST_SELECTING_HPP

#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

#include <string>

namespace smarm_test {

// What a select that throws says, or "returned".
template <class Call>
std::string refusal(Call call, smarm::errc expected) {
  try {
    call();
  } catch (const boost::system::system_error& e) {
    return e.code() == expected ? e.what() : "wrong code: " + e.code().message();
  }
  return "returned";
}

inline std::string yes_no(bool yes) { return yes ? "yes" : "no"; }

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace smarm_test

#endif
