#!/bin/sh
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# interrupt.sh PROGRAM DIR
#
# Gives word_count a file and an input that never ends, and interrupts it once it has shown progress.
# It must end by itself, with status 130 and the table of what it had finished. DIR is made and
# removed; nothing is printed if all is well.

program=$1
dir=$2

rm -rf "$dir"
mkdir -p "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
echo 'finished before the endless one' > "$dir/short"
mkfifo "$dir/progress" || exit 1

yes 'to be or not to be' | {
    # The shell's own number becomes the program's.
    sh -c 'echo $$ > "$1/pid"; exec "$2" "$1/short" /dev/stdin > "$1/table" 2> "$1/progress"' \
        - "$dir" "$program"
    echo $? > "$dir/status"
} &
exec 3< "$dir/progress"
read -r progress <&3
kill -INT "$(cat "$dir/pid")"
cat <&3 > "$dir/rest"
wait

refuse() {
    echo "interrupted word_count: $1"
    printf -- '--- progress, the rest of it, and the table:\n%s\n' "$progress"
    cat "$dir/rest" "$dir/table"
    exit 1
}
[ "$(cat "$dir/status")" = 130 ] || refuse "status $(cat "$dir/status") and not 130"
grep -q '^1 text files, 0 others, 0 failed, 1 unfinished$' "$dir/table" || refuse "wrong summary"
grep -q ' 1  endless$' "$dir/table" || refuse "the finished file is not in the table"
! grep -q ' be$' "$dir/table" || refuse "the unfinished file is in the table"
