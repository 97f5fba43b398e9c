"""Stores whose ids stand for strings."""

import json
import unittest

import format_page
import format_reader as reader
import harness
import store_surgery

NAMES = ["Ann", "Bob B.", "7", "-1", "Zoë"]
EDGES = "0 1\n1 2\n3 0\n2 4\n"


class Names(harness.CliTest):
    def named_store(self, *flags, names=NAMES):
        store = self.import_text(EDGES, "--force", *flags)
        store_surgery.add_names(store, names)
        return store

    def test_stand_for_ids_in_results(self):
        for order in ("natural", "degree"):
            store = self.named_store("--order", order)
            done = self.millrace("run", "bfs", store, "--source", "Bob B.", "-o", "-", "--check")
            unreached = harness.UNREACHED
            self.assertEqual(done.stdout, f"Ann\t{unreached}\nBob B.\t0\n7\t1\n-1\t{unreached}\nZoë\t2\n")
            done = self.millrace("run", "bfs", store, "--source", "-1", "--parents", "-")
            self.assertEqual(done.stdout, "Ann\t-1\nBob B.\tAnn\n7\tBob B.\n-1\t-1\nZoë\t7\n")
            done = self.millrace("run", "bfs", store, "--source", "Zoë", "--parents", "-")
            self.assertEqual(done.stdout, "Ann\t\nBob B.\t\n7\t\n-1\t\nZoë\tZoë\n")
            ranks = self.millrace("run", "pagerank", store, "-o", "-").stdout.splitlines()
            self.assertEqual([line.split("\t")[0] for line in ranks], NAMES)

    def test_find_a_source(self):
        store = self.named_store()
        report = json.loads(self.millrace("run", "bfs", store, "--source", "7", "--json").stdout)
        self.assertEqual(report["options"]["source"], "7")
        self.assertEqual(report["results"]["reached"], 2)
        self.fails(2, "run", "bfs", store, "--source", "0", says=["--source", "name 0"])

    def test_are_shown_verified_and_read_by_the_second_reader(self):
        store = self.named_store()
        self.assertIs(self.info(store)["names"], True)
        self.assertIn("a string for each id", self.millrace("info", store).stdout)
        self.millrace("verify", store)
        self.assertEqual(reader.Store(store).names, NAMES)
        for wrong, says in (
            (["a", "b", "c", "b", "d"], "same name 'b'"),
            (["a", "b", "c", "d"], "4 names"),
            (["a", "b", "c", "", "d"], "empty"),
            (["a", "b", "c\td", "e", "f"], "tab"),
        ):
            store = self.named_store(names=wrong)
            self.fails(3, "verify", store, says=says)
            with self.assertRaises(format_page.Damaged):
                reader.Store(store)

    def test_count_against_the_limit_of_memory(self):
        store = self.import_text("".join(f"{v} {v + 1}\n" for v in range(5000)))
        store_surgery.add_names(store, [f"{v}{'x' * 300}" for v in range(5001)])
        self.millrace("run", "bfs", store, "--device=cpu", "--source", "7" + "x" * 300, "--host-memory=1M")
        limited = ("run", "bfs", store, "--device=cpu", "--source", "7" + "x" * 300, "--host-memory=1M", "-o")
        self.fails(4, *limited, self.path("levels.txt"), says="--host-memory")

    def test_are_exported(self):
        store = self.named_store()
        lines = self.millrace("export", store, "-o", "-").stdout.splitlines()
        self.assertEqual(sorted(lines), sorted(["source\ttarget", "Ann\tBob B.", "Bob B.\t7", "-1\tAnn", "7\tZoë"]))
        self.millrace("export", store, "-o", self.path("g.txt"))
        self.millrace("import", self.path("g.txt"), "-o", self.path("again.store"), "--ids=string")
        again = self.millrace("export", self.path("again.store"), "-o", "-").stdout.splitlines()
        self.assertEqual(sorted(again), sorted(lines))
        self.millrace("export", store, "-o", self.path("g.mtx"), "--vertices", self.path("names.txt"))
        self.assertEqual(self.path("names.txt").read_text("utf-8").splitlines(), NAMES)


class OneOrientation(harness.CliTest):
    """Directed stores with only in pages or only out pages."""

    def test_runs_in_the_direction_that_is_left_and_says_so(self):
        for gone, taken, note in (
            ("in", "push", {"bfs": "those with large frontiers would pull", "pagerank": "all of them would pull"}),
            ("out", "pull", {"bfs": "small frontiers would push"}),
        ):
            store = self.generate(f"no_{gone}.store", scale=10)
            store_surgery.drop_orientation(store, gone)
            self.millrace("verify", store)
            self.assertIn("none: runs can only " + taken, self.millrace("info", store).stdout)
            reader.Store(store)
            for algorithm in (["bfs", "--source=0"], ["pagerank"]):
                run = ["run", *algorithm, store, "--device=cpu", "--check"]
                report = json.loads(self.millrace(*run, "--json").stdout)
                self.assertEqual(report["check"], "passed")
                self.assertEqual({step["direction"] for step in report["trace"]}, {taken})
                expected = note.get(algorithm[0])
                self.assertIn(expected or "", report.get("note", ""))
                self.assertEqual("note" in report, expected is not None)
                self.assertEqual("note" in self.millrace(*run).stdout, expected is not None)
                self.assertNotIn("note", json.loads(self.millrace(*run, "--direction", taken, "--json").stdout))
                other = {"push": "pull", "pull": "push"}[taken]
                self.fails(2, *run, "--direction", other, says=["pages alone", "--orientation both"])

    def test_runs_that_cannot_be_had_say_what_would_do(self):
        for gone, left in (("in", "out"), ("out", "in")):
            store = self.generate(f"{left}.store", scale=8, orientation=left)
            for algorithm in ("hits", "bc", "wcc", "scc", "kcore", "radius --undirected",
                              "neighbourhood --source=1 --along=both"):
                run = ["run", *algorithm.split(), store, "--device=cpu"]
                lacks = f"{store} has {left} pages alone"
                for direction in ("push", "pull"):
                    says = [lacks, f"needs {gone} pages", "leave --direction to auto", "--orientation both"]
                    self.fails(2, *run, f"--direction={direction}", says=says)
                says = [lacks, f"needs {gone} pages", "leave --strategy to auto", "--orientation both"]
                self.fails(2, *run, "--strategy=chunked", says=says)
            for algorithm in ("lcc", "triangles", "cdlp"):
                says = [lacks, "needs both", "--orientation both"]
                self.assertNotIn("triangles", self.fails(2, "run", algorithm, store, says=says))

    def test_results_are_those_of_both(self):
        both = self.generate("both.store", scale=10)
        for gone in ("in", "out"):
            store = self.generate(f"no_{gone}.store", scale=10)
            store_surgery.drop_orientation(store, gone)
            for flags in (["-o", "-"], ["--parents", "-"]):
                run = lambda where: self.millrace("run", "bfs", where, "--source=0", *flags).stdout
                self.assertEqual(run(store), run(both))


if __name__ == "__main__":
    unittest.main()
