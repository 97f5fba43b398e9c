"""Algorithms on paths: components, core numbers and betweenness centrality."""

import json
import math
import unittest

import harness

ALGORITHMS = (["wcc"], ["scc"], ["kcore"], ["bc", "--samples=5"])
# A ring 1-5 with a second path from 2 to 4, a tail 9 and a separate pair.
SMALL = "1 2\n2 3\n3 4\n4 5\n5 1\n2 6\n6 4\n7 8\n4 9\n"


class Results(harness.CliTest):
    def test_pass_their_check_on_every_plan(self):
        stores = [
            self.generate("rmat.store", scale=10),
            self.generate("degree.store", scale=10, order="degree", page_size="4K"),
            self.generate("grid.store", "grid", scale=8),
        ]
        self.millrace("generate", "rmat", "-o", self.path("both.store"), "--scale=10", "--undirected")
        for store in [*stores, self.path("both.store")]:
            for algorithm in ALGORITHMS:
                for direction in ("push", "pull", "auto"):
                    with self.subTest(f"{store.name} {algorithm} {direction}"):
                        done = self.millrace(
                            "run", *algorithm, store, "--direction", direction, "--check", "-t", 2, "--json"
                        )
                        self.assertEqual(json.loads(done.stdout)["check"], "passed")

    def test_do_not_depend_on_threads(self):
        store = self.generate(scale=10, order="degree")
        for algorithm in ALGORITHMS:
            run = ["run", *algorithm, store, "--device=cpu", "--direction=pull", "-o", "-", "-t"]
            texts = {self.millrace(*run, threads).stdout for threads in (1, 2, 4)}
            self.assertEqual(len(texts), 1, algorithm)

    def test_have_help_that_says_what_is_computed(self):
        for algorithm, *_ in ALGORITHMS:
            text = self.millrace("run", algorithm, "--help").stdout
            self.assertIn(":", text.splitlines()[0])


class Components(harness.CliTest):
    def test_are_named_by_their_lowest_id(self):
        # The vertex of largest degree is not the lowest, and the order of vertices is not that of ids.
        text = "90 50\n90 51\n90 52\n52 3\n70 71\n71 70\n8 8\n"
        for order in ("natural", "degree"):
            store = self.import_text(text, f"--order={order}", name=f"{order}.store")
            expected = {3: 3, 8: 8, 50: 3, 51: 3, 52: 3, 70: 70, 71: 70, 90: 3}
            self.assertEqual(self.values("wcc", store), expected)
            strong = {**{vertex: vertex for vertex in expected}, 71: 70}
            self.assertEqual(self.values("scc", store), strong)

    def test_are_counted(self):
        store = self.import_text(SMALL)
        for algorithm, components, largest in (("wcc", 2, 7), ("scc", 4, 6)):
            results = json.loads(self.millrace("run", algorithm, store, "--json").stdout)["results"]
            self.assertEqual((results["components"], results["largest"]), (components, largest))

    def test_have_names_where_ids_do(self):
        store = self.import_text("b a\nc a\nx y\n", "--ids=string")
        done = self.millrace("run", "wcc", store, "-o", "-")
        groups = dict(line.split("\t") for line in done.stdout.splitlines())
        self.assertEqual(groups["a"], groups["c"])
        self.assertNotEqual(groups["a"], groups["x"])
        self.assertIn(groups["a"], "abc")

    def test_of_wiki_vote_have_the_published_sizes(self):
        store = self.path("wiki.store")
        self.millrace("import", harness.shared_data("wiki-Vote.txt"), "-o", store)
        for algorithm, largest in (("wcc", 7066), ("scc", 1300)):
            report = json.loads(self.millrace("run", algorithm, store, "--check", "--json").stdout)
            self.assertEqual(report["results"]["largest"], largest)

    def test_of_graphalytics_examples_are_the_published_ones(self):
        for graph, *flags in (["example-directed"], ["example-undirected", "--undirected"]):
            store = self.path(f"{graph}.store")
            vertices = harness.shared_data(f"ldbc/{graph}.v")
            edges = harness.shared_data(f"ldbc/{graph}.e")
            self.millrace("import", edges, "-o", store, "--vertices", vertices, "--weighted", *flags)
            found = self.values("wcc", store)
            lines = harness.shared_data(f"ldbc/{graph}-WCC").read_text().splitlines()
            expected = {int(vertex): label for vertex, label in (line.split() for line in lines)}
            self.assertEqual(found.keys(), expected.keys())
            pairs = {(found[vertex], expected[vertex]) for vertex in expected}
            self.assertEqual(len(pairs), len(set(found.values())))
            self.assertEqual(len(pairs), len(set(expected.values())))


