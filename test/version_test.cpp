// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The version macros, against each other.

#include <smarm/version.hpp>

#define BOOST_TEST_MODULE version
#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_CASE(the_number_and_the_text_say_the_same) {
  const std::string text = std::to_string(SMARM_VERSION / 100000) + '.' +
                           std::to_string(SMARM_VERSION / 100 % 1000) + '.' +
                           std::to_string(SMARM_VERSION % 100);
  BOOST_TEST(text == SMARM_VERSION_STRING);
}
