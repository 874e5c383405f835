#!/bin/sh
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# redis_clients.sh CLIENT PROGRAM DIR
#
# The store, used by the clients that Redis comes with, and killed while it works. CLIENT is redis-cli,
# redis-benchmark, or kill. DIR is made and removed. Says what is wrong and fails; status 77 if there are
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
        start --appendfsync $fsync
        counters='a b c d'
        talking=
        for c in $counters; do
            yes "INCR $c" | redis-cli -p "$port" > "$dir/told.$c" 2>> "$dir/client" &
            talking="$talking $!"
        done
        for c in $counters; do
            tries=0
            until [ "$(wc -l < "$dir/told.$c")" -gt 500 ] || [ $tries -ge 1200 ]; do
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

case $client in
    redis-cli) by_cli ;;
    redis-benchmark) by_benchmark ;;
    kill) by_kill ;;
    *) refuse 'no such client' ;;
esac
