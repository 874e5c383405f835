// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Nothing is wrong with this program, so nothing can have been found.
// expect: .
// refuse: succeeded, though it must fail

int main() {}
