"""Commands with a limit of memory, in many combinations of options, and the graphs that they need."""

import itertools
import json
import random

import harness
from refusals import call


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
