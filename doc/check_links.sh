#!/bin/sh
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# check_links.sh DIR: every file and every place in a file that a page under DIR links to, or loads,
# must be there, and nothing may be loaded from elsewhere. Links to other sites are not followed.

cd "$1" || exit 1
broken=$(
    find . -name '*.html' | while IFS= read -r page; do
        grep -Eo '<(img|link|script)[^>]* (src|href)="https?:[^"]*"' "$page" |
            grep -v 'rel="\(home\|up\|prev\|next\|canonical\)"' | sed "s|^|$page loads: |"
        grep -Eo '(href|src|data)="[^"]*"' "$page" | sed 's/^[a-z]*="\(.*\)"$/\1/' | sort -u |
            grep -Ev '^(https?|mailto):' | while IFS= read -r link; do
            file=${link%%#*}
            target=$page
            [ -z "$file" ] || target=$(dirname "$page")/$file
            if [ ! -e "$target" ]; then
                echo "$page: $link: no such file"
                continue
            fi
            case $link in
                *\#?*)
                    place=${link#*#}
                    grep -Eq "(id|name)=\"$place\"" "$target" || echo "$page: $link: no such place"
                    ;;
            esac
        done
    done
)
[ -z "$broken" ] || { printf '%s\n' "$broken"; exit 1; }
