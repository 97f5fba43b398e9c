#!/usr/bin/env python3
"""Compares two builds of millrace: see compare.sh.

Each case is a store on a plan: all pages in memory, some of them, with help of the cpu, on two devices, with far
attributes. In each round both commands run `bench` on the case, the order changing from round to round. What is printed
for each algorithm are the medians of the rounds, and how long the new one takes of the old one's time. A line is marked
if it is slower by more than the share and the seconds that are allowed."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

# Name, options of `bench`. On GPUs "cpu,cuda" helps; pages stream where the memory is a share of them.
PLANS = {
    "cpu": {
        "resident": ["--device", "cpu"],
        "one thread": ["--device", "cpu", "--threads", "1"],
        "from disk half": ["--device", "cpu", "--host-memory", "50%"],
        "from disk tenth": ["--device", "cpu", "--host-memory", "10%"],
        "two devices": ["--device", "cpu,cpu"],
        "far": ["--device", "cpu", "--strategy", "chunked", "--host-memory", "50%"],
    },
    "cuda": {
        "resident": ["--device", "cuda"],
        "half": ["--device", "cuda", "--device-memory", "50%"],
        "tenth": ["--device", "cuda", "--device-memory", "10%"],
        "help tenth": ["--device", "cpu,cuda", "--device-memory", "10%"],
        "two devices": ["--device", "cuda:0,cuda:0"],
        "far": ["--device", "cuda", "--strategy", "chunked", "--device-memory", "50%"],
    },
}
# Plans on which only these are run.
ONLY = {"far": "pagerank,bfs,sssp,wcc", "help tenth": "pagerank,bfs,sssp,wcc"}


def command(given):
    path = pathlib.Path(given)
    path = path / "millrace" if path.is_dir() else path
    if not path.is_file():
        sys.exit(f"compare: there is no command {path}")
    return str(path.resolve())


def arguments():
    parser = argparse.ArgumentParser(prog="bench/compare.sh", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD", type=command)
    parser.add_argument("new", metavar="NEW", type=command)
    parser.add_argument("--stores", nargs="+", metavar="STORE", default=[], help="instead of generated graphs")
    parser.add_argument("--scales", default="22 24", help='of generated graphs (default "22 24")')
    parser.add_argument("--kinds", default="rmat uniform", help='of generated graphs (default "rmat uniform")')
    parser.add_argument("--device", choices=PLANS, default="cpu")
    parser.add_argument("--plans", help="some of: " + ", ".join(sorted({p for d in PLANS.values() for p in d})))
    parser.add_argument("--algorithms", default="all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--share", type=float, help="allowed (default 0.05 on a cpu, 0.02 on a GPU)")
    parser.add_argument("--seconds", type=float, help="allowed too (default 0 on a cpu, 20e-6 on a GPU)")
    parser.add_argument("--work", metavar="DIR", help="where graphs are made")
    parser.add_argument("--json", metavar="FILE", help="also write all seconds to a file")
    given = parser.parse_args()
    if given.share is None:
        given.share = 0.05 if given.device == "cpu" else 0.02
    if given.seconds is None:
        given.seconds = 0 if given.device == "cpu" else 20e-6
    return given


def generated(given, folder):
    for scale in given.scales.split():
        for kind in given.kinds.split():
            path = f"{folder}/{kind}-{scale}.store"
            subprocess.run([given.old, "generate", kind, "--scale", scale, "--undirected", "--weights", "1:64", "-o", path],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            yield path


def seconds_of(tool, store, options, algorithms):
    done = subprocess.run([tool, "bench", store, "--algorithms", algorithms, "--repeats", "3", "--sources", "4", "--json",
                           "-", *options], capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit {done.returncode}"
    results = json.loads(done.stdout)["results"]
    return {f'{r["algorithm"]}{" hub" if r.get("hub") else ""}': statistics.median(r["all_seconds"]) for r in results}


def compare(given, store, plan, options):
    algorithms = ONLY.get(plan, given.algorithms) if given.algorithms == "all" else given.algorithms
    times = {given.old: [], given.new: []}
    for number in range(given.rounds):
        for tool in (given.old, given.new) if number % 2 == 0 else (given.new, given.old):
            found = seconds_of(tool, store, options, algorithms)
            if isinstance(found, str):
                print(f"  {plan}: {found}")
                return []
            times[tool].append(found)
    lines = []
    for algorithm in times[given.old][0]:
        old, new = (statistics.median(one[algorithm] for one in times[tool]) for tool in (given.old, given.new))
        slower = new > old * (1 + given.share) and new > old + given.seconds
        lines.append({"store": pathlib.Path(store).stem, "plan": plan, "algorithm": algorithm, "old": old, "new": new,
                      "slower": slower})
        print(f"  {plan:18} {algorithm:14} {old * 1e3:12.3f} ms {new * 1e3:12.3f} ms {new / old:8.3f}"
              f"{'  slower' if slower else ''}", flush=True)
    return lines


def main():
    given = arguments()
    lines = []
    plans = PLANS[given.device]
    if given.plans:
        wanted = [plan.strip() for plan in given.plans.split(",")]
        if unknown := set(wanted) - set(plans):
            sys.exit(f"compare: no plan {', '.join(sorted(unknown))}; there are {', '.join(plans)}")
        plans = {plan: plans[plan] for plan in wanted}
    with tempfile.TemporaryDirectory(dir=given.work) as folder:
        for store in given.stores or generated(given, folder):
            print(f"{pathlib.Path(store).stem}: old, new, new / old; medians of {given.rounds} rounds", flush=True)
            for plan, options in plans.items():
                lines += compare(given, store, plan, options)
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(lines, indent=1) + "\n")
    slower = [line for line in lines if line["slower"]]
    print(f"{len(lines)} lines, {len(slower)} slower by more than {given.share:.0%} and {given.seconds * 1e6:g} us")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
