// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Local time has no clock that could be asked how late it is.
// expect: smarm: a deadline is a time of a clock with now()

#include <smarm/this_actor.hpp>

#include <chrono>

void wait(std::chrono::local_seconds at) { smarm::this_actor::sleep_until(at); }
