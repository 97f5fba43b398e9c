"""Published graphs give the published results."""

import json
import unittest

import harness


class WikiVote(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.text = harness.shared_data("wiki-Vote.txt")
        self.millrace("import", self.text, "-o", self.path("wiki.store"))
        self.edges = harness.read_edges(self.text)

    def test_has_the_published_size(self):
        info = self.info(self.path("wiki.store"))
        self.assertEqual((info["vertices"], info["edges"]), (7115, 103689))
        self.millrace("verify", self.path("wiki.store"))

    def test_bfs_is_that_of_a_plain_program(self):
        for source in (30, 3, 8297):
            for direction in ("push", "pull", "auto"):
                levels = self.values("bfs", self.path("wiki.store"), "--source", source, "--direction", direction)
                self.assertEqual(levels, harness.reference_bfs(self.edges, source))

    def test_pagerank_is_that_of_a_plain_program(self):
        expected = harness.reference_pagerank(self.edges, 10)
        for precision, tolerance in (("f64", 1e-10), ("f32", 1e-4)):
            ranks = self.values(
                "pagerank", self.path("wiki.store"), "--iterations", 10, "--precision", precision, kind=float
            )
            self.assertEqual(ranks.keys(), expected.keys())
            for vertex, rank in expected.items():
                self.assertAlmostEqual(ranks[vertex], rank, delta=tolerance * rank)

    def test_has_the_published_triangles(self):
        done = self.millrace("run", "triangles", self.path("wiki.store"), "--check", "--json")
        self.assertEqual(json.loads(done.stdout)["results"]["triangles"], 608389)
        done = self.millrace("run", "lcc", self.path("wiki.store"), "--check", "--json")
        self.assertEqual(json.loads(done.stdout)["results"]["triangles"], 608389)


class Graphalytics(harness.CliTest):
    """The example graphs of LDBC Graphalytics, with its rules of comparison: BFS and CDLP exactly, PR and LCC within
    1e-4."""

    def properties(self, graph):
        lines = harness.shared_data(f"ldbc/{graph}.properties").read_text().splitlines()
        pairs = (line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
        return {key.strip().removeprefix(f"graph.{graph}."): value.strip() for key, value in pairs}

    def expected(self, graph, algorithm, kind):
        lines = harness.shared_data(f"ldbc/{graph}-{algorithm}").read_text().splitlines()
        return {int(vertex): kind(value) for vertex, value in (line.split() for line in lines)}

    def check(self, graph, *flags):
        properties = self.properties(graph)
        store = self.path("graph.store")
        self.millrace(
            "import",
            harness.shared_data(f"ldbc/{graph}.e"),
            "-o",
            store,
            "--vertices",
            harness.shared_data(f"ldbc/{graph}.v"),
            "--weighted",
            *flags,
        )
        info = self.info(store)
        self.assertEqual(info["vertices"], int(properties["meta.vertices"]))
        edges = info["edges"] if info["directed"] else info["undirected_edges"]
        self.assertEqual(edges, int(properties["meta.edges"]))
        self.assertNotEqual(info["weights"], "none")

        levels = self.values("bfs", store, "--source", properties["bfs.source-vertex"])
        self.assertEqual(levels, self.expected(graph, "BFS", int))

        labels = self.values("cdlp", store, "--iterations", properties["cdlp.max-iterations"])
        self.assertEqual(labels, self.expected(graph, "CDLP", int))

        ranks = self.values(
            "pagerank",
            store,
            "--precision=f64",
            "--iterations",
            properties["pr.num-iterations"],
            "--damping",
            properties["pr.damping-factor"],
            kind=float,
        )
        expected = self.expected(graph, "PR", float)
        self.assertEqual(ranks.keys(), expected.keys())
        for vertex, rank in expected.items():
            self.assertLessEqual(abs(rank - ranks[vertex]), 1e-4 * abs(rank), f"vertex {vertex}")

        coefficients = self.values("lcc", store, kind=float)
        expected = self.expected(graph, "LCC", float)
        self.assertEqual(coefficients.keys(), expected.keys())
        for vertex, coefficient in expected.items():
            self.assertLessEqual(abs(coefficient - coefficients[vertex]), 1e-4 * coefficient, f"vertex {vertex}")

    def test_directed_example(self):
        self.check("example-directed")

    def test_undirected_example(self):
        self.check("example-undirected", "--undirected")


if __name__ == "__main__":
    unittest.main()
