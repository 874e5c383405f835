#!/usr/bin/env bash
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# lint.sh format|tidy|cppcheck [FILE...]
#
# format: whether clang-format 14 would lay anything out otherwise. tidy: what clang-tidy 14 finds with the
# checks of .clang-tidy in the library's sources, or in the files given. cppcheck: what cppcheck is sure
# of. Each prints what it found and a line "N passed, M failed", and fails if M is not 0.

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# Without git, as in an unpacked archive, everything that is not built.
sources() {
    git ls-files -- "$@" 2> /dev/null | grep . ||
        find . -path ./bin -prune -o -type f \( -name '*.cpp' -o -name '*.hpp' \) -print | sort
}

case ${1-} in
    format)
        bad=$(sources '*.cpp' '*.hpp' | xargs -P 2 -n 40 clang-format-14 --dry-run 2>&1 |
            grep -o '^[^ :]*:[0-9]*:[0-9]*: warning' | cut -d: -f1 | sort -u)
        all=$(sources '*.cpp' '*.hpp' | wc -l)
        wrong=$(printf '%s' "$bad" | grep -c .)
        [ -z "$bad" ] || printf '%s\n' "$bad" "lay them out: clang-format-14 -i FILE"
        echo "$((all - wrong)) passed, $wrong failed"
        [ "$wrong" -eq 0 ]
        ;;
    tidy)
        shift
        [ $# -gt 0 ] || set -- lib/*.cpp lib/observer/*.cpp
        # shellcheck disable=SC2016 # for the inner shell
        log=$(printf '%s\n' "$@" | xargs -P "$(nproc)" -I '{}' sh -c '
            clang-tidy-14 --quiet "$1" -- -std=c++20 -Iinclude -Ilib -DSMARM_RUN_QUEUE_STRIPED=1 \
                -DSMARM_TRACE=1 -DSMARM_BUDGET=0 -DSMARM_VALGRIND=0 > "$0.$$" 2> /dev/null &&
                echo "**passed** $1" || { cat "$0.$$"; echo "...failed $1"; }
            rm -f "$0.$$"' "$(mktemp -u)" '{}')
        printf '%s\n' "$log" | grep -v '^\*\*passed'
        failed=$(printf '%s\n' "$log" | grep -c '^\.\.\.failed ')
        echo "$(($# - failed)) passed, $failed failed"
        [ "$failed" -eq 0 ]
        ;;
    cppcheck)
        # It follows neither concepts nor this much of templates, and stops at some literals. Counted is what
        # it can judge all the same: memory and descriptors that are not given back, or twice, and accesses
        # beyond an end.
        log=$(cppcheck --std=c++20 --language=c++ --enable=warning --quiet --inline-suppr \
            --suppress=missingInclude --suppress=unknownMacro --suppress=syntaxError \
            -Iinclude -DSMARM_RUN_QUEUE_STRIPED=1 -DSMARM_TRACE=1 -j "$(nproc)" \
            --template='{file}:{line}: {severity}: {message} [{id}]' lib 2>&1 |
            grep -E '\[(memleak|memleakOnRealloc|resourceLeak|leakNoVarFunctionCall|doubleFree|deallocuse|mismatchAllocDealloc|nullPointer|arrayIndexOutOfBounds|bufferAccessOutOfBounds|negativeIndex|zerodiv|shiftTooManyBits|integerOverflow|uninitvar|va_end_missing|invalidPrintfArgType[a-z_]*)\]')
        printf '%s\n' "$log" | grep .
        found=$(printf '%s\n' "$log" | grep -c ': \(error\|warning\|performance\|portability\): ')
        if [ "$found" -eq 0 ]; then echo "1 passed, 0 failed"; else echo "0 passed, $found failed"; fi
        [ "$found" -eq 0 ]
        ;;
    *)
        sed -n '7,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        exit 2
        ;;
esac
