#!/usr/bin/env python3
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
"""contracts.py and assertions.py must be able to fail: broken tables, and tests that assert in actors."""
import os
import tempfile
import unittest

import assertions
import contracts

FILES = {
    ".ci/run": "step test 0 ./bootstrap.sh test\n    step slow 9 ./bootstrap.sh test/slow\n",
    "test/Jamfile": "run-each [ glob *_test.cpp ] ;\nbuild-project model ;\nbuild-project scripts ;\n",
    "test/a_test.cpp": "BOOST_AUTO_TEST_CASE(it_works) {\n}\nBOOST_AUTO_TEST_CASE(it_works_too, *x()) {\n}\n"
                       "BOOST_FIXTURE_TEST_CASE(it_is_fixed, f) {\n}\n  // BOOST_AUTO_TEST_CASE(it_is_gone) {\n",
    "test/left_out.cpp": "BOOST_AUTO_TEST_CASE(it_works) {\n}\n",
    "test/model/Jamfile": "run-each [ glob *_model.cpp ] ;\n",
    "test/model/word_model.cpp": '  suite.model("park", all, &park);\n  suite.mutation("torn",\n all);\n',
    "test/scripts/Jamfile": "# other.sh\nmake x : check.sh [ glob prog_*.cpp ] ;\n",
    "test/scripts/check.sh": "",
    "test/scripts/other.sh": "",
    "test/scripts/prog_one.cpp": "",
    "test/slow/Jamfile": "run-each [ glob *_test.cpp ] ;\n",
    "test/slow/b_test.cpp": "BOOST_AUTO_TEST_CASE(it_is_slow) {\n}\n",
    "test/nowhere/Jamfile": "run-each [ glob *_test.cpp ] ;\n",
    "test/nowhere/c_test.cpp": "BOOST_AUTO_TEST_CASE(it_works) {\n}\n",
}

RIGHT = """\
# A comment.
= Of something

1: It works,
  and so on.
    - a_test: it_works
    - a_test: it_is_fixed
    - model/word_model: park
    - model/word_model: torn
A1: It works slowly.
    - slow/b_test: it_is_slow
    - scripts/check.sh
    - scripts/prog_one.cpp
    - .ci/run: test
A3: It cannot be tested.
    ! It is [no] behaviour.
"""
NUMBERS = ["1", "A1", "A3"]


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        for name, text in FILES.items():
            path = os.path.join(self.folder.name, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        self.tree = contracts.Tree(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def complaints(self, table):
        sections, complaints = contracts.parse(table)
        return complaints + contracts.check(sections, self.tree, NUMBERS)

    def check_fails(self, before, after, *complaint):
        self.assertIn(before, RIGHT)
        found = self.complaints(RIGHT.replace(before, after, 1))
        self.assertEqual(len(found), len(complaint), found)
        for text, expected in zip(found, complaint):
            self.assertIn(expected, text)

    def test_a_right_table_has_nothing_to_complain_of(self):
        self.assertEqual(self.complaints(RIGHT), [])

    def test_an_entry_without_a_test(self):
        self.check_fails("    - slow/b_test: it_is_slow\n    - scripts/check.sh\n"
                         "    - scripts/prog_one.cpp\n    - .ci/run: test\n", "", "A1: no test holds it")

    def test_a_file_that_is_not_there(self):
        self.check_fails("a_test: it_works", "z_test: it_works", "1: no such file: test/z_test.cpp")

    def test_a_case_that_is_not_there_or_commented_out_or_only_begins_so(self):
        for case in ("it_worked", "it_is_gone", "it_work"):
            self.check_fails("a_test: it_works", "a_test: " + case, "no such case")
        self.check_fails("word_model: park", "word_model: parks", "no such case")

    def test_a_step_that_is_not_there(self):
        self.check_fails(".ci/run: test", ".ci/run: tests", "no such step: tests")

    def test_what_is_not_built(self):
        self.check_fails("a_test: it_works", "left_out: it_works", "not built by the tests: test/left_out.cpp")
        self.check_fails("a_test: it_works", "nowhere/c_test: it_works", "not built")
        self.check_fails("scripts/check.sh", "scripts/other.sh", "not built")  # named in a comment only

    def test_a_folder(self):
        self.check_fails("scripts/check.sh", "scripts", "a folder is no test")

    def test_numbers(self):
        self.check_fails("A3:", "A1:", "A1: there is one with that number", "A3 is missing")
        self.check_fails("A3:", "A2:", "A2: no such number", "A3 is missing")

    def test_a_test_named_twice_and_a_reason_beside_one(self):
        self.check_fails("a_test: it_is_fixed", "a_test: it_works", "named twice")
        self.check_fails("    ! It", "    - a_test: it_works\n    ! It", "a test, and a reason")

    def test_lines_that_mean_nothing(self):
        self.check_fails("    - a_test: it_works\n", "    - a_test: it_works\n   - a_test: it_works_too\n",
                         "line 7: neither")

    def test_the_chapter_has_every_promise_and_every_test(self):
        made = contracts.chapter(contracts.parse(RIGHT)[0])
        for part in ("[section:part_1 Of something]", "[[1] [It works, and so on.] [",
                     "* [^a_test]: it works\n", "* [^.ci/run], the step [^test]",
                     r"It is \[no\] behaviour."):
            self.assertIn(part, made)


class Assertions(unittest.TestCase):
    def check(self, source, *lines):
        self.assertEqual([line for line, _ in assertions.found_in(source)], list(lines))

    def test_those_of_the_main_thread_are_right(self):
        self.check("BOOST_AUTO_TEST_CASE(x) {\n  run([&] { f(); });\n  BOOST_TEST(a[1] == 2);\n}\n")
        self.check('void f() {\n  // run([] { BOOST_TEST(1); })\n  g("[] { BOOST_TEST(1); }");\n}\n')

    def test_those_of_lambdas_are_not(self):
        self.check("run([&] {\n  BOOST_TEST(1);\n});\n", 2)
        self.check("run([&, x = std::move(y)](int a) mutable {\n  if (a) {\n    CHECK_LIST(a, {1});\n  }\n});\n", 3)
        self.check("spawn([] -> int { BOOST_REQUIRE(1); });\n", 1)

    def test_but_where_they_are_said_to_be(self):
        self.check("// asserts on the main thread\nconst auto f = [](int a) {\n  BOOST_TEST(a);\n};\n")
        self.check("// asserts on the main thread\nvoid each(F f) {\n}\nx([] {\n  each([](int a) {\n"
                   "    BOOST_TEST(a);\n  });\n});\n", 6)
        self.check("// asserts on the main thread\nvoid each(F f) {\n}\nvoid g() {\n  each([](int a) {\n"
                   "    BOOST_TEST(a);\n  });\n}\n")


if __name__ == "__main__":
    unittest.main()
