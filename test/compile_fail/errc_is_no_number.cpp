// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A number is not an error code, and an error code not a number.
// expect: cannot convert 'int' to 'smarm::errc'|cannot initialize a variable of type 'smarm::errc'

#include <smarm/error.hpp>

smarm::errc code = 3;
