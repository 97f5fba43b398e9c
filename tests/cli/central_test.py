"""Centralities, degrees and products: agreement with NetworkX and SciPy on published graphs, options and refusals."""

import json
import re
import unittest

import harness
from networkx_graphs import NetworkXTest, networkx, numpy, scipy


class NetworkX(NetworkXTest):
    def test_ppr(self):
        for store, graph, vertices, _ in self.graphs():
            for seeds in (vertices[:1], vertices):
                expected = networkx.pagerank(
                    graph, personalization={seed: 1 for seed in seeds}, tol=1e-12, max_iter=1000, weight=None
                )
                for precision, absolute in (("f64", 1e-9), ("f32", 1e-5)):
                    found = self.values(
                        "ppr",
                        store,
                        f"--seeds={','.join(map(str, seeds))}",
                        "--tolerance=1e-9",
                        f"--precision={precision}",
                        "--iterations=300",
                        kind=float,
                    )
                    self.expect_close(found, expected, absolute=absolute)

    def test_hits(self):
        for store, graph, _, _ in self.graphs():
            hubs, authorities = networkx.hits(graph, tol=1e-12)
            for precision, absolute in (("f64", 1e-7), ("f32", 1e-5)):
                flags = ["--iterations=1000", f"--precision={precision}"]
                flags += ["--tolerance=1e-10"] if precision == "f64" else []
                self.expect_close(self.values("hits", store, *flags, kind=float), authorities, absolute=absolute)
                self.millrace("run", "hits", store, "--hubs", self.path("hubs.npy"), *flags)
                found = dict(zip(sorted(graph), numpy.load(self.path("hubs.npy"))))
                self.expect_close(found, hubs, absolute=absolute)

    def test_katz(self):
        for store, graph, _, alpha in self.graphs():
            expected = networkx.katz_centrality(graph, alpha=alpha, weight=None)
            for precision, relative in (("f64", 1e-9), ("f32", 1e-4)):
                found = self.values("katz", store, f"--alpha={alpha}", f"--precision={precision}", kind=float)
                self.expect_close(found, expected, relative=relative)

    def test_eigenvector(self):
        for store, graph, _, _ in self.graphs():
            expected = networkx.eigenvector_centrality(graph, weight=None)
            for precision, relative in (("f64", 1e-9), ("f32", 1e-4)):
                found = self.values("eigenvector", store, f"--precision={precision}", kind=float)
                self.expect_close(found, expected, relative=relative, absolute=1e-30)

    def test_spmv(self):
        for store, graph, _, _ in self.graphs():
            weighted = self.info(store)["weights"] != "none"
            order = sorted(graph)
            x = numpy.random.default_rng(3).uniform(-1, 1, len(order))
            numpy.save(self.path("x.npy"), x)
            numpy.save(self.path("x32.npy"), x.astype(numpy.float32))
            matrix = scipy.sparse.csr_matrix(networkx.to_scipy_sparse_array(graph, nodelist=order, dtype=float))
            for flags, a in ((["--unweighted"], matrix), (["--unweighted", "--transpose"], matrix.T)):
                for file, tolerance in (("x.npy", 1e-12), ("x32.npy", 1e-4)):
                    out = self.path("y.npy")
                    self.millrace("run", "spmv", store, "--x", self.path(file), "-o", out, "--check", *flags)
                    y = numpy.load(out)
                    self.assertEqual(y.dtype, numpy.load(self.path(file)).dtype)
                    self.assertLessEqual(numpy.max(numpy.abs(y - a @ x)), tolerance * numpy.max(abs(a) @ abs(x)))
            if weighted:  # that of an edge of netscience is anything but 1
                self.millrace("run", "spmv", store, "--x", self.path("x.npy"), "-o", out, "--check")
                y = numpy.load(out)
                self.assertGreater(numpy.max(numpy.abs(y - matrix @ x)), 1e-3)
                weights = numpy.loadtxt(harness.shared_data("netscience.mtx"), comments="%", skiprows=0)[1:]
                i, j, w = weights[:, 0].astype(int) - 1, weights[:, 1].astype(int) - 1, weights[:, 2]
                a = scipy.sparse.coo_matrix((w, (i, j)), matrix.shape).tocsr()
                self.assertLessEqual(numpy.max(numpy.abs(y - (a + a.T) @ x)), 1e-6)

    def test_degrees(self):
        for store, graph, _, _ in self.graphs():
            self.millrace("run", "degrees", store, "--vertices", self.path("degrees.npy"), "-o", self.path("counts.csv"))
            found = numpy.load(self.path("degrees.npy"))
            total = numpy.array([graph.degree[vertex] for vertex in sorted(graph)])
            self.assertTrue((found[:, 2] == total).all())
            counts = numpy.loadtxt(self.path("counts.csv"), delimiter=",", skiprows=1, dtype=int)
            histogram = networkx.degree_histogram(graph)
            self.assertEqual(
                [(d, c) for d, c in enumerate(histogram) if c], [(d, c) for d, _, _, c in counts.tolist() if c]
            )

    def test_radius(self):
        for store, graph, _, _ in self.graphs():
            if len(graph) > 10000:
                continue  # too many searches for Python
            report = json.loads(self.millrace("run", "radius", store, "--registers=1024", "--json").stdout)
            exact = [0] * 100
            for _, distances in networkx.all_pairs_shortest_path_length(graph):
                for distance in distances.values():
                    exact[distance] += 1
            pairs = 0
            for hops, estimate in enumerate(report["results"]["neighbourhood"]):
                pairs += exact[hops]
                self.assertLessEqual(abs(estimate - pairs), 0.1 * pairs, f"{hops} hops")


