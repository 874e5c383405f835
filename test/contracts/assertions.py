#!/usr/bin/env python3
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
"""No assertion of Boost.Test stands in a lambda: that is what actors and threads of a test are made of.

The assertions are not thread-safe, and what an actor throws does not reach the test. Actors say what
they saw to a recorder, and the test's main thread asserts afterwards. A lambda that the main thread
calls itself is passed over where the line above it says so, or the line above the function that calls
it, which must be in the same file: // asserts on the main thread
"""
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ASSERTION = re.compile(r"\bBOOST_(TEST|CHECK|REQUIRE|WARN|ERROR|FAIL)(_[A-Z_]+)?\s*\(|\bCHECK_[A-Z]+\s*\(")
HARMLESS = re.compile(r"BOOST_TEST_(MODULE|DONT_PRINT_LOG_VALUE)\b")
ALLOWED = "// asserts on the main thread"
LAMBDA = re.compile(r"\[[^\[\]{};]*\](\s*\([^{};]*\))?(\s*(mutable|noexcept|->\s*[\w:<>& ]+))*\s*$")


def blanked(source):
    """The same text without comments and literals, position by position."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])+\'', blank, source, flags=re.S)


def found_in(source):
    """The lines of assertions within lambdas."""
    text, lines = blanked(source), source.split("\n")
    stack, bad, line = [], [], 0  # of each open brace: is it a lambda's that may not assert?
    callers = set()
    for mark in re.finditer(re.escape(ALLOWED), source):
        callers |= set(re.findall(r"^void (\w+)\(", source[mark.end():mark.end() + 200], re.M)[:1])
    assertions = {m.start() for m in ASSERTION.finditer(text) if not HARMLESS.match(m[0].strip("( "))}
    for position, character in enumerate(text):
        if character == "\n":
            line += 1
        elif character == "{":
            begin = LAMBDA.search(text, max(0, position - 300), position)
            called_by = re.search(r"(\w+)\($", text[:begin.start()]) if begin else None
            stack.append(begin is not None and ALLOWED not in lines[line - 1] and
                         not (called_by and called_by[1] in callers))
        elif character == "}" and stack:
            stack.pop()
        elif position in assertions and any(stack):
            bad.append((line + 1, lines[line].strip()))
    return bad


def main():
    bad = 0
    for folder, _, names in os.walk(os.path.join(TOP, "test")):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith((".cpp", ".hpp")):
                with open(path, encoding="utf-8") as file:
                    for line, text in found_in(file.read()):
                        print("%s:%d: an assertion in a lambda: %s" % (os.path.relpath(path, TOP), line, text))
                        bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
