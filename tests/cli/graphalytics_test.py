"""Graphs of LDBC Graphalytics, from their files to validated results."""

import gzip
import json
import shutil
import unittest

import harness


class Graphalytics(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.graphs = self.path("graphs")
        shutil.copytree(harness.shared_data("ldbc"), self.graphs)
        for path in [self.graphs, *self.graphs.iterdir()]:
            path.chmod(0o755)

    def run_graph(self, name, *flags, exit_code=0):
        done = self.millrace("graphalytics", self.graphs, name, *flags, "--json", exit_code=exit_code)
        return json.loads(done.stdout)

    def edit(self, name, old, new):
        path = self.graphs / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))

    def test_passes_on_the_examples(self):
        for name, vertices, edges in (("example-directed", 10, 17), ("example-undirected", 9, 12)):
            report = self.run_graph(name)
            self.assertEqual(report["graph"]["vertices"], vertices)
            self.assertEqual(report["graph"]["edges"], edges)
            self.assertEqual([row["algorithm"] for row in report["algorithms"]], ALGORITHMS)
            for row in report["algorithms"]:
                self.assertIs(row["validation"]["passed"], True, row)
                self.assertAlmostEqual(row["evps"] * row["seconds"], vertices + edges)
                self.assertGreater(row["load_seconds"], 0)
                self.assertIn(row["device"], report["plan"]["device"])
            table = self.millrace("graphalytics", self.graphs, name).stdout
            self.assertEqual(table.count("passed"), len(ALGORITHMS))

    def test_passes_on_every_gpu(self):
        for device in harness.gpus():
            for name in ("example-directed", "example-undirected"):
                for row in self.run_graph(name, "--device", device)["algorithms"]:
                    self.assertIs(row["validation"]["passed"], True, row)

    def test_keeps_results_and_the_store_where_asked(self):
        self.run_graph("example-directed", "-o", self.path("out"), "--store", self.path("kept.store"))
        levels = (self.path("out") / "example-directed-BFS").read_text()
        self.assertEqual(levels, (self.graphs / "example-directed-BFS").read_text())
        self.millrace("verify", self.path("kept.store"))
        again = self.run_graph("example-directed", "--store", self.path("kept.store"))
        self.assertEqual(again["import_seconds"], 0)
        self.assertIs(again["algorithms"][0]["validation"]["passed"], True)
        self.fails(2, "graphalytics", self.graphs, "example-undirected", "--store", self.path("kept.store"),
                   says="not of this graph")

    def test_leaves_nothing_behind(self):
        self.path("temp").mkdir()
        self.run_graph("example-directed", "--temp", self.path("temp"))
        self.edit("example-directed-BFS", "1 0", "1 5")
        self.run_graph("example-directed", "--temp", self.path("temp"), exit_code=1)
        self.assertEqual(list(self.path("temp").iterdir()), [])

    def test_names_files_of_the_graph_as_files(self):
        target = self.graphs / "example-directed.v"
        said = self.fails(2, "graphalytics", self.graphs, "example-directed", "--store", target, says="which is read")
        self.assertIn(f"would replace the file {target}", said)
        self.assertNotIn("directory", said)

    def test_fails_by_the_first_mismatch(self):
        self.edit("example-directed-BFS", "4 2", "4 3")
        report = self.run_graph("example-directed", exit_code=1)
        rows = {row["algorithm"]: row["validation"] for row in report["algorithms"]}
        self.assertEqual(
            rows["bfs"],
            {"passed": False, "mismatches": 1, "first": {"vertex": 4, "found": "2", "expected": "3"}},
        )
        self.assertIs(rows["pr"]["passed"], True)
        done = self.millrace("graphalytics", self.graphs, "example-directed", exit_code=1)
        self.assertIn("vertex 4: found 2, expected 3", done.stdout)
        self.assertIn("validation failed: bfs", done.stderr)

    def test_chooses_algorithms(self):
        report = self.run_graph("example-directed", "--algorithms=pr,bfs")
        self.assertEqual([row["algorithm"] for row in report["algorithms"]], ["bfs", "pr"])
        self.edit("example-directed.properties", "algorithms = bfs, cdlp, lcc, pr, sssp, wcc", "algorithms = pr")
        self.assertEqual([row["algorithm"] for row in self.run_graph("example-directed")["algorithms"]], ["pr"])
        self.fails(2, "graphalytics", self.graphs, "example-directed", "--algorithms=dfs", says="dfs")

    def test_runs_without_expected_results(self):
        for path in self.graphs.glob("example-directed-*"):
            path.unlink()
        report = self.run_graph("example-directed")
        self.assertEqual([row["validation"] for row in report["algorithms"]], [None] * len(ALGORITHMS))

    def test_finds_expected_results_elsewhere_and_compressed(self):
        self.path("expected").mkdir()
        text = (self.graphs / "example-directed-BFS").read_bytes()
        (self.path("expected") / "example-directed-BFS.gz").write_bytes(gzip.compress(text))
        report = self.run_graph("example-directed", "--expected", self.path("expected"), "--algorithms=bfs")
        self.assertIs(report["algorithms"][0]["validation"]["passed"], True)

    def test_refuses_files_that_are_not_as_they_should_be(self):
        run = ("graphalytics", self.graphs, "example-directed")
        self.edit("example-directed-BFS", "1 0", "1 zero")
        self.fails(3, *run, says=("example-directed-BFS, line 1", "1 zero"))
        self.edit("example-directed.properties", "bfs.source-vertex = 1", "bfs.source-vertex = 11")
        self.fails(3, *run, says=("bfs.source-vertex", "11"))
        self.edit("example-directed.properties", "bfs.source-vertex = 11", "bfs.source-vertex = one")
        self.fails(3, *run, says=("bfs.source-vertex", "one"))
        self.edit("example-directed.properties", "graph.example-directed.bfs.source-vertex = one", "")
        self.fails(3, *run, says="bfs.source-vertex")
        self.fails(1, "graphalytics", self.graphs, "nothing", says="nothing.properties")


ALGORITHMS = ["bfs", "pr", "wcc", "cdlp", "lcc", "sssp"]

if __name__ == "__main__":
    unittest.main()
