#!/bin/sh
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# redis_clients.sh CLIENT PROGRAM DIR
#
# The store, used by the clients that Redis comes with, and killed while it works. CLIENT is redis-cli,
# redis-benchmark, kill, full for a disk that is full, or flags. DIR is made and removed. Says what is wrong and fails; status 77 if there are
# no such clients here.

client=$1
program=$2
dir=$3

command -v redis-cli > /dev/null && command -v redis-benchmark > /dev/null || {
    echo "no redis-tools here: not tested: kv by $client"
    exit 77
}

rm -rf "$dir"
mkdir -p "$dir" || exit 1
pid=
trap '[ -z "$pid" ] || kill -KILL "$pid" 2> /dev/null; rm -rf "$dir"' EXIT

refuse() {
    echo "$client and kv: $1"
    echo '--- what the client and the server said:'
    tail -n 30 "$dir/client" "$dir/server" 2> /dev/null
    exit 1
}

# The file is written a line at a time; that it listens is one of the first.
start() {
    : > "$dir/server"
    "$program" --port 0 --dir "$dir/data" "$@" > "$dir/server" 2>&1 &
    pid=$!
    wait_for_port
}

wait_for_port() {
    tries=0
    until port=$(sed -n 's/^listens on .*:\([0-9]*\)$/\1/p' "$dir/server") && [ -n "$port" ]; do
        kill -0 "$pid" 2> /dev/null && [ $tries -lt 1200 ] || refuse 'the server did not start'
        sleep 0.05
        tries=$((tries + 1))
    done
}

stop() {
    kill -TERM "$pid" || refuse 'the server is gone'
    wait "$pid" || refuse "the server ended with status $?"
    pid=
    grep -q 'in good order: SIGTERM$' "$dir/server" || refuse 'the server did not end in good order'
}

ask() { redis-cli -p "$port" "$@" 2>> "$dir/client" || refuse "redis-cli $* failed"; }

# equal WANTED GOT WHAT
equal() {
    [ "$1" = "$2" ] || refuse "$3: got '$2' and not '$1'"
}

by_cli() {
    start
    equal PONG "$(ask ping)" ping
    equal OK "$(ask set key 'a value')" set
    equal 'a value' "$(ask get key)" get
    equal 3 "$(ask incrby n 3)" incrby
    equal 2 "$(ask --scan | wc -l | tr -d ' ')" scan
    equal 'ERR value is not an integer or out of range' "$(ask incr key | tr -d '\n')" 'incr of a text'
    head -c 3000000 /dev/urandom > "$dir/much"
    equal OK "$(ask -x set much < "$dir/much")" 'set of much'
    ask get much > "$dir/back"
    head -c 3000000 "$dir/back" | cmp -s - "$dir/much" || refuse 'much came back otherwise'
    stop
    start
    equal 'a value' "$(ask get key)" 'get after a restart'
    stop
}

by_benchmark() {
    start
    for pipeline in 1 16; do
        redis-benchmark -p "$port" -t ping,set,get,incr,mset -n 20000 -c 50 -P $pipeline -r 1000 -q \
            > "$dir/client" 2>&1 || refuse 'redis-benchmark failed'
        equal 6 "$(tr '\r' '\n' < "$dir/client" | grep -c 'requests per second')" "workloads with -P $pipeline"
        ! grep -qi 'error' "$dir/client" || refuse 'redis-benchmark saw an error'
    done
    stop
}

