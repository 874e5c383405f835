// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/bounded.hpp>

#include <smarm/detail/bounded_part.hpp>
#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

#include <cstdint>
#include <string>

namespace smarm::detail {

void check_bound(const bounded& how) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  if (how.capacity < 1 || how.capacity > most) {
    throw boost::system::system_error(make_error_code(errc::invalid_config),
                                      "bounded: capacity is " + std::to_string(how.capacity) +
                                        "; allowed are 1 to " + std::to_string(most) +
                                        " messages");
  }
}

} // namespace smarm::detail
