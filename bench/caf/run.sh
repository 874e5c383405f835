#!/usr/bin/env bash
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# Runs CAF's side of the workloads that are in server_bench.cpp, if Debian's libcaf-dev is installed, and
# prints their rows.
#
#   bench/caf/run.sh THREADS [WORKLOAD ...]

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
"${CXX:-g++}" -std=c++17 -O2 -DNDEBUG -w -o "$built/server_bench" server_bench.cpp -lcaf_core -pthread
"$built/server_bench" "$@"
