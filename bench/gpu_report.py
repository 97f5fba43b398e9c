#!/usr/bin/env python3
"""Makes the results file of bench/gpu.sh: measurements beside targets, bounds and the figures of other systems.

    bench/gpu_report.py FIGURES [--out FILE.md] [--seconds N]

FIGURES is a directory with devices.json and the JSON files of `millrace bench`. All of them are joined and
written beside the table as FILE.json.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess

RESULTS = pathlib.Path(__file__).resolve().parent / "results"

# What was to be reached on one H200 (issue 3), by work, graph and plan.
TARGETS = {
    ("pagerank", "rmat-24", "all"): ("GTEPS", 150),
    ("pagerank", "rmat-26", "all"): ("GTEPS", 135),
    ("pagerank", "rmat-27", "all"): ("GTEPS", 125),
    ("pagerank", "rmat-26", "0%"): ("link", 0.95),
    ("pagerank", "rmat-27", "0%"): ("link", 0.95),
    ("pagerank", "rmat-26", "50%"): ("predicted", 0.90),
    ("pagerank", "rmat-27", "50%"): ("predicted", 0.90),
    ("bfs", "kron-24", "all"): ("GTEPS", 450),
    ("bfs", "kron-26", "all"): ("GTEPS", 650),
    ("bfs", "kron-26", "10%"): ("needed", 0.60),
    ("bfs", "grid-24", "all"): ("us a level", 15),
    ("load", "rmat-26", "all"): ("GB/s", 20),
}

# Gunrock on an H200, symmetrised Kronecker scale 24 with edge factor 16, 520.8 M directed edges (2026-11-15).
PEERS = {
    ("bfs", "kron-24", "all"): ("Gunrock 1.2, direction-optimised", 303),
    ("pagerank", "kron-24", "all"): ("Gunrock 1.2, push", 38.6),
}


def key(result):
    memory = result.get("device_memory", {}).get("asked", "all")
    return result["algorithm"], result["store"].removesuffix(".store"), memory


def gteps(result):
    return result["harmonic_gteps"] if result["algorithm"] == "bfs" else result["gteps"]


def is_grid(result):
    return result["store"].startswith("grid")


def needed_share(result):
    """The rate of the pages that were needed, cached or not, as a share of the rate of the link."""
    needed = result["loaded_bytes"] + result["cached_bytes"]
    link = result.get("link_bandwidth", 0)
    return needed / result["seconds"] / link if link and result["seconds"] else 0


def value(result, unit):
    """A figure of the result, in the unit of its target."""
    if unit == "GTEPS":
        return gteps(result)
    if unit == "link":
        return result.get("link_share", 0)
    if unit == "predicted":
        return result.get("ratio_to_predicted", 0)
    if unit == "needed":
        return needed_share(result)
    if unit == "us a level":
        return result["seconds_per_level"] * 1e6
    return result["bytes_per_second"] * 1e-9


def show(number, unit):
    texts = {
        "GTEPS": f"{number:.4g} GTEPS",
        "link": f"{100 * number:.1f}% of the link",
        "predicted": f"{100 * number:.0f}% of predicted",
        "needed": f"{100 * number:.0f}% of needed pages ÷ link",
        "us a level": f"{number:.3g} µs a level",
        "GB/s": f"{number:.3g} GB/s",
    }
    return texts[unit]


def default_unit(result):
    if result["algorithm"] == "load":
        return "GB/s"
    return "us a level" if is_grid(result) else "GTEPS"


def measured(result, unit):
    text = show(value(result, unit), unit)
    if unit not in ("GTEPS", "GB/s", "us a level"):
        text += f", {gteps(result):.4g} GTEPS"
    return text


def verdict(number, unit, target):
    reached = number <= target if unit == "us a level" else number >= target
    return "reached" if reached else "**missed**"


def plan(result):
    if result["pages"] == "resident":
        return "resident"
    share = result["cache_bytes"] / result["page_bytes"] if result["page_bytes"] else 0
    hits = result["cache_hit_rate"] or 0
    return f"streamed, {100 * share:.0f}% cached, hit rate {100 * hits:.0f}%"


def seconds(number):
    for unit, scale in (("s", 1), ("ms", 1e3)):
        if number * scale >= 1:
            return f"{number * scale:.3g} {unit}"
    return f"{number * 1e6:.3g} µs"


def row(result):
    unit, target = TARGETS.get(key(result), (default_unit(result), None))
    number = value(result, unit)
    under = "under " if unit == "us a level" else ""
    aim = "" if target is None else f"{under}{show(target, unit)}: {verdict(number, unit, target)}"
    bound = f"{result['limit']}, {seconds(result['limit_seconds'])}"
    peer = ""
    if key(result) in PEERS and "H200" in result.get("model", ""):
        name, figure = PEERS[key(result)]
        peer = f"{name} {figure}: {gteps(result) / figure:.2f}×"
    cells = [
        result["algorithm"],
        result["store"].removesuffix(".store"),
        plan(result),
        f"{seconds(result['seconds'])} per {result['unit']}",
        measured(result, unit),
        aim,
        bound,
        f"{100 * result['ratio_to_limit']:.0f}%",
        str(result["checked_results"]) if result["checked"] else "–",
        peer,
    ]
    return "| " + " | ".join(cells) + " |"


def searches(results):
    """A line for each BFS: the spread of its searches."""
    for result in results:
        if result["algorithm"] != "bfs" or not result["searches"]:
            continue
        line = (
            f"- {result['store'].removesuffix('.store')}, {plan(result)}: {len(result['searches'])} searches, "
            f"{result['min_gteps']:.4g} to {result['max_gteps']:.4g} GTEPS, {result['levels']:.1f} levels, "
            f"{result['seconds_per_level'] * 1e6:.3g} µs a level"
        )
        hubs = [search for search in result["searches"] if search["hub"]]
        if hubs:
            line += f"; from the largest hub {hubs[0]['gteps']:.4g} GTEPS"
        if result["pages"] == "streamed":
            loaded, share = result["loaded_bytes"] * 1e-9, 100 * result["link_share"]
            line += f"; {loaded:.3g} GB a search over the link, at {share:.0f}% of its rate"
        yield line + "."


def driver():
    try:
        command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
        return "driver " + subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        pass
    try:
        version = re.search(r"\b\d{3,}\.\d+(\.\d+)?\b", pathlib.Path("/proc/driver/nvidia/version").read_text())
        return f"driver {version.group()}"
    except (OSError, AttributeError):
        return "driver unknown"


def commit():
    try:
        command = ["git", "-C", RESULTS.parent, "describe", "--always", "--dirty"]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.stdout.strip() or "unknown"
    except OSError:
        return "unknown"


def hardware(devices):
    """One line for each device, from what `millrace devices` measured."""
    for device in devices:
        if device["name"] == "cpu":
            yield (
                f"- cpu: {device['model']}, {device['cores']} cores, {device['memory'] / 2**30:.0f} GiB, reads "
                f"{device['read_bandwidth'] * 1e-9:.3g} GB/s."
            )
            continue
        link = device.get("link")
        text = f"- {device['name']}: {device['model']}, {device['memory'] / 2**30:.0f} GiB, "
        text += f"{device['multiprocessors']} multiprocessors, {device['l2'] / 2**20:.0f} MiB of L2, {driver()}"
        if link:
            text += f", PCIe {link['pcie_generation']} x{link['width']}"
        if "to_device" in device:
            reads = ", ".join(f"{r['rate'] * 1e-9:.0f} G/s in {r['bytes'] >> 20} MiB" for r in device["random_reads"])
            text += (
                f"; link {device['to_device'] * 1e-9:.1f} GB/s to it and {device['to_host'] * 1e-9:.1f} back, copies "
                f"inside {device['copy'] * 1e-9:.0f} GB/s read and written, random 4-byte reads {reads}, "
                f"{device['launch_seconds'] * 1e6:.1f} µs from launch to letter"
            )
        yield text + "."


def report(devices, results, took, today):
    gpu = next((d for d in devices if d["name"] != "cpu"), devices[0])
    lines = [
        f"# Millrace on {gpu['model']}, {today}",
        "",
        f"`bench/gpu.sh` at commit {commit()}" + (f", {took} s in all." if took else "."),
        "",
        *hardware(devices),
        "",
        "| work | graph | plan | time | measured | reach at least | bound | of bound | verified | peer |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *map(row, results),
        "",
        "rmat is directed, kron symmetrised, both with edge factor 16 and in degree order; grid is square.",
        "Edges count directed: all of them per PageRank iteration (f32, median of repeats), the out-edges of reached",
        "vertices per search (harmonic mean of GTEPS, mean of times). Bound: the largest of topology read ÷ memory",
        "bandwidth, a random read for each edge looked at, pages copied ÷ link, and a launch for each superstep, with",
        "rates measured in the same run; for PageRank, hubs lie in ideal caches. Predicted: the larger of pages",
        "not cached ÷ rate over the link with next to none cached, and the time with all resident. Needed pages: those of",
        "all supersteps, cached or not. Verified: how many of the results, on the cpu and by other code.",
        "",
        *searches(results),
    ]
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("figures", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, help="default bench/results/DATE-gpu-NAME.md")
    parser.add_argument("--seconds", type=int, help="how long it all took")
    options = parser.parse_args()

    devices = json.loads((options.figures / "devices.json").read_text())["devices"]
    files = sorted(options.figures.glob("*.json"), key=os.path.getmtime)
    results = [r for file in files if file.name != "devices.json" for r in json.loads(file.read_text())["results"]]
    today = datetime.date.today().isoformat()
    model = next((d["model"] for d in devices if d["name"] != "cpu"), "none")
    name = re.sub(r"[^a-z0-9]+", "-", model.lower().replace("nvidia", "")).strip("-")
    out = options.out or RESULTS / f"{today}-gpu-{name}.md"
    out.parent.mkdir(parents=True, exist_ok=True)
    text = report(devices, results, options.seconds, today)
    out.write_text(text)
    figures = {"date": today, "devices": devices, "results": results}
    out.with_suffix(".json").write_text(json.dumps(figures, indent=1) + "\n")
    print(text)
    print(f"written to {out} and {out.with_suffix('.json')}")


if __name__ == "__main__":
    main()
