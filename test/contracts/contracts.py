#!/usr/bin/env python3
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
"""Every promise in contracts.txt is held by tests that exist and are built; the manual says the same.

    contracts.py            check the table, and doc/contracts.qbk against it
    contracts.py --write    write doc/contracts.qbk anew
"""
import fnmatch
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = "test/contracts/contracts.txt"
CHAPTER = "doc/contracts.qbk"

# What must be there. In the groups of failures a number that is left out was never one of this library's.
GROUPS = {
    "A": (1, 3, 4, 5, 6, 7, 8, 10), "B": (1, 2, 4, 5, 6), "C": (1, 2, 3, 4, 5, 6, 8, 9),
    "D": (1, 2, 4, 5, 6, 7), "E": (1, 2, 3, 4, 5, 7), "F": (1, 3, 4, 6, 7), "G": (1, 2, 3, 5, 6),
    "H": (1, 2, 5, 6), "I": (1, 2, 3, 4), "J": (1, 2, 3, 5, 6, 7, 9), "K": (1, 2, 3),
    "L": (1, 2, 4), "M": (1, 2, 3, 4, 5, 6), "N": (1, 5, 6, 7, 9, 10),
    "O": (1, 3, 5, 6, 8, 9, 10, 12), "P": (1, 2, 3, 4, 5), "Q": (1, 2, 3, 5, 6),
    "R": (1, 2, 4, 6), "S": (1, 2, 3, 4, 5),
}
NUMBERS = [str(n) for n in range(1, 92)] + [g + str(n) for g in GROUPS for n in GROUPS[g]]


class Section:
    def __init__(self, title):
        self.title = title
        self.entries = []


class Entry:
    def __init__(self, number, line, text):
        self.number = number
        self.line = line
        self.text = text
        self.tests = []  # (file, case or None)
        self.reason = None


def parse(text):
    """The sections of a table, and what is wrong with its form."""
    sections, complaints, entry = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or line.startswith("#"):
            continue
        title = re.fullmatch(r"= (\S.*)", line)
        begin = re.fullmatch(r"([A-Z]?\d+): (\S.*)", line)
        if title:
            sections.append(Section(title[1]))
            entry = None
        elif begin and sections:
            entry = Entry(begin[1], number, begin[2])
            sections[-1].entries.append(entry)
        elif entry and re.match(r"    - \S", line):
            name, _, case = stripped[2:].partition(": ")
            entry.tests.append((name, case or None))
        elif entry and re.match(r"    ! \S", line):
            entry.reason = stripped[2:]
        elif entry and re.match(r"  \S", line) and not entry.tests and not entry.reason:
            entry.text += " " + stripped
        else:
            complaints.append("line %d: neither a title, a promise nor a test: %s" % (number, line))
    return sections, complaints


class Tree:
    """What a source tree has, as far as a table can name it."""

    def __init__(self, top):
        self.top = top

    def read(self, path):
        try:
            with open(os.path.join(self.top, path), encoding="utf-8") as file:
                return file.read()
        except OSError:
            return None

    def complaint(self, name, case):
        """Why this is no test that is built, or None."""
        if name == ".ci/run":
            script = self.read(name)
            if script is None or not re.search(r"^\s*step %s " % re.escape(case or ""), script, re.M):
                return "no such step: %s" % case
            return None
        path = "test/" + name + (".cpp" if case else "")
        if not case and os.path.isdir(os.path.join(self.top, path)):
            return "a folder is no test: %s" % path
        source = self.read(path)
        if source is None:
            return "no such file: %s" % path
        if case and not self.has_case(source, case):
            return "no such case in %s: %s" % (path, case)
        if not self.is_built(path):
            return "not built by the tests: %s" % path
        return None

    @staticmethod
    def has_case(source, case):
        macro = (r"^BOOST_(AUTO|FIXTURE)_TEST_CASE(_TEMPLATE)?\(\s*%s\s*[,)]" % re.escape(case))
        scenario = r'\bsuite\.(model|mutation)\(\s*"%s"' % re.escape(case)
        return bool(re.search(macro, source, re.M) or re.search(scenario, source))

    def is_built(self, path):
        """By a pattern or by its name, in the Jamfile of its folder, which is reached from test/."""
        folder, name = os.path.split(path)
        jamfile = self.read(folder + "/Jamfile") or ""
        jamfile = re.sub(r"#.*", "", jamfile)
        words = [w for part in re.findall(r"\[ glob ([^\]]*)\]", jamfile) for w in part.split()]
        words += re.findall(r"\S+", jamfile)
        if not any(fnmatch.fnmatchcase(name, w) for w in words if re.search(r"[\w*]\.\w", w)):
            return False
        while folder != "test":
            parent, child = os.path.split(folder)
            if not parent:
                return False
            built = re.search(r"^build-project %s ;" % re.escape(child),
                              self.read(parent + "/Jamfile") or "", re.M)
            if not built and not self.is_step(folder):
                return False
            folder = parent
        return True

    def is_step(self, folder):
        """A kind of build that is checked apart."""
        steps = re.findall(r"^\s*step .*", self.read(".ci/run") or "", re.M)
        return any(re.search(r" %s$" % re.escape(folder), step) for step in steps)


