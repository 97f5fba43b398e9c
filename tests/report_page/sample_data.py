"""Data of reports as the command writes them, made up but the same on each call.

sample_data.py FOLDER    writes disk.html, stress.html, bench.html, least.html and mixed.html to look at
"""

import json
import pathlib
import random
import sys

from sample_gpu import mixed, stress
from sample_parts import GIB, MIB, busy, head, measurement, plan, prediction

PAGE = pathlib.Path(__file__).resolve().parents[2] / "src" / "report" / "page"


def assemble(data):
    """The page as the command makes it. The template is split once, so that data may hold the text of a placeholder."""
    parts = {
        "/*STYLE*/": (PAGE / "report.css").read_text(),
        "/*SCRIPT*/": "\n".join(path.read_text() for path in sorted(PAGE.glob("report_*.js"))),
        "/*DATA*/": json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c"),
    }
    text = (PAGE / "report.html").read_text()
    for mark in ("/*DATA*/", "/*STYLE*/", "/*SCRIPT*/"):
        assert text.count(mark) == 1, f"report.html must hold {mark} once"
    page = []
    while text:
        at, mark = min(((text.index(mark), mark) for mark in parts if mark in text), default=(len(text), ""))
        page += [text[:at], parts.get(mark, "")]
        text = text[at + len(mark) :]
    return "".join(page)


def from_disk():
    """20 supersteps on a CPU; pages come from disk."""
    rng = random.Random(1)
    count, size = 20, 3 * GIB
    cached = [int(size * (0 if i == 0 else 0.33 + 0.02 * rng.random())) for i in range(count)]
    disk = [size - value for value in cached]
    busy_disk = [value / 3.1e9 for value in disk]
    seconds = [value * rng.uniform(1.01, 1.12) for value in busy_disk]
    wait = [value * rng.uniform(0.35, 0.5) for value in seconds]
    steps = {
        "count": count,
        "per": 1,
        "direction": ["pull"] * count,
        "active": [4_847_571] * count,
        "seconds": seconds,
        "edges": [68_993_773] * count,
        "bytes": [size] * count,
        "loaded_bytes": [0] * count,
        "cached_bytes": cached,
        "disk_bytes": disk,
        "helped_bytes": [0] * count,
        "exchanged_bytes": [0] * count,
        "compute": [a - b for a, b in zip(seconds, wait)],
        "help": [0] * count,
        "copy": [0] * count,
        "disk": busy_disk,
        "exchange": [0] * count,
        "wait": wait,
        "host_memory": [int(1.1 * GIB + min(i, 3) * 90 * MIB) for i in range(count)],
        "device_memory": [0] * count,
    }
    load, result = 0.41, 0.06
    run = sum(seconds)
    whole = (load + run + result) * 1e6
    begins = [load * 1e6]
    for value in seconds:
        begins.append(begins[-1] + value * 1e6)

    def step_of(time):
        return next((i for i in range(count) if begins[i] <= time < begins[i + 1]), -1)

    run_steps = [(0, load), (load, run), (load + run, result)]
    lanes = {
        "run": ("step", [[begin * 1e6, length * 1e6, i, -1, 0] for i, (begin, length) in enumerate(run_steps)]),
        "supersteps": ("superstep", [[begins[i], seconds[i] * 1e6, 3, i, 0] for i in range(count)]),
        "cpu, 2 threads": ("cpu", busy(rng, whole, 240, 0.6, lambda i: 4 + i % 8, step_of, lambda length: 0)),
        "disk reads": (
            "disk",
            busy(rng, whole, 320, 0.95, lambda i: 4 + i % 8, step_of, lambda length: int(length * 3300)),
        ),
    }
    tracks = [{"name": name, "kind": kind, "events": events} for name, (kind, events) in lanes.items()]
    return {
        **head(
            "pagerank on livejournal.store",
            "run pagerank livejournal.store --device cpu --host-memory 1500M --iterations 20 --report pagerank.html",
            shortfall="NOT converged: the largest change is 0.00031 after 20 iterations, the tolerance is 0.0001",
        ),
        "answer": {
            "facts": [["vertices", "4,847,571"], ["edges", "68,993,773"], ["iterations", "20"], ["converged", "false"]],
            "tops": [
                {
                    "title": "highest rank",
                    "value": "rank",
                    "vertex": "vertex",
                    "rows": [
                        [str(4037 + 917 * i), f"{0.0046 / (1 + 0.35 * i):.8f}", 0.0046 / (1 + 0.35 * i)]
                        for i in range(10)
                    ],
                }
            ],
            "charts": [
                {
                    "title": "vertices by rank",
                    "x": "rank below",
                    "y": "vertices",
                    "log": True,
                    "bars": [
                        [f"1e-{9 - i}", f"{n:,}", n]
                        for i, n in enumerate([812_004, 2_930_118, 1_002_377, 98_120, 4_811, 139, 2])
                    ],
                }
            ],
        },
        "plan": {
            "device": "cpu",
            "text": "cpu, streamed: 1.1 GiB of 3.0 GiB cached, rest on disk, direction pull",
            "pages": {
                "bytes": size,
                "on_devices": 0,
                "in_host_memory": int(1.1 * GIB),
                "on_disk": size - int(1.1 * GIB),
            },
            "attributes": 116_341_704,
            "host_memory": 1500 * MIB,
            "direction": "pull",
        },
        "predicted": prediction(run * 0.93, "the disk", 20, (0, 39.6, 0), (run * 0.5, 0, run * 0.93)),
        "measured": measurement(steps, edges=20 * 68_993_773, load=load, result=result),
        "plans": [
            plan("cpu", "performance", run * 0.93, "the disk", chosen=True),
            plan("cpu", "chunked", run * 1.9, "the disk"),
            plan("cuda:0", "", None, problem="no CUDA device found"),
        ],
        "supersteps": steps,
        "timeline": {
            "seconds": whole / 1e6,
            "note": "",
            "tracks": tracks,
            "names": [
                "load",
                "pagerank",
                "copy results",
                "superstep",
                *[f"pages {16 * i}-{16 * i + 15}" for i in range(8)],
            ],
        },
        "machine": [["cpu", "AMD EPYC 9R14, 2 cores, AVX-512"], ["memory", "24 GiB"], ["disk", "3.4 GB/s"]],
    }


