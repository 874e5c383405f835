// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/build_choices.hpp>

namespace smarm::detail {

// Its instance for this build's choices comes with library_choices.
template <class RunQueue, class Trace, class Sanitizer, class Checks, class Valgrind,
          class Budget>
void library_built_with<RunQueue, Trace, Sanitizer, Checks, Valgrind, Budget>::here() noexcept {}

} // namespace smarm::detail