def check(sections, tree, numbers):
    complaints, seen = [], set()
    for entry in (e for s in sections for e in s.entries):
        where = "line %d, %s: " % (entry.line, entry.number)
        if entry.number in seen:
            complaints.append(where + "there is one with that number already")
        elif entry.number not in numbers:
            complaints.append(where + "no such number is known")
        seen.add(entry.number)
        if not entry.tests and not entry.reason:
            complaints.append(where + "no test holds it")
        if entry.tests and entry.reason:
            complaints.append(where + "a test, and a reason why there is none")
        if len(set(entry.tests)) != len(entry.tests):
            complaints.append(where + "a test is named twice")
        for name, case in entry.tests:
            complaint = tree.complaint(name, case)
            if complaint:
                complaints.append(where + complaint)
    complaints += ["%s is missing" % n for n in numbers if n not in seen]
    return complaints


def chapter(sections):
    """The table as the manual has it, in QuickBook."""
    out = [HEAD]
    for number, section in enumerate(sections, 1):
        out.append("[section:part_%d %s]\n\n[table\n    [[] [Promise] [Held by]]\n"
                   % (number, escaped(section.title)))
        for entry in section.entries:
            held = "".join("\n        * %s" % shown(*t) for t in entry.tests)
            out.append("    [[%s] [%s] [%s\n    ]]\n" % (entry.number, escaped(entry.text),
                                                    held or "\n        " + escaped(entry.reason)))
        out.append("]\n\n[endsect]\n\n")
    return "".join(out) + "[endsect]\n"


def escaped(text):
    """Brackets and quotation marks mean something to QuickBook; code in backquotes is meant to."""
    pieces = text.split("`")
    pieces[::2] = [re.sub(r"([\[\]\\])", r"\\\1", p) for p in pieces[::2]]
    return "`".join(pieces)


def shown(name, case):
    if name == ".ci/run":
        return "[^%s], the step [^%s]" % (name, case)
    # A name of sixty letters cannot be broken into lines; its words can.
    return "[^%s]" % name + (": " + case.replace("_", " ") if case else "")


HEAD = """\
[/
Copyright (c) 2026 The smarm authors

Distributed under the Boost Software License, Version 1.0.
(See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
]

[/ Written by test/contracts/contracts.py from the table beside it: change that, and run it with --write. ]

[section:contracts What is promised, and by which test it is held]

What this library promises in general, and how systems of its kind have failed in the hands of others, one sentence
each, with the tests that fail when it does not hold. They are in the folder [^test]: the name of a file, and that of a
case in it, in which underscores stand between the words; or a whole file, where that is the test. A test checks that each
sentence has one, and that it is there and is built.

"""


def main(arguments):
    tree = Tree(TOP)
    sections, complaints = parse(tree.read(TABLE))
    complaints += check(sections, tree, NUMBERS)
    made = chapter(sections)
    if arguments == ["--write"]:
        with open(os.path.join(TOP, CHAPTER), "w", encoding="utf-8") as file:
            file.write(made)
    elif tree.read(CHAPTER) != made:
        complaints.append("%s says something else; write it anew: python3 test/contracts/contracts.py "
                          "--write" % CHAPTER)
    for complaint in complaints:
        print("%s: %s" % (TABLE, complaint))
    entries = [e for s in sections for e in s.entries]
    print("%d promises, %d tests named" % (len(entries), sum(len(e.tests) for e in entries)))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
