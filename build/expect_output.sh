#!/bin/sh
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# expect_output.sh SOURCE OUTPUT PROGRAM
#
# Runs a program that must succeed and print what its source says: for each line "// prints: REGEX"
# of SOURCE, in their order, a line of its own. The program gets the arguments that a line
# "// test-arguments: ..." names, where @/ stands for the folder of the source. OUTPUT keeps what was
# printed if all is well and is removed otherwise. Says on standard output what is wrong.

LC_ALL=C
export LC_ALL

source=$1
output=$2
program=$3

refuse() {
    echo "$source: $1"
    echo "--- what was printed:"
    cat "$output"
    rm -f "$output"
    exit 1
}

folder=$(dirname "$source")
arguments=$(sed -n 's|^// test-arguments: *||p' "$source" | sed "s|@/|$folder/|g")
expected=$(sed -n 's|^// prints: *||p' "$source")
[ -n "$expected" ] || { : > "$output"; refuse "has no line '// prints: REGEX'"; }

# shellcheck disable=SC2086 # several arguments
"$program" $arguments > "$output" 2>&1 || refuse "ended with status $?"

absent=$(printf '%s\n' "$expected" | awk '
    NR == FNR { wanted[count++] = $0; next }
    found < count && $0 ~ wanted[found] { found++ }
    END { if (found < count) print wanted[found] }' - "$output")
[ -z "$absent" ] || refuse "not printed, or not in this place: $absent"