class Results(harness.CliTest):
    ALGORITHMS = (
        ["ppr", "--seeds=0"],
        ["ppr", "--seeds=5,700,5", "--iterations=7"],
        ["hits"],
        ["katz", "--alpha=0.01"],
        ["eigenvector"],
    )

    def test_of_sketches_pass_their_check_on_every_plan(self):
        stores = [self.generate("rmat.store", scale=10), self.generate("grid.store", "grid", scale=8)]
        for store in stores:
            for flags in ([], ["--undirected"], ["--registers=16", "--seed=9", "--hops=3"]):
                for direction in ("push", "pull", "auto"):
                    with self.subTest(f"{store.name} {flags} {direction}"):
                        done = self.millrace("run", "radius", store, *flags, "--direction", direction, "--check", "--json")
                        self.assertEqual(json.loads(done.stdout)["check"], "passed")

    def test_of_radius(self):
        store = self.import_text("1 2\n2 3\n3 4\n")
        self.millrace("run", "radius", store, "-o", self.path("r.txt"), "--neighbourhood", self.path("n.csv"))
        lines = [line.split() for line in self.path("r.txt").read_text().splitlines()]
        self.assertEqual([line[0] for line in lines], ["1", "2", "3", "4"])
        for (_, hop), reach in zip(lines, (3, 2, 1, 0)):
            self.assertLessEqual(int(hop), reach)
        text = self.path("n.csv").read_text().splitlines()
        self.assertEqual(text[:2], ["hops,pairs", "0,4.0"])
        report = json.loads(self.millrace("run", "radius", store, "--json").stdout)
        self.assertEqual(len(report["results"]["neighbourhood"]), len(text) - 1)
        self.assertEqual(report["results"]["standard_error"], 0.13)

    def test_of_degrees(self):
        store = self.import_text("1 2\n1 3\n7 1\n", "--order=degree")
        self.millrace("run", "degrees", store, "-o", self.path("d.csv"), "--vertices", self.path("v.csv"), "--check")
        self.assertEqual(
            self.path("d.csv").read_text(), "degree,out,in,total\n0,2,1,0\n1,1,3,3\n2,1,0,0\n3,0,0,1\n"
        )
        self.assertEqual(self.path("v.csv").read_text(), "id,out,in,total\n1,2,1,3\n2,0,1,1\n3,0,1,1\n7,1,0,1\n")
        done = self.millrace("run", "degrees", store, "--vertices", "-")
        self.assertEqual(done.stdout, "1 2 1 3\n2 0 1 1\n3 0 1 1\n7 1 0 1\n")
        results = json.loads(self.millrace("run", "degrees", store, "--json").stdout)["results"]
        self.assertEqual(results["total"]["counts"], [[1, 3], [3, 1]])
        self.assertEqual((results["out"]["mean"], results["out"]["max"], results["out"]["zero"]), (0.75, 2, 2))
        table = self.millrace("run", "degrees", store).stdout
        for words in ("mean", "median", "p99", "of 2 to 3"):
            self.assertIn(words, table)

    def test_of_degrees_of_an_undirected_graph_are_its_degrees(self):
        store = self.import_text("1 2\n1 3\n", "--undirected")
        done = self.millrace("run", "degrees", store, "--vertices", "-", "--check")
        self.assertEqual(done.stdout, "1 2 2 2\n2 1 1 1\n3 1 1 1\n")

    def test_of_spmv_by_hand(self):
        store = self.import_text("10 20 2.5\n20 5 4\n", "--weighted", "--order=degree")
        file = self.write("x.npy", harness.npy([1, 10, 100]))  # of 5, 10 and 20
        self.assertEqual(self.values("spmv", store, "--x", file, kind=float), {5: 0, 10: 250, 20: 4})
        self.assertEqual(self.values("spmv", store, "--x", file, "--transpose", kind=float), {5: 400, 10: 0, 20: 25})
        self.assertEqual(self.values("spmv", store, "--x", file, "--unweighted", kind=float), {5: 0, 10: 100, 20: 1})
        self.fails(2, "run", "spmv", self.import_text("1 2\n", name="two.store"), "--x", file, says="3 values")
        self.fails(3, "run", "spmv", store, "--x", self.write("bad.npy", "1 2 3 4 5 6"), says="not a NumPy array")
        self.fails(1, "run", "spmv", store, "--x", self.path("missing.npy"), says="missing.npy")

    def test_pass_their_check_on_every_plan(self):
        stores = [self.generate("rmat.store", scale=11), self.generate("grid.store", "grid", scale=10)]
        for store in stores:
            for algorithm in self.ALGORITHMS:
                for direction in ("push", "pull", "auto"):
                    for precision in ("f32", "f64"):
                        with self.subTest(f"{store.name} {algorithm} {direction} {precision}"):
                            flags = ["--direction", direction, "--precision", precision, "--check", "--json"]
                            done = self.millrace("run", *algorithm, store, *flags)
                            self.assertEqual(json.loads(done.stdout)["check"], "passed")

    def test_of_hubs_go_to_a_file_of_their_own(self):
        store = self.import_text("1 2\n")
        self.millrace("run", "hits", store, "-o", self.path("a.csv"), "--hubs", self.path("h.csv"))
        self.assertEqual(self.path("a.csv").read_text(), "id,value\n1,0.00000000e+00\n2,1.00000000e+00\n")
        self.assertEqual(self.path("h.csv").read_text(), "id,value\n1,1.00000000e+00\n2,0.00000000e+00\n")
        self.fails(2, "run", "hits", store, "-o", "-", "--hubs", "-", says="stdout")
        self.fails(2, "run", "hits", store, "--json", "--hubs", "-", says="stdout")

    def test_of_seeds_by_name_and_from_a_file(self):
        store = self.import_text("a,b\nb,c\nc,a\nd,a\n", "--format=csv", "--ids=string")
        by_option = self.millrace("run", "ppr", store, "--seeds=d,b", "-o", "-").stdout
        seeds = self.write("seeds.txt", "b\n\n  d \r\nb\n")
        self.assertEqual(self.millrace("run", "ppr", store, "--seeds-file", seeds, "-o", "-").stdout, by_option)
        report = json.loads(self.millrace("run", "ppr", store, "--seeds=d,b", "--json").stdout)
        self.assertEqual(report["options"]["seeds"], ["d", "b"])

    def test_of_seeds_from_a_long_file(self):
        store = self.generate(scale=8)
        seeds = self.write("seeds.txt", "".join(f"{v}\n" for v in range(256)))
        ranks = self.values("ppr", store, "--seeds-file", seeds, "--precision=f64", kind=float)
        everywhere = self.values("pagerank", store, "--precision=f64", "--tolerance=1e-6", kind=float)
        for vertex, rank in everywhere.items():
            self.assertAlmostEqual(ranks[vertex], rank, delta=1e-12)

    def test_of_katz_that_grow_without_bound_are_none(self):
        store, ranks = self.generate(scale=8), self.path("ranks.txt")
        says = ["diverged", "--alpha 0.1 is too large for this graph"]
        for flags in (["-o", ranks], ["-o", "-"], ["--json"], ["--check"], ["--precision=f64"]):
            message = self.fails(1, "run", "katz", store, *flags, says=says)
            self.assertFalse(ranks.exists())
        # The promise in the message is true.
        bound = int(re.search(r"any below 1/(\d+)", message)[1])
        self.millrace("run", "katz", store, f"--alpha={0.999 / bound}", "-o", ranks)
        self.assertTrue(ranks.exists())

    def test_that_did_not_converge_are_told_in_the_first_line(self):
        store = self.generate(scale=8)
        few, many, none, some = "--iterations=2", "--iterations=1000", "--tolerance=0", "--tolerance=1e-5"
        for algorithm in ("pagerank", "ppr --seeds=1", "hits", "katz --alpha=0.01", "eigenvector"):
            run = ["run", *algorithm.split(), store]
            title = f"{run[1]} on {store}"
            first_line = self.millrace(*run, few, some).stdout.splitlines()[0]
            self.assertIn(f"{title}: NOT converged in 2 iterations (the last change is", first_line)
            self.assertEqual(self.millrace(*run, few, some, "-o", "-").stderr, first_line + "\n")
            self.assertIs(json.loads(self.millrace(*run, few, some, "--json").stdout)["results"]["converged"], False)
            # Runs that converge, or that only have a number of iterations, do not print it.
            for flags in ([many, some], [few, none]):
                self.assertEqual(self.millrace(*run, *flags).stdout.splitlines()[0], title)
                self.assertEqual(self.millrace(*run, *flags, "-o", "-").stderr, "")


