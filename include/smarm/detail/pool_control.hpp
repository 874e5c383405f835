// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a worker pool's handle, its manager and its workers' supervisor share, and what the handle can
// ask. The manager is a server in the library: it does not know what class the workers are of.

#ifndef SMARM_DETAIL_POOL_CONTROL_HPP
#define SMARM_DETAIL_POOL_CONTROL_HPP

#include <smarm/any_server.hpp>
#include <smarm/child_start.hpp>
#include <smarm/detail/current_ref.hpp>
#include <smarm/detail/lent_worker.hpp>
#include <smarm/detail/tree_plan.hpp>
#include <smarm/error.hpp>

#include <boost/system/result.hpp>

#include <cstdint>
#include <memory>

namespace smarm {
struct worker_pool_options;
struct worker_pool_statistics;
} // namespace smarm

namespace smarm::detail {

struct pool_node;

// Each is set by who has started it, anew for each incarnation.
struct pool_control {
  current_ref<any_server> manager;
  current_ref<any_server> workers; // the dynamic supervisor
};

// The tree of a pool whose workers start like that. Throws as start_supervisor.
[[nodiscard]] tree_plan pool_tree(const std::shared_ptr<pool_control>& control,
                                  const worker_pool_options& options, const child_start& worker);

// Waits for a worker; what is lent goes back when the calling actor ends. Suspends, a stop point.
[[nodiscard]] boost::system::result<lent_worker> check_out(const pool_control& control,
                                                           std::int64_t deadline);
// errc{}: some worker handles it, or it is refused. Else it is still the caller's: server_down,
// out_of_memory.
[[nodiscard]] errc submit(const pool_control& control, pool_node& node) noexcept;
[[nodiscard]] boost::system::result<worker_pool_statistics>
statistics_of(const pool_control& control);

} // namespace smarm::detail

#endif
