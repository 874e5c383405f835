// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#define BOOST_TEST_MODULE without_traces
#include <boost/test/unit_test.hpp>

#include <smarm/error.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/trace.hpp>

#include <sstream>

BOOST_AUTO_TEST_CASE(a_library_without_traces_says_so) {
  BOOST_TEST((smarm::trace::start().error() == smarm::errc::not_supported));
  smarm::runtime rt({.schedulers = 1});
  rt.run([] { (void)smarm::spawn([] {}).join(); });
  BOOST_TEST(smarm::trace::events().empty());
  std::ostringstream out;
  BOOST_TEST(smarm::trace::write(out).has_value());
}