# Clients that each count up a key of their own: what they were told must be there after a kill, and at
# most the one that was under way more.
by_kill() {
    for fsync in always everysec no; do
        rm -rf "$dir/data"
        # Logs are compacted all the time, with more in the snapshots than is written at once.
        start --appendfsync $fsync --auto-aof-rewrite-min-size 100000
        head -c 400000 /dev/zero | tr '\0' x > "$dir/much"
        for n in 1 2 3 4; do
            equal OK "$(ask -x set much$n < "$dir/much")" 'set of much'
        done
        counters='a b c d'
        talking=
        for c in $counters; do
            yes "INCR $c" | redis-cli -p "$port" > "$dir/told.$c" 2>> "$dir/client" &
            talking="$talking $!"
        done
        ask bgrewriteaof > "$dir/bgrewriteaof"
        for c in $counters; do
            tries=0
            until [ "$(wc -l < "$dir/told.$c")" -gt 500 ] && grep -q 'compacted its log' "$dir/server" || [ $tries -ge 1200 ]; do
                sleep 0.05
                tries=$((tries + 1))
            done
        done
        kill -KILL "$pid"
        wait "$pid" 2> /dev/null
        # redis-cli goes on and is refused from now on.
        # shellcheck disable=SC2086 # several processes
        kill $talking 2> /dev/null
        # shellcheck disable=SC2086
        wait $talking 2> /dev/null
        start --appendfsync $fsync
        for c in $counters; do
            told=$(grep -E '^[0-9]+$' "$dir/told.$c" | sort -n | tail -n 1)
            found=$(ask get "$c")
            [ -n "$told" ] && [ "$found" -ge "$told" ] 2> /dev/null ||
                refuse "appendfsync $fsync: told '$told' and found '$found'"
        done
        stop
    done
}

# What could not be written is refused, what could is there afterwards.
by_full() {
    limit=128 # of 512 bytes: of a log
    start --partitions 1 --appendfsync no
    stop
    start_limited
    told=0
    while [ $told -lt 100 ] && [ "$(ask set "key$told" "$(head -c 1000 /dev/zero | tr '\0' x)")" = OK ]; do
        told=$((told + 1))
    done
    [ $told -gt 50 ] && [ $told -lt 66 ] || refuse "$told keys of 1000 bytes in a log of 65536"
    case $(ask incr n) in
        MISCONF*) ;;
        *) refuse 'a change was not refused' ;;
    esac
    equal 1000 "$(ask strlen key0)" 'strlen on a full disk'
    stop
    start --partitions 1
    equal $told "$(ask dbsize)" 'dbsize after a restart'
    equal 1 "$(ask incr n)" 'incr after a restart'
    stop
}

start_limited() {
    : > "$dir/server"
    (
        ulimit -f $limit
        exec "$program" --port 0 --dir "$dir/data" --partitions 1 --appendfsync no > "$dir/server" 2>&1
    ) &
    pid=$!
    wait_for_port
}

# Says so, in a sentence, and fails.
says() {
    wanted=$1
    shift
    "$program" "$@" > "$dir/server" 2>&1 && refuse "$* was accepted"
    grep -qF -e "$wanted" "$dir/server" || refuse "$* does not say '$wanted'"
}

by_flags() {
    "$program" --help > "$dir/server" || refuse '--help fails'
    for flag in port dir partitions schedulers appendfsync observer maxclients; do
        grep -q -e "--$flag" "$dir/server" || refuse "--help says nothing of --$flag"
    done
    says '--port is 0 to 65535, not 65536' --port 65536
    says "the argument ('six') for option '--port' is invalid" --port six
    says '--partitions is 1 to 65536, not 0' --partitions 0
    says '--schedulers is 0 to 64, not 65' --schedulers 65
    says '--appendfsync is always, everysec or no, not often' --appendfsync often
    says "unrecognised option '--prot'" --prot 1
    says 'too many positional options' 6379
    start --partitions 2 --observer 0 --schedulers 1
    page=$(sed -n 's/^observer at //p' "$dir/server")
    if command -v curl > /dev/null; then
        curl -s "$page" | grep -qi '<html' || refuse "no page at $page"
    fi
    says 'is in use by another process' --port 0 --dir "$dir/data" --partitions 2
    says 'Address already in use' --port "$port"
    stop
    says "$dir/data was made with --partitions 2" --port 0 --dir "$dir/data" --partitions 3
    rm -f "$dir/data/partition-0.0.log"
    : > "$dir/data/partition-0.1.log"
    says "partition-0.0.log is missing; restore it" --port 0 --dir "$dir/data"
}

case $client in
    redis-cli) by_cli ;;
    redis-benchmark) by_benchmark ;;
    kill) by_kill ;;
    full) by_full ;;
    flags) by_flags ;;
    *) refuse 'no such client' ;;
esac
