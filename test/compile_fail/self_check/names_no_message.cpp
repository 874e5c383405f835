// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Rejected, but for a reason that the file does not name.
// refuse: has no line '// expect: REGEX'

static_assert(sizeof(int) == 0, "any reason");
