#!/bin/sh
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# demo.sh KIND PROGRAM DIR
#
# The demonstration, for a short time. KIND is holds; loses, with a disk that drops writes, which must be
# noticed; or interrupted, by Ctrl-C. DIR is made and removed.

kind=$1
program=$2
dir=$3

rm -rf "$dir"
mkdir -p "$dir/tmp" || exit 1
pid=
trap '[ -z "$pid" ] || kill -KILL "$pid" 2> /dev/null; rm -rf "$dir"' EXIT

refuse() {
    echo "the demonstration, $kind: $1"
    echo '--- what it printed:'
    cat "$dir/output"
    exit 1
}

# start ARGUMENT...: SIGINT is ignored in what a script starts in the background; here it must not be.
start() {
    TMPDIR="$dir/tmp" LC_ALL=C python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$program" "$@" > "$dir/output" 2>&1 &
    pid=$!
}

# ends STATUS
ends() {
    wait "$pid"
    status=$?
    pid=
    [ "$status" = "$1" ] || refuse "status $status and not $1"
    [ -z "$(ls "$dir/tmp")" ] || refuse "left $(ls "$dir/tmp")"
    ! grep -q "$(printf '\033')" "$dir/output" || refuse 'has control codes, and is no terminal'
}

prints() { grep -Eq "$1" "$dir/output" || refuse "no line with '$1'"; }

command -v python3 > /dev/null || {
    echo "no python3 here: not tested: the demonstration, $kind"
    exit 77
}

case $kind in
    holds)
        start --seconds 1.5
        ends 0
        prints '^  ok   [0-9 ]+ acknowledged writes, 0 lost$'
        prints '^  ok   [0-9 ]+ requests, 0 without an answer'
        prints '^  ok   [0-9 ]+ partitions killed, '
        prints 'partition/0  [0-9]+ restarts?$'
        ! grep -q 'NOT' "$dir/output" || refuse 'something did not hold'
        ;;
    loses)
        start --seconds 1.5 --lose-writes
        ends 1
        prints '^  NOT  [0-9 ]+ acknowledged writes, [1-9][0-9 ]* lost$'
        ;;
    interrupted)
        start --seconds 600
        tries=0
        until grep -q 'requests/s' "$dir/output" || [ $tries -ge 1200 ]; do
            sleep 0.05
            tries=$((tries + 1))
        done
        kill -INT "$pid"
        ends 130
        prints 'acknowledged writes, 0 lost$'
        ;;
    *) refuse 'no such kind' ;;
esac
