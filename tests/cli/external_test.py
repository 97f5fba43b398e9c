"""Stores built within a memory budget, over several disks, in one orientation; and imports that are killed."""

import filecmp
import os
import random
import resource
import signal
import subprocess
import time
import unittest

import harness

# 8.4 million edges: twice as many as fit this memory.
LARGE = ["rmat", "--scale", 19, "--memory", "136M"]
KILLS = int(os.environ.get("MILLRACE_KILLS", 4))


def same(one, other):
    comparison = filecmp.dircmp(one, other)
    return not (comparison.left_only or comparison.right_only or comparison.diff_files or comparison.funny_files)


class External(harness.CliTest):
    def test_a_text_larger_than_memory_gives_the_same_store(self):
        seed = random.Random(5)
        block = "".join(f"{seed.randrange(1 << 17) << 5} {seed.randrange(1 << 17)}\n" for _ in range(210_000))
        text = self.write("edges.txt", block * 21)
        pages = ["--page-size", "64K"]  # parallel edges take no bytes, so a page has many as read
        self.millrace("import", text, "-o", self.path("inside.store"), *pages)
        limits = ["--memory", "192M", "--temp", "scratch"]
        done = self.millrace("import", text, "-o", self.path("outside.store"), *pages, *limits)
        self.assertIn("went through temporary files", done.stderr)
        self.assertTrue(same(self.path("inside.store"), self.path("outside.store")))
        self.assertEqual(os.listdir(self.path("scratch")), [])
        self.assertEqual(self.files(), ["edges.txt", "inside.store", "outside.store", "scratch"])

    def test_a_graph_larger_than_memory_is_generated_within_it(self):
        process = subprocess.Popen(
            [harness.MILLRACE, "-q", "generate", *map(str, LARGE), "-o", "g.store"],
            cwd=self.directory,
            env=harness.ENVIRONMENT,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        if not harness.is_sanitized():
            self.assertLess(usage.ru_maxrss * 1024, 136 << 20)
        self.millrace("verify", "g.store")

    def test_too_little_memory_is_said_before_anything_is_read(self):
        self.fails(4, "generate", "rmat", "--scale", 10, "-o", "g.store", "--memory", "1M", says=["--memory", "128.0 MiB"])
        self.assertEqual(self.files(), [])

    def test_pages_can_be_striped_over_disks(self):
        whole = self.generate("whole.store", scale=16)
        striped = self.generate("striped.store", scale=16, stripe="disk1,disk2")
        info = self.info(striped)
        places = [file["path"] for file in info["orientations"]["out"]["files"]]
        self.assertEqual(len(places), 2)
        self.assertIn(str(self.path("disk1")), places[0])
        self.assertIn("disk2", self.millrace("info", striped).stdout)
        self.assertEqual(
            self.values("bfs", whole, "--source", 0), self.values("bfs", striped, "--source", 0, "--threads", 2)
        )
        self.millrace("verify", striped)
        os.remove(places[1])
        self.fails(3, "run", "bfs", striped, "--source", 0, says=["stripe", places[1], "missing"])
        # When a store is replaced, its stripes are removed.
        self.millrace("generate", "rmat", "--scale", 8, "-o", striped, "--force")
        self.assertEqual(os.listdir(self.path("disk1")) + os.listdir(self.path("disk2")), [])

    def test_one_orientation_serves_the_algorithms(self):
        both = self.generate("both.store", scale=12)
        for orientation in ("in", "out"):
            one = self.generate(f"{orientation}.store", scale=12, orientation=orientation)
            self.assertEqual(list(self.info(one)["orientations"]), [orientation])
            self.assertEqual(self.values("bfs", both, "--source", 1), self.values("bfs", one, "--source", 1, "--check"))
            ranks = self.values("pagerank", one, "--check", kind=float)
            for vertex, rank in self.values("pagerank", both, kind=float).items():
                self.assertAlmostEqual(ranks[vertex], rank, delta=1e-5 * rank)

    def test_a_full_disk_leaves_nothing_behind(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (8 << 20, 8 << 20))

        done = self.millrace("generate", *LARGE, "-o", self.path("g.store"), exit_code=1, preexec_fn=limit)
        self.assertIn("cannot write", done.stderr)
        self.assertEqual(self.files(), [])

    def test_ctrl_c_leaves_nothing_behind(self):
        command = ["generate", *LARGE, "-o", self.path("g.store"), "--stripe", self.path("disk")]
        with harness.running(*command) as process:
            harness.wait_for(lambda: self.path("disk").exists() and os.listdir(self.path("disk")), process)
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(60), 130)
        self.assertEqual(self.files(), ["disk"])
        self.assertEqual(os.listdir(self.path("disk")), [])

    def test_a_killed_import_leaves_a_whole_store_or_none_and_the_next_one_cleans_up(self):
        store, disk = self.path("g.store"), self.path("disk")
        command = ["generate", *LARGE, "-o", store, "--stripe", disk, "--temp", self.path("scratch"), "--force"]
        start = time.monotonic()
        self.millrace(*command)
        took = time.monotonic() - start
        moments = random.Random(11)
        for _ in range(KILLS):
            if store.exists():
                self.millrace("generate", "rmat", "--scale", 4, "-o", store, "--force")
            with harness.running(*command) as process:
                try:
                    process.wait(moments.uniform(0, took))
                except subprocess.TimeoutExpired:
                    process.kill()
                process.wait()
            # The old store or the new one, complete in both cases.
            self.assertIn(self.info(store)["vertices"], (16, 1 << 19))
            self.millrace("verify", store)
        self.millrace(*command)
        self.millrace("verify", store)
        self.assertEqual(self.info(store)["vertices"], 1 << 19)
        self.assertEqual(self.files(), ["disk", "g.store", "scratch"])
        self.assertEqual(len(os.listdir(disk)), 1)
        self.assertEqual(os.listdir(self.path("scratch")), [])


if __name__ == "__main__":
    unittest.main()
