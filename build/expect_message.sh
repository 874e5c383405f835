#!/bin/sh
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# expect_message.sh KEY SOURCE OUTPUT COMMAND...
#
# Runs a command that must fail, and with the right words: each line "// KEY: REGEX" of SOURCE must
# match a line of what the command printed. OUTPUT keeps that if all is well and is removed
# otherwise. Says on standard output what is wrong.

# Plain quotation marks from every compiler.
LC_ALL=C
export LC_ALL

key=$1
source=$2
output=$3
shift 3

refuse() {
    echo "$source: $1"
    echo "--- what was printed:"
    cat "$output"
    rm -f "$output"
    exit 1
}

"$@" > "$output" 2>&1 && refuse "succeeded, though it must fail"

expected=$(sed -n "s|^ *// $key: *||p" "$source")
[ -n "$expected" ] || refuse "has no line '// $key: REGEX'"

absent=$(printf '%s\n' "$expected" | while IFS= read -r message; do
    grep -Eq -e "$message" "$output" || printf '%s\n' "$message"
done)
[ -z "$absent" ] || refuse "message absent: $absent"
