// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The figures of a runtime in the text format that Prometheus reads, version 0.0.4, for programs that
// have an HTTP server of their own. Those that have none: smarm/observer_http.hpp.

#ifndef SMARM_PROMETHEUS_HPP
#define SMARM_PROMETHEUS_HPP

#include <smarm/runtime_snapshot.hpp>
#include <smarm/runtime_stats.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smarm {

struct prometheus_options {
  // Series for single actors are for those that have a registered name, with that as their label, in
  // the order of the names, and for no more than this: each is kept by Prometheus for weeks.
  std::size_t most_actors = 200;
};

inline constexpr std::string_view prometheus_content_type =
    "text/plain; version=0.0.4; charset=utf-8";

// All in one text. What is counted begins at zero with each run, which Prometheus takes for a restart.
// Throws std::bad_alloc. Neither suspends nor is a stop point.
[[nodiscard]] std::string prometheus_text(const runtime_stats& stats,
                                          const std::vector<scheduler_info>& schedulers,
                                          const runtime_snapshot& actors,
                                          const prometheus_options& options = {});

} // namespace smarm

#endif
