// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The umbrella: everything but what needs Boost.Asio. Programs that care for build times include
// the headers they use.

#ifndef SMARM_HPP
#define SMARM_HPP

#include <smarm/actor_info.hpp>
#include <smarm/actor_local.hpp>
#include <smarm/actor_tree.hpp>
#include <smarm/any_server.hpp>
#include <smarm/application.hpp>
#include <smarm/barrier.hpp>
#include <smarm/behaviour_kind.hpp>
#include <smarm/blocking.hpp>
#include <smarm/blocking_stats.hpp>
#include <smarm/bounded.hpp>
#include <smarm/bridge.hpp>
#include <smarm/bridge_end.hpp>
#include <smarm/channel.hpp>
#include <smarm/child_info.hpp>
#include <smarm/child_spec.hpp>
#include <smarm/child_start.hpp>
#include <smarm/condition_variable.hpp>
#include <smarm/config.hpp>
#include <smarm/descriptor.hpp>
#include <smarm/descriptor_arm.hpp>
#include <smarm/down.hpp>
#include <smarm/dump_stacks.hpp>
#include <smarm/dynamic_supervisor.hpp>
#include <smarm/error.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/exit_signal.hpp>
#include <smarm/fwd.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/gen_statem.hpp>
#include <smarm/group_event.hpp>
#include <smarm/group_in_runtime.hpp>
#include <smarm/group_monitor.hpp>
#include <smarm/group_scope.hpp>
#include <smarm/inbox_ref.hpp>
#include <smarm/init_result.hpp>
#include <smarm/introspect.hpp>
#include <smarm/io_stats.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/latch.hpp>
#include <smarm/link.hpp>
#include <smarm/member_choice.hpp>
#include <smarm/member_identity.hpp>
#include <smarm/messages.hpp>
#include <smarm/missed_tick.hpp>
#include <smarm/monitor.hpp>
#include <smarm/mutex.hpp>
#include <smarm/name.hpp>
#include <smarm/observer.hpp>
#include <smarm/partition_supervisor.hpp>
#include <smarm/past_report.hpp>
#include <smarm/pending_reply.hpp>
#include <smarm/pid.hpp>
#include <smarm/process_group.hpp>
#include <smarm/prometheus.hpp>
#include <smarm/registry.hpp>
#include <smarm/reply_to.hpp>
#include <smarm/report.hpp>
#include <smarm/restart_backoff.hpp>
#include <smarm/runtime.hpp>
#include <smarm/runtime_snapshot.hpp>
#include <smarm/runtime_stats.hpp>
#include <smarm/select.hpp>
#include <smarm/selector.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/send.hpp>
#include <smarm/send_after.hpp>
#include <smarm/server_name.hpp>
#include <smarm/server_name_in_runtime.hpp>
#include <smarm/server_options.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/signal_watch.hpp>
#include <smarm/spawn.hpp>
#include <smarm/spawn_actor.hpp>
#include <smarm/spawn_options.hpp>
#include <smarm/start_server.hpp>
#include <smarm/state_data.hpp>
#include <smarm/stop.hpp>
#include <smarm/stop_report.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/supervisor_options.hpp>
#include <smarm/synchronized.hpp>
#include <smarm/sys.hpp>
#include <smarm/sys_event.hpp>
#include <smarm/sys_statistics.hpp>
#include <smarm/task_group.hpp>
#include <smarm/this_actor.hpp>
#include <smarm/tick.hpp>
#include <smarm/timer_id.hpp>
#include <smarm/trace.hpp>
#include <smarm/trace_event.hpp>
#include <smarm/transition.hpp>
#include <smarm/transition_graph.hpp>
#include <smarm/typed_pid.hpp>
#include <smarm/version.hpp>
#include <smarm/wait_kind.hpp>
#include <smarm/watchdog.hpp>
#include <smarm/watchdog_options.hpp>
#include <smarm/when.hpp>
#include <smarm/worker_pool.hpp>

#endif
