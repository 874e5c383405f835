# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# Actors in gdb, of a live process or a core file:
#
#   (gdb) source smarm-gdb.py
#   (gdb) smarm actors          all of them: pid, label, what each does
#   (gdb) smarm bt 3.0          the stack of the actor <3.0>
#   (gdb) smarm bt all          the stacks of all that wait
#
# Needs debug information of the program or the library (-g, with any optimization) and libstdc++; for
# x86-64 and aarch64. Changes nothing in the process: the frames are found by an unwinder that begins
# where the context of the actor was saved.

import re

import gdb
import gdb.unwinder

NO_SYMBOLS = """there is no debug information about smarm here. Compile the program or the library
with -g (b2 debug-symbols=on, CMake RelWithDebInfo), or give gdb the file that it was
stripped into (symbol-file). Optimization may stay on."""

NO_STACKS = """the stacks of actors are not in this core file. gdb's gcore leaves them out where the kernel
has guard regions (Linux 6.13); a core that the kernel writes has them (ulimit -c unlimited,
kill -ABRT PID), and so has gcore's where config::guard is stack_guard::mapping."""

NO_LIBRARY = "no program with smarm is loaded: no symbol smarm::detail::all_runtimes."


class Unable(Exception):
    pass


# ---- Reading the library's data


def smarm_type(name, space="smarm::detail::"):
    try:
        return gdb.lookup_type(space + name)
    except gdb.error:
        raise Unable(NO_SYMBOLS)


def runtimes():
    try:
        address = int(gdb.parse_and_eval("(unsigned long) &'smarm::detail::all_runtimes'"))
    except gdb.error:
        raise Unable(NO_LIBRARY)
    # The library itself may have been compiled without -g: the type is the program's then.
    first = gdb.Value(address).cast(smarm_type("runtime_state").pointer().pointer())
    runtime = first.dereference()
    while int(runtime) != 0:
        yield runtime.dereference()
        runtime = runtime["next_in_process"]


# What is in a std::atomic, or in one of the library's around it.
def loaded(value):
    while value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT:
        fields = [f for f in value.type.strip_typedefs().fields() if not getattr(f, "artificial", False)]
        names = {f.name for f in fields}
        for known in ("_M_i", "_M_p", "_M_b", "value_"):
            if known in names:
                value = value[known]
                break
        else:
            value = value[next(f for f in fields if not hasattr(f, "enumval"))]
    return value


def text_of(string):
    length = int(string["_M_string_length"])
    text = string["_M_dataplus"]["_M_p"].string("utf-8", "replace", length)
    # A terminal must not be steered by what somebody has put into a label.
    return "".join(c if c.isprintable() else "\\x%02x" % ord(c) for c in text)


def enumerator(enumeration, value):
    for field in enumeration.fields():
        if field.enumval == value:
            return field.name.split("::")[-1]
    return str(value)


def pointers(vector, of):
    first = int(vector["_M_impl"]["_M_start"])
    last = int(vector["_M_impl"]["_M_finish"])
    size = gdb.lookup_type("void").pointer().sizeof
    for at in range(first, last, size):
        yield gdb.Value(at).cast(of.pointer().pointer()).dereference()


class Actor:
    def __init__(self, slot, index, word, scheduler):
        self.slot = slot
        self.index = index
        self.generation = word >> 32
        self.state = enumerator(smarm_type("slot_state"), word & 0xFF)
        self.scheduler = scheduler  # that runs it, or None
        self.context = int(loaded(slot["context"]).cast(gdb.lookup_type("unsigned long")))
        record = loaded(slot["record"])
        self.label = text_of(record["label"]) if int(record) != 0 else ""

    @property
    def waits(self):
        return self.scheduler is None and self.state.startswith("parked")

    @property
    def name(self):
        label = ' "%s"' % self.label if self.label else ""
        return "<%d.%d>%s" % (self.index, self.generation, label)

    @property
    def doing(self):
        if self.scheduler is not None:
            return "runs on scheduler %d" % int(self.scheduler["id"])
        if not self.waits:
            return "is ready to run"
        what = enumerator(smarm_type("wait_kind", "smarm::"), int(loaded(self.slot["waits_for"])))
        return "waits: " + what + (", has no stack" if self.context == 0 else "")


def actors_of(runtime):
    running = {}
    for scheduler in pointers(runtime["schedulers"], smarm_type("scheduler")):
        running[int(loaded(scheduler["current"]))] = scheduler.dereference()
    used = int(loaded(runtime["slots"]["used_"]))
    segments = runtime["slots"]["segments_"]["_M_elems"]
    for level in range(segments.type.strip_typedefs().range()[1] + 1):
        segment = loaded(segments[level])
        if int(segment) == 0:
            continue
        first = int(segment["first_index"])
        for at in range(int(segment["size"])):
            if first + at >= used:
                return
            slot = segment["slots"][at]
            word = int(loaded(slot["word"]["word_"]))
            if enumerator(smarm_type("slot_state"), word & 0xFF) not in ("vacant", "done"):
                yield Actor(slot, first + at, word, running.get(int(slot.address)))


# ---- Frames of a saved context


def words(at, count):
    pointer = gdb.Value(at).cast(gdb.lookup_type("unsigned long").pointer())
    return [int(pointer[i]) for i in range(count)]


