// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Rejected, but only one of the two sentences is said.
// expect: the sentence that is there
// expect: the sentence that is not
// refuse: message absent: the sentence that is not$

static_assert(sizeof(int) == 0, "the sentence that is there");
