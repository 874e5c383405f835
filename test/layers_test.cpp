// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The layers of the library: what is below compiles without what is above. A header that is included
// from the wrong side shows by its guard.

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

namespace {
// Of those that wait for each other, as the runtime sees them.
constexpr bool runtime_knows_waiting =
#if defined(SMARM_CHANNEL_HPP) || defined(SMARM_SELECT_HPP) || defined(SMARM_MUTEX_HPP) ||         \
    defined(SMARM_SEND_AFTER_HPP)
    true;
#else
    false;
#endif
constexpr bool runtime_knows_identity =
#if defined(SMARM_DETAIL_RELATIONS_HPP) || defined(SMARM_DETAIL_NAME_TABLE_HPP) ||                 \
    defined(SMARM_DETAIL_LINK_SET_HPP) || defined(SMARM_DETAIL_MONITOR_ENTRY_HPP) ||               \
    defined(SMARM_DETAIL_PUBLISHED_HPP) || defined(SMARM_DETAIL_GROUP_MEMBER_HPP) ||               \
    defined(SMARM_DETAIL_GROUP_TABLE_HPP) || defined(SMARM_ACTOR_LOCAL_HPP)
    true;
#else
    false;
#endif
} // namespace

#include <smarm/barrier.hpp>
#include <smarm/channel.hpp>
#include <smarm/condition_variable.hpp>
#include <smarm/mutex.hpp>
#include <smarm/select.hpp>
#include <smarm/selector.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/send_after.hpp>
#include <smarm/task_group.hpp>
#include <smarm/tick.hpp>
#include <smarm/when.hpp>

namespace {
constexpr bool waiting_knows_io =
#if defined(SMARM_AWAIT_HPP) || defined(SMARM_EXECUTOR_HPP) || defined(SMARM_DESCRIPTOR_HPP) ||        \
    defined(SMARM_BLOCKING_HPP) || defined(SMARM_DETAIL_BLOCKING_JOB_HPP) ||                       \
    defined(SMARM_DETAIL_DESCRIPTOR_WAITER_HPP) || defined(SMARM_ACCEPT_HPP) ||                      \
    defined(SMARM_DETAIL_ACCEPT_LOOP_HPP) || defined(BOOST_ASIO_DETAIL_CONFIG_HPP)
    true;
#else
    false;
#endif
constexpr bool waiting_knows_identity =
#if defined(SMARM_DETAIL_RELATIONS_HPP) || defined(SMARM_MONITOR_HPP) ||                           \
    defined(SMARM_LINK_HPP) || defined(SMARM_NAME_HPP) || defined(SMARM_TYPED_PID_HPP) ||          \
    defined(SMARM_REGISTRY_HPP) || defined(SMARM_PROCESS_GROUP_HPP) ||                             \
    defined(SMARM_ACTOR_LOCAL_HPP)
    true;
#else
    false;
#endif
constexpr bool waiting_knows_who_looks_inside =
#if defined(SMARM_TRACE_HPP) || defined(SMARM_DUMP_STACKS_HPP) || defined(SMARM_WATCHDOG_HPP) ||   \
    defined(SMARM_DETAIL_PARKED_STACK_HPP) || defined(SMARM_DETAIL_RUNTIME_LIST_HPP)
    true;
#else
    false;
#endif
} // namespace

#include <smarm/application.hpp>
#include <smarm/dynamic_supervisor.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/gen_statem.hpp>
#include <smarm/partition_supervisor.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/sys.hpp>
#include <smarm/worker_pool.hpp>

namespace {
constexpr bool behaviours_look_inside =
#if defined(SMARM_INTROSPECT_HPP) || defined(SMARM_ACTOR_INFO_HPP) ||                              \
    defined(SMARM_RUNTIME_SNAPSHOT_HPP) || defined(SMARM_ACTOR_TREE_HPP) ||                        \
    defined(SMARM_DETAIL_READ_ACTOR_HPP) || defined(SMARM_OBSERVER_HPP) ||                         \
    defined(SMARM_PROMETHEUS_HPP)
    true;
#else
    false;
#endif
} // namespace

#include <smarm.hpp>

namespace {
constexpr bool umbrella_knows_the_page =
#if defined(SMARM_OBSERVER_HTTP_HPP)
    true;
#else
    false;
#endif
// It costs a second of every translation unit that includes it.
constexpr bool umbrella_knows_asio =
#if defined(BOOST_ASIO_DETAIL_CONFIG_HPP)
    true;
#else
    false;
#endif
} // namespace

#define BOOST_TEST_MODULE layers
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_CASE(what_is_below_does_not_include_what_is_above) {
  BOOST_TEST(!runtime_knows_waiting);
  BOOST_TEST(!runtime_knows_identity);
  BOOST_TEST(!waiting_knows_io);
  BOOST_TEST(!waiting_knows_identity);
  BOOST_TEST(!waiting_knows_who_looks_inside);
  BOOST_TEST(!behaviours_look_inside);
  BOOST_TEST(!umbrella_knows_asio);
  BOOST_TEST(!umbrella_knows_the_page);
}
