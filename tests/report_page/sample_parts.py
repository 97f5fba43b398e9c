"""What several samples share."""

MIB = 1 << 20
GIB = 1 << 30


def head(title, options, kind="run", shortfall=""):
    """What all reports begin with."""
    return {
        "schema": 1,
        "kind": kind,
        "title": title,
        "millrace": "0.2.0",
        "date": "2026-11-17 14:39 UTC",
        "command": f"millrace {options}",
        "shortfall": shortfall,
    }


def busy(rng, whole, count, filled, name, step_of, size_of):
    """Events of one track: `count` of them over `whole` microseconds, which cover a share `filled` of it."""
    events, slot = [], whole / count
    for i in range(count):
        length = slot * filled * rng.uniform(0.7, 1.0)
        begin = slot * i + (slot - length) * rng.uniform(0.1, 0.9)
        events.append([round(begin, 2), round(length, 2), name(i), step_of(begin), size_of(length)])
    return events


def plan(device, strategy, seconds, bound="", chosen=False, problem=""):
    return {
        "device": device,
        "strategy": strategy,
        "fits": not problem,
        "seconds": seconds,
        "bound": bound,
        "text": "",
        "chosen": chosen,
        "problem": problem,
    }


def prediction(seconds, bound, supersteps, moved, phases):
    """Moved: GiB over the link, from disk, taken by the cpu. Phases: seconds of computing, copying, reading."""
    names = ("link_bytes", "disk_bytes", "helped_bytes", "exchanged_bytes")
    return {
        "seconds": seconds,
        "bound": bound,
        "shown": True,
        "compared": True,
        "text": "",
        "supersteps": supersteps,
        **dict(zip(names, [value * GIB for value in (*moved, 0)])),
        "phases": dict(zip(("compute", "copy", "disk", "exchange"), (*phases, 0))),
    }


def measurement(steps, edges, load, result):
    """The sums of a run over its supersteps."""

    def total(key):
        return sum(steps.get(key, []))

    far = total("loaded_bytes") or total("disk_bytes")
    return {
        "seconds": total("seconds"),
        "load_seconds": load,
        "result_seconds": result,
        "supersteps": steps["count"],
        "link_bytes": total("loaded_bytes"),
        "disk_bytes": total("disk_bytes"),
        "helped_bytes": total("helped_bytes"),
        "exchanged_bytes": total("exchanged_bytes"),
        "gteps": edges / total("seconds") * 1e-9,
        "edges_traversed": edges,
        "bytes_moved": total("bytes"),
        "cache_hit_rate": total("cached_bytes") / (total("cached_bytes") + far),
        "phases": {key: total(key) for key in ("compute", "help", "copy", "disk", "exchange", "wait")},
    }
