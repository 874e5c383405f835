#!/usr/bin/env bash
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# Runs Go's side of the workloads that are in these files, if Go is installed, and prints their rows.
#
#   bench/go/run.sh THREADS [WORKLOAD ...]

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
GOFLAGS=-mod=mod GOPROXY=off go build -o "$built/server_bench" .
"$built/server_bench" "$@"
