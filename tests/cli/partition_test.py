"""Partitions: the same graph with every part as a range of vertices, and figures that agree with a plain count."""

import collections
import pathlib
import random
import shutil
import signal
import unittest

import harness
import store_surgery
from format_reader import Store

METHODS = ("range", "random", "static", "biased", "metis")


def random_text(seed, weighted=False, id_of=lambda v: v):
    """A skewed graph with an edge per line."""
    rng = random.Random(seed)
    ends = [id_of(int(200 * rng.random() ** 2)) for _ in range(3000)]
    return "".join(
        f"{a} {b} {rng.randrange(1, 100)}\n" if weighted else f"{a} {b}\n" for a, b in zip(ends[::2], ends[1::2])
    )


class PartitionTest(harness.CliTest):
    def partition(self, store, method, parts=4, *flags, name="parts.store"):
        """Makes the new store; skips the test if there is no METIS."""
        command = ("partition", store, "--parts", parts, "--method", method, "-o", self.path(name), "--force", *flags)
        if method == "metis" and not self.has_metis(store):
            self.skipTest("there is no METIS")
        self.printed = self.millrace(*command).stdout
        return self.path(name)

    def has_metis(self, store):
        try:
            self.millrace("partition", store, "--parts=1", "--method=metis", "-o", self.path("metis.store"), "--force")
            return True
        except AssertionError as failure:
            self.assertRegex(str(failure), harness.MISSING)
            return False

    def check(self, path, whole, parts):
        """Asserts that the graph is the same, parts follow each other, and the figures agree with a plain count."""
        self.millrace("verify", path)
        store, before = Store(path), Store(whole)
        self.assertEqual(list(store.rows), list(before.rows))
        for orientation in store.rows:
            self.assertEqual(store.edges(orientation), before.edges(orientation))
        self.assertEqual(sorted(store.ids), sorted(before.ids))
        self.assertEqual(store.names, before.names)

        first = store.manifest["parts"]["first_vertex"]
        self.assertEqual((len(first), first[0], first), (parts, 0, sorted(first)))
        ends = [*first[1:], store.vertices]
        part = [p for p in range(parts) for _ in range(first[p], ends[p])]
        place = {vertex: i for i, vertex in enumerate(before.ids)}
        for begin, end in zip(first, ends):
            places = [place[store.ids[v]] for v in range(begin, end)]
            self.assertEqual(places, sorted(places), "a part keeps the order")
        known = {(v, part[v]) for v in range(store.vertices)}
        cut, edges = 0, collections.Counter()
        for number, rows in enumerate(store.rows.values()):
            for vertex, row in rows.items():
                edges[part[vertex]] += len(row)
                for neighbour, _ in row:
                    cut += number == 0 and part[vertex] != part[neighbour]
                    known |= {(vertex, part[neighbour]), (neighbour, part[vertex])}
        figures = self.info(path)["parts"]
        self.assertEqual(figures["cut_edges"], cut)
        self.assertAlmostEqual(figures["cut"], cut / store.manifest["edges"])
        self.assertAlmostEqual(figures["replication"], len(known) / store.vertices)
        self.assertAlmostEqual(figures["balance"], max(edges.values()) * parts / sum(edges.values()))
        self.assertEqual([p["vertices"] for p in figures["parts"]], [b - a for a, b in zip(first, ends)])
        self.assertEqual([p["edges"] for p in figures["parts"]], [edges[p] for p in range(parts)])
        directed = store.manifest["directed"]
        each, edge = (1, "edges") if directed else (2, "undirected edges")
        graph = (store.manifest["edges"] + (0 if directed else store.manifest["self_loops"])) // each
        for text in (self.printed, self.millrace("info", path).stdout):
            self.assertRegex(text, rf"edge cut +{cut // each:,} of {graph:,} {edge}")
            self.assertRegex(text, rf"replication +{len(known) / store.vertices:.3f} ")
            self.assertRegex(text, rf"part {parts - 1} +{ends[-1] - first[-1]:,} (vertex|vertices), {edges[parts - 1]:,} (entry|entries) in ")

    def same_results(self, path, whole, source):
        for run in (("bfs", "--source", source), ("wcc",)):
            self.assertEqual(self.values(run[0], path, *run[1:]), self.values(run[0], whole, *run[1:]))
        ranks, expected = (self.values("pagerank", store, kind=float) for store in (path, whole))
        self.assertEqual(list(ranks), list(expected))
        for vertex, rank in expected.items():
            self.assertAlmostEqual(ranks[vertex], rank, places=6)


class Methods(PartitionTest):
    """A test for each method and kind of graph, added below."""


def add_test(method, name, text, *flags):
    def test(self):
        whole = self.import_text(text, *flags, name="whole.store")
        path = None
        for parts in (1, 2, 7):
            with self.subTest(parts=parts):
                path = self.partition(whole, method, parts)
                self.check(path, whole, parts)
        if path:  # else all were skipped
            self.same_results(path, whole, text.split()[0])

    setattr(Methods, f"test_{method}_of_{name}", test)


for number, method in enumerate(METHODS):
    add_test(method, "a_directed_graph", random_text(number))
    add_test(method, "an_undirected_graph", random_text(number), "--undirected", "--order=degree")
    add_test(method, "weights_and_wide_ids", random_text(number, True, lambda v: v << 33 | 5), "--weighted")
    add_test(
        method, "small_pages_and_parallel_edges", random_text(number), "--page-size=4K", "--duplicates=keep",
        "--self-loops=keep"
    )


