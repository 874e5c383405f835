# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# readme.py README EXAMPLE...
#
# The README's C++ is what is compiled and run: each of its blocks stands in an example, word by word. And it
# has no place that somebody meant to fill in.

import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    readme = file.read()
examples = []
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as file:
        # The marks of the manual's snippets are nobody else's business.
        examples.append(re.sub(r"^ *//(\[\w+|\])\n", "", file.read(), flags=re.M))

wrong = []
blocks = re.findall(r"```cpp\n(.*?)```", readme, flags=re.S)
if not blocks:
    wrong.append("no block of C++")
for block in blocks:
    if not any(block in example for example in examples):
        wrong.append("not in an example:\n" + block)
wrong += ["to be filled in: " + place for place in re.findall(r"@[A-Z]+@", readme)]
for line in wrong:
    print(sys.argv[1] + ": " + line)
sys.exit(1 if wrong else 0)
