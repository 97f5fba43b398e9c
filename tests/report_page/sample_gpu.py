"""Samples of runs on a GPU."""

import random

from sample_parts import GIB, MIB, busy, head, measurement, plan, prediction


def stress():
    """20,000 supersteps in 2,000 entries, 60 tracks with 60,000 events: the most that the command writes."""
    rng = random.Random(2)
    entries, per, each = 2000, 10, 480.0  # microseconds a superstep
    count = entries * per
    shape = [1 + 0.6 * rng.random() + (3 if 400 < i < 460 else 0) for i in range(entries)]
    unit = count * each * 1e-6 / sum(shape)
    seconds = [unit * value for value in shape]
    wait = [value * rng.uniform(0.05, 0.3) for value in seconds]
    steps = {
        "count": count,
        "per": per,
        "direction": [round(min(1, max(0, i // 250 % 2 + rng.uniform(-0.3, 0.3))), 1) for i in range(entries)],
        "active": [int(10 ** (1 + 5 * (1 - abs(i - 700) / 1300) + 0.2 * rng.random())) for i in range(entries)],
        "seconds": seconds,
        "edges": [int(4e6 * value) for value in shape],
        "bytes": [int(5 * MIB * value) for value in shape],
        "loaded_bytes": [int(18 * MIB * value) for value in shape],
        "cached_bytes": [int(9 * MIB * rng.uniform(0.8, 1.2)) for _ in shape],
        "disk_bytes": [int(5 * MIB * value) for value in shape],
        "helped_bytes": [int(6 * MIB * rng.uniform(0.5, 1)) for _ in shape],
        "exchanged_bytes": [int(MIB * rng.uniform(0.1, 0.4)) for _ in shape],
        "compute": [a - b for a, b in zip(seconds, wait)],
        "help": [value * rng.uniform(0.4, 0.7) for value in seconds],
        "copy": [value * rng.uniform(0.8, 0.97) for value in seconds],
        "disk": [value * rng.uniform(0.3, 0.5) for value in seconds],
        "exchange": [value * 0.02 for value in seconds],
        "wait": wait,
        "host_memory": [2 * GIB + (i // 100) * 20 * MIB for i in range(entries)],
        "device_memory": [GIB + min(i, 200) * MIB for i in range(entries)],
    }
    whole = count * each
    tracks = [
        {"name": "run", "kind": "step", "events": [[0, whole, 0, -1, 0]]},
        {"name": "supersteps", "kind": "superstep", "events": [[i * each, each * 0.98, 1, i, 0] for i in range(count)]},
    ]
    lanes = [("kernel", f"kernels of cuda:0, stream {i}", 0.5) for i in range(8)]
    lanes += [("copy", f"copies to cuda:0, stream {i}", 0.8) for i in range(4)]
    lanes += [("disk", f"disk reads, queue {i}", 0.4) for i in range(4)]
    lanes += [("exchange", "exchange", 0.05)]
    lanes += [("cpu", f"cpu thread {i}", 0.55) for i in range(41)]
    left = 60_000 - 1 - count
    for index, (kind, name, filled) in enumerate(lanes):
        events = left // (len(lanes) - index)
        left -= events
        size = (lambda length: int(length * 9000)) if kind in ("copy", "disk") else (lambda length: 0)
        made = busy(rng, whole, events, filled, lambda i: 2 + i % 16, lambda begin: int(begin / each), size)
        tracks.append({"name": name, "kind": kind, "events": made})
    run = whole * 1e-6
    farthest = [[str(23_000_000 + i), f"{45_677_420 - 811 * i:,}", 45_677_420 - 811 * i] for i in range(8)]
    counts = [int(1e6 * (1 + i) * (40 - i) / 400) for i in range(40)]
    bars = [[f"{i * 1.2:.1f}M", f"{n:,}", n] for i, n in enumerate(counts)]
    return {
        **head(
            "sssp on road-usa.store",
            "run sssp road-usa.store --source 1 --device cpu,cuda --device-memory 1500M --report sssp.html",
        ),
        "answer": {
            "facts": [["vertices", "23,947,347"], ["edges", "57,708,624"], ["largest distance", "45,677,420"]],
            "tops": [{"title": "farthest vertices", "value": "distance", "vertex": "vertex", "rows": farthest}],
            "charts": [
                {"title": "vertices by distance", "x": "distance from", "y": "vertices", "log": False, "bars": bars}
            ],
        },
        "plan": {
            "device": "cuda:0",
            "text": "cuda:0 (NVIDIA H200) with the help of the cpu, streamed: 1.0 GiB of 5.0 GiB cached, "
            "2.5 GiB in host memory, rest on disk, direction auto",
            "pages": {"bytes": 5 * GIB, "on_devices": GIB, "in_host_memory": int(2.5 * GIB), "on_disk": int(1.5 * GIB)},
            "attributes": 400 * MIB,
            "host_memory": 4 * GIB,
            "direction": "auto",
        },
        "predicted": prediction(run * 1.21, "the link", 18_400.0, (41, 9, 12), (run * 0.8, run * 1.2, run * 0.5)),
        "measured": measurement(steps, edges=57_708_624 * 180, load=2.2, result=0.021),
        "plans": [
            plan("cpu,cuda:0", "performance", run * 1.21, "the link", chosen=True),
            plan("cuda:0", "performance", run * 1.93, "the link"),
            plan("cpu", "performance", run * 3.1, "computing"),
            plan("cuda:0", "memory", None, problem="needs 5.4 GiB of device memory, the limit is 1.5 GiB"),
        ],
        "supersteps": steps,
        "timeline": {
            "seconds": run,
            "note": "events shorter than 12 us were merged with their neighbours",
            "tracks": tracks,
            "names": ["sssp", "superstep", *[f"pages {8 * i}-{8 * i + 7}" for i in range(16)]],
        },
        "machine": [
            ["cpu", "AMD EPYC 9R14, 48 cores"],
            ["gpu", "NVIDIA H200"],
            ["link", "55.3 GB/s"],
            ["disk", "3.4 GB/s"],
        ],
    }


def mixed():
    """A search of 7 supersteps on a GPU that pushes, pulls and pushes again; everything else as in a common run."""
    rng = random.Random(3)
    active = [1, 23, 12_804, 2_411_770, 21_033_188, 804_233, 311]
    count = len(active)
    seconds = [0.0004, 0.0007, 0.0052, 0.0213, 0.0149, 0.0051, 0.0006]
    link = [int(value * 46e9) if i > 1 else 0 for i, value in enumerate(seconds)]
    wait = [value * 0.2 if i > 1 else 0 for i, value in enumerate(seconds)]
    steps = {
        "count": count,
        "per": 1,
        "direction": ["push", "push", "push", "pull", "pull", "pull", "push"],
        "active": active,
        "seconds": seconds,
        "edges": [24, 15_022, 4_118_226, 1_204_882_110, 702_118_004, 90_336_212, 412],
        "bytes": [int(value * 60e9) for value in seconds],
        "loaded_bytes": link,
        "cached_bytes": [193 * MIB if i > 1 else 4 * MIB for i in range(count)],
        "helped_bytes": [int(value * 0.8) for value in link],
        "compute": [a - b for a, b in zip(seconds, wait)],
        "help": [value * 0.7 if i > 1 else 0 for i, value in enumerate(seconds)],
        "copy": [value * 0.92 if i > 1 else 0 for i, value in enumerate(seconds)],
        "wait": wait,
        "device_memory": [int(1.4 * GIB)] * count,
    }
    begins = [0.0]
    for value in seconds:
        begins.append(begins[-1] + value * 1e6)
    whole = begins[-1]

    def step_of(time):
        return next((i for i in range(count) if begins[i] <= time < begins[i + 1]), count - 1)

    names = ["superstep", "exchange bits", *[f"pages {16 * i}-{16 * i + 15}" for i in range(12)]]
    own = [[begins[i], seconds[i] * 1e6, 0, i, 0] for i in range(count)]
    tracks = [{"name": "supersteps", "kind": "superstep", "events": own}]
    for kind, name, events, filled in (
        ("kernel", "kernels, stream 0", 60, 0.6),
        ("kernel", "kernels, stream 1", 55, 0.6),
        ("copy", "copies to cuda:0", 90, 0.95),
        ("cpu", "cpu helps", 40, 0.8),
    ):
        size = (lambda length: int(length * 50_000)) if kind == "copy" else (lambda length: 0)
        made = busy(rng, whole, events, filled, lambda i: 2 + i % 12, step_of, size)
        tracks.append({"name": name, "kind": kind, "events": made})
    run = whole / 1e6
    bars = [[str(i), f"{n:,}", n] for i, n in enumerate(active)]
    return {
        **head(
            "bfs on k26.store",
            "run bfs k26.store --source 3 --device-memory 1500M --report bfs.html",
        ),
        "answer": {
            "facts": [
                ["vertices", "67,108,864"],
                ["edges", "2,103,848,020"],
                ["reached", "24,262,330"],
                ["levels", "7"],
            ],
            "charts": [{"title": "vertices by level", "x": "level", "y": "vertices", "log": True, "bars": bars}],
        },
        "plan": {
            "device": "cpu,cuda:0",
            "text": "cpu,cuda:0 (NVIDIA H200), streamed: 193.4 MiB of 4.3 GiB cached, rest in host memory, direction auto",
            "pages": {"bytes": int(4.3 * GIB), "on_devices": 193 * MIB, "in_host_memory": int(4.3 * GIB), "on_disk": 0},
            "attributes": int(1.2 * GIB),
            "host_memory": int(4.6 * GIB),
            "direction": "auto",
        },
        "predicted": prediction(run * 0.98, "the link", 7, (2.1, 0, 1.4), (run * 0.2, run * 0.7, 0)),
        "measured": measurement(steps, edges=2_103_848_020, load=1.9, result=0.012),
        "plans": None,
        "supersteps": steps,
        "timeline": {"seconds": run, "note": "", "tracks": tracks, "names": names},
        "machine": [["gpu", "NVIDIA H200"], ["link", "55.3 GB/s"]],
    }
