#!/usr/bin/env python3
"""Predicted beside measured: algorithms x graphs x memory x devices, and which plan a machine's calibration chooses.

Makes RMAT graphs, calibrates the machine unless --keep, times every plan by `millrace bench`, which predicts each of
them first, and prints three tables: the error of predictions, the plan chosen beside the best one, and every line.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ALGORITHMS = "pagerank,bfs,sssp,wcc,bc,kcore,cdlp,triangles"


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


def measure(args, store, device, algorithm, memory):
    """The lines of one algorithm on one store and device; none where it cannot run so."""
    option = "--device-memory" if "cuda" in device else "--host-memory"
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [args.millrace, "bench", store, "--algorithms", algorithm, "--device", device, option, memory,
                   "--repeats", str(args.repeats), "--sources", str(args.sources), "--iterations", "3", "--no-hub",
                   "--json", out.name]
        try:
            done = run(command, timeout=args.limit)
        except subprocess.TimeoutExpired:
            print(f"# {algorithm} {store} {device} {memory}: more than {args.limit} s", flush=True)
            return []
        if done.returncode:
            print(f"# {algorithm} {store} {device} {memory}: {done.stderr.strip().splitlines()[-1:]}", flush=True)
            return []
        with open(out.name) as file:
            return json.load(file)["results"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--millrace", default="build/millrace")
    parser.add_argument("--work", default=None, help="folder for the graphs (default: a temporary one)")
    parser.add_argument("--scales", default="18,20", help="of RMAT graphs with 16 edges a vertex, undirected")
    parser.add_argument("--algorithms", default=ALGORITHMS)
    parser.add_argument("--devices", default="cpu", help="separated by ;, such as 'cpu;cuda;cpu,cuda'")
    parser.add_argument("--memory", default="5%,25%,50%,all")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sources", type=int, default=4)
    parser.add_argument("--limit", type=float, default=120, help="seconds for one algorithm on one graph and device")
    parser.add_argument("--deadline", type=float, default=1e9, help="begin nothing after so many seconds")
    parser.add_argument("--keep", action="store_true", help="use the calibration that there is")
    parser.add_argument("--json", default=None, help="also write all lines to a file")
    args = parser.parse_args()
    folder = tempfile.TemporaryDirectory() if not args.work else None
    work = args.work or folder.name
    os.makedirs(work, exist_ok=True)
    start = time.time()
    if not args.keep:
        done = run([args.millrace, "calibrate", "--temp", work], check=True)
        sys.stdout.write(done.stdout)
        print("#", done.stderr.strip(), flush=True)
    lines = []
    for scale in args.scales.split(","):
        stores = {}
        for weighted in (False, True):
            algorithms = [a for a in args.algorithms.split(",") if (a == "sssp") == weighted]
            if not algorithms or (weighted and int(scale) > 22):  # weights are made on the cpu, which takes minutes
                continue
            store = os.path.join(work, f"rmat{scale}{'w' if weighted else ''}.store")
            run([args.millrace, "generate", "rmat", "--undirected", "--scale", scale, "-o", store, "--force"] +
                (["--weights", "1:255"] if weighted else []), check=True)
            stores[store] = algorithms
        for store, algorithms in stores.items():
            for algorithm in algorithms:
                for device in args.devices.split(";"):
                    if time.time() - start > args.deadline:
                        continue
                    for one in measure(args, store, device, algorithm, args.memory):
                        memory = one["device_memory"]["asked"] if "device_memory" in one else \
                            one.get("disk", {}).get("asked", "all")
                        lines.append({"scale": int(scale), "algorithm": algorithm, "device": device,
                                      "memory": memory, "seconds": one["seconds"],
                                      "predicted": one.get("predicted_seconds")})
            run(["rm", "-rf", store])
    report(lines)
    if args.json:
        with open(args.json, "w") as file:
            json.dump(lines, file, indent=1)


def report(lines):
    known = [l for l in lines if l["predicted"]]
    def error(line):
        return abs(line["predicted"] - line["seconds"]) / line["seconds"]
    print("\n| algorithm | device | lines | median error | worst |\n| --- | --- | --- | --- | --- |")
    groups = {}
    for line in known:
        for key in ((line["algorithm"], line["device"]), ("all", line["device"]), ("all", "all")):
            groups.setdefault(key, []).append(error(line))
    for (algorithm, device), errors in sorted(groups.items()):
        print(f"| {algorithm} | {device} | {len(errors)} | {100 * statistics.median(errors):.0f}% | "
              f"{100 * max(errors):.0f}% |")
    within = worst = count = 0
    lost = []
    for key in sorted({(l["algorithm"], l["scale"], l["memory"]) for l in known}):
        plans = [l for l in known if (l["algorithm"], l["scale"], l["memory"]) == key]
        if len(plans) < 2:
            continue
        # As the planner does: with the help of the cpu it has to be 2% faster.
        chosen = min(plans, key=lambda l: l["predicted"] * (1.02 if l["device"] == "cpu,cuda" else 1))
        best = min(plans, key=lambda l: l["seconds"])
        ratio = chosen["seconds"] / best["seconds"]
        count += 1
        within += ratio <= 1.1
        worst = max(worst, ratio)
        if ratio > 1.1:
            lost.append((*key, chosen["device"], best["device"], f"{ratio:.2f}"))
    if count:
        print(f"\nThe plan chosen is within 10% of the best in {within} of {count}, and {worst:.2f} x at worst.")
        for line in lost:
            print("#", *line)
    print("\n| algorithm | scale | memory | device | measured ms | predicted ms | ratio |\n"
          "| --- | --- | --- | --- | --- | --- | --- |")
    for l in sorted(known, key=lambda l: (l["algorithm"], l["scale"], l["memory"], l["device"])):
        print(f"| {l['algorithm']} | {l['scale']} | {l['memory']} | {l['device']} | {l['seconds'] * 1e3:.2f} | "
              f"{l['predicted'] * 1e3:.2f} | {l['predicted'] / l['seconds']:.2f} |")


if __name__ == "__main__":
    main()
