"""Running algorithms: results, reports and limits."""

import json
import os
import re
import struct
import subprocess
import unittest

import harness

ALGORITHMS = (["pagerank"], ["bfs", "--source=0"])


def read_npy(path):
    """The values of a one-dimensional array of format 1.0."""
    content = path.read_bytes()
    (length,) = struct.unpack("<H", content[8:10])
    header = eval(content[10 : 10 + length].decode())
    code = {"<i8": "q", "<u8": "Q", "<f4": "f", "<f8": "d"}[header["descr"]]
    return list(struct.unpack(f"<{header['shape'][0]}{code}", content[10 + length :]))


class Results(harness.CliTest):
    def test_pass_their_check_on_every_plan(self):
        stores = [
            self.generate("rmat.store", scale=11),
            self.generate("degree.store", scale=11, order="degree", page_size="4K"),
            self.generate("uniform.store", "uniform", scale=10),
            self.generate("grid.store", "grid", scale=9),
        ]
        self.millrace("generate", "rmat", "-o", self.path("both.store"), "--scale=10", "--undirected")
        for store in [*stores, self.path("both.store")]:
            for algorithm in (*ALGORITHMS, ["pagerank", "--precision=f64"], ["pagerank", "--tolerance=1e-3"]):
                for direction in ("push", "pull", "auto"):
                    with self.subTest(f"{store.name} {algorithm} {direction}"):
                        done = self.millrace(
                            "run", *algorithm, store, "--direction", direction, "--check", "-t", 2, "--json"
                        )
                        self.assertEqual(json.loads(done.stdout)["check"], "passed")

    def test_are_the_same_on_stdout_in_files_and_in_arrays(self):
        store = self.import_text("7 9\n9 12\n40 7\n", "--order=degree")
        expected = {7: 0, 9: 1, 12: 2, 40: harness.UNREACHED}
        self.assertEqual(self.values("bfs", store, "--source=7"), expected)
        self.millrace("run", "bfs", store, "--source=7", "-o", self.path("levels.txt"))
        self.assertEqual(self.path("levels.txt").read_text(), "7 0\n9 1\n12 2\n40 9223372036854775807\n")
        self.millrace("run", "bfs", store, "--source=7", "-o", self.path("levels.npy"))
        self.assertEqual(read_npy(self.path("levels.npy")), [0, 1, 2, -1])
        self.assertEqual(read_npy(self.path("levels.ids.npy")), [7, 9, 12, 40])

    def test_of_parents_go_to_a_file_of_their_own(self):
        store = self.import_text("7 9\n9 12\n40 7\n")
        self.millrace("run", "bfs", store, "--source=7", "--parents", self.path("parents.txt"))
        self.assertEqual(self.path("parents.txt").read_text(), "7 7\n9 7\n12 9\n40 -1\n")

    def test_of_pagerank_can_be_read_back(self):
        store = self.import_text("1 2\n2 1\n")
        for precision in ("f32", "f64"):
            self.assertEqual(self.values("pagerank", store, "--precision", precision, kind=float), {1: 0.5, 2: 0.5})
            self.millrace("run", "pagerank", store, "--precision", precision, "-o", self.path("ranks.npy"))
            self.assertEqual(read_npy(self.path("ranks.npy")), [0.5, 0.5])

    def test_do_not_depend_on_threads(self):
        store = self.generate(scale=11)
        for algorithm in ALGORITHMS:
            run = ["run", *algorithm, store, "--device=cpu", "-o", "-", "-t"]
            texts = {self.millrace(*run, threads).stdout for threads in (1, 2, 4)}
            self.assertEqual(len(texts), 1, algorithm)

    def test_on_stdout_are_alone_there(self):
        store = self.import_text("1 2\n")
        for flags in (["-o", "-"], ["-o", "-", "--check"]):
            done = self.millrace("run", "bfs", store, "--source=1", *flags)
            self.assertEqual(done.stdout, "1 0\n2 1\n")
        # Only one output can go to stdout.
        self.fails(2, "run", "bfs", store, "--source=1", "-o", "-", "--json", says="stdout")
        self.fails(2, "run", "bfs", store, "--source=1", "--parents", "-", "-o", "-", says="stdout")
        self.fails(2, "run", "bfs", store, "--source=1", "--parents", "-", "--json", says="stdout")

    def test_of_ids_are_read_as_import_reads_them(self):
        store = self.import_text("10 2\n")
        done = self.millrace("run", "bfs", store, "--source", "010", "-o", "-")
        self.assertEqual(done.stdout, "2 1\n10 0\n")
        self.fails(2, "run", "bfs", store, "--source", "18446744073709551616", says="18446744073709551616")
        self.fails(2, "run", "bfs", store, "--source", "0x2", says="0x2")

    def test_of_parents_on_stdout_are_alone_there(self):
        store = self.import_text("1 2\n")
        done = self.millrace("run", "bfs", store, "--source=1", "--parents", "-")
        self.assertEqual(done.stdout, "1 1\n2 1\n")

    def test_that_cannot_be_written_are_an_error_and_leave_nothing(self):
        store = self.generate()
        self.fails(1, "run", "pagerank", store, "-o", self.path("missing/ranks.txt"), says="missing/ranks.txt")
        self.path("folder").mkdir()
        self.fails(1, "run", "pagerank", store, "-o", self.path("folder"), says="folder")
        self.assertEqual(self.files(), ["folder", "graph.store"])

    def test_that_get_lost_on_stdout_are_an_error(self):
        store = self.generate()
        for command in (
            ["run", "pagerank", store, "-o", "-"],
            ["run", "pagerank", store, "--json"],
            ["run", "pagerank", store],
            ["info", store, "--json"],
        ):
            with self.subTest(command), open("/dev/full", "w") as full:
                self.millrace(*command, exit_code=1, stdout=full)


