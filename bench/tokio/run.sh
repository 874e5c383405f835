#!/usr/bin/env bash
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# Runs tokio's side of the workloads that are in src/main.rs, if cargo and Debian's sources of tokio are
# installed, and prints their rows. It is built without the network.
#
#   bench/tokio/run.sh THREADS [WORKLOAD ...]

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

built=../../bin/peers/tokio
mkdir -p "$built/.cargo"
cp -rp Cargo.toml src "$built"
printf '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "%s"\n' \
    /usr/share/cargo/registry > "$built/.cargo/config.toml"
(cd "$built" && cargo build --quiet --release --offline) >&2
"$built/target/release/server_bench" "$@"