class CoreNumbers(harness.CliTest):
    def test_count_neighbours_either_way(self):
        expected = {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 1, 8: 1, 9: 1}
        for flags in ([], ["--undirected"]):
            store = self.import_text(SMALL, *flags, name=f"graph{len(flags)}.store")
            self.assertEqual(self.values("kcore", store), expected)
        # As in NetworkX, edges in both directions are two edges.
        store = self.import_text("1 2\n2 1\n2 3\n2 4\n3 4\n4 3\n", name="back.store")
        self.assertEqual(self.values("kcore", store), {1: 2, 2: 2, 3: 2, 4: 2})

    def test_refuse_self_loops_and_parallel_edges(self):
        loops = self.import_text("1 1\n1 2\n", "--self-loops=keep", name="loops.store")
        self.fails(2, "run", "kcore", loops, says="1 self-loops")
        parallel = self.import_text("1 2\n1 2\n", "--duplicates=keep", name="parallel.store")
        self.fails(2, "run", "kcore", parallel, says="parallel edges")


class Betweenness(harness.CliTest):
    """Expected values are those of NetworkX 3.6."""

    EXPECTED = {
        (True, False, False): [12, 13, 4.5, 16, 11, 4.5, 0, 0, 0],
        (True, False, True): [23, 24, 15.5, 27, 22, 15.5, 1, 1, 6],
        (True, True, False): [12 / 56, 13 / 56, 4.5 / 56, 16 / 56, 11 / 56, 4.5 / 56, 0, 0, 0],
        (True, True, True): [23 / 72, 24 / 72, 15.5 / 72, 27 / 72, 22 / 72, 15.5 / 72, 1 / 72, 1 / 72, 6 / 72],
        (False, False, False): [1, 2.5, 1, 7.5, 2, 1, 0, 0, 0],
        (False, False, True): [7, 8.5, 7, 13.5, 8, 7, 1, 1, 6],
        (False, True, False): [1 / 28, 2.5 / 28, 1 / 28, 7.5 / 28, 2 / 28, 1 / 28, 0, 0, 0],
        (False, True, True): [7 / 36, 8.5 / 36, 7 / 36, 13.5 / 36, 8 / 36, 7 / 36, 1 / 36, 1 / 36, 6 / 36],
    }

    def assert_close(self, found, expected):
        self.assertEqual(found.keys(), expected.keys())
        for vertex, value in expected.items():
            close = math.isclose(found[vertex], value, rel_tol=1e-12)
            self.assertTrue(close, f"{vertex}: {found[vertex]}, not {value}")

    def test_is_that_of_networkx(self):
        stores = {
            True: self.import_text(SMALL, "--order=degree", name="directed.store"),
            False: self.import_text(SMALL, "--undirected", name="undirected.store"),
        }
        for (directed, normalized, endpoints), values in self.EXPECTED.items():
            flags = ["--normalized"] * normalized + ["--endpoints"] * endpoints
            with self.subTest(f"directed {directed} {flags}"):
                store = stores[directed]
                found = self.values("bc", store, "--check", *flags, kind=float)
                self.assert_close(found, dict(enumerate(values, 1)))
                # As many samples as vertices means all vertices.
                self.assert_close(self.values("bc", store, "--samples=9", *flags, kind=float), found)

    def test_of_one_source_is_its_dependencies(self):
        store = self.import_text(SMALL)
        found = self.values("bc", store, "--source=1", "--check", kind=float)
        self.assert_close(found, {1: 0, 2: 5, 3: 1.5, 4: 2, 5: 0, 6: 1.5, 7: 0, 8: 0, 9: 0})

    def test_of_samples_depends_on_the_seed_alone(self):
        text = "".join(f"{i} {i * i % 101}\n" for i in range(101))
        stores = [self.import_text(text, f"--order={order}", name=f"{order}.store") for order in ("natural", "degree")]
        found = [
            self.values("bc", store, "--samples=10", f"--seed={seed}", "--check", kind=float)
            for store in stores
            for seed in (1, 2)
        ]
        for one, other in ((0, 2), (1, 3)):
            self.assert_close(found[one], found[other])
        self.assertNotEqual(found[0], found[1])

    def test_of_more_samples_than_vertices_is_exact_and_says_so(self):
        store = self.import_text(SMALL)
        done = self.millrace("run", "bc", store, "--samples=10", "-o", "-")
        self.assertEqual(done.stdout, self.millrace("run", "bc", store, "-o", "-").stdout)
        self.assertIn("--samples 10: the graph has 9 vertices, all of which are taken", done.stderr)
        report = json.loads(self.millrace("run", "bc", store, "--samples=10", "--check", "--json").stdout)
        self.assertEqual(report["results"]["sources"], 9)

    def test_refuses_what_makes_no_sense(self):
        store = self.import_text(SMALL)
        self.fails(2, "run", "bc", store, "--samples=0", says="--samples")
        self.fails(2, "run", "bc", store, "--samples=2", "--source=1", says="--source")
        self.fails(2, "run", "bc", store, "--normalized", "--source=1", says="--source")
        self.fails(2, "run", "bc", store, "--source=77", says="77")


if __name__ == "__main__":
    unittest.main()
