"""Shortest paths by weight, from the command line."""

import json
import math
import unittest

import harness


class Sssp(harness.CliTest):
    def weighted(self, lines, *options):
        return self.import_text(lines, "--weighted", *options)

    def test_takes_the_detour_that_is_shorter(self):
        store = self.weighted("7 9 900\n7 12 300\n9 40 500\n12 9 400\n12 40 1000\n50 7 1\n", "--order=degree")
        expected = {7: 0, 9: 700, 12: 300, 40: 1200, 50: math.inf}
        self.assertEqual(self.values("sssp", store, "--source=7", kind=float), expected)
        done = self.millrace("run", "sssp", store, "--source=7", "--check", "--json", "--parents", self.path("p.txt"))
        report = json.loads(done.stdout)
        self.assertEqual(report["check"], "passed")
        self.assertEqual(report["results"]["reached"], 4)
        self.assertEqual(report["results"]["farthest"], 1200)
        self.assertIn("relaxed_edges", report["results"])
        self.assertRegex(self.millrace("run", "sssp", store, "--source=7").stdout, r"\n  relaxed edges +\d+\n")
        self.assertEqual(self.path("p.txt").read_text(), "7 7\n9 12\n12 7\n40 9\n50 -1\n")

    def test_says_what_a_delta_can_be(self):
        store = self.weighted("1 2 0.5\n")
        for wrong in ("0", "-1", "nan"):
            message = self.fails(2, "run", "sssp", store, "--source=1", f"--delta={wrong}", says=["--delta", f"{wrong} is not a number above 0"])
            self.assertLess(len(message), 200)

    def test_sums_fractions(self):
        store = self.weighted("1 2 0.5\n2 3 0.25\n1 3 1\n")
        self.assertEqual(self.values("sssp", store, "--source=1", kind=float), {1: 0, 2: 0.5, 3: 0.75})

    def test_without_weights_counts_edges(self):
        store = self.import_text("1 2\n2 3\n")
        self.assertEqual(self.values("sssp", store, "--source=1", kind=float), {1: 0, 2: 1, 3: 2})

    def test_passes_its_check_on_every_plan(self):
        for weights in ("1:255", "0.5:1"):
            store = self.path(f"rmat-{weights}.store")
            self.millrace("generate", "rmat", "-o", store, "--scale=12", f"--weights={weights}", "--page-size=4K")
            for options in ([], ["--delta=0.7"], ["--direction=push"], ["--direction=pull"], ["--device=cpu", "--host-memory=1M"]):
                with self.subTest(f"{weights} {options}"):
                    done = self.millrace(
                        "run", "sssp", store, "--source=0", *options, "--check", "--json", "-t", 2,
                        "--parents", self.path("parents.txt"),
                    )
                    self.assertEqual(json.loads(done.stdout)["check"], "passed")

    def test_refuses_weights_below_zero(self):
        store = self.weighted("1 2 1.5\n2 3 -1\n")
        self.fails(3, "run", "sssp", store, "--source=1", says="weights that are not negative")
        self.fails(2, "run", "sssp", store, "--source=1", "--delta=-1", says="--delta")

    def test_can_be_measured(self):
        store = self.path("bench.store")
        self.millrace("generate", "uniform", "-o", store, "--scale=10", "--weights=1:9")
        self.millrace("bench", store, "--algorithms=sssp", "--sources=2", "--check", "--json", self.path("bench.json"))
        (result,) = json.loads(self.path("bench.json").read_text())["results"]
        self.assertEqual(result["algorithm"], "sssp")


if __name__ == "__main__":
    unittest.main()
