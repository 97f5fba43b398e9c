"""Runs with less host memory than the pages take: the same results, within the limit, and a report of what was read."""

import json
import signal
import subprocess
import time
import unittest

import harness


class Streaming(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.store = self.generate(scale=16, page_size="64K")
        self.limit = self.limit_of("pagerank")

    def limit_of(self, *algorithm):
        """A limit at which a quarter of the pages fits beside the attributes."""
        report = self.run_json(*algorithm, self.store)
        return report["peak_memory"] - report["plan"]["page_bytes"] * 3 // 4

    def run_json(self, *arguments):
        return json.loads(self.millrace("run", *arguments, "--device=cpu", "--json").stdout)

    def test_gives_the_same_results(self):
        for algorithm in (["bfs", "--source=0"], ["pagerank", "--direction=pull"]):
            for reader in ("uring", "threads", ""):
                with self.subTest(f"{algorithm} {reader}"):
                    harness.ENVIRONMENT["MILLRACE_READER"] = reader if reader != "uring" or self.has_uring() else ""
                    self.addCleanup(harness.ENVIRONMENT.pop, "MILLRACE_READER", None)
                    name, *flags = algorithm
                    kind = int if name == "bfs" else float
                    limit = f"--host-memory={self.limit_of(*algorithm)}"
                    limited = self.values(name, self.store, *flags, "--device=cpu", limit, kind=kind)
                    self.assertEqual(limited, self.values(name, self.store, *flags, "--device=cpu", kind=kind))

    def has_uring(self):
        environment = {**harness.ENVIRONMENT, "MILLRACE_READER": "uring"}
        command = [harness.MILLRACE, "run", "pagerank", self.store, "--device=cpu", f"--host-memory={self.limit}"]
        return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0

    def test_reports_what_came_from_disk(self):
        report = self.run_json("pagerank", self.store, f"--host-memory={self.limit}", "--iterations=4", "--check")
        self.assertEqual(report["check"], "passed")
        self.assertEqual(report["plan"]["pages"], "streamed")
        disk = report["disk"]
        self.assertIn(disk["reader"], ("io_uring", "threads"))
        self.assertGreater(disk["bytes"], report["plan"]["page_bytes"])
        self.assertLess(disk["buffer_bytes"], report["plan"]["page_bytes"])
        self.assertGreater(disk["hit_rate"], 0)
        self.assertEqual(disk["bytes"], sum(step["disk_bytes"] for step in report["trace"]))
        self.assertLessEqual(report["peak_memory"], self.limit)
        table = self.millrace(
            "run", "pagerank", self.store, "--device=cpu", f"--host-memory={self.limit}", "--iterations=2",
            "--verbose",
        ).stdout
        for words in ("rest on disk", "page buffer", "GB/s over the run, by", "phases", "computing", "disk"):
            self.assertIn(words, table)

    def test_reports_where_the_time_went(self):
        report = self.run_json("pagerank", self.store, f"--host-memory={self.limit}", "--iterations=4")
        for step in report["trace"]:
            phases = step["phases"]
            self.assertGreaterEqual(phases["compute"], 0)
            self.assertGreaterEqual(phases["wait"], 0)
            self.assertAlmostEqual(phases["compute"] + phases["wait"], step["seconds"], places=6)
            self.assertEqual(phases["disk"] > 0, step["disk_bytes"] > 0)
            self.assertLessEqual(phases["disk"], step["seconds"])
            self.assertEqual((phases["copy"], phases["help"], phases["exchange"]), (0, 0, 0))
        self.assertGreater(report["phases"]["disk"], 0)
        for member, seconds in report["phases"].items():
            self.assertAlmostEqual(seconds, sum(step["phases"][member] for step in report["trace"]), places=6)
        self.assertLessEqual(report["phases"]["compute"] + report["phases"]["wait"], report["seconds"])

    def test_is_all_computation_where_pages_fit(self):
        report = self.run_json("pagerank", self.store, "--iterations=2")
        for step in report["trace"]:
            self.assertEqual(step["phases"]["compute"], step["seconds"])
            self.assertEqual(sum(step["phases"].values()), step["seconds"])
        table = self.millrace("run", "pagerank", self.store, "--device=cpu", "--iterations=2", "--verbose").stdout
        self.assertNotIn("phases", table)

    def test_can_be_slowed_down(self):
        rate = 0.05
        self.set_environment("MILLRACE_DISK_GBPS", str(rate))
        for reader in ("", "threads"):
            with self.subTest(reader):
                self.set_environment("MILLRACE_READER", reader)
                report = self.run_json("pagerank", self.store, f"--host-memory={self.limit}", "--iterations=4")
                least = report["disk"]["bytes"] / (rate * 1e9)
                self.assertGreater(least, 0)
                self.assertGreaterEqual(report["seconds"], least)
                self.assertGreaterEqual(report["phases"]["disk"], 0.9 * least)
                self.assertGreater(report["phases"]["wait"], 0)

    def set_environment(self, name, value):
        harness.ENVIRONMENT[name] = value
        self.addCleanup(harness.ENVIRONMENT.pop, name, None)

    def test_is_not_needed_where_pages_fit(self):
        report = self.run_json("pagerank", self.store, "--iterations=1")
        self.assertEqual(report["plan"]["pages"], "resident")
        self.assertNotIn("disk", report)

    def test_says_how_much_would_do(self):
        stderr = self.fails(4, "run", "pagerank", self.store, "--device=cpu", "--host-memory=100K", says="allow at least")
        remedy = stderr.split("allow at least ")[1].split("\n")[0].replace(" ", "").replace("iB", "")
        self.millrace("run", "pagerank", self.store, "--device=cpu", f"--host-memory={remedy}", "--iterations=1")

    def test_of_benchmarks_is_held_against_the_disk(self):
        out = self.path("figures.json")
        text = self.millrace(
            "bench", self.store, "--device=cpu", "--algorithms=pagerank", "--host-memory=all,50%,10%",
            "--repeats=1", "--iterations=2", "--check", "--json", out,
        ).stdout  # fmt: skip
        self.assertIn("of plain direct reads", text)
        everything, half, tenth = json.loads(out.read_text())["results"]
        self.assertEqual(everything["pages"], "resident")
        for figures in (half, tenth):
            self.assertEqual(figures["pages"], "streamed")
            self.assertGreater(figures["disk"]["direct_read_rate"], 0)
            self.assertTrue(figures["checked"])
        self.assertGreater(tenth["disk"]["bytes"], half["disk"]["bytes"])

    def test_ends_when_interrupted(self):
        arguments = ["run", "pagerank", self.store, "--device=cpu", f"--host-memory={self.limit}"]
        with harness.running(*arguments, "--iterations=1000000") as process:
            harness.wait_for(lambda: harness.catches(signal.SIGINT, process), process)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(30), 130)

    def test_refuses_a_reader_that_does_not_exist(self):
        harness.ENVIRONMENT["MILLRACE_READER"] = "paper"
        self.addCleanup(harness.ENVIRONMENT.pop, "MILLRACE_READER", None)
        self.fails(2, "run", "pagerank", self.store, "--device=cpu", f"--host-memory={self.limit}", says="MILLRACE_READER")

    def test_refuses_a_disk_that_has_no_rate(self):
        self.set_environment("MILLRACE_DISK_GBPS", "fast")
        for limit in ([], [f"--host-memory={self.limit}"]):  # even if nothing would be read with it
            self.fails(2, "run", "pagerank", self.store, "--device=cpu", *limit, says="MILLRACE_DISK_GBPS=fast")


if __name__ == "__main__":
    unittest.main()
