// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Boost.JSON, compiled here so that nobody has to link one more library. In a program that links
// Boost's own the linker takes one of the two: either is a single object file.

#include <boost/json/src.hpp>
