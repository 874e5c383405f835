// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the endpoint answers, by path; without any network.

#ifndef SMARM_LIB_OBSERVER_ANSWERS_HPP
#define SMARM_LIB_OBSERVER_ANSWERS_HPP

#include "runtime_view.hpp"

#include <string>
#include <string_view>

namespace smarm::observer_http_detail {

struct answer {
  unsigned status = 200;
  std::string_view content_type;
  std::string body;
};

// Of a GET. Throws std::bad_alloc.
[[nodiscard]] answer answer_to(runtime_view& view, std::string_view target);
[[nodiscard]] answer refusal(unsigned status, std::string_view why);

// The page, of which everything is in it.
[[nodiscard]] std::string page();

} // namespace smarm::observer_http_detail

#endif