# As lib/parked_stack.cpp has it, which says why.
def registers_x86_64(saved):
    at = words(saved, 9)
    out = dict(zip(("r12", "r13", "r14", "r15", "rbx", "rbp", "rip"), at[2:9]))
    out["rsp"] = saved + 72
    if out["rip"] == 0:
        return out
    code = bytes(gdb.selected_inferior().read_memory(out["rip"], 12))
    pad = 4 if code.startswith(b"\xf3\x0f\x1e\xfa") else 0
    skip = b"\x48\x8d\xa4\x24\x80\x00\x00\x00"
    if code[pad : pad + 8] == skip:
        out["rip"] += pad + len(skip)
        out["rsp"] += 128
    return out


def registers_aarch64(saved):
    at = words(saved, 22)
    out = {"x%d" % (19 + i): at[8 + i] for i in range(12)}  # x29 and x30 among them
    out["pc"] = at[20]
    out["sp"] = saved + 176
    return out


class FrameId:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


# While it is enabled, the innermost frame of the selected thread seems to have been called from where
# the actor waits.
class ParkedUnwinder(gdb.unwinder.Unwinder):
    def __init__(self):
        super().__init__("smarm")
        self.enabled = False

    def begin(self, saved):
        frame = gdb.newest_frame()
        machine = frame.architecture().name()
        if machine.startswith("i386:x86-64"):
            self.pc, self.sp, read = "rip", "rsp", registers_x86_64
        elif machine.startswith("aarch64"):
            self.pc, self.sp, read = "pc", "sp", registers_aarch64
        else:
            raise Unable("stacks of actors can be shown on x86-64 and aarch64, not on " + machine)
        self.registers = read(saved)
        if self.registers[self.pc] == 0:
            raise Unable(NO_STACKS)
        self.types = {name: frame.read_register(name).type for name in self.registers}
        self.at = (int(frame.read_register(self.sp)), int(frame.read_register(self.pc)))
        self.enabled = True
        gdb.invalidate_cached_frames()

    def end(self):
        self.enabled = False
        gdb.invalidate_cached_frames()

    def __call__(self, pending):
        sp = pending.read_register(self.sp)
        pc = pending.read_register(self.pc)
        mask = (1 << 64) - 1
        if (int(sp) & mask, int(pc) & mask) != tuple(v & mask for v in self.at):
            return None
        info = pending.create_unwind_info(FrameId(sp, pc))
        for name, value in self.registers.items():
            unsigned = gdb.Value(value).cast(gdb.lookup_type("unsigned long"))
            info.add_saved_register(name, unsigned.cast(self.types[name]))
        return info


unwinder = ParkedUnwinder()
gdb.unwinder.register_unwinder(None, unwinder, True)


def backtrace(context):
    unwinder.begin(context)
    try:
        # The first is that of the thread that was borrowed, with what is inlined there.
        borrowed = 1
        frame = gdb.newest_frame()
        while frame.type() == gdb.INLINE_FRAME:
            borrowed += 1
            frame = frame.older()
        lines = gdb.execute("backtrace", to_string=True).splitlines()
    finally:
        unwinder.end()
    shown = []
    for line in lines:
        number = re.match(r"#(\d+)\s+(.*)", line)
        if number is None:
            shown.append(line)
        elif int(number.group(1)) >= borrowed:
            shown.append("#%-3d%s" % (int(number.group(1)) - borrowed, number.group(2)))
        if "smarm::detail::scheduler::enter_host" in line:
            break  # below is what Boost.Context made
    return shown


# ---- The commands


def guarded(what):
    try:
        what()
    except Unable as why:
        raise gdb.GdbError(str(why))
    except gdb.MemoryError as why:
        raise gdb.GdbError("the library's data cannot be read: %s" % why)


class Smarm(gdb.Command):
    """Actors of smarm: smarm actors, smarm bt PID, smarm bt all."""

    def __init__(self):
        super().__init__("smarm", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)


class SmarmActors(gdb.Command):
    """Lists all actors: smarm actors."""

    def __init__(self):
        super().__init__("smarm actors", gdb.COMMAND_DATA)

    def invoke(self, arguments, from_tty):
        guarded(self.list)

    def list(self):
        for runtime in runtimes():
            print("runtime %d" % int(runtime["number_in_process"]))
            for actor in actors_of(runtime):
                print("  %s %s" % (actor.name, actor.doing))


class SmarmBacktrace(gdb.Command):
    """Shows the stack of one actor or of all that wait: smarm bt PID, smarm bt all."""

    def __init__(self):
        super().__init__("smarm bt", gdb.COMMAND_STACK)

    def invoke(self, arguments, from_tty):
        guarded(lambda: self.show(arguments.strip()))

    def show(self, which):
        wanted = None
        if which != "all":
            pid = re.fullmatch(r"<?(\d+)(?:\.(\d+))?>?", which)
            if pid is None:
                raise gdb.GdbError("smarm bt PID, as in smarm bt 3.0, or smarm bt all")
            wanted = [int(part) for part in pid.groups() if part is not None]
        found = False
        for runtime in runtimes():
            for actor in actors_of(runtime):
                if wanted is not None and wanted != [actor.index, actor.generation][: len(wanted)]:
                    continue
                found = True
                print("actor %s %s" % (actor.name, actor.doing))
                if actor.scheduler is not None:
                    print("    (see the threads: thread apply all bt)")
                elif actor.waits and actor.context != 0:
                    try:
                        for line in backtrace(actor.context):
                            print("    " + line)
                    except gdb.error as why:  # one that cannot be read does not hide the others
                        print("    (%s)" % why)
        if not found:
            print("no such actor" if wanted is not None else "no actors")


Smarm()
SmarmActors()
SmarmBacktrace()
