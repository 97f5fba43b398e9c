"""No command takes more memory than it was given, and 64 MiB for itself: measured from outside, as its largest resident
size. What surely does not fit is refused before anything is written."""

import json
import re
import subprocess
import sys
import unittest

import harness
from refusals import ADVICE, as_typed, in_bytes
from reports_test import page_data

OVERHEAD = 64 << 20
# Until a process has replaced its program, it counts what its parent has in memory: so the parent is a small one.
LAUNCHER = """import os, sys
_, status, usage = os.wait4(os.spawnv(os.P_NOWAIT, sys.argv[2], sys.argv[2:]), 0)
open(sys.argv[1], "w").write(str(usage.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status))
"""
NAMES = 800_000
MANY = 3_500_000  # short names, a few more than fit 128 MiB
LONG = "a_name_that_is_as_long_as_those_of_many_data_sets_of_the_semantic_web_" * 2


@unittest.skipIf(harness.is_sanitized(), "sanitizers take memory of their own")
class PeakMemory(harness.CliTest):
    def peak(self, *arguments, exit_code=0):
        """The largest resident size of the command in bytes, and what it said on stderr. Its stdout is in out.txt."""
        command = [harness.MILLRACE, *map(str, arguments)]
        with open(self.path("out.txt"), "wb") as out, open(self.path("err.txt"), "wb") as err:
            streams = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": err}
            done = subprocess.run(
                [sys.executable, "-S", "-c", LAUNCHER, "peak.txt", *command],
                cwd=self.directory,
                env=harness.ENVIRONMENT,
                **streams,
            )
        said = self.path("err.txt").read_text()
        self.assertEqual(done.returncode, exit_code, f"{' '.join(command)}\n{said}")
        return int(self.path("peak.txt").read_text()) * 1024, said

    def assert_within(self, given, *arguments, exit_code=0):
        taken, said = self.peak(*arguments, exit_code=exit_code)
        self.assertLessEqual(taken, given + OVERHEAD, f"{taken >> 20} MiB for {arguments}: {said}")
        return said

    def refusal(self, *arguments):
        """The amount that a refusal asks for, as one types it, and in bytes; the refusal itself takes little."""
        match = ADVICE.search(self.assert_within(128 << 20, *arguments, exit_code=4))
        self.assertIsNotNone(match)
        return as_typed(match), in_bytes(match)


class Generate(PeakMemory):
    def test_what_cannot_fit_is_refused_before_anything_is_written(self):
        for kind in ("uniform --scale 24 --edge-factor 1", "grid --scale 25", "uniform --scale 26 --edge-factor 2"):
            with self.subTest(kind):
                taken, said = self.peak("generate", *kind.split(), "--memory", "128M", "-o", "g.store", exit_code=4)
                self.assertLess(taken, OVERHEAD, "not even memory for the edges was taken")
                self.assertRegex(said, ADVICE)
                self.assertEqual(self.files(), ["err.txt", "out.txt", "peak.txt"])

    def test_what_the_refusal_asks_for_is_enough_and_is_kept(self):
        for kind in (
            "uniform --scale 22 --edge-factor 2",
            "rmat --scale 22 --edge-factor 2 --undirected",
            "grid --scale 23 --order natural --weights 1:255",
        ):
            with self.subTest(kind):
                command = ("generate", *kind.split(), "-o", "g.store", "--force", "--memory")
                typed, given = self.refusal(*command, "128M")
                said = self.assert_within(given, *command, typed)
                self.assertIn("went through temporary files", said)

    def test_a_disk_that_is_surely_too_small_is_refused(self):
        flags = ("--scale", 31, "--edge-factor", 1 << 20, "--memory", "1000T", "--device", "cpu")
        for kind in ("rmat", "uniform"):
            self.assertIn("on the disk of", self.fails(4, "generate", kind, *flags, "-o", self.path("g.store")))
        self.fails(4, "generate", "rmat", *flags, "-o", "/dev/shm/g.store", "--temp", self.path("scratch"))
        self.assertEqual(self.files(), [])


