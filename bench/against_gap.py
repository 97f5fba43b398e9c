#!/usr/bin/env python3
"""Times Millrace beside the GAP benchmark suite's own binaries, on the same graphs, in one run.

    bench/against_gap.py --gap DIR [--scales 20,22] [--rounds 5] [--work DIR] [--output bench/results/NAME.md]

DIR holds GAP's `pr`, `bfs` and `converter`. For each scale a Kronecker and a uniform graph come from GAP's generator;
Millrace imports the same edges and vertices. The two take turns, so that a noisy machine disturbs both alike; figures
are medians over the rounds. Needs about 3 GB of disk and 4 GB of memory for scale 22. GAP takes minutes to write a graph
as text: --work keeps the prepared graphs for the next run.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import re
import statistics
import subprocess
import tempfile
import time


def run(*command, env=None):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=env)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def figure(name, text):
    return float(re.search(rf"^{name}:\s+([0-9.]+)", text, re.M).group(1))


class Graph:
    def __init__(self, kind, scale, work):
        self.name = f"{kind} {scale}"
        self.kind, self.scale = kind, scale
        self.flag = "-g" if kind == "Kronecker" else "-u"
        self.serialised = work / f"{kind}{scale}.sg"
        self.store = work / f"{kind}{scale}.store"

    def prepare(self, gap, millrace, work):
        if self.serialised.exists() and self.store.exists():
            return
        edges, vertices = work / f"{self.kind}{self.scale}.el", work / f"{self.kind}{self.scale}.v"
        run(gap / "converter", self.flag, self.scale, "-b", self.serialised)
        run(gap / "converter", self.flag, self.scale, "-e", edges)
        with open(vertices, "w") as out:
            out.writelines(f"{v}\n" for v in range(1 << self.scale))
        run(millrace, "import", edges, "--vertices", vertices, "--undirected", "-o", self.store)
        edges.unlink()
        vertices.unlink()


def measure(graph, gap, millrace, threads, work):
    """One round: each of GAP and Millrace once."""
    env = dict(os.environ, OMP_NUM_THREADS=str(threads))
    figures = work / "bench.json"
    run(millrace, "bench", graph.store, "--threads", threads, "--repeats", 3, "--iterations", 10, "--sources", 16,
        "--json", figures, env=env)
    ours = {r["algorithm"]: r["seconds"] for r in json.loads(figures.read_text())["results"]}
    pr = figure("Average Time", run(gap / "pr", "-f", graph.serialised, "-i", 10, "-t", 0, "-n", 3, env=env)) / 10
    bfs = figure("Average Time", run(gap / "bfs", "-f", graph.serialised, "-n", 16, env=env))
    built = run(gap / "bfs", graph.flag, graph.scale, "-n", 1, env=env)
    store = work / "generated.store"
    start = time.monotonic()
    run(millrace, "generate", "rmat" if graph.kind == "Kronecker" else "uniform", "--scale", graph.scale,
        "--edge-factor", 16, "--undirected", "--threads", threads, "--force", "-o", store, env=env)
    ours["generate + build"] = time.monotonic() - start
    theirs = {"pagerank": pr, "bfs": bfs,
              "generate + build": figure("Generate Time", built) + figure("Build Time", built)}
    return ours, theirs


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gap", type=pathlib.Path, required=True, help="directory with GAP's binaries")
    parser.add_argument("--millrace", type=pathlib.Path, default=pathlib.Path("build/millrace"))
    parser.add_argument("--scales", default="20,22")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", type=pathlib.Path, help="directory for the graphs, kept (default: a temporary one)")
    parser.add_argument("--output", type=pathlib.Path, help="write the table here as well")
    options = parser.parse_args()

    lines = [f"# Millrace beside the GAP benchmark suite, {datetime.date.today()}", "",
             f"{processor()}, {options.threads} threads; medians of {options.rounds} rounds, the two taking turns. "
             "Seconds: one PageRank iteration (f32), one BFS (mean over 16 sources), generate + build (GAP: in memory; "
             "Millrace: to a synced store on disk, process start to exit).", "",
             "| graph | work | GAP | Millrace | ratio |", "| --- | --- | --- | --- | --- |"]
    ratios = {}
    with tempfile.TemporaryDirectory() as directory:
        work = options.work or pathlib.Path(directory)
        work.mkdir(parents=True, exist_ok=True)
        for scale in map(int, options.scales.split(",")):
            for kind in ("Kronecker", "uniform"):
                graph = Graph(kind, scale, work)
                graph.prepare(options.gap, options.millrace, work)
                rounds = [measure(graph, options.gap, options.millrace, options.threads, work)
                          for _ in range(options.rounds)]
                for what in ("pagerank", "bfs", "generate + build"):
                    ours = statistics.median(r[0][what] for r in rounds)
                    theirs = statistics.median(r[1][what] for r in rounds)
                    ratios.setdefault(what, []).append(theirs / ours)
                    lines.append(f"| {graph.name} | {what} | {theirs:.4f} | {ours:.4f} | {theirs / ours:.2f} |")
                    print(lines[-1], flush=True)
    lines += ["", "Geometric means of GAP's time over Millrace's: " + ", ".join(
        f"{what} {math.prod(r) ** (1 / len(r)):.2f}" for what, r in ratios.items()) + "."]
    print(lines[-1])
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
