#!/bin/sh
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# xsltproc that fails where the stylesheets only print a line: a link to nowhere. It never goes to
# the network for what is missing here.

printed=$(mktemp) || exit 1
trap 'rm -f "$printed"' EXIT

xsltproc --nonet "$@" 2> "$printed"
status=$?
cat "$printed" >&2
if grep -Eq '^Error: |no ID for constraint|Cannot find .* named' "$printed"; then
    echo "the manual has links to nowhere, see above" >&2
    exit 1
fi
exit $status