def bench():
    rows, bars = [], []
    for i, (name, memory) in enumerate(
        (a, m) for a in ("pagerank", "bfs", "sssp", "cc", "triangles") for m in ("all", "half", "tenth")
    ):
        seconds = 0.0029 * (1 + i % 3 * 1.7) * (1 + i // 3)
        rows.append(
            [
                name,
                memory,
                f"{seconds * 1e3:.2f} ms",
                f"{35.7 / (1 + i):.2f}",
                ["memory", "the link", "the link"][i % 3],
                f"{96 - 3 * i}%",
            ]
        )
        bars.append([f"{name} {memory}", f"{seconds * 1e3:.2f} ms", seconds])
    return {
        **head(
            "bench on k20.store",
            "bench k20.store --report bench.html",
            kind="bench",
        ),
        "machine": [["cpu", "AMD EPYC 9R14, 2 cores"], ["memory", "24 GiB"], ["gpu", "NVIDIA H200"]],
        "bench": {
            "columns": ["work", "memory", "time", "GTEPS", "set by", "of limit"],
            "rows": rows,
            "bars": bars,
            "notes": [
                ["Limit", "the largest of topology read / memory bandwidth, and pages copied / link"],
                ["Of limit", "the limit / the time it took"],
                ["Set by", "the resource that sets the limit"],
            ],
        },
    }


def least():
    """All that is optional is missing or null; texts hold characters that HTML would take for its own."""
    return {
        **head(
            "pagerank on </script><b>a&b.store",
            "run pagerank '</script><b>a&b.store' /*STYLE*/",
        ),
        "answer": {"facts": [["vertices", "0"]]},
        "plan": None,
        "predicted": None,
        "measured": {"seconds": 0, "supersteps": 0, "phases": None},
        "plans": [],
        "supersteps": {"count": 0, "per": 1, "seconds": []},
        "timeline": None,
        "machine": None,
    }


SAMPLES = {"disk": from_disk, "stress": stress, "bench": bench, "least": least, "mixed": mixed}

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for sample, make in SAMPLES.items():
        (pathlib.Path(sys.argv[1]) / f"{sample}.html").write_text(assemble(make()))
