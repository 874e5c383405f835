// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the tests of the blocking primitives share.

#ifndef SMARM_TEST_WAITING_HPP
#define SMARM_TEST_WAITING_HPP

#include "probe.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <utility>
#include <vector>

namespace smarm_test {

inline smarm::config quiet(unsigned schedulers) {
  return {.schedulers = schedulers, .reports = [](const smarm::report&) {}};
}

// The code of the error that the call throws.
template <class Call>
boost::system::error_code refusal(Call call) {
  try {
    call();
  } catch (const boost::system::system_error& e) {
    return e.code();
  }
  return {};
}

// An actor that has come to its first wait.
template <class Body>
smarm::join_handle waiting(Body&& body) {
  auto h = smarm::spawn(std::forward<Body>(body));
  until([&] { return parked(h.id()); });
  return h;
}

inline void join_all(std::vector<smarm::join_handle>& handles) {
  for (auto& h : handles) {
    (void)h.join();
  }
}

} // namespace smarm_test

#endif
