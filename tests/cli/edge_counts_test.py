"""How edges are counted for people: an undirected edge once, everywhere."""

import json
import re
import unittest

import harness

# Four edges, of which one is listed from both ends and one twice, and a self-loop.
EDGES = "1 2\n2 1\n1 3\n1 3\n2 3\n3 4\n4 4\n"


class Undirected(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.file = self.write("edges.txt", EDGES)
        done = self.millrace("import", self.file, "-o", "g.store", "--undirected", "--self-loops=keep")
        self.imported, self.store = done.stderr, self.path("g.store")

    def test_edges_count_once_in_what_people_read(self):
        some = self.write("all.txt", "1\n2\n3\n4\n")
        self.assertIn("merged 2 parallel edges", self.imported)
        self.assertIn("4 vertices, 5 undirected edges, built in", self.imported)
        run = self.millrace("run", "wcc", self.store).stdout
        self.assertIn("  graph        4 vertices, 5 undirected edges\n", run)
        part = self.millrace("run", "subgraph", self.store, "--vertices", some).stdout
        self.assertIn("graph        4 vertices, 5 undirected edges\n", part)
        self.assertIn("part         4 vertices, 5 undirected edges\n", part)
        self.assertIn("with 9 entries, two for each edge", part)
        self.assertIn("5 undirected edges", self.millrace("export", self.store, "-o", "out.txt").stderr)
        self.assertEqual(len(self.path("out.txt").read_text().splitlines()), 5)
        self.assertIn("5 undirected edges", self.millrace("verify", self.store).stdout)
        info = self.millrace("info", self.store).stdout
        self.assertIn("5 (undirected; listed from both ends, which makes 9 entries)", info)
        self.assertIn("bytes an entry", info)
        done = self.millrace("partition", self.store, "-o", "parts.store", "--parts=2", "--method=random")
        self.assertIn("4 vertices, 5 undirected edges", done.stderr)
        cut = re.search(r"edge cut +([0-4]) of 5 undirected edges \((\d+\.\d\d)%\)", done.stdout)
        self.assertEqual(float(cut[2]), 20 * int(cut[1]), "it is the share of the edges that are shown")
        self.assertNotRegex(done.stdout, r" 1 (vertices|entries|pages)\b")

    def test_edges_count_once_in_a_direct_run(self):
        done = self.millrace("run", "wcc", self.file, "--undirected", "--store", "kept.store")
        self.assertIn("4 vertices, 4 undirected edges (dropped 1 self-loop, merged 2 parallel edges)", done.stderr)

    def test_edges_count_both_ways_in_reports(self):
        graph = json.loads(self.millrace("run", "wcc", self.store, "--json").stdout)["graph"]
        self.assertEqual((graph["edges"], graph["undirected_edges"]), (9, 5))

    def test_edges_count_both_ways_in_all_objects(self):
        some = self.write("all.txt", "1\n2\n3\n4\n")
        for command in (
            ["run", "subgraph", self.store, "--vertices", some], ["run", "degrees", self.store],
            ["run", "cross-edges", self.store, "--from", some, "--to", some], ["explain", "wcc", self.store],
        ):  # fmt: skip
            graph = json.loads(self.millrace(*command, "--json").stdout)["graph"]
            self.assertEqual((graph["edges"], graph["undirected_edges"]), (9, 5), command)

    def test_edges_that_are_directed_are_just_edges(self):
        store = self.import_text("1 2\n2 1\n", name="directed.store")
        self.assertIn("2 vertices, 2 edges\n", self.millrace("run", "wcc", store).stdout)
        report = json.loads(self.millrace("run", "wcc", store, "--json").stdout)
        self.assertNotIn("undirected_edges", report["graph"])


class OneOfAThing(harness.CliTest):
    """Of one vertex, one edge, one page, nothing is said in the plural."""

    def test_is_in_the_singular(self):
        self.write("loop.txt", "7 7\n")
        self.write("some.txt", "7\n")
        self.write("x.properties", "graph.x.vertex-file = x.v\ngraph.x.edge-file = x.e\ngraph.x.directed = true\n"
                   "graph.x.algorithms = wcc\n")
        self.write("x.v", "1\n")
        self.write("x.e", "")
        told = ""
        for command in (
            ["import", "loop.txt", "-o", "g.store", "--self-loops=keep"],
            ["info", "g.store"],
            ["verify", "g.store"],
            ["export", "g.store", "-o", "out.txt"],
            ["partition", "g.store", "-o", "parts.store", "--parts=1"],
            ["run", "wcc", "g.store", "--device=cpu", "--threads=1", "--verbose"],
            ["run", "wcc", "loop.txt", "--self-loops=keep", "--device=cpu"],
            ["run", "subgraph", "g.store", "--vertices=some.txt", "--threads=1"],
            ["run", "kcore", self.import_text("1 2\n", "--undirected", name="pair.store"), "--k=1", "--device=cpu"],
            ["explain", "wcc", "g.store", "--device=cpu"],
            ["graphalytics", ".", "x", "--device=cpu"],
        ):
            done = self.millrace(*command)
            told = done.stdout + done.stderr
            self.assertNotRegex(told, r"(?<![\d.,])1 (vertices|entries|pages|edges|threads|supersteps|runs)\b", command)
        self.assertIn("1 vertex, ", told)

    def test_has_nothing_to_overlap_with(self):
        store = self.generate("g.store", scale=14)
        self.millrace("calibrate", "--quick", "--algorithms=pagerank")
        told = self.millrace("explain", "pagerank", store, "--device=cpu", "--iterations=1000").stdout
        self.assertRegex(told, r"phases +computing [^,]*\n")
        self.assertNotIn("overlap", told)


class Degrees(harness.CliTest):
    def test_have_the_same_quantiles_wherever_they_are_shown(self):
        # One vertex in 71 has 70 edges: more than one in a hundred.
        for text in ("".join(f"0 {i}\n" for i in range(1, 71)), "1 2\n2 3\n3 1\n3 2\n", "1 2\n"):
            store = self.import_text(text, "--duplicates=first", name=f"{len(text)}.store")
            shown = json.loads(self.millrace("run", "degrees", store, "--json").stdout)["results"]
            for orientation, degree in self.info(store)["degrees"].items():
                for name in ("mean", "median", "p99", "max", "zero"):
                    self.assertEqual(degree[name], shown[orientation][name], (text, orientation, name))


if __name__ == "__main__":
    unittest.main()
