"""A run keeps its store open: if --force replaces it meanwhile, the run continues with the old one."""

import os
import pathlib
import signal
import subprocess
import threading
import unittest

import harness


def has_open(process, store):
    """Whether the process has opened the whole store, including the file that is opened last. Before that, it would
    start again with the new store of that name."""
    try:
        names = [os.readlink(descriptor) for descriptor in pathlib.Path(f"/proc/{process.pid}/fd").iterdir()]
    except FileNotFoundError:  # one was closed meanwhile
        return False
    return all(f"{store}/{name}" in names for name in ("manifest.json", "out.degrees", "ids"))


def stop_once_open(process, store):
    """Stops the process when it has opened the store; false if it has ended before."""
    while process.poll() is None:
        if has_open(process, store):
            process.send_signal(signal.SIGSTOP)
            _, status = os.waitpid(process.pid, os.WUNTRACED)
            if os.WIFSTOPPED(status):
                return True
            process.returncode = os.waitstatus_to_exitcode(status)
    return False


class Replaced(harness.CliTest):
    OPTIONS = {"scale": 12, "order": "degree", "page_size": "4K", "weights": "1:9"}

    def generate_seeded(self, seed, *flags):
        options = [f"--{name.replace('_', '-')}={value}" for name, value in self.OPTIONS.items()]
        self.millrace("generate", "rmat", "-o", self.store, f"--seed={seed}", *options, *flags)

    def setUp(self):
        super().setUp()
        self.store = self.path("graph.store")
        self.flags = []

    def expect_same(self, command, output, **environment):
        """The command gives the same result if its store is replaced as soon as it has opened it."""
        self.generate_seeded(1, "--force", *self.flags)
        command = [harness.MILLRACE, *map(str, command)]
        environment = {**harness.ENVIRONMENT, **environment}
        done = subprocess.run(command, cwd=self.directory, env=environment, check=True, capture_output=True, text=True)
        if "--host-memory=300K" in command:
            self.assertIn("streamed", done.stdout)
        expected = output.read_bytes()
        for _ in range(100):
            process = subprocess.Popen(
                command, cwd=self.directory, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            try:
                stopped = stop_once_open(process, self.store)
                if stopped:
                    output.unlink(missing_ok=True)
                    self.generate_seeded(2, "--force", *self.flags)
                    process.send_signal(signal.SIGCONT)
                _, errors = process.communicate(timeout=120)
            finally:
                process.kill()
                process.communicate()
            if stopped:
                break
        self.assertTrue(stopped, "never seen with the store open")
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(output.read_bytes(), expected)
        subprocess.run(command, cwd=self.directory, env=environment, check=True, capture_output=True)
        self.assertNotEqual(output.read_bytes(), expected, "the store was not replaced")

    def test_in_memory(self):
        output = self.path("out.txt")
        run = ["run", "pagerank", self.store, "--device=cpu", "--iterations=20", "-o", output]
        self.expect_same([*run, "--check"], output)
        self.expect_same(["run", "sssp", self.store, "--device=cpu", "--source=0", "-o", output], output)

    def test_from_disk(self):
        output = self.path("out.txt")
        run = ["run", "pagerank", self.store, "--device=cpu", "--iterations=20", "--host-memory=300K", "-o", output]
        self.expect_same(run, output, MILLRACE_READER="threads")
        self.expect_same([*run, "--check"], output)

    def test_from_stripes(self):
        self.flags = ["--stripe", self.path("one"), "--stripe", self.path("two")]
        output = self.path("out.txt")
        run = ["run", "pagerank", self.store, "--device=cpu", "--iterations=20", "-o", output]
        self.expect_same(run, output)
        self.expect_same([*run, "--host-memory=300K"], output)

    def test_export(self):
        output = self.path("out.wel")
        self.expect_same(["export", self.store, "-o", output], output)


class ReplacedAllTheTime(harness.CliTest):
    def test_whatever_is_opened_is_whole(self):
        store = self.path("graph.store")
        edges = [self.write("a.txt", "1 2\n2 3\n"), self.write("b.txt", "".join(f"{i} 7\n" for i in range(2000)))]
        self.millrace("import", edges[0], "-o", store)
        done = threading.Event()
        replaced = []

        def replace():
            while not done.is_set():
                self.millrace("import", edges[len(replaced) % 2], "-o", store, "--force")
                replaced.append(True)

        writer = threading.Thread(target=replace)
        writer.start()
        try:
            opened = 0
            while opened < 25 or (len(replaced) < 10 and writer.is_alive()):
                self.assertIn("whole", self.millrace("verify", store).stdout)
                self.assertIn(len(self.millrace("export", store, "-o", "-").stdout.splitlines()), (2, 1999))
                opened += 1
        finally:
            done.set()
            writer.join()
        self.assertGreaterEqual(len(replaced), 10)


if __name__ == "__main__":
    unittest.main()
