"""What a refusal for memory says is true: the amount that it names is enough, and its numbers agree with each other.

The loop: ask with next to nothing, read "allow at least X", ask with X as it was printed; that has to succeed at once.
The tests run a part of it. `memory_words_test.py --full` runs all of it and counts."""

import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import harness

SIZE = r"([0-9.]+) (B|KiB|MiB|GiB|TiB)"
ADVICE = re.compile("allow at least " + SIZE)
NEEDS = re.compile("needs? (?:about )?" + SIZE)
ALLOWED = re.compile("allows " + SIZE)
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
DOES_NOT_FIT = 4


def in_bytes(match):
    return float(match[1]) * UNITS[match[2]]


def as_typed(match):
    """What somebody would type who read it: 5.1 MiB as 5.1M."""
    return match[1] + {"B": ""}.get(match[2], match[2][0])


def call(command, where):
    return subprocess.run(
        [harness.MILLRACE, *map(str, command)], capture_output=True, text=True, env=harness.ENVIRONMENT, cwd=where
    )


def contradiction(message, given):
    """What is wrong with the numbers of a refusal, or nothing."""
    advice, needs, allowed = ADVICE.search(message), NEEDS.search(message), ALLOWED.search(message)
    if not advice:
        return "names no amount"
    if given and in_bytes(advice) <= given:
        return "asks for no more than it was given"
    if needs and in_bytes(needs) > in_bytes(advice):
        return "needs more than it asks for"
    if allowed and needs and in_bytes(needs) <= in_bytes(allowed):
        return "needs no more than it is allowed"
    if allowed and given and in_bytes(allowed) > given:
        return "is allowed more than it was given"
    return None


def ask(command, option, where, first="4K"):
    """One turn of the loop: None if all is well, else what is not; and what was asked for ("" where nothing was)."""
    small = call([*command, option, first], where)
    if small.returncode == 0:
        return None, ""
    if small.returncode != DOES_NOT_FIT:
        return f"exit code {small.returncode}: {small.stderr.strip()}", ""
    given = float(first[:-1]) * {"K": 1 << 10, "M": 1 << 20}[first[-1]]
    wrong = contradiction(small.stderr, given)
    if wrong:
        return f"{wrong}: {small.stderr.strip()}", ""
    typed = as_typed(ADVICE.search(small.stderr))
    again = call([*command, option, typed], where)
    if again.returncode != 0:
        return f"refused with {typed}: {small.stderr.strip()} -- then: {again.stderr.strip()}", typed
    return None, typed


def write_npy(path, n):
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({n},), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<d", 1) * n)


