// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Whoever forgets to ask for C++20 is told so, in words.
// expect: smarm needs C\+\+20: compile with -std=c\+\+20

#include <smarm.hpp>