class Refusals(harness.CliTest):
    def test_of_seeds(self):
        store = self.import_text("1 2\n")
        self.fails(2, "run", "ppr", store, says="--seeds")
        self.fails(2, "run", "ppr", store, "--seeds=1", "--seeds-file=x", says="either")
        self.fails(2, "run", "ppr", store, "--seeds=1,7", says=["--seeds", "no vertex", "7"])
        self.fails(2, "run", "ppr", store, "--seeds=1,", says="not a vertex id")
        self.fails(2, "run", "ppr", store, "--seeds-file", self.write("none.txt", "\n"), says="names no vertex")
        self.fails(1, "run", "ppr", store, "--seeds-file", self.path("missing.txt"), says="missing.txt")

    def test_of_options_that_make_no_sense(self):
        store = self.import_text("1 2\n")
        for algorithm, flag in (
            (["ppr", "--seeds=1"], "--damping=2"),
            (["ppr", "--seeds=1"], "--damping=nan"),
            (["hits"], "--tolerance=-1"),
            (["hits"], "--tolerance=nan"),
            (["katz"], "--alpha=-1"),
            (["katz"], "--alpha=nan"),
            (["katz"], "--beta=0"),
            (["eigenvector"], "--iterations=-1"),
            (["eigenvector"], "--precision=f16"),
            (["closeness"], "--samples=0"),
            (["closeness"], "--samples=some"),
            (["radius"], "--registers=8"),
            (["radius"], "--registers=100"),
            (["radius"], "--hops=-1"),
            (["degrees"], "--host-memory=lots"),
        ):
            with self.subTest(f"{algorithm} {flag}"):
                self.fails(2, "run", *algorithm, store, flag, says=flag.split("=")[1])


if __name__ == "__main__":
    unittest.main()
