// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A tick is sent again and again, so its message has to be copied.
// expect: smarm: each tick sends a copy of the message

#include <smarm/tick.hpp>

#include <chrono>
#include <memory>

void start(const smarm::sender<std::unique_ptr<int>>& to) {
  (void)smarm::tick_every(std::chrono::seconds(1), to, std::make_unique<int>(1));
}
