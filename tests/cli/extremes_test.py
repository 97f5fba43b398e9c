"""Answers where numbers end: sums that overflow, infinities, iterations without end, without start, and empty graphs."""

import json
import math
import re
import unittest

import harness

LARGEST = 1.7976931348623157e308
ITERATIVE = ("pagerank", "ppr --seeds=1", "hits", "katz --alpha=0.01", "eigenvector")


def clique(n):
    return "".join(f"{i} {j}\n" for i in range(n) for j in range(n) if i != j)


class Extremes(harness.CliTest):
    def npy(self, name, values):
        return self.write(name, harness.npy(values))

    def summary(self, *run):
        """The rows of a summary, and its first line."""
        first, *rows = self.millrace("run", *run).stdout.splitlines()
        return first, dict(re.findall(r"^  (\S+)\s+(.*)$", "\n".join(rows), re.MULTILINE))


class ShortestPaths(Extremes):
    # 2 is too far from 0, 3 beyond it; 4 is as far as can be, and 5 no farther; 6 is nowhere.
    EDGES = f"0 1 1e308\n1 2 1e308\n2 3 1\n0 4 {LARGEST!r}\n4 5 1\n6 0 1\n"
    DISTANCES = {0: 0, 1: 1e308, 2: math.inf, 3: math.inf, 4: LARGEST, 5: LARGEST, 6: math.inf}
    PARENTS = {0: 0, 1: 0, 2: -1, 3: -1, 4: 0, 5: 4, 6: -1}
    SAYS = "2 vertices are reached only by paths longer than 1.8e+308"

    def test_that_overflow_are_none_on_every_plan(self):
        plans = [["--direction=push"], ["--direction=pull"], ["--delta=1"], ["--delta=1e308"], ["--host-memory=200K"]]
        plans += [["--strategy=chunked", "--device=cpu"]]
        plans += [["--device=cpu,cpu", f"--strategy={s}"] for s in ("performance", "partitioned", "scalability")]
        for layout in ("both", "in", "out", "segments"):
            flags = ["--segments=64"] if layout == "segments" else [f"--orientation={layout}"]
            store = self.import_text(self.EDGES, "--weighted", *flags, name=f"{layout}.store")
            for plan in [[]] + plans:
                pushes = plan[:1] == ["--direction=push"] or "chunked" in str(plan) or "scalability" in str(plan)
                if (layout == "in" and pushes) or (layout == "out" and plan == ["--direction=pull"]):
                    continue
                with self.subTest(layout=layout, plan=plan):
                    parents = self.path("parents.txt")
                    run = ["run", "sssp", store, "--source=0", "--check", "-o", "-", "--parents", parents, *plan]
                    done = self.millrace(*run)
                    found = {int(v): float(d) for v, d in map(str.split, done.stdout.splitlines())}
                    self.assertEqual(found, self.DISTANCES)
                    tree = {int(v): int(p) for v, p in map(str.split, parents.read_text().splitlines())}
                    self.assertEqual(tree, self.PARENTS)
                    self.assertIn(self.SAYS, done.stderr)

    def test_that_overflow_are_told(self):
        store = self.import_text(self.EDGES, "--weighted")
        first, rows = self.summary("sssp", store, "--source=0")
        self.assertIn(self.SAYS, first)
        self.assertEqual((rows["reached"], rows["beyond"]), ("4", "2"))
        first, rows = self.summary("sssp", store, "--source=4")
        self.assertNotIn("longer", first)
        self.assertNotIn("beyond", rows)


class Products(Extremes):
    def test_with_infinities_pass_their_check(self):
        store = self.import_text("0 1 2\n1 2 0\n2 3 1\n3 0 1\n3 1 1\n", "--weighted")
        x = self.npy("x.npy", [math.inf, 1.0, math.nan, -math.inf])
        for flags in ([], ["--precision=f32"], ["--transpose"], ["--direction=push"], ["--unweighted"]):
            with self.subTest(flags):
                done = self.millrace("run", "spmv", store, "--x", x, "--check", "-o", "-", *flags)
                y = [float(line.split()[1]) for line in done.stdout.splitlines()]
                expected = {
                    "": [2, math.nan, -math.inf, math.inf],
                    "--transpose": [-math.inf, math.nan, 0, math.nan],
                    "--unweighted": [1, math.nan, -math.inf, math.inf],
                }["".join(flags) if flags in (["--transpose"], ["--unweighted"]) else ""]
                self.assertEqual(str(y), str([float(value) for value in expected]))
                self.assertEqual(done.stderr, "", "what is not finite was given")

    def test_that_overflow_are_told(self):
        store = self.import_text("0 1\n0 2\n1 2\n")
        x = self.npy("x.npy", [1e308, 1e308, 1e308])
        done = self.millrace("run", "spmv", store, "--x", x, "--check", "-o", "-")
        self.assertEqual([float(line.split()[1]) for line in done.stdout.splitlines()], [math.inf, 1e308, 0])
        self.assertIn("1 value is not finite: products, or sums of them, pass 1.8e+308, the largest number of f64", done.stderr)

    def test_of_values_that_are_too_large_for_the_precision_are_told(self):
        for text in ("0 1\n0 2\n1 2\n", "10 20\n10 30\n20 30\n"):  # with ids of their own, values are put in order
            store = self.import_text(text, name=f"{len(text)}.store")
            run = ("run", "spmv", store, "--precision=f32", "--check", "-o", "-", "--x")
            done = self.millrace(*run, self.npy("one.npy", [1, 2, 1e308]))
            self.assertEqual([line.split()[1] for line in done.stdout.splitlines()], ["infinity", "infinity", "0.00000000e+00"])
            self.assertIn("2 values are not finite: 1 value of x passes 3.4e+38, the largest number of f32", done.stderr)
            done = self.millrace(*run, self.npy("two.npy", [1, 1e308, -1e308]))
            self.assertEqual([line.split()[1] for line in done.stdout.splitlines()][:2], ["nan", "-infinity"])
            self.assertIn("2 values are not finite: 2 values of x pass 3.4e+38", done.stderr)
            done = self.millrace(*run, self.npy("unused.npy", [1e308, 1, 1]))
            self.assertEqual(done.stderr, "", "the value is in no sum")
            done = self.millrace(*run, self.npy("given.npy", [1, 1e308, math.inf]))
            self.assertEqual(done.stderr, "", "what is not finite was given")