class Report(harness.CliTest):
    def report(self, *arguments):
        done = self.millrace("run", *arguments, "--json")
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def test_has_the_promised_fields(self):
        store = self.generate(scale=10)
        for algorithm in ALGORITHMS:
            report = self.report(*algorithm, store, "--device=cpu", "-t", 2, "--host-memory=64M")
            self.assertEqual(report["schema_version"], 1)
            self.assertEqual(report["algorithm"], algorithm[0])
            self.assertEqual(report["graph"]["vertices"], 1024)
            self.assertEqual(report["graph"]["edges"], self.info(store)["edges"])
            self.assertEqual(report["plan"]["device"], "cpu")
            self.assertEqual(report["plan"]["threads"], 2)
            self.assertEqual(report["plan"]["pages"], "resident")
            self.assertEqual(report["link_bytes"], 0)
            self.assertIsNone(report["device_memory"])
            for name in ("seconds", "load_seconds", "gteps", "bytes_moved", "peak_memory"):
                self.assertGreater(report[name], 0, name)
            self.assertLessEqual(report["peak_memory"], 64 << 20)
            self.assertEqual(report["supersteps"], len(report["trace"]))
            self.assertAlmostEqual(report["gteps"], report["edges_traversed"] / report["seconds"] * 1e-9)
            self.assertNotIn("check", report)

    def test_of_pagerank_counts_all_edges_every_iteration(self):
        store = self.generate(scale=10)
        report = self.report("pagerank", store, "--iterations=7", "--damping=0.5", "--precision=f64")
        self.assertEqual(
            report["options"],
            {"direction": "auto", "damping": 0.5, "iterations": 7, "tolerance": 0, "precision": "f64"},
        )
        self.assertEqual(report["supersteps"], 7)
        self.assertEqual(report["edges_traversed"], 7 * report["graph"]["edges"])
        self.assertEqual(report["results"]["iterations"], 7)
        self.assertIsNone(report["results"]["converged"], "no tolerance was asked for")

    def test_of_pagerank_says_whether_it_converged(self):
        report = self.report("pagerank", self.generate(scale=10), "--tolerance=1e-4")
        self.assertIs(report["results"]["converged"], True)
        self.assertLess(report["results"]["change"], 1e-4)
        self.assertLess(report["results"]["iterations"], 1000)

    def test_of_bfs_counts_what_was_reached(self):
        report = self.report("bfs", self.import_text("1 2\n1 3\n3 4\n8 9\n"), "--source=1")
        self.assertEqual(report["options"]["source"], 1)
        self.assertEqual(report["results"], {"reached": 4, "depth": 2})
        self.assertEqual(report["edges_traversed"], 3)

    def test_for_people_is_a_table(self):
        text = self.millrace("run", "pagerank", self.generate(), "--device=cpu", "--check").stdout
        for words in ("pagerank on", "1,024 vertices", "iterations", "GTEPS", "peak memory", "check", "passed"):
            self.assertIn(words, text)


