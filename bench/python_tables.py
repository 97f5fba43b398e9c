#!/usr/bin/env python3
"""Times tables of edges in NumPy, pandas and Arrow becoming graphs, and looks for leaks. Needs numpy and millrace.

    bench/python_tables.py [--edges 6553600] [--kinds numpy,pandas,arrow] [--memory 1G] [--rounds 3] [--runs 1000]
                           [--threads 2] [--output bench/results/NAME.md]

A table has two columns of int64, 16 bytes for each edge: 6,553,600 edges are 100 MiB, 268,435,456 are 4 GiB. Edges are
random, with skewed sources, among an eighth as many vertices. Every import has a process of its own; its memory is how
far resident memory grows beyond what it was with the table. A library that is not installed is left out. --runs: runs
of several algorithms on one small graph, and as many small graphs, with resident memory before and after; 0: none.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

import numpy as np
from against_gap import processor
from resident import Peak, resident

KINDS = ("numpy", "pandas", "arrow")
AT_ONCE = 1 << 22  # edges that are drawn together
WARM_UP = 50  # runs before the first look at memory


def make_columns(count):
    """Two arrays of int64, filled part by part, so that hardly more memory is used."""
    random = np.random.default_rng(1)
    vertices = max(count // 8, 1)
    source, target = np.empty(count, np.int64), np.empty(count, np.int64)
    for first in range(0, count, AT_ONCE):
        part = slice(first, min(first + AT_ONCE, count))
        size = part.stop - part.start
        source[part] = vertices * random.random(size) ** 3
        target[part] = random.integers(0, vertices, size)
    return source, target


def make_table(kind, count):
    """The table, which refers to the arrays. Raises ImportError."""
    source, target = make_columns(count)
    if kind == "numpy":
        return source, target
    if kind == "pandas":
        import pandas

        return (pandas.DataFrame({"source": source, "target": target}, copy=False),)
    import pyarrow

    return (pyarrow.table({"source": pyarrow.array(source), "target": pyarrow.array(target)}),)


def import_once(options):
    """Prints the figures of one import as JSON. Exits with 3 if the library is not installed."""
    import millrace

    try:
        table = make_table(options.worker, options.edges)
    except ImportError:
        sys.exit(3)
    millrace.from_edges([1, 2], [2, 3], threads=options.threads)  # threads are there
    peak = Peak()
    start = time.perf_counter()
    graph = millrace.from_edges(*table, memory=options.memory, threads=options.threads)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "peak": peak.growth(), "vertices": len(graph), "edges": graph.num_edges}))


def best_import(kind, options):
    """Figures of the fastest import in the given number of processes, or None if the library is missing."""
    figures = []
    for _ in range(options.rounds):
        arguments = ["--worker", kind, "--edges", str(options.edges), "--threads", str(options.threads)]
        if options.memory:
            arguments += ["--memory", options.memory]
        done = subprocess.run([sys.executable, __file__, *arguments], stdout=subprocess.PIPE, text=True)
        if done.returncode == 3:
            print(f"{kind} is not installed", file=sys.stderr)
            return None
        if done.returncode != 0:
            raise SystemExit(f"the import from {kind} failed")
        figures.append(json.loads(done.stdout))
    return min(figures, key=lambda one: one["seconds"]) | {"peak": max(one["peak"] for one in figures)}


def import_lines(options):
    size = 16 * options.edges
    limit = f"`memory=\"{options.memory}\"`" if options.memory else "no limit of memory"
    lines = [f"{options.edges:,} edges, {size / 2**20:,.0f} MiB, {limit}; fastest of {options.rounds}, highest memory "
             "of these.", "", "| table | seconds | million edges a second | memory beside the table | of the table |",
             "| --- | --- | --- | --- | --- |"]
    for kind in options.kinds:
        of = best_import(kind, options)
        if of:
            rate = options.edges / of["seconds"] / 1e6
            lines.append(f"| {kind} | {of['seconds']:.2f} | {rate:.1f} | {of['peak'] / 2**20:,.0f} MiB "
                         f"| {of['peak'] / size:.2f} × |")
            print(lines[-1], file=sys.stderr)
    return lines


def leak_lines(options):
    """Resident memory before and after many runs and many graphs."""
    import millrace

    source, target = make_columns(1 << 15)
    graph = millrace.from_edges(source, target)
    first = int(source[0])
    work = {
        "pagerank": lambda: graph.pagerank(threads=options.threads).rank,
        "bfs, all columns": lambda: graph.bfs(source=first, columns="all", threads=options.threads).by_id("parent"),
        "wcc": lambda: graph.wcc(threads=options.threads).component,
        "lcc": lambda: graph.lcc(threads=options.threads).coefficient,
        "from_edges": lambda: millrace.from_edges(source, target, threads=options.threads),
    }
    lines = [f"{options.runs:,} calls after {WARM_UP} others, on a graph of {graph.num_edges:,} edges.", "",
             "| call | resident before | after | a call |", "| --- | --- | --- | --- |"]
    for name, call in work.items():
        for _ in range(WARM_UP):
            call()
        before = resident()
        for _ in range(options.runs):
            call()
        after = resident()
        lines.append(f"| {name} | {before / 2**20:.1f} MiB | {after / 2**20:.1f} MiB "
                     f"| {(after - before) / options.runs:+,.0f} bytes |")
        print(lines[-1], file=sys.stderr)
    return lines


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--edges", type=int, default=6_553_600, help="edges of the table (default 6,553,600: 100 MiB)")
    parser.add_argument("--kinds", default=",".join(KINDS), help="what holds the table; empty: no imports")
    parser.add_argument("--memory", help="memory= of the import, such as 1G (default: no limit)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=1000, help="to find leaks (default 1000; 0: none)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--output", type=pathlib.Path, help="write the tables here as well")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.kinds = [kind for kind in options.kinds.split(",") if kind]
    for kind in options.kinds:
        if kind not in KINDS:
            parser.error(f"--kinds {kind}: there are {', '.join(KINDS)}")
    return options


def main():
    options = parse_options()
    if options.worker:
        return import_once(options)
    machine = f"{processor()}, {options.threads} threads, Python {platform.python_version()}, NumPy {np.__version__}"
    load = f"a load of {os.getloadavg()[1]:.1f} at the start"
    lines = [f"# Tables that become graphs, {datetime.date.today()}", "", f"{machine}; {load}.", ""]
    if options.kinds:
        lines += [*import_lines(options), ""]
    if options.runs:
        lines += leak_lines(options)
    text = "\n".join(lines).rstrip() + "\n"
    print(text, end="")
    if options.output:
        options.output.write_text(text)


if __name__ == "__main__":
    main()
