#!/usr/bin/env python3
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# What a state machine of 20 states and 40 events costs to compile: 120 rows for one state, 80 for
# several, 40 for any, which are 800 pairs. Prints processor seconds, the least of several runs, of the
# header alone, of the class, of its checks, and of a program that starts it.
#
#   bench/statem_compile_time.py [--runs N] [COMPILER ...]      default: g++ clang++-19

import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

STATES = 20
EVENTS = 40

HEADER = """#include <smarm/gen_statem.hpp>
#include <boost/describe/enum.hpp>
"""


def machine():
    """The class: each event has three rows for one state, two for several, and one for any."""
    lines = ["BOOST_DEFINE_ENUM_CLASS(place, %s)" % ", ".join("s%d" % s for s in range(STATES)),
             "class machine : public smarm::gen_statem<machine, place> {",
             "  using enum place;", "public:"]
    lines += ["  struct e%d { int n; };" % e for e in range(EVENTS)]
    lines.append("  using events = smarm::events<%s>;" % ", ".join("e%d" % e for e in range(EVENTS)))
    for e in range(EVENTS):
        at = [(e + i) % STATES for i in range(STATES)]
        for i in range(3):
            lines.append("  smarm::to<s%d> on(smarm::in<s%d>, e%d e) { sum += e.n; return {}; }"
                         % (at[i + 1], at[i], e))
        lines.append("  smarm::one_of<s%d, smarm::keep> on(smarm::in<s%d, s%d, s%d>, e%d e) "
                     "{ if (e.n == 0) { return s%d; } return smarm::keep; }"
                     % (at[0], at[3], at[4], at[5], e, at[0]))
        lines.append("  smarm::ignored on(smarm::in<s%d, s%d>, e%d);" % (at[6], at[7], e))
        lines.append("  smarm::stay on(smarm::any_state, e%d e) { sum -= e.n; return {}; }" % e)
    lines += ["  long sum = 0;", "};"]
    return "\n".join(lines) + "\n"


CHECK = "static_assert(smarm::complete_machine<machine>);\n"
PROGRAM = "void start_and_tell() {\n  const auto m = smarm::start_server<machine>().value();\n%s}\n" % (
    "".join("  (void)m.cast(machine::e%d{1});\n" % e for e in range(EVENTS)))

CASES = [
    ("header alone", HEADER, ["-fsyntax-only"]),
    ("and the class", HEADER + machine(), ["-fsyntax-only"]),
    ("and its checks", HEADER + machine() + CHECK, ["-fsyntax-only"]),
    ("and all of it, -O2", HEADER + machine() + CHECK + PROGRAM, ["-O2", "-c"]),
    ("and all of it, -O0 -g", HEADER + machine() + CHECK + PROGRAM, ["-O0", "-g", "-c"]),
]


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    arguments = argparse.ArgumentParser(description="Compile time of a large state machine.")
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("compilers", nargs="*", default=["g++", "clang++-19"])
    options = arguments.parse_args()
    compilers = [c for c in options.compilers if shutil.which(c)]
    if not compilers:
        sys.exit("none of these compilers is here: " + " ".join(options.compilers))
    top = pathlib.Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "machine.cpp")
        for name, text, flags in CASES:
            pathlib.Path(source).write_text(text, encoding="utf-8")
            for compiler in compilers:
                command = [compiler, "-std=c++20", "-I", str(top / "include"), *flags, source]
                if "-c" in flags:
                    command += ["-o", os.path.join(folder, "machine.o")]
                least = min(seconds(command) for _ in range(options.runs))
                print("%-22s %-12s %6.2f s" % (name, compiler, least), flush=True)


if __name__ == "__main__":
    main()
