#!/usr/bin/env bash
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# From a bare Debian 12 to a built and tested tree. Installs the packages that are missing, if it
# may, and calls b2. Leaves alone what is right already; works without root where nothing is missing.

set -uo pipefail

usage() {
    cat <<'TEXT'
usage: ./bootstrap.sh STEP [b2 arguments]

  test       build everything and run all tests
  page       the tests of the observer's page, in Chromium, which is installed for that if it may be
  demo       build and run the demonstration: a key-value store under load while its parts are killed
  sanitize   the tests under AddressSanitizer and UndefinedBehaviorSanitizer, and under
             ThreadSanitizer, with the seeded bugs that these must find
  matrix     all of that, the debug build and every run queue (.ci/run full)

Any other arguments go to b2 as they are:

  ./bootstrap.sh doc                       the manual, into bin/doc/html
  ./bootstrap.sh bench                     the benchmarks, into bin/stage
  ./bootstrap.sh -j4 variant=debug test
TEXT
}

cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1

# --- what is needed, and whether it is there -----------------------------------------------------

missing=()

# need PACKAGE COMMAND...: the package is missing if the command fails.
need() {
    local package=$1
    shift
    "$@" > /dev/null 2>&1 || missing+=("$package")
}

# links COMPILER ARGUMENT...: can the compiler make a program with these arguments?
links() {
    local compiler=$1 program status
    shift
    program=$(mktemp) || return 1
    echo 'int main() {}' | "$compiler" -x c++ - -o "$program" "$@"
    status=$?
    rm -f "$program"
    return $status
}

