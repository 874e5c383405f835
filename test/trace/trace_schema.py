#!/usr/bin/env python3
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# Checks a trace against the trace event format, more strictly than the programs that show it:
#
#   trace_schema.py FILE [WORD...]    every word must be part of some event's name
#   trace_schema.py --self-test       what is wrong must be refused

import json
import sys

REQUIRED = {
    "M": {"name", "args"},
    "B": {"ts", "name"},
    "E": {"ts"},
    "i": {"ts", "name", "s"},
    "s": {"ts", "name", "cat", "id"},
    "f": {"ts", "name", "cat", "id", "bp"},
}
ALLOWED = {"ph", "pid", "tid", "args"}


class Wrong(Exception):
    pass


def require(holds, event, why):
    if not holds:
        raise Wrong("%s: %s" % (why, json.dumps(event)))


def check(trace):
    require(isinstance(trace, dict), {}, "the file is an object")
    require(trace.get("displayTimeUnit") in ("ns", "ms"), {}, "displayTimeUnit is ns or ms")
    about = trace.get("otherData", {})
    for key in ("format_version", "lost_events", "actors_without_track"):
        require(isinstance(about.get(key), int), about, key + " is a number")
    events = trace.get("traceEvents")
    require(isinstance(events, list), {}, "traceEvents is a list")
    last = {}
    depth = {}
    begun = {}
    ended = set()
    named = set()
    for e in events:
        phase = e.get("ph")
        require(phase in REQUIRED, e, "a known phase")
        require(isinstance(e.get("pid"), int) and isinstance(e.get("tid"), int), e, "pid and tid")
        missing = REQUIRED[phase] - e.keys()
        require(not missing, e, "missing " + ", ".join(sorted(missing)))
        extra = e.keys() - REQUIRED[phase] - ALLOWED
        require(not extra, e, "not of this phase: " + ", ".join(sorted(extra)))
        track = (e["pid"], e["tid"])
        if "name" in e:
            require(isinstance(e["name"], str) and e["name"], e, "a name")
        if phase == "M":
            require(e["name"] in ("process_name", "thread_name"), e, "known metadata")
            require(set(e["args"]) == {"name"} and isinstance(e["args"]["name"], str), e, "a name")
            key = (e["name"], e["pid"]) if e["name"] == "process_name" else track
            require(key not in named, e, "named once")
            named.add(key)
            continue
        ts = e["ts"]
        require(isinstance(ts, (int, float)) and ts >= 0, e, "a time, from 0")
        require(ts >= last.get(track, 0), e, "time goes forward on each track")
        last[track] = ts
        if phase == "B":
            depth[track] = depth.get(track, 0) + 1
            require(depth[track] == 1, e, "slices do not nest")
        elif phase == "E":
            depth[track] = depth.get(track, 0) - 1
            require(depth[track] == 0, e, "an end has its beginning")
        elif phase == "i":
            require(e["s"] == "t", e, "of its thread")
        elif phase == "s":
            require(e["id"] not in begun, e, "an arrow begins once")
            require(depth.get(track, 0) == 1 or last[track] == ts, e, "an arrow begins in a slice")
            begun[e["id"]] = ts
        elif phase == "f":
            require(e["bp"] == "e", e, "binds to the slice around it")
            require(e["id"] in begun, e, "an arrow begins before it ends")
            require(e["id"] not in ended, e, "an arrow ends once")
            require(ts >= begun[e["id"]], e, "an arrow goes forward in time")
            ended.add(e["id"])
    for track, open_slices in depth.items():
        require(open_slices == 0, {"track": track}, "every slice ends")
    require(begun.keys() == ended, {}, "every arrow ends")
    for track in last:
        require(track in named, {"track": track}, "every track has a name")
        require(("process_name", track[0]) in named, {"track": track}, "every group has a name")
    return events


def self_test():
    def trace(*events):
        names = [
            {"ph": "M", "pid": 1, "tid": 0, "name": "process_name", "args": {"name": "a"}},
            {"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "b"}},
        ]
        about = {"format_version": 1, "lost_events": 0, "actors_without_track": 0}
        return {"displayTimeUnit": "ns", "otherData": about, "traceEvents": names + list(events)}

    def on(phase, ts, **more):
        return dict({"ph": phase, "pid": 1, "tid": 1, "ts": ts}, **more)

    begin, end = on("B", 1, name="x"), on("E", 2)
    start = on("s", 1, name="x", cat="c", id=7)
    finish = on("f", 2, name="x", cat="c", id=7, bp="e")
    check(trace(begin, start, end, on("B", 2, name="x"), finish, on("E", 3)))
    wrong = [
        trace(begin),
        trace(end),
        trace(begin, begin, end, end),
        trace(on("B", 5, name="x"), end),
        trace(begin, start, end),
        trace(begin, finish, start, end),
        trace(begin, start, finish, finish, end),
        trace(on("B", 1), end),
        trace(on("B", 1, name=""), end),
        trace(dict(begin, tid=2), dict(end, tid=2)),
        trace(on("X", 1, name="x")),
        trace(on("i", 1, name="x")),
        trace(on("i", -1, name="x", s="t")),
        {"traceEvents": []},
    ]
    for number, one in enumerate(wrong):
        try:
            check(one)
        except Wrong:
            continue
        sys.exit("self-test %d was not refused" % number)


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    with open(arguments[0], encoding="utf-8") as file:
        try:
            events = check(json.load(file))
        except (Wrong, ValueError) as why:
            sys.exit("%s: %s" % (arguments[0], why))
    names = {e["name"] for e in events if "name" in e}
    names |= {e["args"]["name"] for e in events if e["ph"] == "M"}
    for word in arguments[1:]:
        if not any(word in name for name in names):
            sys.exit("%s: nothing is called %s" % (arguments[0], word))
    print("%d events" % len(events))


main(sys.argv[1:])
