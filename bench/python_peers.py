#!/usr/bin/env python3
"""Times the Python package beside NetworKit, igraph and SciPy's csgraph, on the same graphs. Needs numpy and millrace.

    bench/python_peers.py [--scale 20] [--edge-factor 16] [--threads 2] [--libraries millrace,networkit,igraph,scipy]
                          [--functions pagerank,bfs,...] [--work DIR] [--output bench/results/NAME.md]

Makes an RMAT graph and gives every library the same arrays of edges, without parallel edges and self-loops; vertices
without edges are left out and the others shuffled. Each library has a process of its own, one after the other; one that
is not installed is left out. A figure is the best of three calls, or of fewer once they have taken a minute together.
The time of a call ends when the values of all vertices are in an array: lists are converted. Loading is timed apart.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import numpy as np
from against_gap import geometric_mean, processor
from peer_libraries import LIBRARIES, SAMPLES, SEARCHES, TOLERANCE
from resident import Peak

# name: (the graph it runs on, what a figure is of)
FUNCTIONS = {
    "pagerank": ("directed", f"damping 0.85, in f64, until the ranks change by less than {TOLERANCE:g}, summed over "
                 "vertices; the rank of vertices without out-edges is shared by all. igraph's PRPACK stops at a "
                 "tolerance of its own, 1e-10"),
    "bfs": ("directed", f"levels from one source, mean of the same {SEARCHES}. SciPy: `breadth_first_order`, and "
            "levels from its predecessors by NumPy"),
    "sssp": ("weighted", f"distances from one source by weights of 1 to 255, mean of the same {SEARCHES}. The others: "
             "Dijkstra, without paths where that can be chosen"),
    "components": ("undirected", "connected components. NetworKit: `ConnectedComponents`, faster here than "
                   "`ParallelConnectedComponents`"),
    "scc": ("directed", "strongly connected components"),
    "betweenness": ("undirected", f"from {SAMPLES} vertices: drawn by Millrace (`bc(samples=)`) and NetworKit "
                    "(`EstimateBetweenness`, parallel), given to igraph"),
    "cores": ("undirected", "core numbers"),
    "clustering": ("undirected", "local clustering coefficients, which takes the triangles of each vertex. NetworKit: "
                   "turbo"),
}
GRAPHS = ("directed", "weighted", "undirected")


def make_edges(scale, edge_factor, seed=1):
    """The arrays that all libraries get, by name."""
    random = np.random.default_rng(seed)
    count = edge_factor << scale
    source, target = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for _ in range(scale):
        draw = random.random(count, np.float32)
        down = draw >= 0.76
        right = (draw >= 0.57) ^ down ^ (draw >= 0.95)
        source, target = source << 1 | down, target << 1 | right
    pairs = np.unique(source[source != target] << scale | target[source != target])
    source, target = pairs >> scale, pairs & (1 << scale) - 1
    used = np.flatnonzero(np.bincount(source, minlength=1 << scale) + np.bincount(target, minlength=1 << scale))
    number = np.zeros(1 << scale, np.int64)
    number[used] = random.permutation(len(used))
    order = random.permutation(len(pairs))
    source, target = number[source][order], number[target][order]
    once = np.unique(np.minimum(source, target) * len(used) + np.maximum(source, target))
    once = once[random.permutation(len(once))]
    return {
        "source": source, "target": target, "weight": random.integers(1, 256, len(source)),
        "low": once // len(used), "high": once % len(used),
        "searches": source[:SEARCHES], "samples": random.permutation(len(used))[:SAMPLES],
    }


def best(function, rounds=3):
    """(lowest seconds, growth of memory, the last answer)."""
    peak, times = Peak(), []
    while len(times) < rounds and sum(times) < 60:
        answer = None  # of the call before
        start = time.perf_counter()
        answer = function()
        times.append(time.perf_counter() - start)
    return min(times), peak.growth(), answer


def measure(library, data, functions):
    """All figures of one library, and its answers by id."""
    figures, answers = {"version": library.version}, {}
    n = int(max(data["source"].max(), data["target"].max())) + 1
    for kind in dict.fromkeys(FUNCTIONS[name][0] for name in functions if hasattr(library, name)):
        ends = (data["low"], data["high"]) if kind == "undirected" else (data["source"], data["target"])
        weight = data["weight"] if kind == "weighted" else None
        seconds, growth, g = best(lambda: library.load(kind, n, *ends, weight), 1)
        figures[kind] = {"seconds": seconds, "peak": growth}
        for name in functions:
            if FUNCTIONS[name][0] == kind and hasattr(library, name):
                print(f"{library.name}: {name}", file=sys.stderr)
                figures[name], answers[name] = measure_function(library, g, name, data)
                if name == "betweenness" and library.name == "Millrace":
                    answers["betweenness_given"] = library.by_id(g, library.betweenness_given(g, data))
        del g
    return figures, answers


def measure_function(library, g, name, data):
    """Figures of a function, and its answer by id."""
    calls = SEARCHES if name in ("bfs", "sssp") else 1
    seconds, growth, answer = best(lambda: getattr(library, name)(g, data))
    figures = {"seconds": seconds / calls, "peak": growth}
    if library.name == "Millrace":
        with library.session(g) as session:
            getattr(library, name)(session, data)  # loads
            figures["session"] = best(lambda: getattr(library, name)(session, data))[0] / calls
    return figures, library.by_id(g, np.array(answer))


def work_as(library, options):
    """The whole work of one library, in a process of its own. Exits with 3 if it is not installed."""
    try:
        library = LIBRARIES[library](options.threads)
    except ImportError:
        sys.exit(3)
    with np.load(options.work / "edges.npz") as file:
        data = dict(file)
    figures, answers = measure(library, data, options.functions)
    np.savez(options.work / f"{library.name}.npz", **answers)
    (options.work / f"{library.name}.json").write_text(json.dumps(figures))


# Whether answers agree


def labels(values):
    """Components by their first vertex."""
    _, first, label = np.unique(values, return_index=True, return_inverse=True)
    return first[label]


def distances(values):
    """Of a vertex that is not reached: -1."""
    values = values.astype(np.float64)
    values[~(values < 2**32 - 1)] = -1
    return values


def compare(name, library, ours, theirs):
    """In a few words how the answer of another library agrees, or that it differs."""
    a, b = ours[name], theirs[name]
    if name in ("bfs", "sssp"):
        return "equal" if np.array_equal(distances(a), distances(b)) else "DIFFERS"
    if name in ("components", "scc"):
        equal = np.array_equal(labels(a), labels(b))
        return f"the same {len(np.unique(a)):,} components" if equal else "DIFFERS"
    if name == "cores":
        return f"equal, up to {a.max()}" if np.array_equal(a, b) else "DIFFERS"
    if name == "pagerank":
        apart = np.abs(a - b).sum()
        return f"within {apart:.1g}, summed" if apart < 1e-7 else f"DIFFERS by {apart:.1g}, summed"
    if name == "betweenness" and library == "NetworKit":
        apart = abs(b.sum() / 2 / a.sum() - 1)  # a pair counts in both directions
        return f"other samples; sums {100 * apart:.0f}% apart" if apart < 0.4 else f"DIFFERS: sums {apart:.1g} apart"
    if name == "betweenness":
        a, b = ours["betweenness_given"], 2 * b
    apart = np.abs(a - b).max() / max(np.abs(b).max(), 1e-300)
    return f"within {apart:.1g} of the highest" if apart < 1e-4 else f"DIFFERS by {apart:.1g} of the highest"


# Tables


def load_table(figures):
    lines = ["## Loading, from arrays of edges", "", "Seconds, and the most memory beside the arrays.", "",
             "| | directed | weighted | undirected |", "| --- | --- | --- | --- |"]
    for library, of in figures.items():
        cells = (f"{of[g]['seconds']:.2f} s, {of[g]['peak'] / 2**20:,.0f} MiB" if g in of else "" for g in GRAPHS)
        lines.append(f"| {library} | " + " | ".join(cells) + " |")
    return lines


def function_table(name, figures, answers):
    """Lines, and the ratio of each library."""
    lines, ratios = [f"## {name}", "", FUNCTIONS[name][1] + ".", "", "| | seconds | ratio | memory | answer |",
                     "| --- | --- | --- | --- | --- |"], {}
    ours = figures["Millrace"][name]
    for library, of in figures.items():
        if name not in of:
            continue
        ratio = agrees = ""
        if library != "Millrace":
            ratios[library] = of[name]["seconds"] / ours["seconds"]
            ratio, agrees = f"{ratios[library]:.2f}", compare(name, library, answers["Millrace"], answers[library])
        memory = f"{of[name]['peak'] / 2**20:,.0f} MiB"
        lines.append(f"| {library} | {of[name]['seconds']:.4f} | {ratio} | {memory} | {agrees} |")
        if library == "Millrace":
            lines.append(f"| in a session | {ours['session']:.4f} | {ours['session'] / ours['seconds']:.2f} | | |")
    return lines, ratios


def report(options, data, figures, answers):
    versions = ", ".join(f"{name} {of['version']}" for name, of in figures.items())
    n = int(max(data["source"].max(), data["target"].max())) + 1
    machine = f"{processor()}, {options.threads} threads, Python {platform.python_version()}, NumPy {np.__version__}"
    load = f"loads of {options.load:.1f} at the start and {os.getloadavg()[1]:.1f} at the end"
    lines = [f"# The Python package beside other libraries, {datetime.date.today()}", "", f"""\
{machine}, {versions}; {load}.

