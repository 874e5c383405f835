#!/usr/bin/env bash
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# Runs the benchmarks, each workload in a process of its own, and prints nothing but BENCH lines on
# standard output. See bench/bench.hpp for their format.
#
#   bench/run.sh [--threads N] [--quick] [WORKLOAD ...]

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

threads=1
options=()
wanted=()
while [ $# -gt 0 ]; do
    case $1 in
        --threads) threads=$2; shift ;;
        --quick) options+=(--quick) ;;
        -h | --help) sed -n '7,10p' "$0" | sed 's/^# \{0,1\}//' >&2; exit 0 ;;
        -*) echo "bench/run.sh: unknown option $1" >&2; exit 2 ;;
        *) wanted+=("$1") ;;
    esac
    shift
done

# workload : the program that has it
programs="
yield_many:runtime_bench yield_deep:runtime_bench chained_spawn:runtime_bench
spawn_join:runtime_bench skynet:runtime_bench many_timers:runtime_bench
timer_arm_cancel:runtime_bench memory:runtime_bench idle:runtime_bench
fan_out_compute:seed_bench deep_recursion:seed_bench yield_in_hot_loop:seed_bench
actor_failures:seed_bench spawn_storm_busy:seed_bench
mutex:mutex_bench timed_mutex:mutex_bench condition_ping_pong:mutex_bench
semaphore:mutex_bench semaphore_ping_pong:mutex_bench barrier:mutex_bench
task_group:mutex_bench
ping_pong:channel_bench ping_pong_pairs:channel_bench thread_ring:channel_bench
mpsc:channel_bench channel_uncontended:channel_bench recv_match:channel_bench
recv_match_arrivals:channel_bench select:select_bench send_from_threads:channel_bench
send_after:timer_bench tick_every:timer_bench
dispatch:group_bench dispatch_by_pid:group_bench broadcast:group_bench join_leave:group_bench
join_pick_leave:group_bench group_members:group_bench actor_local:group_bench
register:identity_bench whereis:identity_bench send_by_name:identity_bench
send_by_pid:identity_bench monitor_death:identity_bench link_death:identity_bench
call:server_bench call_with_deadline:server_bench call_deferred:server_bench cast:server_bench
call_from_threads:server_bench memory_servers:server_bench
statem_event:statem_bench statem_internal:statem_bench statem_postpone:statem_bench
statem_state_timeout:statem_bench statem_named_timeout:statem_bench
statem_rearm_many:statem_bench
restart:supervisor_bench restart_all:supervisor_bench tree_start:supervisor_bench
tree_start_stop:supervisor_bench for_key:pool_bench partition_call:pool_bench
pool_call:pool_bench pool_check_out:pool_bench tcp_echo:io_bench await_post:io_bench
blocking_roundtrip:io_bench tcp_stream:connections_bench idle_connections:connections_bench
"

b2 -j2 -d0 bench >&2

for entry in $programs; do
    workload=${entry%%:*}
    if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $workload "* ]]; then
        continue
    fi
    found=yes
    bin/stage/"${entry##*:}" --threads "$threads" ${options[@]+"${options[@]}"} "$workload"
done
if [ -z "${found-}" ]; then
    echo "bench/run.sh: no such workload; there are: $(echo $programs | sed 's/:[a-z_]*//g')" >&2
    exit 2
fi
