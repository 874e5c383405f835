#!/usr/bin/env bash
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# Runs smarm's benchmarks for 1 and 2 threads, then the same workloads of other runtimes, and prints
# one table: who is best in each case, and where smarm is behind. The other runtimes' programs lie
# in $SMARM_PEERS, or in ../shared/peers beside this tree; without them the table has smarm's rows
# alone. Of the peers named those are run that can be built with what is installed; what their programs
# do not have, servers, supervisors, names, monitors, groups and connections, is in bench/erlang, bench/go,
# bench/tokio, bench/caf, bench/asio and bench/fiber. One run on a quiet machine is what counts.
#
#   bench/compare.sh [OPTION ...] [WORKLOAD ...]
#     --peers "NAME ..."    peers to run; default: go erlang fiber tokio caf asio
#     --recorded            no peers are run; the rows of an earlier run, in their results.csv, count
#     --install             lets the peers' script install the packages that it needs
#     --threads "N ..."     default: 1 2
#     --quick               smarm's rows as short as they can be: shows that all works, and no more

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

peers_dir=${SMARM_PEERS:-../shared/peers}
peers="go erlang fiber tokio caf asio"
threads="1 2"
recorded=
install=
options=()
workloads=()

usage() { sed -n '/^#   bench/,/^[^#]/s/^# \{0,1\}//p' "$0"; }
while [ $# -gt 0 ]; do
    case $1 in
        --peers) peers=$2; shift ;;
        --threads) threads=$2; shift ;;
        --recorded) recorded=yes ;;
        --install) install=yes ;;
        --quick) options+=(--quick) ;;
        -h | --help) usage; exit 0 ;;
        -*) echo "bench/compare.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
        *) workloads+=("$1") ;;
    esac
    shift
done

rows=$(mktemp -d)
trap 'rm -rf "$rows"' EXIT
: > "$rows/smarm"
: > "$rows/peers"

# One name for what the peers know under several.
all_names() {
    local peer
    for peer in $1; do
        case $peer in
            fiber) echo fiber_rr fiber_ws fiber_sw ;;
            tokio) echo tokio tokio_ct ;;
            caf) echo caf017 caf1 ;;
            *) echo "$peer" ;;
        esac
    done
}

run_peers() {
    # The workloads that both sides have; the peers' idle prints three of them.
    local common
    common=$(comm -12 <(cut -d, -f3 "$rows/smarm" | sort -u) \
        <(cut -d, -f2 "$peers_dir/results.csv" | sort -u) |
        sed -E 's/^(idle_cpu|wake_timer|wake_external)$/idle/' | sort -u)
    if [ -z "$common" ]; then
        echo "no peer has any of these workloads" >&2
        return
    fi
    # shellcheck disable=SC2046,SC2086 # lists of names
    ROUNDS=1 PEERS_RESULTS=$rows/peers "$peers_dir/run.sh" $(all_names "$peers") $common >&2
    local peer
    for peer in $(all_names "$peers"); do
        grep -q "^$peer," "$rows/peers" || echo "not run, since not built here: $peer" >&2
    done
}

live=
if [ ! -e "$peers_dir/results.csv" ]; then
    echo "no peers in $peers_dir: set SMARM_PEERS" >&2
elif [ -n "$recorded" ]; then
    cp "$peers_dir/results.csv" "$rows/peers"
else
    live=yes
    [ -n "$install" ] || export PEERS_NO_APT=1
    # Before anything is measured.
    PEERS_BUILD_ONLY=1 "$peers_dir/run.sh" >&2
fi

for n in $threads; do
    bench/run.sh --threads "$n" ${options[@]+"${options[@]}"} ${workloads[@]+"${workloads[@]}"} |
        tee -a "$rows/smarm" >&2
done
[ -z "$live" ] || run_peers
# What the peers' own programs do not have.
can_run() {
    case $1 in
        erlang) command -v erlc ;;
        go) command -v go ;;
        tokio) command -v cargo && [ -d /usr/share/cargo/registry ] ;;
        caf) [ -e /usr/include/caf/all.hpp ] ;;
        asio) true ;;
        fiber) [ -e /usr/include/boost/fiber/all.hpp ] ;;
        *) false ;;
    esac > /dev/null
}
if [ -z "$recorded" ]; then
    for peer in $peers; do
        can_run "$peer" || continue
        for n in $threads; do
            bench/"$peer"/run.sh "$n" ${workloads[@]+"${workloads[@]}"} | tee /dev/stderr |
                sed 's/^BENCH,//' >> "$rows/peers"
        done
    done
fi

echo
[ -z "$recorded" ] || echo "The peers' rows are of an earlier run, and the best of several passes."
[ ${#options[@]} -eq 0 ] || echo "smarm's rows are of a quick run: their figures mean nothing."
python3 -B bench/compare.py "$rows/smarm" "$rows/peers"
