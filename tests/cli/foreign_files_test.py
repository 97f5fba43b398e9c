"""Files of others in the way of a command: errors name them, and they stay. And what an interrupted command leaves."""

import os
import random
import signal
import stat
import subprocess
import time
import unittest

import harness

EDGES = "1 2\n2 3\n3 1\n"
# Uses temporary files, and takes long enough to be interrupted.
LARGE = ["rmat", "--scale=19", "--memory=136M", "-t", 2]
SIGNALS = 3 if harness.is_sanitized() else int(os.environ.get("MILLRACE_KILLS", 6))


class InTheWay(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.edges = self.write("edges.txt", EDGES)

    def refuses(self, *flags, says):
        before = self.contents()
        self.fails(2, "import", self.edges, "-o", "g", *flags, says=says)
        self.fails(2, "generate", "rmat", "--scale=4", "-o", "g", *flags, says=says)
        self.assertEqual(self.contents(), before)

    def contents(self):
        """All names below the directory, and the contents of files."""
        return {path: path.read_bytes() if path.is_file() else None for path in self.directory.rglob("*")}

    def test_a_link_where_the_lock_should_be(self):
        self.write("precious", "years of work")
        self.path("g.lock").symlink_to(self.path("precious"))
        self.refuses(says=["g.lock", "remove"])

    def test_a_file_where_the_lock_should_be(self):
        for text in ("", '{"lockfileVersion": 3}'):
            self.write("g.lock", text)
            self.refuses(says="g.lock")

    def test_a_folder_where_the_store_is_made(self):
        self.path("g.partial").mkdir()
        self.refuses(says="g.partial")
        self.write("g.partial/thesis.tex", "years of work")
        self.refuses(says="g.partial")

    def test_a_store_where_the_store_is_made(self):
        self.millrace("import", self.edges, "-o", "g.partial")
        self.refuses(says="g.partial")
        self.millrace("verify", "g.partial")

    def test_a_folder_with_another_manifest(self):
        self.path("g/src").mkdir(parents=True)
        self.write("g/manifest.json", '{"name":"x"}')
        self.write("g/src/main.js", "c")
        self.refuses("--force", says="not a store")

    def test_files_in_a_store_that_is_replaced(self):
        self.millrace("import", self.edges, "-o", "g")
        self.millrace("run", "pagerank", "g")  # which remembers what it took
        self.write("g/notes.txt", "mine")
        self.refuses("--force", says="g/notes.txt")
        self.path("g/notes.txt").unlink()
        self.millrace("import", self.edges, "-o", "g", "--force")
        self.assertEqual(self.files(), ["edges.txt", "g"])

    def test_a_link_to_a_store_that_is_replaced(self):
        self.millrace("import", self.edges, "-o", "real")
        self.path("g").symlink_to("real")
        self.refuses("--force", says=["link", "real"])
        self.millrace("verify", "g")


class Output(harness.CliTest):
    def test_goes_into_what_is_no_file(self):
        store = self.import_text(EDGES)
        os.mkfifo(self.path("fifo"))
        with harness.running("run", "bfs", store, "--source=1", "-o", self.path("fifo")) as process:
            self.assertEqual(self.path("fifo").read_text(), "1 0\n2 1\n3 2\n")
            self.assertEqual(process.wait(60), 0)
        self.assertTrue(stat.S_ISFIFO(self.path("fifo").stat().st_mode))
        self.path("null").symlink_to("/dev/null")
        self.millrace("export", store, "-o", self.path("null"), "--format=edges")
        self.assertTrue(self.path("null").is_char_device())
        self.assertTrue(self.path("null").is_symlink())

    def test_waits_for_the_reader_of_a_fifo_no_longer_than_wanted(self):
        store = self.import_text(EDGES)
        os.mkfifo(self.path("fifo"))
        with harness.running("run", "bfs", store, "--source=1", "-o", self.path("fifo")) as process:
            harness.wait_for(lambda: harness.catches(signal.SIGTERM, process), process)
            time.sleep(1)
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(60), 130)

    def test_to_stdout_by_its_name_appends_where_the_shell_does(self):
        store = self.import_text(EDGES)
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            file = self.write("out.txt", "before\n")
            with file.open("a") as out:
                self.millrace("export", store, "-o", name, "--format=edges", stdout=out)
            self.assertEqual(file.read_text(), "before\n1 2\n2 3\n3 1\n")

    def test_to_stdout_by_its_name_is_not_mixed_with_the_table(self):
        store = self.import_text(EDGES)
        for run in (("pagerank",), ("degrees",), ("subgraph", "--vertices", self.write("v.txt", "1\n2\n"))):
            plain = self.millrace("run", *run[:1], store, *run[1:], "-o", "-").stdout
            for name in ("/dev/stdout", "/dev/fd/1"):
                command = ["run", *run[:1], store, *run[1:], "-o", name]
                self.assertEqual(self.millrace(*command).stdout, plain)
                self.fails(2, *command, "--json", says="both want stdout")
        self.fails(2, "export", store, "-o", "/dev/stdout", "--format=edges", "--vertices", "-", says="both want stdout")

    def test_refuses_directories(self):
        store = self.import_text(EDGES)
        self.fails(2, "export", store, "-o", store, "--format=edges", says="which is read")
        self.path("folder").mkdir()
        self.fails(1, "export", store, "-o", self.path("folder"), "--format=edges", says="directory")


