#!/usr/bin/env bash
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# The key-value store of example/kv beside redis-server, both by redis-benchmark: the same clients, the
# same persistence, the same processors. Prints a table: thousands of requests a second, the best of a
# few runs that take turns, and smarm's part of redis-server's.
#
#   b2 example/kv//kv-staged && bench/kv.sh [--runs N] [--requests N]
#
# With two or more processors the server has one, or two with 2 schedulers, and the client has the last
# one; so with two processors the rows for 2 schedulers share one of them with the client.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=3
requests=100000
while [ $# -gt 0 ]; do
    case $1 in
        --runs) runs=$2; shift ;;
        --requests) requests=$2; shift ;;
        -h | --help) sed -n '7,16p' "$0" | sed 's/^# \{0,1\}//' >&2; exit 0 ;;
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
mkdir "$dir/redis" "$dir/kv1" "$dir/kv2"

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
start redis 16379 0 redis-server --port 16379 --bind 127.0.0.1 --dir "$dir/redis" \
    --appendonly yes --appendfsync everysec --save ""
start kv1 16380 0 bin/stage/kv --port 16380 --dir "$dir/kv1" --partitions 1 --schedulers 1
start kv2 16381 0-1 bin/stage/kv --port 16381 --dir "$dir/kv2" --partitions 2 --schedulers 2

# "NAME PIPELINE WORKLOAD RATE" for each
measure() {
    local name=$1 pipeline=$2
    taskset -c "$last" redis-benchmark -p "${port[$name]}" -t ping_mbulk,set,get,incr,mset -c 50 \
        -n $((requests * (pipeline > 1 ? 4 : 1))) -P "$pipeline" -r 100000 --csv |
        tail -n +2 | tr -d '"' | awk -F, -v n="$name" -v p="$pipeline" '{ print n, p, $1, $2 }' | tr -d '()'
}
for ((run = 0; run < runs; run++)); do
    for pipeline in 1 16; do
        for name in redis kv1 kv2; do
            measure $name $pipeline
        done
    done
done > "$dir/all"

awk '
    {
        rate = $NF; name = $1; p = $2; $1 = $2 = $NF = ""; gsub(/^ +| +$/, "")
        row = "-P " p "  " $0
        if (!(row in seen)) { seen[row] = 1; rows[count++] = row }
        if (rate > best[row, name]) best[row, name] = rate
    }
    END {
        printf "%-24s %8s %8s %8s %8s %8s\n", "k requests/s", "redis", "kv, 1", "part", "kv, 2", "part"
        for (i = 0; i < count; i++) {
            r = rows[i]; of = best[r, "redis"]
            printf "%-24s %8.0f %8.0f %8.2f %8.0f %8.2f\n", r, of / 1000, best[r, "kv1"] / 1000,
                best[r, "kv1"] / of, best[r, "kv2"] / 1000, best[r, "kv2"] / of
        }
    }' "$dir/all"