# includes HEADER [MACRO LEAST]: is there such a header, with a macro of at least that value?
includes() {
    {
        echo "#include <$1>"
        [ $# -eq 1 ] || printf '#if %s < %s\n#error too old\n#endif\n' "$2" "$3"
    } | g++ -x c++ -E -
}

need_to_build() {
    need g++ command -v g++
    need libboost1.81-dev includes boost/version.hpp BOOST_VERSION 108100
    need libboost-context1.81-dev links g++ -lboost_context
    need libboost1.81-tools-dev command -v b2
}

need_to_test() {
    need_to_build
    need libboost-test1.81-dev links g++ -lboost_unit_test_framework
    # For the key-value store of example/kv.
    need libboost-program-options1.81-dev links g++ -include boost/program_options.hpp -lboost_program_options
    # For the tests of TLS.
    need libssl-dev links g++ -include openssl/ssl.h -lssl -lcrypto
    # For the tests by clients that others have written.
    need curl command -v curl
    need apache2-utils command -v ab
    need wrk command -v wrk
    need socat command -v socat
    need netcat-openbsd command -v nc
    need openssl command -v openssl
    need redis-tools command -v redis-cli
    need redis-server command -v redis-server
    need libhiredis-dev includes hiredis/hiredis.h
    # For the consumers' projects.
    need cmake command -v cmake
    need make command -v make
    need pkg-config command -v pkg-config
}

need_to_document() {
    need_to_build
    need libboost1.81-tools-dev command -v quickbook
    need xsltproc command -v xsltproc
    need docbook-xsl test -d /usr/share/xml/docbook/stylesheet/docbook-xsl
    need graphviz command -v dot
    need docbook-xml test -d /usr/share/xml/docbook/schema/dtd/4.2
}

need_clang() {
    need clang-19 command -v clang++-19
    need libclang-rt-19-dev links clang++-19 -fsanitize=thread
    need llvm-19 test -x /usr/lib/llvm-19/bin/llvm-symbolizer
}

install_missing() {
    [ ${#missing[@]} -gt 0 ] || return 0
    # The same package may serve two needs.
    local packages
    packages=$(printf '%s\n' "${missing[@]}" | sort -u | paste -s -d ' ')
    local install="apt-get install -y --no-install-recommends $packages"
    echo "missing: $packages"

    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        as_root=(sudo -n)
        if ! sudo -n true 2> /dev/null; then
            echo "cannot install without root; run this, then try again:"
            echo "    sudo $install"
            exit 1
        fi
    fi
    if ! command -v apt-get > /dev/null; then
        echo "no apt-get here; install what Debian 12 calls so, then try again"
        exit 1
    fi

    # Nothing is ever removed to make room: an older Boost stays until its owner decides.
    # shellcheck disable=SC2086
    apt_install() {
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -q --no-install-recommends --no-remove $packages
    }
    # Without package lists, as on a new machine, the first attempt fails.
    apt_install || { "${as_root[@]}" apt-get update -q && apt_install; } || {
        echo "could not install; if packages stand in the way, this names and replaces them:"
        echo "    sudo $install"
        exit 1
    }
}

# --- running b2 ----------------------------------------------------------------------------------

# Calls b2 with as many jobs as there are processors, and five minutes for any one test.
call_b2() {
    local jobs=-j$(nproc) limit=-l300 argument
    for argument; do
        case $argument in
            -j*) jobs= ;;
            -l*) limit= ;;
        esac
    done
    b2 ${jobs:+"$jobs"} ${limit:+"$limit"} "$@"
}

# The same with a closing line that says how many tests passed and failed.
call_b2_and_count() {
    local log status passed failed
    log=$(mktemp) || exit 1
    call_b2 "$@" 2>&1 | tee "$log"
    status=$?
    passed=$(grep -c '^\*\*passed\*\* ' "$log")
    failed=$(grep '^\.\.\.failed ' "$log" | grep -vc '^\.\.\.failed updating [0-9]')
    [ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
    rm -f "$log"
    if [ "$passed$failed" = 00 ]; then
        echo "0 passed, 0 failed: nothing has changed since all passed"
    else
        echo "$passed passed, $failed failed"
    fi
    return "$status"
}

step_test() {
    need_to_test
    install_missing
    call_b2_and_count test "$@"
}

step_sanitize() {
    need_to_test
    need_clang
    install_missing
    local status=0
    call_b2_and_count address-sanitizer=norecover undefined-sanitizer=norecover test "$@" || status=1
    call_b2_and_count toolset=clang-19 thread-sanitizer=norecover test "$@" || status=1
    return $status
}

# The browser is no small thing, so nobody else installs it; without it the tests say what they leave out.
step_page() {
    need_to_test
    install_missing
    missing=()
    need chromium command -v chromium
    need chromium-driver command -v chromedriver
    (install_missing) || true
    call_b2_and_count test/observer_http "$@"
}

# What is built and how is for the curious; what is shown is for everybody.
step_demo() {
    need_to_build
    need libboost-program-options1.81-dev links g++ -include boost/program_options.hpp -lboost_program_options
    install_missing
    call_b2 -d0 example//demo "$@" || return
    bin/stage/kv_demo || return
    printf '\nThe store alone, for clients of your own:  bin/stage/kv --port 6379 --dir DIRECTORY\n'
}

step_b2() {
    local argument counted=
    need_to_build
    for argument; do
        case $argument in
            doc | doc/* | */doc) need_to_document ;;
            test | test/*) need_to_test; counted=1 ;;
            toolset=*clang-19*) need_clang ;;
            valgrind-annotations=on) need valgrind includes valgrind/valgrind.h ;;
        esac
    done
    install_missing
    if [ -n "$counted" ]; then
        call_b2_and_count "$@"
    else
        call_b2 "$@"
    fi
}

case ${1:-} in
    '' | -h | --help | help) usage ;;
    test) shift; step_test "$@" ;;
    page) shift; step_page "$@" ;;
    demo) shift; step_demo "$@" ;;
    sanitize) shift; step_sanitize "$@" ;;
    matrix) exec .ci/run full ;;
    *) step_b2 "$@" ;;
esac
