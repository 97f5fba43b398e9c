"""The benchmark harness on tiny stores."""

import json
import unittest

import harness
from reports_test import page_data

ITERATE = ["pagerank", "ppr", "hits", "katz", "eigenvector", "cdlp"]
SEARCH = ["bfs", "sssp", "bc"]
OTHERS = ["spmv", "closeness", "radius", "wcc", "scc", "kcore", "mis", "triangles", "lcc", "degrees"]


class Bench(harness.CliTest):
    def bench(self, *stores, flags=(), device="cpu"):
        fixed = [f"--device={device}", "--repeats=2", "--iterations=2", "--sources=3"]
        done = self.millrace("bench", *stores, *fixed, "--json", self.path("bench.json"), *flags)
        return done.stdout, json.loads(self.path("bench.json").read_text())

    def test_measures_pagerank_and_bfs_on_every_store(self):
        stores = self.generate("a.store", scale=8), self.generate("b.store", "uniform", scale=8)
        text, figures = self.bench(*stores, flags=["--check", "--threads=2"])
        self.assertEqual(figures["schema_version"], 1)
        measured = [(result["store"], result["algorithm"]) for result in figures["results"]]
        self.assertEqual(measured, [(s.name, a) for s in stores for a in ("pagerank", "bfs")])
        for result in figures["results"]:
            self.assertEqual(result["threads"], 2)
            self.assertEqual(result["device"], "cpu")
            self.assertIs(result["checked"], True)
            self.assertEqual(result["checked_results"], 1 if result["algorithm"] == "pagerank" else 3)
            for name in ("seconds", "gteps", "edges", "topology_bytes", "limit_seconds", "ratio_to_limit"):
                self.assertGreater(result[name], 0, name)
            self.assertEqual(len(result["all_seconds"]), 2 if result["algorithm"] == "pagerank" else 3)
            self.assertAlmostEqual(result["gteps"], result["edges"] / result["seconds"] * 1e-9)
        for words in ("a.store", "b.store", "GTEPS", "passed"):
            self.assertIn(words, text)

    def test_measures_and_verifies_every_algorithm(self):
        self.generate("directed.store", scale=8)
        self.millrace("generate", "rmat", "-o", self.path("both.store"), "--scale=8", "--undirected", "--weights=1:9")
        for name in ("directed.store", "both.store"):
            text, figures = self.bench(self.path(name), flags=["--algorithms=all", "--check"])
            results = {result["algorithm"]: result for result in figures["results"]}
            self.assertEqual(sorted(results), sorted(ITERATE + SEARCH + OTHERS))
            for algorithm, result in results.items():
                self.assertEqual(result["checked_results"], 3 if algorithm in SEARCH else 1, algorithm)
                self.assertEqual(result["unit"] == "iteration", algorithm in ITERATE, algorithm)
                for figure in ("seconds", "topology_bytes", "limit_seconds", "ratio_to_limit"):
                    self.assertGreater(result[figure], 0, algorithm)
                self.assertIn(f"{algorithm}: ", text)
            edges = self.info(self.path(name))["edges"]
            for algorithm in ("pagerank", "ppr", "katz", "eigenvector", "spmv"):
                self.assertEqual(results[algorithm]["edges"], edges, algorithm)
            self.assertEqual(results["hits"]["edges"], 2 * edges)
            self.assertEqual(results["degrees"]["edges"], 0)

    def test_terminal_and_page_explain_their_columns_in_the_same_words(self):
        text, _ = self.bench(self.generate(scale=6), flags=["--algorithms=bfs", "--report=bench.html"])
        bench = page_data(self.path("bench.html").read_text())["bench"]
        notes = dict(bench["notes"])
        for column in ("limit", "of limit", "set by"):
            self.assertIn(column, text.splitlines()[0])
            self.assertIn(column, bench["columns"])
            self.assertIn(f"\n{column.capitalize()}: {notes[column.capitalize()]}.\n", text)
        for name in ("store", "work"):
            self.assertIn(name, text.splitlines()[0])
            self.assertIn(name, bench["columns"])
        self.assertIn("bfs", notes)
        self.assertEqual({len(row) for row in bench["rows"]}, {len(bench["columns"])})

    def test_measures_what_it_is_told_to(self):
        _, figures = self.bench(self.generate(scale=6), flags=["--algorithms=bfs"])
        self.assertEqual([result["algorithm"] for result in figures["results"]], ["bfs"])

    def test_tells_more_about_searches(self):
        _, figures = self.bench(self.generate(scale=8), flags=["--algorithms=bfs", "--hub"])
        (bfs,) = figures["results"]
        self.assertEqual([search["hub"] for search in bfs["searches"]], [False, False, False, True])
        self.assertEqual(len(bfs["all_seconds"]), 4)
        rates = [search["gteps"] for search in bfs["searches"]]
        self.assertAlmostEqual(bfs["harmonic_gteps"], len(rates) / sum(1 / rate for rate in rates))
        self.assertEqual((bfs["min_gteps"], bfs["max_gteps"]), (min(rates), max(rates)))
        self.assertAlmostEqual(bfs["seconds_per_level"], bfs["seconds"] / bfs["levels"])

    @unittest.skipUnless(harness.gpus(), "there is no GPU here")
    def test_searches_from_the_hub_on_gpus_unless_told(self):
        store = self.generate(scale=8)
        for flags, hub in (([], True), (["--no-hub"], False)):
            _, figures = self.bench(store, device="cuda", flags=["--algorithms=bfs", *flags])
            self.assertEqual(figures["results"][0]["searches"][-1]["hub"], hub)

    def test_measures_loading(self):
        text, figures = self.bench(self.generate(scale=8), flags=["--load"])
        (load,) = figures["results"]
        self.assertEqual((load["algorithm"], load["pages"]), ("load", "resident"))
        self.assertGreater(load["bytes_per_second"], 0)
        self.assertEqual(load["topology_bytes"], load["page_bytes"])
        self.assertIn("GB/s", text)

    def test_copes_with_a_graph_without_edges(self):
        text, figures = self.bench(self.generate(scale=4, edge_factor=0), flags=["--algorithms=all", "--check"])
        self.assertNotIn("nan", text)
        self.assertNotIn("inf", text)
        for result in figures["results"]:
            self.assertEqual(result["gteps"], 0)

    def test_refuses_nonsense(self):
        store = self.generate(scale=4)
        for flag in ("--repeats=0", "--sources=0", "--iterations=0", "--threads=0", "--algorithms=magic"):
            self.fails(2, "bench", store, flag)
        self.fails(2, "bench")
        self.fails(2, "bench", store, "--device=tpu", says=["tpu", "cpu, cpu:N, cuda and cuda:N"])
        self.fails(2, "bench", store, "--device=cpu", "--device-memory=10%", says="--device-memory is for GPUs")
        for memory in ("101%", "-1%", "x%", "%", "0", "lots", "all,5x"):
            self.fails(2, "bench", store, "--device=cuda", f"--device-memory={memory}", says=memory.split(",")[-1])


if __name__ == "__main__":
    unittest.main()
