#!/usr/bin/env bash
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# The key-value store of example/kv beside redis-server, both by redis-benchmark: the same clients, the
# same persistence, the same processors. Prints a table: thousands of requests a second, the median of a
# few runs that take turns, and smarm's part of redis-server's.
#
#   b2 example/kv//kv-staged && bench/kv.sh [--runs N] [--requests N]
#
# Once with one processor for the server, kv with one scheduler; and once with two for it, kv with two
# schedulers. The client has the last processor. If there are but two, the second half has server and
# client share both of them, redis-server's as kv's: what one of them does not use the other may.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=3
requests=100000
while [ $# -gt 0 ]; do
    case $1 in
        --runs) runs=$2; shift ;;
        --requests) requests=$2; shift ;;
        -h | --help) sed -n '7,17p' "$0" | sed 's/^# \{0,1\}//' >&2; exit 0 ;;
        *) echo "bench/kv.sh: unknown option $1" >&2; exit 2 ;;
    esac
    shift
done
for program in redis-server redis-benchmark redis-cli bin/stage/kv; do
    command -v $program > /dev/null || { echo "bench/kv.sh: no $program here" >&2; exit 77; }
done

dir=$(mktemp -d)
pids=()
finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; done
    for pid in "${pids[@]}"; do wait "$pid" 2> /dev/null || true; done
    rm -rf "$dir"
}
trap finish EXIT

last=$(($(nproc) - 1))
one=0 two=0-1 client_of_one=$last client_of_two=$last
if [ "$last" = 1 ]; then
    client_of_two=0-1
fi
mkdir "$dir/redis1" "$dir/kv1" "$dir/redis2" "$dir/kv2"

# start NAME PORT PROCESSORS COMMAND...
declare -A port
start() {
    local name=$1 cpus=$3
    port[$name]=$2
    shift 3
    taskset -c "$cpus" "$@" > "$dir/$name.log" 2>&1 &
    pids+=($!)
    until redis-cli -p "${port[$name]}" ping > /dev/null 2>&1; do
        kill -0 "${pids[-1]}" || { cat "$dir/$name.log" >&2; exit 1; }
        sleep 0.1
    done
}
redis=(redis-server --bind 127.0.0.1 --appendonly yes --appendfsync everysec --save "")
start redis1 16379 $one "${redis[@]}" --port 16379 --dir "$dir/redis1"
start kv1 16380 $one bin/stage/kv --port 16380 --dir "$dir/kv1" --partitions 1 --schedulers 1
start redis2 16381 $two "${redis[@]}" --port 16381 --dir "$dir/redis2"
start kv2 16382 $two bin/stage/kv --port 16382 --dir "$dir/kv2" --partitions 2 --schedulers 2

# measure NAME PIPELINE WORKLOAD prints "NAME PIPELINE WORKLOAD RATE"
measure() {
    local name=$1 pipeline=$2 client=$client_of_one
    case $name in *2) client=$client_of_two ;; esac
    taskset -c "$client" redis-benchmark -p "${port[$name]}" -t "$3" -c 50 \
        -n $((requests * (pipeline > 1 ? 4 : 1))) -P "$pipeline" -r 100000 --csv |
        tail -n +2 | tr -d '"' | awk -F, -v n="$name" -v p="$pipeline" '{ print n, p, $1, $2 }' | tr -d '()'
}
for ((run = 0; run < runs; run++)); do
    for pipeline in 1 16; do
        for workload in ping_mbulk set get incr mset; do
            for name in redis1 kv1 redis2 kv2; do
                measure $name $pipeline $workload
            done
        done
    done
done > "$dir/all"

awk '
    {
        rate = $NF; name = $1; p = $2; $1 = $2 = $NF = ""; gsub(/^ +| +$/, "")
        row = "-P " p "  " $0
        if (!(row in seen)) { seen[row] = 1; rows[count++] = row }
        rates[row, name, ++runs[row, name]] = rate
    }
    function median(row, name,    n, i, j, all, one) {
        n = runs[row, name]
        for (i = 1; i <= n; i++) {
            one = rates[row, name, i]
            for (j = i - 1; j > 0 && all[j] > one; j--) all[j + 1] = all[j]
            all[j + 1] = one
        }
        return n % 2 ? all[(n + 1) / 2] : (all[n / 2] + all[n / 2 + 1]) / 2
    }
    END {
        form = "%-24s %9s %9s %6s   %9s %9s %6s\n"
        printf form, "", "1: redis", "kv", "part", "2: redis", "kv", "part"
        for (i = 0; i < count; i++) {
            r = rows[i]
            for (n = 1; n <= 2; n++) {
                redis[n] = median(r, "redis" n) / 1000; kv[n] = median(r, "kv" n) / 1000
            }
            printf form, r, sprintf("%.0f", redis[1]), sprintf("%.0f", kv[1]),
                sprintf("%.2f", kv[1] / redis[1]), sprintf("%.0f", redis[2]), sprintf("%.0f", kv[2]),
                sprintf("%.2f", kv[2] / redis[2])
        }
    }' "$dir/all"
