#!/usr/bin/env python3
"""Compares the times of Millrace and the GAP benchmark suite's own binaries, on the same graphs, in one run.

    bench/against_gap.py --gap DIR [--kernels pr,bfs,sssp,cc,bc,tc,build] [--scales 20,22] [--rounds 5] [--work DIR]
                         [--output bench/results/NAME.md]

DIR holds GAP's `converter` and the kernels. For each scale a Kronecker and a uniform graph come from GAP's generator;
Millrace imports the files that GAP reads. The two take turns, so that noise affects both equally; figures are
medians over the rounds. Needs about 5 GB of disk and 4 GB of memory for scale 22. --work keeps the prepared graphs for
the next run.
"""
import argparse
import dataclasses
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


@dataclasses.dataclass
class Kernel:
    name: str  # in tables
    counted: str  # what a figure is of
    algorithm: str = ""  # of millrace bench; none: build
    arguments: tuple = ()  # of GAP's binary
    trials: int = 16  # sources, or repeats
    sources: bool = False
    units: int = 1  # in a trial
    weighted: bool = False


KERNELS = {
    "pr": Kernel("pagerank", "an iteration in f32, median of 3 times 10", "pagerank", ("-i", 10, "-t", 0), 3, units=10),
    "bfs": Kernel("bfs", "a search with parents, mean over 16 sources", "bfs", sources=True),
    "sssp": Kernel(
        "sssp", "distances by weights of 1 to 255, mean over 16 sources; each with its default delta: GAP's is 1 (its "
        "own scripts give 2 for such graphs), Millrace finds one as the search goes on", "sssp", sources=True,
        weighted=True),
    "cc": Kernel("cc", "connected components, median of 16", "wcc"),
    "bc": Kernel("bc", "betweenness from one source, mean over 16", "bc", ("-i", 1), sources=True),
    "tc": Kernel(
        "tc", "the number of triangles, median of 3; GAP relabels by degree within that time, Millrace orders when it "
        "imports", "triangles", trials=3),
    "build": Kernel("generate + build", "GAP in memory, Millrace to a synced store on disk, process start to exit"),
}
LATER = ["sssp", "cc", "bc", "tc"]  # have a mean of their own


def run(*command, env=None):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=env)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def figures(name, text):
    return [float(figure) for figure in re.findall(rf"^{name}:\s+([0-9.]+)", text, re.M)]


class Graph:
    def __init__(self, kind, scale, work):
        self.name = f"{kind} {scale}"
        self.kind, self.scale = kind, scale
        self.flag = "-g" if kind == "Kronecker" else "-u"
        self.base = work / f"{kind}{scale}"

    def file(self, weighted):
        return self.base.with_suffix(".wsg" if weighted else ".sg")

    def store(self, weighted):
        return self.base.with_suffix(".wsg.store" if weighted else ".sg.store")

    def prepare(self, gap, millrace, weighted):
        if not self.file(weighted).exists():
            run(gap / "converter", self.flag, self.scale, *["-w"] * weighted, "-b", self.file(weighted))
        if not self.store(weighted).exists():
            run(millrace, "import", self.file(weighted), "-o", self.store(weighted))


class Pair:
    """Millrace and GAP, on the same number of threads."""

    def __init__(self, options, work):
        self.gap, self.millrace, self.threads, self.work = options.gap, options.millrace, options.threads, work
        self.env = dict(os.environ, OMP_NUM_THREADS=str(options.threads))

    def measure(self, name, graph):
        """Seconds of both for one unit of a kernel."""
        if name == "build":
            return self.build(graph)
        kernel, report = KERNELS[name], self.work / "bench.json"
        run(self.millrace, "bench", graph.store(kernel.weighted), "--device", "cpu", "--threads", self.threads,
            "--algorithms", kernel.algorithm, "--iterations", 10, "--repeats", kernel.trials, "--sources",
            kernel.trials, "--json", report, env=self.env)
        ours = json.loads(report.read_text())["results"][0]["seconds"]
        text = run(self.gap / name, "-f", graph.file(kernel.weighted), *kernel.arguments, "-n", kernel.trials + 1,
                   env=self.env)
        times = figures("Trial Time", text)[1:]  # the first is a warm-up, as in millrace bench
        return ours, (statistics.mean if kernel.sources else statistics.median)(times) / kernel.units

    def build(self, graph):
        start = time.monotonic()
        run(self.millrace, "generate", "rmat" if graph.kind == "Kronecker" else "uniform", "--scale", graph.scale,
            "--edge-factor", 16, "--undirected", "--device", "cpu", "--threads", self.threads, "--force", "-o",
            self.work / "generated.store", env=self.env)
        ours = time.monotonic() - start
        text = run(self.gap / "bfs", graph.flag, graph.scale, "-n", 1, env=self.env)
        return ours, figures("Generate Time", text)[0] + figures("Build Time", text)[0]


