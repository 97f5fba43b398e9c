"""Closeness: agreement with NetworkX, also on published graphs, and estimates from samples."""

import json
import math
import unittest

import harness
from networkx_graphs import NetworkXTest, networkx, numpy


class NetworkX(NetworkXTest):
    def test_closeness(self):
        for store, graph, vertices, _ in self.graphs():
            if len(graph) > 10000:
                continue  # a search from every vertex
            some = list(graph) if len(graph) < 2000 else vertices  # too slow in Python for all
            harmonic = self.path("harmonic.npy")
            for flags, improved in ((["--check"], True), (["--unscaled"], False)):
                found = self.values("closeness", store, "--harmonic", harmonic, *flags, kind=float)
                expected = {v: networkx.closeness_centrality(graph, v, wf_improved=improved) for v in some}
                self.expect_close({v: found[v] for v in some}, expected, relative=1e-12)
            found = dict(zip(sorted(graph), numpy.load(harmonic)))
            self.expect_close({v: found[v] for v in some}, networkx.harmonic_centrality(graph, some), relative=1e-12)


class Closeness(harness.CliTest):
    """Expected values are those of NetworkX 3.6."""

    # A ring 1-5 with a second path from 2 to 4, a tail 9 and a separate pair.
    SMALL = "1 2\n2 3\n3 4\n4 5\n5 1\n2 6\n6 4\n7 8\n4 9\n"
    EXPECTED = {  # by whether it is directed: closeness, with wf_improved=False, harmonic
        True: (
            [25 / 104, 25 / 112, 5 / 24, 25 / 88, 25 / 96, 5 / 24, 0, 1 / 8, 9 / 34],
            [5 / 13, 5 / 14, 1 / 3, 5 / 11, 5 / 12, 1 / 3, 0, 1, 6 / 17],
            [29 / 12, 7 / 3, 137 / 60, 37 / 12, 31 / 12, 137 / 60, 0, 1, 167 / 60],
        ),
        False: (
            [9 / 22, 9 / 20, 9 / 20, 9 / 16, 9 / 20, 9 / 20, 1 / 8, 1 / 8, 9 / 26],
            [6 / 11, 3 / 5, 3 / 5, 3 / 4, 3 / 5, 3 / 5, 1, 1, 6 / 13],
            [23 / 6, 13 / 3, 4, 5, 4, 4, 1, 1, 19 / 6],
        ),
    }

    def expect_close(self, found, expected):
        self.assertEqual(list(found), list(range(1, 10)))
        for vertex, value in enumerate(expected, 1):
            close = math.isclose(found[vertex], value, rel_tol=1e-12)
            self.assertTrue(close, f"{vertex}: {found[vertex]}, not {value}")

    def test_is_that_of_networkx(self):
        stores = {
            True: self.import_text(self.SMALL, "--order=degree", name="directed.store"),
            False: self.import_text(self.SMALL, "--undirected", name="undirected.store"),
        }
        for directed, (closeness, unscaled, harmonic) in self.EXPECTED.items():
            store, file = stores[directed], self.path("harmonic.txt")
            for direction in ("push", "pull", "auto"):
                with self.subTest(f"directed {directed}, {direction}"):
                    flags = ["--direction", direction, "--check", "--harmonic", file]
                    self.expect_close(self.values("closeness", store, *flags, kind=float), closeness)
                    self.expect_close(self.values("closeness", store, *flags, "--unscaled", kind=float), unscaled)
                    lines = [line.split() for line in file.read_text().splitlines()]
                    self.expect_close({int(vertex): float(value) for vertex, value in lines}, harmonic)
            # As many samples as vertices means all vertices.
            self.expect_close(self.values("closeness", store, "--samples=9", kind=float), closeness)

    def test_of_samples_depends_on_the_seed_alone(self):
        text = "".join(f"{i} {i * i % 101}\n" for i in range(101))
        stores = [self.import_text(text, f"--order={order}", name=f"{order}.store") for order in ("natural", "degree")]
        found = [
            self.values("closeness", store, "--samples=10", f"--seed={seed}", "--check", kind=float)
            for store in stores
            for seed in (1, 2)
        ]
        self.assertEqual(found[0], found[2])
        self.assertEqual(found[1], found[3])
        self.assertNotEqual(found[0], found[1])

    def test_of_samples_passes_its_check_on_every_plan(self):
        stores = [self.generate("rmat.store", scale=10), self.generate("grid.store", "grid", scale=8)]
        for store in stores:
            texts = set()
            for direction in ("push", "pull", "auto"):
                for threads in (1, 2):
                    run = ["run", "closeness", store, "--samples=100", "--direction", direction, "-t", threads]
                    done = self.millrace(*run, "--check", "--json", "-o", self.path("c.txt"), "--harmonic", "h.txt")
                    self.assertEqual(json.loads(done.stdout)["check"], "passed")
                    texts.add(self.path("c.txt").read_text() + self.path("h.txt").read_text())
            self.assertEqual(len(texts), 1, "the same to the last digit")

    def test_of_more_samples_than_vertices_is_exact_and_says_so(self):
        store = self.import_text(self.SMALL)
        done = self.millrace("run", "closeness", store, "--samples=10", "-o", "-")
        self.assertEqual(done.stdout, self.millrace("run", "closeness", store, "-o", "-").stdout)
        self.assertIn("--samples 10: the graph has 9 vertices, all of which are taken", done.stderr)
        report = json.loads(self.millrace("run", "closeness", store, "--samples=10", "--json").stdout)
        self.assertEqual((report["results"]["sources"], report["results"]["depth"]), (9, 5))
        report = json.loads(self.millrace("run", "closeness", store, "--samples=3", "--json").stdout)
        self.assertEqual((report["results"]["sources"], report["options"]["seed"]), (3, 1))


if __name__ == "__main__":
    unittest.main()