class Refusals(harness.CliTest):
    def test_of_options_that_make_no_sense(self):
        store = self.generate(scale=5)
        refused = {
            "--threads=0": "0",
            "--host-memory=lots": "'lots' is not a size",
            "--device=tpu": "--device tpu is not a device: auto, cpu, cpu:N, cuda and cuda:N",
            "--direction=up": "up",
            "--iterations=-1": "-1",
            "--damping=1.5": "1.5",
            "--damping=nan": "nan",
            "--tolerance=-1": "-1",
            "--tolerance=nan": "nan",
            "--precision=f16": "f16",
            "--frobnicate": "frobnicate",
        }
        for flag, words in refused.items():
            with self.subTest(flag):
                self.fails(2, "run", "pagerank", store, flag, says=words)

    def test_of_sources_that_do_not_exist(self):
        store = self.import_text("1 2\n")
        self.fails(2, "run", "bfs", store, "--source=7", says=["--source", "no vertex", "7"])
        self.fails(2, "run", "bfs", store, says="--source")
        self.fails(2, "run", "bfs", store, "--source=x", says="x")
        self.fails(2, "run", "bfs", store, "--source=-1", says="-1")

    def test_of_algorithms_and_stores_that_do_not_exist(self):
        self.fails(2, "run")
        self.fails(2, "run", "magic", self.generate(scale=5))
        self.path("folder").mkdir()
        for place in ("folder", "missing"):
            says = "no store or graph file" if place == "missing" else "not a store"
            self.fails(3, "run", "pagerank", self.path(place), says=says)


class MemoryLimit(harness.CliTest):
    ADVICE = re.compile(r"allow at least ([0-9.]+) ?([KMG]?i?B)")

    def advice(self, *arguments):
        """The amount that a refused run says is enough."""
        message = self.fails(4, *arguments, says="--host-memory")
        number, unit = self.ADVICE.search(message).groups()
        return number + unit

    def test_refuses_before_it_starts_and_says_what_would_do(self):
        store = self.generate(scale=17)
        for algorithm in ALGORITHMS:
            out = self.path("out.txt")
            self.advice("run", *algorithm, store, "--device=cpu", "--host-memory=1M", "-o", out)
            self.assertFalse(out.exists())

    def test_lets_in_what_takes_the_advice(self):
        """A run that gets what it asked for is not refused again: not because of rounding, nor in the middle."""
        for number, order in enumerate(("natural", "degree")):
            store = self.generate(f"{number}.store", scale=14, edge_factor=2, order=order)
            for algorithm in ALGORITHMS:
                for direction in ("push", "pull", "auto"):
                    with self.subTest(f"{order} {algorithm} {direction}"):
                        run = ["run", *algorithm, store, "--device=cpu", "--direction", direction]
                        self.millrace(*run, "--host-memory", self.advice(*run, "--host-memory=10K"))

    def test_lets_in_what_takes_the_advice_to_the_last_line_of_results(self):
        """Sparse ids in degree order have to be sorted for the output, which also takes memory."""
        text = "".join(f"{3 * (i * i % 20011)} {3 * (i * 17 % 20011)}\n" for i in range(20011))
        store = self.import_text(text, "--order=degree")
        for algorithm in ALGORITHMS:
            for direction in ("push", "pull", "auto"):
                with self.subTest(f"{algorithm} {direction}"):
                    run = ["run", *algorithm, store, "--device=cpu", "--direction", direction]
                    run += ["-o", self.path("out.txt")]
                    self.millrace(*run, "--host-memory", self.advice(*run, "--host-memory=10K"))


class ResidentMemory(harness.CliTest):
    @unittest.skipIf(harness.is_sanitized(), "a sanitizer takes memory of its own")
    def test_of_pagerank_is_the_pages_three_attributes_and_a_little(self):
        store = self.generate(scale=18, edge_factor=16)
        info = self.info(store)
        process = subprocess.Popen(
            [harness.MILLRACE, "run", "pagerank", store, "--device=cpu", "--iterations=3"],
            stdout=subprocess.DEVNULL,
            env=harness.ENVIRONMENT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        pages = info["orientations"]["in"]["page_bytes"]
        self.assertLessEqual(usage.ru_maxrss * 1024, pages + 3 * 4 * info["vertices"] + (64 << 20))


if __name__ == "__main__":
    unittest.main()
