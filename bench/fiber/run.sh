#!/usr/bin/env bash
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# Runs the workloads that are in io_bench.cpp with Boost.Fiber, if it is installed,
# and prints their rows.
#
#   bench/fiber/run.sh THREADS [WORKLOAD ...]

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
"${CXX:-g++}" -std=c++20 -O2 -DNDEBUG -w -o "$built/io_bench" io_bench.cpp -lboost_fiber -lboost_context -pthread
"$built/io_bench" "$@"
