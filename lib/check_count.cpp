// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The errors, which nobody meets who counts right.

#include <smarm/detail/check_count.hpp>

#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

#include <string>

namespace smarm::detail {

void throw_bad_count(const char* whose, std::ptrdiff_t count) {
  throw boost::system::system_error(make_error_code(errc::invalid_config),
                                    std::string(whose) + ": a count of " + std::to_string(count));
}

void throw_count_out_of_range(const char* call, std::ptrdiff_t n) {
  throw boost::system::system_error(make_error_code(errc::count_out_of_range),
                                    std::string(call) + " by " + std::to_string(n));
}

} // namespace smarm::detail
