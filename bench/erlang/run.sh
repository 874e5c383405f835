#!/usr/bin/env bash
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# Runs Erlang/OTP's side of the workloads that are in *_bench.erl, if Erlang is installed, and prints
# their rows.
#
#   bench/erlang/run.sh THREADS [WORKLOAD ...]

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

threads=$1
shift
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
erlc -o "$built" ./*.erl
for module in identity_bench server_bench statem_bench supervisor_bench; do
    erl +S "$threads:$threads" +P 2000000 -noshell -pa "$built" -s "$module" main -extra "$threads" "$@"
done
