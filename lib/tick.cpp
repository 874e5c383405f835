// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/tick.hpp>

#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

namespace smarm::detail {

void refuse_period() {
  throw boost::system::system_error(make_error_code(errc::invalid_config),
                                    "smarm::tick_every: the period must be longer than zero");
}

} // namespace smarm::detail