class Names(PeakMemory):
    def name(self, i):
        return f"{LONG}{i}"

    def write_edges(self):
        with open(self.path("edges.txt"), "w") as file:
            for i in range(NAMES):
                file.write(f"{self.name(i)}\t{self.name(i * 7 % (i + 1))}\n")

    def test_are_imported_and_exported_within_the_limit(self):
        self.write_edges()
        limit = 128 << 20  # the names alone have 116 MB, and 64 MiB are left for all that is counted
        self.assert_within(limit, "import", "edges.txt", "-o", "g.store", "--ids", "string", "--memory", limit)
        self.millrace("verify", "g.store")
        typed, given = self.refusal("export", "g.store", "-o", "again.txt", "--host-memory", "1M")
        self.assert_within(given, "export", "g.store", "-o", "again.txt", "--host-memory", typed)
        self.assertEqual(self.lines("again.txt"), self.lines("edges.txt"))
        # To find a vertex by its name takes no more than the run may.
        run = ("run", "bfs", "g.store", "--device=cpu", "--host-memory=32M", "--source")
        self.assert_within(32 << 20, *run, self.name(NAMES - 1), "--json")
        said = self.assert_within(32 << 20, *run, self.name(NAMES), exit_code=2)
        self.assertIn("no vertex with name", said)

    def lines(self, name):
        """How many edges a file has, and a number that depends on them but not on their order."""
        count = sums = 0
        pattern = re.compile(re.escape(LONG) + r"(\d+)\t" + re.escape(LONG) + r"(\d+)\n")
        with open(self.path(name)) as file:
            for line in file:
                match = pattern.fullmatch(line)
                source, target = int(match[1]), int(match[2])
                if source != target:  # self-loops were dropped
                    count += 1
                    sums += (source * 1_000_003 + target) % 998_244_353
        return count, sums

    def test_that_do_not_fit_are_counted_and_what_is_asked_for_is_enough(self):
        with open(self.path("many.txt"), "w") as file:
            for first in range(0, MANY, 1000):
                file.write("".join(f"n{i} n{i // 2}\n" for i in range(first, first + 1000)))
        command = ("import", "many.txt", "-o", "g.store", "--ids", "string", "--memory")
        typed, given = self.refusal(*command, "128M")
        self.assertEqual(self.files(), ["err.txt", "many.txt", "out.txt", "peak.txt"])
        self.assert_within(given, *command, typed)
        self.assertEqual(self.info("g.store")["vertices"], MANY)


class ManyThreads(PeakMemory):
    """What threads take grows with them, and is within the limit too."""

    def test_that_sort_pages_of_many_rows(self):
        for layout in ([], ["--segments=256K"]):
            with self.subTest(layout):
                graph = ("uniform", "--scale=22", "--edge-factor=1", "--order=natural", "--orientation=out", *layout)
                limit = 192 << 20
                pages = []
                for threads in (1, 16):
                    flags = ("--threads", threads, "--device=cpu", "--force", "--memory", limit, "-o", "g.store")
                    self.assert_within(limit, "generate", *graph, *flags)
                    pages.append((self.path("g.store") / "out.pages").read_bytes())
                self.assertEqual(pages[0], pages[1])

    def test_that_read_names(self):
        with open(self.path("names.txt"), "w") as file:
            file.writelines(f"n{i} n{i // 2}\n" for i in range(3_000_000))
        flags = ("--ids=string", "--threads=16", "--device=cpu", "--memory", 192 << 20)
        self.assert_within(192 << 20, "import", "names.txt", "-o", "g.store", *flags)
        self.assertEqual(self.info("g.store")["vertices"], 3_000_000)

    def test_that_read_numbers(self):
        with open(self.path("edges.txt"), "w") as file:
            file.writelines(f"{i * 7 % 900_001} {i * i % 800_011}\n" for i in range(1_900_000))
        flags = ("--threads=16", "--device=cpu", "--memory=128M")
        said = self.assert_within(128 << 20, "import", "edges.txt", "-o", "g.store", *flags)
        self.assertIn("1,899,997 edges", said)


