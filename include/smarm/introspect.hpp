// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Looking at the actors of a runtime while they go on:
//
//     for (const smarm::actor_info& a : smarm::introspect::snapshot().actors) {
//       std::cout << a.actor << ' ' << a.label << ' ' << a.state << " waits for " << a.waits_for << '\n';
//     }
//
// Nobody is stopped. Each actor is looked at for itself, so that what is said of two of them need not
// have been so at the same moment, as with ps; what is said of one is of one incarnation, and its state
// and what it waits for belong together. It takes a lock of one actor at a time, for some copies, and
// none where there is nothing to copy.
//
// The functions without a handle are for actors and for scheduler context, and look at the caller's
// runtime; elsewhere they throw boost::system::system_error with errc::not_in_actor. The others work
// from any thread. None of them waits or is a stop point; snapshot and tree yield between two actors
// if the caller's slice is used up. They throw std::bad_alloc.

#ifndef SMARM_INTROSPECT_HPP
#define SMARM_INTROSPECT_HPP

#include <smarm/actor_info.hpp>
#include <smarm/actor_tree.hpp>
#include <smarm/past_report.hpp>
#include <smarm/pid.hpp>
#include <smarm/runtime.hpp>
#include <smarm/runtime_snapshot.hpp>
#include <smarm/runtime_stats.hpp>

#include <boost/system/result.hpp>

#include <optional>
#include <vector>

namespace smarm::introspect {

// All actors that are there, with those that have ended and whose handle somebody still has. Linear in
// the greatest number of actors that there were at a time. An actor that is spawned or ends meanwhile
// may be missing.
[[nodiscard]] runtime_snapshot snapshot();
[[nodiscard]] runtime_snapshot snapshot(const runtime& in);
// Error: runtime_down, the runtime object is gone; likewise below.
[[nodiscard]] boost::system::result<runtime_snapshot> snapshot(const runtime_handle& in);

// That actor; nothing if it is gone, or never was.
[[nodiscard]] std::optional<smarm::actor_info> actor_info(pid actor);
[[nodiscard]] std::optional<smarm::actor_info> actor_info(const runtime& in, pid actor);
[[nodiscard]] std::optional<smarm::actor_info> actor_info(const runtime_handle& in, pid actor);

// A snapshot as a tree.
[[nodiscard]] actor_tree tree();
[[nodiscard]] actor_tree tree(const runtime& in);
[[nodiscard]] boost::system::result<actor_tree> tree(const runtime_handle& in);
// The same of any list of actors, wherever it is from. An actor whose parent is not among them becomes
// a root, and is flagged if that parent was an actor; so is the first of those that are, wrongly, each
// other's ancestors. Of two with one pid the first is taken as the parent. Linear; nothing else.
[[nodiscard]] actor_tree tree_of(runtime_snapshot from);

// Its schedulers, by number.
[[nodiscard]] std::vector<scheduler_info> schedulers();
[[nodiscard]] std::vector<scheduler_info> schedulers(const runtime& in);
[[nodiscard]] boost::system::result<std::vector<scheduler_info>>
schedulers(const runtime_handle& in);

// What the runtime's sink was told of, by time: crashes, restarts, what a watchdog saw. Of each kind the newest
// config::kept_reports, also of runs before this one.
[[nodiscard]] std::vector<past_report> recent_reports();
[[nodiscard]] std::vector<past_report> recent_reports(const runtime& in);
[[nodiscard]] boost::system::result<std::vector<past_report>>
recent_reports(const runtime_handle& in);

// As runtime::stats.
[[nodiscard]] runtime_stats statistics();
[[nodiscard]] boost::system::result<runtime_stats> statistics(const runtime_handle& in);

} // namespace smarm::introspect

#endif
