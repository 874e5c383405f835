// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The answers, one by one, and what they have in common.

#ifndef SMARM_LIB_OBSERVER_PARTS_HPP
#define SMARM_LIB_OBSERVER_PARTS_HPP

#include "answers.hpp"
#include "query.hpp"
#include "runtime_view.hpp"

#include <smarm/actor_info.hpp>
#include <smarm/pid.hpp>

#include <boost/json/object.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace smarm::observer_http_detail {

inline constexpr std::size_t usual_rows = 100;
inline constexpr std::size_t most_rows = 1000;

// "index.generation"; empty for none.
[[nodiscard]] std::string text_of(pid p);
// The actor at that place of the tree.
[[nodiscard]] boost::json::object json_of(runtime_view& view, std::size_t place);
// For so many seconds it has been doing what it does.
[[nodiscard]] double waited(const runtime_view& view, const actor_info& a);
[[nodiscard]] std::int64_t milliseconds_of(std::chrono::system_clock::time_point at);
// What every answer begins with.
[[nodiscard]] boost::json::object heading(const runtime_view& view);
[[nodiscard]] answer of_json(const boost::json::object& o);

// Of a GET of that. They take their fields out of the query, and throw bad_request and std::bad_alloc.
[[nodiscard]] answer overview(runtime_view& view, query& q);
[[nodiscard]] answer actors(runtime_view& view, query& q);
[[nodiscard]] answer level(runtime_view& view, query& q);
[[nodiscard]] answer single(runtime_view& view, query& q);
[[nodiscard]] answer reports(runtime_view& view, query& q);

} // namespace smarm::observer_http_detail

#endif
