"""Real graphs (roads, a history, social and web links, dependencies with names, a mesh) give the answers that
tests/published/real_answers.py computed by other means, on the cpu and on every GPU; results of which not every value
is known pass --check."""

import json
import pathlib
import shutil
import sys
import tempfile
import unittest
import zlib

import harness

PUBLISHED = pathlib.Path(__file__).resolve().parents[1] / "published"
sys.path.insert(0, str(PUBLISHED))
ANSWERS = json.loads((PUBLISHED / "real_answers.json").read_text())
DEVICES = ["cpu", *harness.gpus()]


class RealGraph(harness.CliTest):
    """The algorithms on one graph; a subclass for each graph."""

    name = None

    @classmethod
    def setUpClass(cls):
        if cls.name is None:
            raise unittest.SkipTest("no graph of its own")
        cls.answers = ANSWERS[cls.name]
        options = cls.answers["options"]
        source = harness.shared_data(f"real/{cls.answers['file']}")
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="millrace-real-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.store = cls.folder / "graph.store"
        harness.run("import", source, "-o", cls.store, *options)
        cls.either_way = cls.folder / "either_way.store"
        cls.undirected = json.loads(harness.run("info", cls.store, "--json"))["directed"] is False
        if not cls.undirected:
            harness.run("import", source, "-o", cls.either_way, *options, "--undirected")
        cls.source = cls.answers["source"]

    def run_on(self, device, algorithm, *options, store=None, check=True):
        """The results of a run, by name, and the values of the vertices in ascending order of ids; names among the values
        are replaced by their numbers, which are their places."""
        values = self.path("values.txt")
        of_vertices = algorithm not in ("egonet", "subgraph", "cross-edges", "degrees")
        output = ["-o", values] if of_vertices else []
        done = self.millrace(
            "run", algorithm, store or self.store, "--device", device, "--json", *output, *options,
            *(["--check"] if check else []),
        )
        lines = values.read_text().splitlines() if of_vertices else []
        pairs = [line.replace("\t", " ").rsplit(" ", 1) for line in lines]
        place = {name: i for i, (name, _) in enumerate(pairs)} if "string" in self.answers["options"] else {}
        return json.loads(done.stdout)["results"], [place.get(value, value) for _, value in pairs]

    def values_on(self, device, algorithm, *options):
        """The values of a run that is not checked, since all of them are known."""
        return self.run_on(device, algorithm, *options, check=False)[1]

    def check_whole(self, what, values):
        """Whole numbers, which are the same one by one."""
        numbers = [int(x) for x in values]
        reached = [x for x in numbers if x != harness.UNREACHED]
        found = {"sum": sum(reached), "largest": max(reached), "reached": len(reached)}
        found["crc32"] = zlib.crc32("".join(f"{x}\n" for x in numbers).encode())
        self.assertEqual(found, self.answers[what], what)

    def check_fractions(self, what, values, within=1e-9):
        numbers = [float(x) for x in values]
        expected = self.answers[what]
        self.assertAlmostEqual(sum(numbers), expected["sum"], delta=within * abs(expected["sum"]) + 1e-30, msg=what)
        for position, value in expected["some"].items():
            delta = within * abs(value) + 1e-15
            self.assertAlmostEqual(numbers[int(position)], value, delta=delta, msg=f"{what}, place {position}")

    def on_devices(self, check):
        for device in DEVICES:
            with self.subTest(device=device):
                check(device)

    def test_size(self):
        info = self.info(self.store)
        self.assertEqual((info["vertices"], info["edges"]), (self.answers["vertices"], self.answers["edges"]))
        self.millrace("verify", self.store)

    def test_searches(self):
        def check(device):
            self.check_whole("bfs", self.values_on(device, "bfs", "--source", self.source))
            results, _ = self.run_on(device, "bfs", "--source", self.source, store=self.either_way_store())
            self.assertEqual(results["depth"], self.answers["bfs_either_way"])
            values = self.values_on(device, "sssp", "--source", self.source)
            self.check_whole("sssp", [harness.UNREACHED if x == "infinity" else int(float(x)) for x in values])
            near = ["--source", self.source, "--hops", 2, "--along", "both"]
            self.assertEqual(self.run_on(device, "neighbourhood", *near)[0]["reached"], self.answers["neighbourhood"])

        self.on_devices(check)

    def either_way_store(self):
        return self.store if self.undirected else self.either_way

    def test_components_and_cores(self):
        def check(device):
            for algorithm in ("wcc", "scc", "kcore"):
                self.check_whole(algorithm, self.values_on(device, algorithm))

        self.on_devices(check)

    def test_communities_and_triangles(self):
        def check(device):
            self.check_whole("cdlp", self.values_on(device, "cdlp", "--iterations", 5))
            self.check_whole("triangles", self.values_on(device, "triangles"))
            # Of the web, with 6.8 million edges, the check takes longer than all other runs.
            self.check_fractions("lcc", self.run_on(device, "lcc", check=self.name != "web")[1])

        self.on_devices(check)

    def test_ranks(self):
        exact = ["--precision", "f64", "--tolerance", "0"]

        def check(device):
            ranks = self.run_on(device, "pagerank", "--precision", "f64", "--iterations", 20)[1]
            self.check_fractions("pagerank", ranks)
            values = self.run_on(device, "ppr", *exact, "--iterations", 30, "--seeds", self.source)[1]
            self.check_fractions("ppr", values)
            self.check_fractions("hits", self.run_on(device, "hits", *exact, "--iterations", 12)[1])
            self.check_fractions("eigenvector", self.run_on(device, "eigenvector", *exact, "--iterations", 12)[1])
            katz = ["--precision", "f64", "--alpha", "0.0005", "--tolerance", "1e-14"]
            self.check_fractions("katz", self.run_on(device, "katz", *katz)[1])

        self.on_devices(check)

    def test_centralities(self):
        def check(device):
            self.check_fractions("bc", self.run_on(device, "bc", "--source", self.source)[1])
            # No second computation of these but --check: their random sources, sketches and orders are Millrace's own.
            self.run_on(device, "closeness", "--samples", 8)
            self.run_on(device, "radius", "--registers", 16, "--hops", 6)
            self.run_on(device, "mis")

        self.on_devices(check)

    def test_parts_of_it(self):
        names = [line.split(" ")[0].split("\t")[0] for line in self.degree_lines()]
        third = self.write("third.txt", "".join(f"{name}\n" for name in names[::3]))
        rest = self.write("rest.txt", "".join(f"{name}\n" for name in names[1::3]))
        near = ["--source", self.source, "--hops", 2, "--along", "both"]
        for algorithm, options in (
            ("egonet", near), ("subgraph", ["--vertices", third]), ("cross-edges", ["--from", third, "--to", rest])
        ):
            done = self.millrace("run", algorithm, self.store, "-o", self.path("part.txt"), *options)
            edges = len(self.path("part.txt").read_text().splitlines())
            twice = self.undirected and algorithm != "cross-edges"  # an undirected edge is written once
            self.assertEqual(edges * (2 if twice else 1), self.answers[algorithm], algorithm + done.stderr)

    def degree_lines(self):
        self.millrace("run", "degrees", self.store, "--vertices", self.path("degrees.txt"))
        return self.path("degrees.txt").read_text().splitlines()

    def test_degrees(self):
        lines = [line.replace("\t", " ").rsplit(" ", 3) for line in self.degree_lines()]
        self.check_whole("degrees", [line[1] for line in lines])

    def test_product(self):
        x = self.write("x.npy", harness.npy([1 / (1 + i) for i in range(self.answers["vertices"])]))
        self.on_devices(lambda device: self.check_fractions("spmv", self.run_on(device, "spmv", "--x", x)[1]))


def load_tests(loader, tests, pattern):
    return unittest.TestSuite(
        loader.loadTestsFromTestCase(type(f"Of_{name}", (RealGraph,), {"name": name})) for name in ANSWERS
    )


if __name__ == "__main__":
    unittest.main()