class Stores(PartitionTest):
    def test_with_names(self):
        whole = self.import_text("ann bob\nbob cy\ncy ann\ncy dee\n", "--ids=string", name="whole.store")
        for method in METHODS[:-1]:
            self.check(self.partition(whole, method, 2), whole, 2)
            levels = self.millrace("run", "bfs", self.path("parts.store"), "--source=bob", "-o", "-").stdout
            self.assertEqual(levels, "ann\t2\nbob\t0\ncy\t1\ndee\t2\n")

    def test_with_one_orientation(self):
        for orientation in ("in", "out"):
            whole = self.import_text(random_text(1), "--orientation", orientation, name=f"{orientation}.store")
            for method in METHODS[:-1]:
                self.check(self.partition(whole, method, 3), whole, 3)

    def test_of_old_stores_without_the_other_degrees(self):
        whole = self.import_text(random_text(1), name="whole.store")
        store_surgery.drop_orientation(whole, "in", degrees=True)
        for method in METHODS[:-1]:
            self.check(self.partition(whole, method, 3), whole, 3)

    def test_replaced_by_their_own_partition(self):
        whole = self.import_text(random_text(1), name="whole.store")
        self.import_text(random_text(1), name="parts.store")
        self.check(self.partition(self.path("parts.store"), "random", 3), whole, 3)

    def test_striped(self):
        whole = self.import_text(random_text(1), "--page-size=4K", name="whole.store")
        self.path("a").mkdir(), self.path("b").mkdir()
        path = self.partition(whole, "random", 3, "--stripe", f"{self.path('a')},{self.path('b')}")
        self.check(path, whole, 3)

    def test_depend_on_the_seed_alone(self):
        whole = self.generate("whole.store", scale=12)
        parts = {}
        for seed, threads in ((1, 1), (1, 2), (2, 2)):
            path = self.partition(whole, "biased", 4, "--seed", seed, "--threads", threads)
            parts[seed, threads] = (path / "ids").read_bytes()
        self.assertEqual(parts[1, 1], parts[1, 2])
        self.assertNotEqual(parts[1, 1], parts[2, 2])

    def test_without_parts_say_nothing_of_them(self):
        self.assertNotIn("parts", self.info(self.generate(scale=4)))


class Refused(PartitionTest):
    def test_what_makes_no_sense(self):
        store = self.import_text("1 2\n2 3\n")
        begin = ("partition", store, "-o", self.path("p.store"))
        self.fails(2, *begin, "--parts=0", says="--parts")
        self.fails(2, *begin, "--parts=-1", says="--parts")
        self.fails(2, *begin, "--parts=4", says=("--parts 4", "3 vertices"))
        self.fails(2, *begin, "--parts=70000", says="--parts")
        self.fails(2, *begin, says="--parts")
        self.fails(2, *begin, "--parts=2", "--method=magic", says="--method")
        self.fails(2, *begin, "--parts=2", "--bias=2", says="--bias")
        self.fails(3, "partition", self.path("edges.txt"), "--parts=2", "-o", self.path("p.store"), says="not a store")
        self.fails(4, *begin, "--parts=2", "--memory=1M", says="--memory")
        self.fails(2, "partition", store, "--parts=2", "-o", store, says="exists already")
        self.assertEqual(self.files(), ["edges.txt", "graph.store"])

    def test_damaged_stores(self):
        store = self.generate(scale=10, page_size="4K")
        harness.flip_byte(store / "out.pages", 200)
        self.fails(3, "partition", store, "--parts=2", "--method=random", "-o", self.path("p.store"), says="checksum")
        self.assertEqual(self.files(), ["graph.store"])

    def test_parts_that_the_manifest_has_wrong(self):
        store = self.partition(self.generate(scale=10), "random")
        store_surgery.change_manifest(store, lambda manifest: manifest["parts"].update(cut_edges=7))
        self.fails(3, "verify", store, says=("between parts", "says 7"))
        store_surgery.change_manifest(store, lambda manifest: manifest["parts"].update(first_vertex=[0, 9, 3]))
        self.fails(3, "info", store, says="parts")


class Interrupted(PartitionTest):
    def interrupt(self, store, method, number, ready):
        before = self.files()
        command = ("partition", store, "--parts=8", "--method", method, "-o", self.path("p.store"))
        with harness.running(*command) as process:
            harness.wait_for(lambda: ready(process), process)
            process.send_signal(number)
            self.assertEqual(process.wait(60), 130)
        self.assertEqual(self.files(), before)

    def test_leaves_nothing_behind(self):
        store = self.generate(scale=19)
        self.interrupt(store, "random", signal.SIGINT, lambda process: self.path("p.store.partial").exists())

    def test_metis_leaves_nothing_behind(self):
        store = self.generate(scale=17)
        if not self.has_metis(store):
            self.skipTest("there is no METIS")
        shutil.rmtree(self.path("metis.store"))

        def has_child(process):
            return pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text() != ""

        for number in (signal.SIGINT, signal.SIGTERM):
            self.interrupt(store, "metis", number, has_child)


if __name__ == "__main__":
    unittest.main()