def geometric_mean(ratios):
    return math.prod(ratios) ** (1 / len(ratios))


def means(ratios):
    texts = [f"{KERNELS[name].name} {geometric_mean(r):.2f}" for name, r in ratios.items()]
    later = [name for name in LATER if name in ratios]
    if len(later) > 1:
        texts.append(f"{', '.join(later)} together {geometric_mean(sum((ratios[name] for name in later), [])):.2f}")
    return "Geometric means of GAP's time over Millrace's: " + "; ".join(texts) + "."


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def heading(options):
    counted = "\n".join(f"- {KERNELS[name].name}: {KERNELS[name].counted}." for name in options.kernels)
    return f"""# Millrace beside the GAP benchmark suite, {datetime.date.today()}

{processor()}, {options.threads} threads; medians of {options.rounds} rounds, the two taking turns kernel by kernel,
each after a warm-up of its own. Both read the same graphs; each draws its own sources among the vertices with edges.
GAP counts the allocation of values in every kernel, and so does Millrace except in pagerank and bc. Seconds:

{counted}

| graph | work | GAP | Millrace | ratio |
| --- | --- | --- | --- | --- |"""


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gap", type=pathlib.Path, required=True, help="directory with GAP's binaries")
    parser.add_argument("--millrace", type=pathlib.Path, default=pathlib.Path("build/millrace"))
    parser.add_argument("--kernels", default=",".join(KERNELS), help="which of them, by GAP's names (default all)")
    parser.add_argument("--scales", default="20,22")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", type=pathlib.Path, help="directory for the graphs, kept (default: a temporary one)")
    parser.add_argument("--output", type=pathlib.Path, help="write the table here as well")
    options = parser.parse_args()
    options.kernels = options.kernels.split(",")
    for name in options.kernels:
        if name not in KERNELS:
            parser.error(f"--kernels {name}: there are {', '.join(KERNELS)}")
    for name in ["converter"] + [name if name != "build" else "bfs" for name in options.kernels]:
        if not (options.gap / name).exists():
            parser.error(f"--gap {options.gap} has no {name}")
    return options


def main():
    options = parse_options()
    lines = [heading(options)]
    print(lines[0])
    ratios = {}
    with tempfile.TemporaryDirectory() as directory:
        work = options.work or pathlib.Path(directory)
        work.mkdir(parents=True, exist_ok=True)
        pair = Pair(options, work)
        for scale in map(int, options.scales.split(",")):
            for kind in ("Kronecker", "uniform"):
                graph = Graph(kind, scale, work)
                for weighted in {KERNELS[name].weighted for name in options.kernels if name != "build"}:
                    graph.prepare(options.gap, options.millrace, weighted)
                rounds = [{name: pair.measure(name, graph) for name in options.kernels} for _ in range(options.rounds)]
                for name in options.kernels:
                    ours, theirs = (statistics.median(r[name][side] for r in rounds) for side in (0, 1))
                    ratios.setdefault(name, []).append(theirs / ours)
                    lines.append(f"| {graph.name} | {KERNELS[name].name} | {theirs:.4f} | {ours:.4f} "
                                 f"| {theirs / ours:.2f} |")
                    print(lines[-1], flush=True)
    lines += ["", means(ratios)]
    print(lines[-1])
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
