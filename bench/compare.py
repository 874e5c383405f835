#!/usr/bin/env python3
# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
"""Sets smarm's benchmark rows beside those of other runtimes.

    compare.py SMARM PEERS

SMARM holds BENCH lines as bench/run.sh prints them; PEERS is a table of such rows with a heading, as
the peers' run.sh writes it, or BENCH lines too. Prints a table with one line for each of smarm's
rows: the best peer in the same case, and how smarm compares. Needs only the standard library.
"""
import csv
import sys

FIELDS = ["peer", "workload", "threads", "params", "median_us", "min_us", "ops", "ns_per_op", "extra"]

# How a peer was set up to do the work; every other parameter says what the work is.
SETTINGS = {"algo", "current_thread", "throughput", "stack", "suspend", "hibernate", "mode"}

# What is compared, where it is not the time of an operation: (field of the row or of extra, unit).
FIGURES = {
    "memory": ("bytes_per_actor", "B"),
    "memory_servers": ("bytes_per_actor", "B"),
    "many_timers": ("cpu_ns_op", "ns CPU"),
    "idle_cpu": ("cpu_ms", "ms CPU"),
    "wake_timer": ("median_us", "us"),
    "wake_external": ("median_us", "us"),
}

# Where a peer's row counts whatever its number of threads is: these do not keep a thread busy.
ANY_THREADS = set(FIGURES)


def pairs(text):
    return dict(p.split("=", 1) for p in text.split(";") if "=" in p)


class Row:
    """One measured case of one runtime."""

    def __init__(self, values):
        row = dict(zip(FIELDS, values))
        self.peer = row["peer"]
        self.workload = row["workload"]
        self.threads = int(row["threads"])
        self.work = {k: v for k, v in pairs(row["params"]).items() if k not in SETTINGS}
        field, self.unit = FIGURES.get(self.workload, ("ns_per_op", "ns"))
        text = {**row, **pairs(row["extra"])}.get(field, "NA")
        self.figure = None if text in ("NA", "") else float(text)

    def same_case(self, other):
        return (
            self.workload == other.workload
            and self.work == other.work
            and (self.threads == other.threads or self.workload in ANY_THREADS)
        )


def read_rows(lines):
    """The rows with a figure, from BENCH lines or from a table with a heading."""
    rows = []
    for values in csv.reader(lines):
        if values and values[0].endswith("BENCH"):
            values = values[1:]
        # The heading, and whatever a program said besides.
        if len(values) != len(FIELDS) or not values[2].isdigit():
            continue
        row = Row(values)
        if row.figure is not None:
            rows.append(row)
    return rows


def best_of(rows):
    return min(rows, key=lambda row: row.figure, default=None)


def compare(ours, peers):
    """(row of smarm, best peer's row or None, ratio or None), one for each case of ours."""
    compared = []
    for row in ours:
        if any(row.same_case(done) and row.threads == done.threads for done, _, _ in compared):
            continue
        mine = best_of([r for r in ours if r.same_case(row) and r.threads == row.threads])
        best = best_of([r for r in peers if r.same_case(row)])
        ratio = mine.figure / best.figure if best and best.figure > 0 else None
        compared.append((mine, best, ratio))
    return compared


def number(value):
    if value >= 10_000_000:
        return f"{value / 1e6:.0f}M"
    if value >= 10_000:
        return f"{value / 1e3:.0f}k"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def cells(ours, best, ratio):
    return [
        ours.workload,
        " ".join(f"{k}={v}" for k, v in ours.work.items()) or "-",
        str(ours.threads),
        number(ours.figure),
        best.peer if best else "-",
        number(best.figure) if best else "-",
        ours.unit,
        f"{ratio:.2f}" if ratio is not None else "-",
        "behind" if ratio is not None and ratio > 1 else "",
    ]


HEADING = ["workload", "params", "threads", "smarm", "best peer", "peer", "unit", "ratio", ""]
TO_THE_RIGHT = {2, 3, 5, 7}


def table(compared):
    lines = [HEADING] + [cells(*c) for c in compared]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADING))]
    dashes = ["-" * (w - 1) + ":" if i in TO_THE_RIGHT else "-" * w for i, w in enumerate(widths)]

    def format_line(line):
        padded = (c.rjust(w) if i in TO_THE_RIGHT else c.ljust(w)
                  for i, (c, w) in enumerate(zip(line, widths)))
        return "| " + " | ".join(padded) + " |"

    return "\n".join(format_line(line) for line in [HEADING, dashes] + lines[1:])


def summary(compared):
    met = [ratio for _, _, ratio in compared if ratio is not None]
    behind = sum(ratio > 1 for ratio in met)
    return f"{len(met)} cases with a peer: smarm is ahead in {len(met) - behind}, behind in {behind}"


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    with open(arguments[0], newline="") as ours, open(arguments[1], newline="") as peers:
        compared = compare(read_rows(ours), read_rows(peers))
    if not compared:
        sys.exit(f"compare.py: no BENCH lines in {arguments[0]}")
    print(table(compared))
    print()
    print(summary(compared))


if __name__ == "__main__":
    main(sys.argv[1:])