RMAT of scale {options.scale}, edge factor {options.edge_factor}, without parallel edges, self-loops and vertices
without edges, shuffled: {n:,} vertices, {len(data["source"]):,} directed edges, {len(data["low"]):,} undirected ones.
Best of 3 calls, or of those within a minute; one process for each library. The time of a call ends when the values of
all vertices are in an array. Ratio: the other's time over Millrace's. Millrace's is that of a plain call, which loads
pages from the store; in a session they stay. Memory: how far resident memory grew during the calls, at most.""", ""]
    lines += load_table(figures)
    all_ratios = {}
    for name in options.functions:
        part, ratios = function_table(name, figures, answers)
        lines += ["", *part]
        for library, ratio in ratios.items():
            all_ratios.setdefault(library, []).append(ratio)
    lines += ["", "## Together", "", "| | functions that both have | geometric mean of ratios | lowest |",
              "| --- | --- | --- | --- |"]
    for library, ratios in all_ratios.items():
        lines.append(f"| {library} | {len(ratios)} | {geometric_mean(ratios):.2f} | {min(ratios):.2f} |")
    return "\n".join(lines) + "\n"


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=int, default=20, help="2^scale vertices (default 20)")
    parser.add_argument("--edge-factor", type=int, default=16, help="edges for each vertex (default 16)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--libraries", default=",".join(LIBRARIES), help="which of them (default all)")
    parser.add_argument("--functions", default=",".join(FUNCTIONS), help="which of them (default all)")
    parser.add_argument("--work", type=pathlib.Path, help="directory for edges and answers, kept (default: temporary)")
    parser.add_argument("--output", type=pathlib.Path, help="write the tables here as well")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.load = os.getloadavg()[1]
    options.libraries = ["millrace"] + [one for one in options.libraries.split(",") if one != "millrace"]
    options.functions = options.functions.split(",")
    for given, known in ((options.libraries, LIBRARIES), (options.functions, FUNCTIONS)):
        for one in given:
            if one not in known:
                parser.error(f"there is no {one}; there are {', '.join(known)}")
    return options


def run_all(options):
    options.work.mkdir(parents=True, exist_ok=True)
    data = make_edges(options.scale, options.edge_factor)
    np.savez(options.work / "edges.npz", **data)
    figures, answers = {}, {}
    for library in options.libraries:
        env = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
        arguments = ["--threads", str(options.threads), "--functions", ",".join(options.functions)]
        done = subprocess.run([sys.executable, __file__, "--worker", library, "--work", options.work, *arguments],
                              env=env)
        if done.returncode == 3 and library != "millrace":
            print(f"{library} is not installed", file=sys.stderr)
            continue
        if done.returncode != 0:
            raise SystemExit(f"{library} failed")
        name = LIBRARIES[library].name
        figures[name] = json.loads((options.work / f"{name}.json").read_text())
        answers[name] = dict(np.load(options.work / f"{name}.npz"))
    text = report(options, data, figures, answers)
    print(text, end="")
    if options.output:
        options.output.write_text(text)


def main():
    options = parse_options()
    if options.worker:
        work_as(options.worker, options)
    elif options.work:
        run_all(options)
    else:
        with tempfile.TemporaryDirectory() as directory:
            options.work = pathlib.Path(directory)
            run_all(options)


if __name__ == "__main__":
    main()
