// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A send that fails has to leave the value with its sender.
// expect: smarm: a send that fails gives the value back

#include <smarm/channel.hpp>

struct message {
  message() = default;
  message(message&&) noexcept(false) {}
  message& operator=(message&&) = delete;
};

auto ends = smarm::channel<message>();
