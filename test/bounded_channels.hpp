// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the tests of bounded channels share.

#ifndef SMARM_TEST_BOUNDED_CHANNELS_HPP
#define SMARM_TEST_BOUNDED_CHANNELS_HPP

#include <smarm/channel.hpp>

#include <utility>
#include <vector>

namespace smarm_test {

inline constexpr smarm::overflow policies[] = {smarm::overflow::block, smarm::overflow::fail,
                                               smarm::overflow::drop_newest,
                                               smarm::overflow::drop_oldest};

// Everything that can be taken at once.
template <class T>
std::vector<T> drain(smarm::receiver<T>& rx) {
  std::vector<T> all;
  while (auto message = rx.try_recv()) {
    all.push_back(*std::move(message));
  }
  return all;
}

} // namespace smarm_test

#endif