class Iterations(Extremes):
    def test_of_katz_that_diverge_slowly_have_no_result(self):
        store, out = self.import_text(clique(12)), self.path("centrality.txt")
        for flags in (["--alpha=0.095"], ["--alpha=0.0910"], ["--alpha=0.095", "--iterations=30"], ["--alpha=0.095", "--precision=f64"]):
            says = ["diverged", "is too large for this graph", "any below 1/11"]
            self.fails(1, "run", "katz", store, "-o", out, *flags, says=says)
            self.assertFalse(out.exists())
        # A bipartite graph: changes go up and down, each pair larger than the last.
        star = self.import_text("".join(f"0 {i}\n" for i in range(1, 101)), "--undirected", name="star.store")
        for iterations in (60, 61):
            self.fails(1, "run", "katz", star, "--alpha=0.101", f"--iterations={iterations}", says="diverged")

    def test_of_katz_that_are_few_have_one(self):
        # Walks of more edges become more at first, and then there are none.
        layers = "".join(f"{3 * k + i} {3 * k + 3 + j}\n" for k in range(9) for i in range(3) for j in range(3))
        self.summary("katz", self.import_text(layers), "--alpha=0.5", "--check")
        path = self.import_text("".join(f"{v} {v + 1}\n" for v in range(60)), name="path.store")
        first, _ = self.summary("katz", path, "--alpha=1.5", "--iterations=30", "--check")
        self.assertIn("NOT converged in 30 iterations", first)
        self.assertNotIn("NOT converged", self.summary("katz", path, "--alpha=1.5", "--check")[0])
        store = self.import_text(clique(12), name="clique.store")
        first, _ = self.summary("katz", store, "--alpha=0.09", "--iterations=3", "--check")
        self.assertIn("NOT converged in 3 iterations", first)
        # As many iterations as were asked for, and no tolerance: walks of so many edges, with any alpha.
        self.summary("katz", store, "--alpha=0.5", "--iterations=5", "--tolerance=0", "--check")

    def test_without_a_tolerance_did_what_was_asked(self):
        store = self.generate(scale=6)
        for run in ("pagerank", "ppr --seeds=1 --tolerance=0 --iterations=9", "hits --tolerance=0 --iterations=9"):
            algorithm, *flags = run.split()
            _, rows = self.summary(algorithm, store, *flags)
            self.assertNotIn("converged", rows)
            self.assertEqual(rows["iterations"], ("9" if flags else "20") + ", as asked for")
            report = json.loads(self.millrace("run", algorithm, store, *flags, "--json").stdout)
            self.assertIsNone(report["results"]["converged"])

    def test_of_none_give_the_start(self):
        store = self.import_text("1 2\n2 3\n3 4\n")
        start = {"pagerank": 0.25, "hits": 0.25, "eigenvector": 0.5}
        for algorithm, expected in start.items():
            for precision in ("f32", "f64"):
                with self.subTest(algorithm, precision=precision):
                    flags = ["--iterations=0", "--tolerance=1e-6", f"--precision={precision}"]
                    self.millrace("run", algorithm, store, *flags, "--check")
                    found = self.values(algorithm, store, *flags, kind=float)
                    self.assertEqual(found, {v: expected for v in range(1, 5)})
        hubs = self.path("hubs.txt")
        self.millrace("run", "hits", store, "--iterations=0", "--hubs", hubs)
        self.assertEqual([float(line.split()[1]) for line in hubs.read_text().splitlines()], 4 * [0.25])

    def test_of_none_are_not_missing(self):
        store = self.generate(scale=6)
        for text in ITERATIVE:
            algorithm, *flags = text.split()
            first, rows = self.summary(algorithm, store, *flags, "--iterations=0", "--tolerance=1e-6")
            self.assertNotIn("NOT", first)
            self.assertEqual(rows["iterations"], "0, as asked for")
            self.assertNotIn("change", rows)

    def test_have_tolerances_that_are_numbers(self):
        store = self.generate(scale=5)
        for value in ("1e-6x", "1e301", "-1", "nan", "inf"):
            says = f"--tolerance: {value} is not a number from 0 on"
            message = self.fails(2, "run", "pagerank", store, f"--tolerance={value}", says=says)
            self.assertLess(len(message), 200)
        says = "--damping: 2 is not a number from 0 to 1"
        self.fails(2, "run", "pagerank", store, "--damping=2", says=says)


class Sampled(Extremes):
    def test_sources_of_bc_have_a_value(self):
        store = self.generate(scale=6)
        for flags in ([], ["--normalized"], ["--endpoints"]):
            for value in self.values("bc", store, "--samples=1", *flags, kind=float).values():
                self.assertTrue(math.isfinite(value))
            self.millrace("run", "bc", store, "--samples=1", "--check", *flags)


if __name__ == "__main__":
    unittest.main()
