// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The version of the library, the one place where it is written: CMake, b2 and pkg-config read it
// from here. Use SMARM_VERSION in preprocessor conditions.

#ifndef SMARM_VERSION_HPP
#define SMARM_VERSION_HPP

#define SMARM_VERSION_MAJOR 0
#define SMARM_VERSION_MINOR 1
#define SMARM_VERSION_PATCH 0

//[version_outline
// SMARM_VERSION / 100000 is the major, SMARM_VERSION / 100 % 1000 the minor version, and
// SMARM_VERSION % 100 the patch level, as in BOOST_VERSION.
#define SMARM_VERSION                                                                              \
  (SMARM_VERSION_MAJOR * 100000 + SMARM_VERSION_MINOR * 100 + SMARM_VERSION_PATCH)
//]

#define SMARM_DETAIL_TEXT_OF(x) #x
#define SMARM_DETAIL_DOTTED(major, minor, patch)                                                   \
  SMARM_DETAIL_TEXT_OF(major) "." SMARM_DETAIL_TEXT_OF(minor) "." SMARM_DETAIL_TEXT_OF(patch)
#define SMARM_VERSION_STRING                                                                       \
  SMARM_DETAIL_DOTTED(SMARM_VERSION_MAJOR, SMARM_VERSION_MINOR, SMARM_VERSION_PATCH)

#endif
