#!/bin/sh
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# consume.sh KIND DIR
#
# Builds and runs a small user's project in DIR and compares what it was compiled with to what it
# should be. From the environment: SMARM_TOP, COMPILER, TOOLSET, TOOLSET_VERSION, VARIANT, LINK and
# RUN_QUEUE. The kinds:
#
#   b2            use-project from another b2 project
#   b2-install    b2 install, then find_package and pkg-config
#   cmake         add_subdirectory, then cmake --install, find_package and pkg-config

set -eu
kind=$1
here=$SMARM_TOP/test/consumer
rm -rf "$2"
mkdir -p "$2"
cd "$2"

case $TOOLSET_VERSION in
    '') toolset=$TOOLSET ;;
    *) toolset=$TOOLSET-$TOOLSET_VERSION ;;
esac
shared=OFF
[ "$LINK" = static ] || shared=ON

version=$(sed -n 's/^#define SMARM_VERSION_[A-Z]* \([0-9]*\)$/\1/p' \
    "$SMARM_TOP/include/smarm/version.hpp" | paste -s -d.)

# Runs a consumer's program, with a library path if one is given.
check() {
    printed=$(LD_LIBRARY_PATH="${2:-}" "$1")
    wanted="version $version
run-queue $RUN_QUEUE
trace 1"
    [ "$printed" = "$wanted" ] || {
        printf 'the consumer was compiled with\n%s\nbut should be with\n%s\n' "$printed" "$wanted"
        exit 1
    }
}

use_b2() {
    cp "$here/app.cpp" "$here/b2/Jamroot" .
    b2 toolset="$toolset" variant="$VARIANT" link="$LINK" run-queue="$RUN_QUEUE"
    check "$(find bin -type f -name app)"
}

# Of an installation in ./$1: first where it is, then moved elsewhere.
use_installed() {
    for prefix in "$1" "moved $1"; do
        [ -e "$prefix" ] || mv "$1" "$prefix"
        cmake -S "$here/cmake" -B "found in $prefix" -DCMAKE_PREFIX_PATH="$PWD/$prefix" \
            -DCMAKE_CXX_COMPILER="$COMPILER"
        cmake --build "found in $prefix"
        check "found in $prefix/app"
        "found in $prefix/preempted"

        PKG_CONFIG_PATH=$PWD/$prefix/lib/pkgconfig
        export PKG_CONFIG_PATH
        eval "'$COMPILER' -std=c++20 '$here/app.cpp' -o 'by pkg-config' $(pkg-config --cflags --libs smarm)"
        check "./by pkg-config" "$PWD/$prefix/lib"
        rm "by pkg-config"
        [ "$(pkg-config --modversion smarm)" = "$version" ]
        [ -f "$prefix/share/smarm/smarm-gdb.py" ]
    done
    refuses "a smarm that it was not told of" 0.1
    refuses "a smarm that is too old" 0.1.99 "$PWD/moved $1"
    refuses "a smarm of another series" 0.0 "$PWD/moved $1"
}

# refuses WHAT VERSION [PREFIX]: find_package must not find it.
refuses() {
    if cmake -S "$here/cmake" -B refused -DSMARM_WANTED="$2" -DCMAKE_PREFIX_PATH="${3:-}" \
        -DCMAKE_CXX_COMPILER="$COMPILER" > refused.log 2>&1; then
        echo "find_package found $1"
        exit 1
    fi
    grep -q 'Could not find a .*configuration file' refused.log
    rm -rf refused
}

install_by_b2() {
    cd "$SMARM_TOP"
    b2 toolset="$toolset" variant="$VARIANT" link="$LINK" run-queue="$RUN_QUEUE" \
        install --prefix="$OLDPWD/prefix"
    cd "$OLDPWD"
}

use_cmake_subdirectory() {
    cmake -S "$here/cmake" -B build -DSMARM_TOP="$SMARM_TOP" -DCMAKE_CXX_COMPILER="$COMPILER" \
        -DCMAKE_BUILD_TYPE=Debug -DBUILD_SHARED_LIBS=$shared -DSMARM_RUN_QUEUE="$RUN_QUEUE" \
        -DCMAKE_INSTALL_LIBDIR=lib
    cmake --build build --parallel 2
    check build/app
    build/preempted
    cmake --install build --prefix "$PWD/prefix"
}

need() {
    for tool; do
        command -v "$tool" > /dev/null || {
            echo "**SKIPPED** consumer $kind: $tool is not installed"
            exit 77
        }
    done
}

case $kind in
    b2) use_b2 ;;
    b2-install) need cmake make pkg-config; install_by_b2; use_installed prefix ;;
    cmake) need cmake make pkg-config; use_cmake_subdirectory; use_installed prefix ;;
esac