class LongRuns(PeakMemory):
    COUNT = 300_000

    def run_long(self, *flags):
        store = self.generate("tiny.store", scale=4)
        pagerank = ("run", "pagerank", store, "--iterations", self.COUNT, "--device", "cpu", "--host-memory", "1M")
        return self.assert_within(1 << 20, *pagerank, *flags)

    def test_keep_all_of_the_run_in_their_json(self):
        self.run_long("--json")
        report = json.loads(self.path("out.txt").read_text())
        trace, each = report["trace"], report["supersteps_each"]
        self.assertEqual(report["supersteps"], self.COUNT)
        self.assertGreater(each, 1)
        self.assertLess(len(trace), 20_000)
        self.assertEqual({step["supersteps"] for step in trace[:-1]}, {each})
        self.assertEqual(sum(step.get("supersteps", 1) for step in trace), self.COUNT)
        for member in ("edges", "bytes"):
            all_of_it = report["bytes_moved"] if member == "bytes" else report["edges_traversed"]
            self.assertEqual(sum(step[member] for step in trace), all_of_it)
        self.assertLessEqual(sum(step["seconds"] for step in trace), report["seconds"])

    def test_of_searches_too(self):
        path = self.import_text("".join(f"{i} {i + 1}\n" for i in range(100_000)), name="path.store")
        self.assert_within(16 << 20, "run", "bfs", path, "--source", 0, "--json", "--device", "cpu", "--host-memory", "16M")
        report = json.loads(self.path("out.txt").read_text())
        self.assertEqual(sum(step.get("supersteps", 1) for step in report["trace"]), report["supersteps"])
        self.assertEqual(report["results"]["reached"], 100_001)

    def test_keep_all_of_the_run_in_their_page(self):
        self.run_long("--report", "run.html")
        data = page_data(self.path("run.html").read_text())
        steps = data["supersteps"]
        self.assertEqual(steps["count"], self.COUNT)
        self.assertEqual(len(steps["seconds"]), -(-self.COUNT // steps["per"]))
        self.assertEqual(sum(steps["bytes"]), data["measured"]["bytes_moved"])
        self.assertIn("joined", data["timeline"]["note"])
        last = max(event[0] + event[1] for track in data["timeline"]["tracks"] for event in track["events"])
        self.assertAlmostEqual(last, data["timeline"]["seconds"] * 1e6, delta=1)

    def test_keep_all_of_the_run_in_their_trace(self):
        self.run_long("--trace", "trace.json")
        trace = json.loads(self.path("trace.json").read_text())
        self.assertEqual(trace["otherData"]["events left out"], 0)
        self.assertGreater(trace["otherData"]["events joined within seconds"], 0)
        spans = [event for event in trace["traceEvents"] if event["ph"] == "X"]
        compute = next(event for event in spans if event["name"] == "compute")
        steps = [event for event in spans if event["cat"] == "superstep"]
        self.assertLess(steps[0]["ts"] - compute["ts"], 0.1 * compute["dur"])
        self.assertGreater(steps[-1]["ts"] + steps[-1]["dur"], compute["ts"] + 0.9 * compute["dur"])
        counted = [event for event in trace["traceEvents"] if event["ph"] == "C" and event["name"] == "active vertices"]
        self.assertEqual({event["args"]["value"] for event in counted}, {16})

    def test_take_no_more_to_be_told_all_of(self):
        self.run_long("--verbose")
        self.assertIn(f"supersteps     {self.COUNT} (0 push, {self.COUNT} pull", self.path("out.txt").read_text())


if __name__ == "__main__":
    unittest.main()
