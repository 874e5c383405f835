#!/usr/bin/env python3
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# The commands of share/gdb/smarm-gdb.py in a live process, in a core file of it, and where there is no
# debug information:
#
#   gdb_test.py PROGRAM SCRIPT DIRECTORY
#
# Status 77: it cannot be tested here, as it then says.

import os
import re
import resource
import shutil
import signal
import subprocess
import sys


def gdb(script, target, *commands):
    line = ["gdb", "-nx", "-batch", "-iex", "set auto-load off", "-ex", "set pagination off"]
    line += target + ["-ex", "source " + script]
    for command in commands:
        line += ["-ex", command]
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
                          stdin=subprocess.DEVNULL)
    return done.stdout.decode("utf-8", "replace")


def require(holds, what, text):
    if not holds:
        sys.exit("%s:\n%s" % (what, text))


def check(script, target, where):
    listed = gdb(script, target, "smarm actors")
    receiver = re.search(r'<(\d+\.\d+)> "receiver" waits: message', listed)
    require(receiver, where + ": the receiver is listed", listed)
    require(re.search(r'"sleeper" waits: sleep', listed), where + ": the sleeper is listed", listed)
    require(re.search(r'"the root" runs on scheduler \d', listed), where + ": the root runs", listed)
    require(re.search(r"waits: message, has no stack", listed), where + ": the server", listed)

    one = gdb(script, target, "smarm bt " + receiver.group(1))
    frames = re.findall(r"#\d+ .*wait_for_an_order", one)
    require(len(frames) == 4, where + ": all frames of the receiver", one)
    require("sleep_for" not in one, where + ": and of nobody else", one)
    stack = one[one.index("actor <") :]
    require("libc_read" not in stack, where + ": nor of the thread that was borrowed", one)
    require("enter_host" in stack and "fcontext ()" not in stack, where + ": to its end", one)

    # Twice: to look changes nothing.
    every = gdb(script, target, "smarm bt all", "smarm bt all", "info registers rip pc", "bt 1")
    require(every.count('"receiver" waits') == 2, where + ": all stacks", every)
    require(len(re.findall(r"#\d+ .*wait_for_an_order", every)) == 8, where + ": twice", every)
    require(len(re.findall(r"#\d+ .*sleep", every)) >= 2, where + ": the sleeper's", every)

    require("no such actor" in gdb(script, target, "smarm bt 999.9"), where, "an unknown pid")
    require("smarm bt PID" in gdb(script, target, "smarm bt what"), where, "what is no pid")


# The program, once it is where it should be.
class Parked:
    def __init__(self, program, directory, *arguments):
        def cores():
            most = resource.getrlimit(resource.RLIMIT_CORE)[1]
            resource.setrlimit(resource.RLIMIT_CORE, (most, most))

        self.child = subprocess.Popen([program, *arguments], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                      cwd=directory, preexec_fn=cores)
        require(self.child.stdout.readline() == b"ready\n", "the program is ready", program)

    def __enter__(self):
        return self.child

    def __exit__(self, *why):
        self.child.stdin.close()
        self.child.wait(60)
        self.child.stdout.close()


def main(program, script, directory):
    if shutil.which("gdb") is None:
        print("no gdb: not tested: " + script)
        return 77
    os.makedirs(directory, exist_ok=True)
    program, script = os.path.abspath(program), os.path.abspath(script)
    core = os.path.join(directory, "core")
    with Parked(program, directory) as child:
        live = ["-p", str(child.pid)]
        tried = gdb(script, live, "smarm actors")
        if re.search(r"ptrace: |Could not attach|Operation not permitted", tried):
            print("gdb may not attach to processes here: not tested: " + script)
            return 77
        if "Python scripting is not supported" in tried:
            print("this gdb has no Python: not tested: " + script)
            return 77
        check(script, live, "live")

        # The kernel's, where it writes one at all.
        child.send_signal(signal.SIGABRT)
        child.wait(60)
        left = [name for name in os.listdir(directory) if name.startswith("core")]
        if left:
            check(script, [program, os.path.join(directory, left[0])], "the kernel's core")
            os.remove(os.path.join(directory, left[0]))
        else:
            print("the kernel writes core files elsewhere: not tested with one of its own")

    with Parked(program, directory, "mapping") as child:
        made = gdb(script, ["-p", str(child.pid)], "gcore " + core)
        require(os.path.exists(core), "gcore writes a core file", made)
        check(script, [program, core], "core")

        bare = os.path.join(directory, "stripped")
        subprocess.run(["strip", "-g", "-o", bare, program], check=True)
        said = gdb(script, ["-iex", "set sysroot /", bare, core], "smarm actors")
        require("no debug information about smarm" in said, "stripped", said)
        said = gdb(script, ["/bin/true"], "smarm actors")
        require("no program with smarm" in said, "another program", said)
    print("done")
    return 0


sys.exit(main(*sys.argv[1:]))