class Graphs:
    """Stores of shapes that differ in what takes memory."""

    def __init__(self, where, names):
        self.where = where
        self.vertices = {}
        for name in names:
            done = call([*self.commands()[name], "-o", where / f"{name}.store"], where)
            assert done.returncode == 0, done.stderr
            info = json.loads(call(["info", where / f"{name}.store", "--json"], where).stdout)
            self.vertices[name] = info["vertices"]
            write_npy(where / f"{name}.npy", info["vertices"])
            ids = call(["export", where / f"{name}.store", "-o", "all.txt", "--vertices", f"{name}.ids"], where)
            assert ids.returncode == 0, ids.stderr
            lines = (where / f"{name}.ids").read_text().splitlines()
            (where / f"{name}.some").write_text("".join(line + "\n" for line in lines[: max(1, len(lines) // 2)] if lines))

    def commands(self):
        random.seed(1)
        self.text("star.txt", ((0, v) for v in range(1, 6000)))
        self.text("one.txt", [(7, 7)])
        self.text("none.txt", [])
        sparse = [random.randrange(1 << 60) for _ in range(3000)]
        self.text("sparse.txt", ((random.choice(sparse), random.choice(sparse)) for _ in range(20000)))
        names = [f"vertex number {v}" for v in range(500)]
        rows = (f"{random.choice(names)},{random.choice(names)}\n" for _ in range(3000))
        (self.where / "names.csv").write_text("source,target\n" + "".join(rows))
        rmat = ["generate", "rmat", "--page-size=4K"]
        return {
            "rmat": [*rmat, "--scale=12"],
            "large": ["generate", "rmat", "--scale=14"],
            "undirected": [*rmat, "--scale=11", "--undirected"],
            "weighted": [*rmat, "--scale=11", "--weights=1:255"],
            "reals": [*rmat, "--scale=10", "--weights=0.5:1", "--undirected"],
            "star": ["import", "star.txt", "--page-size=4K"],
            "ring": ["import", "star.txt", "--page-size=4K", "--undirected", "--order=degree"],
            "grid": ["generate", "grid", "--scale=12", "--page-size=4K", "--weights=1:9"],
            "one": ["import", "one.txt", "--self-loops=keep"],
            "none": ["import", "none.txt"],
            "sparse": ["import", "sparse.txt", "--page-size=4K", "--order=degree"],
            "names": ["import", "names.csv", "--ids=string"],
            "outward": [*rmat, "--scale=11", "--orientation=out"],
            "inward": [*rmat, "--scale=11", "--orientation=in"],
            "keeping": [*rmat, "--scale=10", "--duplicates=keep", "--self-loops=keep", "--weights=1:9"],
        }

    def text(self, name, edges):
        (self.where / name).write_text("".join(f"{source} {target}\n" for source, target in edges))

    def source(self, name):
        lines = (self.where / f"{name}.ids").read_text().splitlines()
        return lines[len(lines) // 3]


SOURCED = ("bfs", "sssp", "neighbourhood", "egonet", "bc", "ppr")
LISTS = ("cdlp", "lcc", "triangles")
PLAIN = ("pagerank", "hits", "katz", "eigenvector", "wcc", "scc", "kcore", "radius")
HOST = ("degrees", "subgraph", "cross-edges")
ALGORITHMS = (*SOURCED, *LISTS, *PLAIN, "spmv")
WRITES = {"egonet": [["-o", "part.txt"], ["--store", "part.store", "--force"]]}
DEVICES = ("cpu", "cpu,cpu", "cpu,cpu,cpu", "cpu,cpu,cpu,cpu")
STRATEGIES = ("auto", "performance", "partitioned", "scalability", "chunked")
DIRECTIONS = ("auto", "push", "pull")


def algorithm(graphs, name, graph):
    """The command for an algorithm, or None where the graph has nothing for it."""
    command = ["run", name, f"{graph}.store"]
    if name in SOURCED:
        if graphs.vertices[graph] == 0:
            return None
        option = "--seed" if name == "ppr" else "--source"
        command += [option, graphs.source(graph)]
    if name in ("neighbourhood", "egonet"):
        command += ["--hops=3"]
    if name in ("pagerank", "ppr", "hits", "katz", "eigenvector", "cdlp"):
        command += ["--iterations=4"]
    if name == "spmv":
        command += ["--x", f"{graph}.npy"]
    if name == "subgraph":
        command += ["--vertices", f"{graph}.some"]
    if name == "cross-edges":
        command += ["--from", f"{graph}.some", "--to", f"{graph}.ids"]
    return command


def outputs(name, number):
    """What can be asked for beside the summary."""
    file = f"out-{number}"
    if name in ("egonet", "subgraph", "cross-edges"):
        return [[], ["-o", f"{file}.txt"], ["-o", f"{file}.txt.gz"], ["--store", f"{file}.store", "--force"]]
    if name == "degrees":
        return [[], ["-o", f"{file}.csv"], ["--vertices", f"{file}.csv"]]
    more = {
        "bfs": [["--parents", f"{file}.txt"], ["-o", f"{file}.txt", "--parents", f"{file}-parents.txt"]],
        "sssp": [["--parents", f"{file}.txt"], ["-o", f"{file}.txt", "--parents", f"{file}-parents.txt"]],
        "hits": [["-o", f"{file}.txt", "--hubs", f"{file}-hubs.txt"]],
        "kcore": [["--k=2"], ["--k=2", "--edges", f"{file}.txt"], ["--k=2", "--store", f"{file}.store", "--force"]],
    }
    return [[], ["-o", f"{file}.txt"], ["-o", f"{file}.npy"], *more.get(name, [])]


def runs(graphs, names, full):
    """(command, option, first amount) for all runs."""
    number = itertools.count()
    for graph, name in itertools.product(names, (*ALGORITHMS, *HOST)):
        command = algorithm(graphs, name, graph)
        if not command:
            continue
        for output in outputs(name, next(number)):
            yield [*command, *output, *([] if name in HOST else ["--device=cpu"]), "-t", 2]
        if name in HOST:
            continue
        if not full:
            yield [*command, "--device=cpu,cpu", "-t", 2]
            if name not in LISTS:
                yield [*command, "--device=cpu", "--strategy=chunked", "-t", 2]
            continue
        for precision in ("f32", "f64"):
            if name in ("pagerank", "ppr", "hits", "katz", "eigenvector", "spmv"):
                yield [*command, "--device=cpu", "--precision", precision]
        for threads in (1, 3):
            yield [*command, "--device=cpu", "-t", threads]
        directions = ("",) if name in LISTS else DIRECTIONS
        for devices, strategy, direction in itertools.product(DEVICES, STRATEGIES, directions):
            file = next(number)
            plan = [f"--device={devices}", f"--strategy={strategy}", *([f"--direction={direction}"] if direction else [])]
            yield [*command, *plan, "-t", 4]
            if strategy != "auto" and direction in ("", "auto") and name not in ("egonet",):
                yield [*command, *plan, "-o", f"out-{file}.txt", "-t", 4]


def exports(names):
    for graph, ending in itertools.product(names, ("txt", "el", "mtx", "sg", "npz", "txt.gz")):
        for threads in (1, 4):
            yield ["export", f"{graph}.store", "-o", f"out-{graph}-{threads}.{ending}", "-t", threads]
        yield ["export", f"{graph}.store", "-o", f"out-{graph}-v.{ending}", "--vertices", f"out-{graph}-{ending}.ids"]


def check(commands, option, where, first="4K", jobs=2):
    """All of them: how many ran, how many were refused first, and what was wrong."""
    asked, wrong, refused, skipped = 0, [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        commands = list(commands)
        for command, (problem, typed) in zip(commands, pool.map(lambda c: ask(c, option, where, first), commands)):
            # What is no use of the command at all has nothing to do with memory.
            if problem and re.match("exit code [23]:", problem):
                skipped += 1
                continue
            asked += 1
            refused += typed != ""
            if problem:
                wrong.append(f"{' '.join(map(str, command))} {option}: {problem}")
    return asked, refused, skipped, wrong


def forget(where):
    for learned in where.glob("*.store/learned.json"):
        learned.unlink()


def main_full(jobs):
    where = pathlib.Path(tempfile.mkdtemp(prefix="millrace-words-"))
    try:
        names = ("rmat", "undirected", "weighted", "reals", "star", "ring", "grid", "one", "none", "sparse", "names")
        names += ("outward", "inward", "keeping", "large")
        graphs = Graphs(where, names)
        bad = 0
        for title, commands, option in (
            ("run", list(runs(graphs, names, True)), "--host-memory"),
            ("run, sizes learned", list(runs(graphs, names, True)), "--host-memory"),
            ("export", list(exports(names)), "--host-memory"),
        ):
            if title == "run":
                random.shuffle(commands)
                forget(where)
            asked, refused, skipped, wrong = check(commands, option, where, jobs=jobs)
            print(f"{title}: {asked} combinations, {refused} refused at first, {len(wrong)} wrong; {skipped} make no sense")
            print("".join(line + "\n" for line in wrong), end="", flush=True)
            bad += len(wrong)
        return bad
    finally:
        shutil.rmtree(where, ignore_errors=True)


if __name__ == "__main__":
    if "--full" in sys.argv:
        sys.exit(1 if main_full(2) else 0)
    unittest.main()