class EndedEarly(harness.CliTest):
    def end_at_some_moment(self, command, number, took, moments):
        with harness.running(*command) as process:
            try:
                process.wait(moments.uniform(0, took))
            except subprocess.TimeoutExpired:
                process.send_signal(number)
            return process.wait(60)

    def test_by_a_lost_terminal_leaves_nothing(self):
        command = ["generate", *LARGE, "-o", self.path("g"), "--stripe", self.path("disk"), "--temp", self.path("temp")]
        start = time.monotonic()
        self.millrace(*command)
        took = time.monotonic() - start
        moments = random.Random(7)
        interrupted = 0
        for _ in range(SIGNALS):
            self.millrace("generate", "rmat", "--scale=4", "-o", self.path("g"), "--force")
            code = self.end_at_some_moment([*command, "--force"], signal.SIGHUP, took, moments)
            # Before it handles signals, it has nothing to clean up.
            self.assertIn(code, (0, 130, -signal.SIGHUP))
            interrupted += code == 130
            self.assertEqual([name for name in self.files() if name.startswith("g")], ["g"])
            self.assertEqual(len(os.listdir(self.path("disk"))), 0 if code else 1)
            self.assertEqual(os.listdir(self.path("temp")), [])
            self.millrace("info", self.path("g"))
        self.assertGreater(interrupted, 0)

    def test_more_than_one_signal_of_a_lost_terminal_is_as_good_as_one(self):
        with harness.running("generate", "rmat", "--scale=20", "-o", self.path("g")) as process:
            harness.wait_for(self.path("g.partial").exists, process)
            for _ in range(5):
                process.send_signal(signal.SIGHUP)
                time.sleep(0.01)
            self.assertEqual(process.wait(60), 130)
        self.assertEqual(self.files(), [])

    def test_not_by_a_signal_that_is_ignored(self):
        for number in (signal.SIGHUP, signal.SIGINT):
            command = [harness.MILLRACE, "generate", "rmat", "--scale=18", "-o", str(self.path("g")), "--force"]
            ignore = lambda: signal.signal(number, signal.SIG_IGN)
            process = subprocess.Popen(command, stderr=subprocess.PIPE, env=harness.ENVIRONMENT, preexec_fn=ignore)
            harness.wait_for(self.path("g.partial").exists, process)
            process.send_signal(number)
            self.assertEqual(process.wait(120), 0, process.communicate()[1])
        self.millrace("verify", self.path("g"))

    def test_exports_are_cleaned_up_by_the_next(self):
        store = self.generate("graph.store", scale=16)
        whole = self.path("g.txt.gz")
        start = time.monotonic()
        self.millrace("export", store, "-o", whole)
        took = time.monotonic() - start
        expected = whole.read_bytes()
        self.write("g.txt.gz.partial-4711", "not ours")
        moments = random.Random(9)
        left = 0
        for _ in range(SIGNALS):
            self.end_at_some_moment(["export", store, "-o", whole], signal.SIGKILL, took, moments)
            self.assertEqual(whole.read_bytes(), expected)
            left = max(left, len(self.files()) - 3)
        self.assertEqual(left, 1, "leftovers add up, or there were none")
        self.millrace("export", store, "-o", whole)
        self.assertEqual(self.files(), ["g.txt.gz", "g.txt.gz.partial-4711", "graph.store"])
        self.assertEqual(self.path("g.txt.gz.partial-4711").read_text(), "not ours")


if __name__ == "__main__":
    unittest.main()
