"""Runs on several devices: the same results as on one, and what is refused."""

import json
import unittest
import unittest.mock

import harness

GPUS = harness.gpus()

# For each algorithm that can run on several devices: a command, and whether its results are exactly the same.
RUNS = [
    ("bfs", ["--source", "0"], True),
    ("sssp", ["--source", "0"], True),
    ("wcc", [], True),
    ("scc", [], True),
    ("kcore", [], True),
    ("mis", [], True),
    ("bc", ["--samples", "4"], False),
    ("pagerank", ["--precision=f64", "--iterations", "5"], False),
    ("ppr", ["--seeds", "0", "--precision=f64", "--iterations", "5"], False),
    ("hits", ["--precision=f64"], False),
    ("katz", ["--precision=f64", "--alpha", "0.001"], False),
    ("eigenvector", ["--precision=f64"], False),
    ("closeness", ["--samples", "70"], True),
    ("radius", ["--registers", "16"], True),
    ("cdlp", [], True),
    ("lcc", [], True),
    ("triangles", [], True),
]


class SeveralDevices(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.store = self.path("g.store")
        self.millrace("generate", "rmat", "--scale=9", "--edge-factor=8", "--page-size=4K", "-o", self.store)

    def run_on(self, device, algorithm, *options):
        out = self.path("out.txt")
        report = json.loads(
            self.millrace("run", algorithm, self.store, "--device", device, "--json", "-o", out, *options).stdout
        )
        with open(out) as lines:
            rows = [line.split() for line in lines if not line.startswith("#")]
        return report, rows

    def test_finds_what_one_device_finds(self):
        for algorithm, options, exact in RUNS:
            _, expected = self.run_on("cpu", algorithm, *options)
            for strategy, device in (
                ("performance", "cpu:0,cpu:1"),
                ("partitioned", "cpu,cpu,cpu"),
                ("scalability", "cpu,cpu"),
                ("chunked", "cpu"),
            ):
                with self.subTest(algorithm=algorithm, strategy=strategy, device=device):
                    report, rows = self.run_on(device, algorithm, "--strategy", strategy, *options)
                    self.assertEqual(report["plan"]["devices"], device.count(",") + 1)
                    self.assertEqual(report["plan"]["device"], device)
                    self.assertEqual(report["plan"]["strategy"], strategy)
                    # Their supersteps gather lists, of which devices read each other's afterwards.
                    silent = algorithm in ("lcc", "triangles")
                    if strategy in ("performance", "partitioned") and not silent:
                        self.assertGreater(report["exchanged_bytes"], 0)
                        self.assertGreater(report["phases"]["exchange"], 0)
                        self.assertGreaterEqual(report["phases"]["wait"], 0.9 * report["phases"]["exchange"])
                    if exact:
                        self.assertEqual(rows, expected)
                        continue
                    self.assertEqual(len(rows), len(expected))
                    for row, wanted in zip(rows, expected):
                        self.assertEqual(row[0], wanted[0])
                        for a, b in zip(row[1:], wanted[1:]):
                            self.assertAlmostEqual(float(a), float(b), delta=1e-9 * abs(float(b)))

    def test_checks_and_streams(self):
        store = self.path("larger.store")
        self.millrace("generate", "rmat", "--scale=14", "--edge-factor=16", "--page-size=4K", "-o", store)
        command = ["run", "pagerank", store, "--device=cpu:0,cpu:1", "--check", "--json"]
        needed = self.fails(4, *command, "--host-memory=1K", says="allow at least").split("allow at least ")[1].split()
        report = json.loads(self.millrace(*command, f"--host-memory={needed[0]}{needed[1][0]}").stdout)
        self.assertEqual(report["check"], "passed")
        self.assertEqual(report["plan"]["pages"], "streamed")
        self.assertGreater(report["disk_bytes"], 0)
        self.assertEqual(report["plan"]["strategy"], "performance")

    def test_does_with_less_memory_than_attributes_take(self):
        store = self.path("larger.store")
        self.millrace("generate", "rmat", "--scale=16", "--edge-factor=4", "--page-size=4K", "-o", store)
        command = ["run", "pagerank", store, "--device=cpu", "--precision=f64", "--json"]
        said = self.fails(4, *command, "--host-memory=900K", says="--strategy chunked")
        self.assertIn("allow at least", said)
        for direction, memory in (("push", "900K"), ("auto", "400K")):
            tight = [*command, f"--host-memory={memory}", f"--direction={direction}"]
            self.fails(4, *tight, "--strategy=scalability", says="chunked")
        report = json.loads(self.millrace(*command, "--host-memory=900K", "--strategy=chunked", "--check").stdout)
        self.assertEqual(report["check"], "passed")
        self.assertEqual(report["plan"]["strategy"], "chunked")
        self.assertLess(report["peak_memory"], 900 << 10)
        self.assertGreater(65536 * 16, 900 << 10, "two attributes of 8 bytes")
        for direction in ("auto", "pull", "push"):
            one = json.loads(
                self.millrace(*command, "--host-memory=900K", "--strategy=chunked", f"--direction={direction}", "--check").stdout
            )
            self.assertEqual(one["check"], "passed")
            self.assertEqual({step["direction"] for step in one["trace"]}, {"push" if direction == "push" else "pull"})
        search = ["run", "bfs", store, "--source=0", "--device=cpu", "--strategy=chunked"]
        self.fails(2, *search, "--direction=pull", says="pushes in bfs")
        text = self.millrace(
            "bench", self.store, "--algorithms=all", "--strategy=chunked", "--device=cpu", "--repeats=1", "--sources=1",
        ).stdout
        self.assertIn("1 x chunked", text)
        self.assertIn("g.store              triangles", text)
        one_way = self.path("in.store")
        self.millrace("generate", "rmat", "--scale=8", "--orientation=in", "-o", one_way)
        # What the store lacks is said before what memory lacks, and what to leave is what was given.
        far = ["--strategy=chunked", "--device=cpu", "--host-memory=64K"]
        says = ["in pages alone", "leave --strategy to auto, or make the store again with --orientation both"]
        for search in ("bfs", "sssp"):
            self.assertNotIn("--direction", self.fails(2, "run", search, one_way, "--source=0", *far, says=says))
        other_way = self.path("out.store")
        self.millrace("generate", "rmat", "--scale=8", "--orientation=out", "-o", other_way)
        self.fails(2, "run", "kcore", other_way, *far, says=["out pages alone", says[1]])
        self.millrace("run", "pagerank", one_way, "--strategy=chunked", "--device=cpu", "--check")

    def test_says_where_far_attributes_would_have_been(self):
        with unittest.mock.patch.dict(harness.ENVIRONMENT, TMPDIR=str(self.path("missing"))):
            self.fails(4, "run", "bfs", self.store, "--source=0", "--device=cpu", "--strategy=chunked", says="TMPDIR")

    def test_tells_people_what_was_exchanged(self):
        text = self.millrace("run", "wcc", self.store, "--device=cpu,cpu", "--strategy=partitioned", "--verbose").stdout
        for words in ("cpu,cpu", "partitioned", "between 2 devices"):
            self.assertIn(words, text)

    def test_refuses_lists_that_are_none(self):
        for device, words in (
            ("cpu,", "a name is missing"),
            (",cpu", "a name is missing"),
            ("cpu,gpu", "not a device"),
            ("cpu:x", "not a device"),
            ("cpu:-1", "not a device"),
            ("cpu,cpu,cuda", "the cpu helps GPUs if it is named once"),
            (",".join(["cpu"] * 17), "up to 16"),
        ):
            with self.subTest(device=device):
                self.fails(2, "run", "bfs", self.store, "--source=0", "--device", device, says=words)
        self.fails(2, "bench", self.store, "--load", "--device=cpu,cpu", says="takes one device")
        for option in ("--cpu-share=20%", "--cpu-pages=low"):
            self.fails(2, "run", "pagerank", self.store, "--device=cpu", option, says="for a CPU that helps a GPU")
        for option, words in (
            ("--cpu-share=120%", "from 0% to 100%"),
            ("--cpu-share=20", "from 0% to 100%"),
            ("--cpu-pages=some", "high, low and random"),
            ("--strategy=chunked", "for GPUs alone"),
        ):
            self.fails(2, "run", "pagerank", self.store, "--device=cpu,cuda", option, says=words)
        self.fails(2, "bench", self.store, "--host-memory=50%", "--device=cpu,cpu", says="for one device")

    def test_is_measured_by_bench(self):
        text = self.millrace(
            "bench", self.store, "--device=cpu,cpu", "--strategy=partitioned", "--repeats=1", "--sources=2", "--check"
        ).stdout
        for words in ("2 x partitioned", "exchanged between devices", "2 passed"):
            self.assertIn(words, text)

    def test_says_when_a_share_of_memory_is_too_little(self):
        self.fails(4, "run", "pagerank", self.store, "--device=cpu,cpu", "--host-memory=4K", says="needs")

    @unittest.skipIf(GPUS, "there is a GPU here")
    def test_no_gpu_to_help(self):
        self.fails(5, "run", "pagerank", self.store, "--device=cpu,cuda", says="GPU")

    @unittest.skipUnless(GPUS, "there is no GPU here")
    def test_helps_a_gpu(self):
        _, expected = self.run_on("cpu", "bfs", "--source", "0")
        report, rows = self.run_on("cpu,cuda", "bfs", "--source", "0", "--cpu-share=50%")
        self.assertEqual(rows, expected)
        self.assertEqual(report["plan"]["device"], "cpu,cuda")

    @unittest.skipUnless(GPUS, "there is no GPU here")
    def test_runs_twice_on_one_gpu(self):
        _, expected = self.run_on("cpu", "bfs", "--source", "0")
        report, rows = self.run_on("cuda:0,cuda:0", "bfs", "--source", "0")
        self.assertEqual(rows, expected)
        self.assertEqual(report["plan"]["devices"], 2)
        for strategy in ("scalability", "chunked"):
            report, rows = self.run_on("cuda:0,cuda:0", "bfs", "--source", "0", "--strategy", strategy)
            self.assertEqual(rows, expected)
            self.assertEqual(report["plan"]["strategy"], strategy)


if __name__ == "__main__":
    unittest.main()
