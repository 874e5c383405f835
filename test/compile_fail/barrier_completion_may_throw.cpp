// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a barrier calls between two phases cannot fail: nobody could be told.
// expect: a barrier's completion function is called without arguments and is noexcept

#include <smarm/barrier.hpp>

smarm::barrier phase(2, [] {});
