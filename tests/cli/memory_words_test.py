"""Refusals for memory are true: the amount that they name is enough, and their numbers agree with each other.

The loop: run with very little memory, read "allow at least X", run with X as it was printed; that must succeed.
The tests run a part of it. `memory_words_test.py --full` runs all of it and counts."""

import concurrent.futures
import itertools
import json
import pathlib
import random
import re
import shutil
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
    """The size as a user would type it: 5.1 MiB as 5.1M."""
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
    """One turn of the loop: None or what is wrong; and the amount that was asked for ("" if there was no refusal)."""
    small = call([*command, option, first], where)
    if small.returncode == 0:
        if command[0] in ("import", "generate", "partition"):
            shutil.rmtree(where / command[command.index("-o") + 1], ignore_errors=True)
        return None, ""
    if small.returncode != DOES_NOT_FIT:
        return f"exit code {small.returncode}: {small.stderr.strip()}", ""
    given = float(first[:-1]) * {"K": 1 << 10, "M": 1 << 20}[first[-1]]
    wrong = contradiction(small.stderr, given)
    if wrong:
        return f"{wrong}: {small.stderr.strip()}", ""
    typed = as_typed(ADVICE.search(small.stderr))
    again = call([*command, option, typed], where)
    if command[0] in ("import", "generate", "partition"):  # the disk need not hold all of them
        shutil.rmtree(where / command[command.index("-o") + 1], ignore_errors=True)
    if again.returncode in (2, 3):
        return f"exit code {again.returncode}: {again.stderr.strip()}", typed
    if again.returncode != 0:
        return f"refused with {typed}: {small.stderr.strip()} -- then: {again.stderr.strip()}", typed
    return None, typed


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
            (where / f"{name}.npy").write_bytes(harness.npy([1] * info["vertices"]))
            ids = call(["export", where / f"{name}.store", "-o", "all.txt", "--vertices", f"{name}.ids"], where)
            assert ids.returncode == 0, ids.stderr
            lines = (where / f"{name}.ids").read_text().splitlines()
            (where / f"{name}.some").write_text("".join(line + "\n" for line in lines[: max(1, len(lines) // 2)] if lines))

    def commands(self):
        random.seed(1)
        self.text("star.txt", ((0, v) for v in range(1, 6000)))
        self.text("one.txt", [(7, 7)])
        (self.where / "none.metis").write_text("0 0\n")  # an empty edge list is refused
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
            "none": ["import", "none.metis"],
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
PLAIN = ("pagerank", "hits", "katz", "eigenvector", "wcc", "scc", "kcore", "radius", "closeness")
HOST = ("degrees", "subgraph", "cross-edges")
ALGORITHMS = (*SOURCED, *LISTS, *PLAIN, "spmv")
DEVICES = ("cpu", "cpu,cpu", "cpu,cpu,cpu", "cpu,cpu,cpu,cpu")
STRATEGIES = ("auto", "performance", "partitioned", "scalability", "chunked")
DIRECTIONS = ("auto", "push", "pull")


def algorithm(graphs, name, graph):
    """The command for an algorithm, or None if it cannot run on the graph."""
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
    if name == "katz":
        command += ["--tolerance=0"]  # all iterations, also where the values grow
    if name == "closeness":
        command += ["--samples=70"]
    if name == "spmv":
        command += ["--x", f"{graph}.npy"]
    if name == "subgraph":
        command += ["--vertices", f"{graph}.some"]
    if name == "cross-edges":
        command += ["--from", f"{graph}.some", "--to", f"{graph}.ids"]
    return command


def outputs(name, number):
    """The outputs that can be requested beside the summary."""
    file = f"out-{number}"
    if name in ("egonet", "subgraph", "cross-edges"):
        return [[], ["-o", f"{file}.txt"], ["-o", f"{file}.txt.gz"], ["--store", f"{file}.store", "--force"]]
    if name == "degrees":
        return [[], ["-o", f"{file}.csv"], ["--vertices", f"{file}.csv"]]
    more = {
        "bfs": [["--parents", f"{file}.txt"], ["-o", f"{file}.txt", "--parents", f"{file}-parents.txt"]],
        "sssp": [["--parents", f"{file}.txt"], ["-o", f"{file}.txt", "--parents", f"{file}-parents.txt"]],
        "hits": [["-o", f"{file}.txt", "--hubs", f"{file}-hubs.txt"]],
        "closeness": [["-o", f"{file}.txt", "--harmonic", f"{file}-harmonic.txt"]],
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
        if graph == "names" and ending == "el":
            continue  # a format without header refuses its names
        for threads in (1, 4):
            yield ["export", f"{graph}.store", "-o", f"out-{graph}-{threads}.{ending}", "-t", threads]
        yield ["export", f"{graph}.store", "-o", f"out-{graph}-v.{ending}", "--vertices", f"out-{graph}-{ending}.ids"]


def write_large_texts(where, sparse=600_000, dense=2_500_000, leaves=2_500_000):
    """Edge lists with more vertices than fit the least --memory."""
    random.seed(2)

    def write(name, lines, line, head=""):
        with open(where / name, "w") as text:
            text.write(head)
            for first in range(0, lines, 1000):
                text.write("".join(line(i) for i in range(first, min(first + 1000, lines))))

    bits = random.getrandbits
    write("dense.txt", dense, lambda i: f"{2 * i} {2 * i + 1}\n")
    write("sparse64.txt", sparse, lambda i: f"{bits(63)} {bits(63)} {i % 200}\n")
    write("hub.txt", leaves - 1, lambda i: f"0 {i + 1}\n")
    write("named.csv", leaves // 4, lambda i: f"vertex {i},vertex {i * 7 % 1000}\n", "from,to\n")


def imports(full):
    number = itertools.count()

    def to():
        return ["-o", f"large-{next(number)}.store"]

    yield ["import", "sparse64.txt", *to(), "--weighted", "-t", 2]
    yield ["import", "dense.txt", *to(), "--undirected", "-t", 2]
    yield ["import", "hub.txt", *to(), "--order=natural", "-t", 2]
    if not full:
        return
    for text, order, threads in itertools.product(
        ("dense.txt", "sparse64.txt", "hub.txt"), ("auto", "natural", "degree"), (1, 4)
    ):
        for more in ([], ["--undirected"], ["--orientation=in"], ["--page-size=4K"], ["--page-size=16M"]):
            weighted = ["--weighted"] if text == "sparse64.txt" and threads == 4 else []
            yield ["import", text, *to(), "--order", order, "-t", threads, *more, *weighted]
    for more in ([], ["--order=degree"], ["--undirected"]):
        yield ["import", "named.csv", *to(), "--ids=string", *more]


def generations(full):
    number = itertools.count()
    kinds = [("rmat", 22, 1), ("uniform", 21, 4), ("grid", 22, 1)] if full else [("uniform", 21, 2)]
    for (kind, scale, factor), weights in itertools.product(kinds, ([], ["--weights=1:255"], ["--weights=0.5:1"])):
        for more in ([], ["--undirected"], ["--order=natural"], ["--page-size=4K"]) if full else ([],):
            store = f"made-{next(number)}.store"
            shape = ["--scale", scale, "--edge-factor", factor]
            yield ["generate", kind, "-o", store, *shape, *weights, *more, "-t", 2]
        if not full:
            return


def partitions(graph, full):
    number = itertools.count()
    for method in ("range", "random", "static", "biased", "metis") if full else ("random",):
        for parts in (2, 70) if full else (2,):
            store = f"parts-{method}-{next(number)}.store"
            yield ["partition", graph, "-o", store, "--parts", parts, "--method", method]


def check(commands, option, where, first="4K", jobs=2):
    """Runs all commands: how many ran, how many were refused first, and what was wrong."""
    asked, wrong, refused, skipped = 0, [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        commands = list(commands)
        for command, (problem, typed) in zip(commands, pool.map(lambda c: ask(c, option, where, first), commands)):
            # Errors of usage and input have nothing to do with memory.
            if problem and re.match("exit code [23]:", problem):
                skipped += 1
                continue
            asked += 1
            refused += typed != ""
            if problem:
                wrong.append(f"{' '.join(map(str, command))} {option}: {problem}")
    return asked, refused, skipped, wrong


class Words(harness.CliTest):
    def expect_true(self, commands, option, first="4K", refused=1):
        asked, first_refused, skipped, wrong = check(commands, option, self.directory, first)
        self.assertEqual(wrong, [])
        self.assertGreaterEqual(first_refused, refused)
        return asked

    def test_of_runs_and_exports(self):
        names = ("rmat", "star", "sparse", "names", "one")
        graphs = Graphs(self.directory, names)
        self.assertGreater(self.expect_true(runs(graphs, names, False), "--host-memory", refused=300), 300)
        self.expect_true(exports(names), "--host-memory", refused=50)

    def test_of_builds(self):
        write_large_texts(self.directory, sparse=1_000_000, dense=500_000, leaves=3_000_000)
        self.expect_true(imports(False), "--memory", "128M", refused=2)
        self.expect_true(generations(False), "--memory", "128M", refused=0)

    def test_of_partitions(self):
        store = self.generate("g.store", scale=20, edge_factor=1)
        self.expect_true(partitions(store, False), "--memory", "128M", refused=0)


def main_full(jobs):
    where = pathlib.Path(tempfile.mkdtemp(prefix="millrace-words-"))
    bad = 0

    def report(title, commands, option, first="4K", at_a_time=jobs):
        nonlocal bad
        asked, refused, skipped, wrong = check(commands, option, where, first, at_a_time)
        print(f"{title}: {asked} combinations, {refused} refused at first, {len(wrong)} wrong; {skipped} make no sense")
        print("".join(line + "\n" for line in wrong), end="", flush=True)
        bad += len(wrong)

    try:
        names = ("rmat", "undirected", "weighted", "reals", "star", "ring", "grid", "one", "none", "sparse", "names")
        names += ("outward", "inward", "keeping", "large")
        if "--builds" not in sys.argv:
            graphs = Graphs(where, names)
            commands = list(runs(graphs, names, True))
            random.shuffle(commands)
            report("runs", commands, "--host-memory")
            report("exports", list(exports(names)), "--host-memory")
        write_large_texts(where)
        report("imports", imports(True), "--memory", "128M", 1)
        report("generated graphs", generations(True), "--memory", "128M", 1)
        for number, shape in enumerate((["rmat", "--scale=22", "--edge-factor=1"], ["uniform", "--scale=21", "--weights=1:9"])):
            assert call(["generate", *shape, "-o", f"whole-{number}.store"], where).returncode == 0
            report("partitions", partitions(f"whole-{number}.store", True), "--memory", "128M", 1)
        return bad
    finally:
        shutil.rmtree(where, ignore_errors=True)


if __name__ == "__main__":
    if "--full" in sys.argv:
        sys.exit(1 if main_full(2) else 0)
    unittest.main()
