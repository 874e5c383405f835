// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A program that tracks Asio's handlers, and a library that does not.
// expect: undefined (reference to|symbol).*asio_built_with<.*handler_tracking_on

#define BOOST_ASIO_ENABLE_HANDLER_TRACKING 1

#include <smarm/executor.hpp>

int main() {
  smarm::runtime rt;
  (void)smarm::get_executor(rt);
}
