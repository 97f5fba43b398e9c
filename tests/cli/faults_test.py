"""When memory, files or threads fail, at any call, a command succeeds or ends with a message and an exit code: it leaves
nothing, and what was there before stays. MILLRACE_ALL_FAULTS=1 tries every call instead of some. Which ones these are is the
same in every run, unless MILLRACE_FAULTS_OF is set: to `today`, or to any other word, such as the one that a run printed."""

import datetime
import hashlib
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness

SOURCE = pathlib.Path(__file__).parent.parent / "support" / "failing_calls.c"
CODES = {"memory": (0, 1, 4), "files": (0, 1), "threads": (0, 1)}
MOST_RUNS = 10  # of a command with a kind of fault, unless all calls are tried
CHOICE = os.environ.get("MILLRACE_FAULTS_OF", "always")
CHOICE = datetime.date.today().isoformat() if CHOICE == "today" else CHOICE
MAKE_STORES = ("import", "generate", "partition")
COMMANDS = {
    "import that replaces": ["import", "edges.txt", "-o", "old.store", "--force"],
    "import of names": ["import", "names.csv", "--ids=string", "-o", "new.store"],
    "generate on disk": ["generate", "uniform", "--scale=18", "--memory=128M", "-o", "new.store"],
    "generate": ["generate", "rmat", "--scale=12", "--weights=1:9", "-o", "new.store"],
    "run": ["run", "pagerank", "graph.store", "--device=cpu", "--check", "-o", "old.txt"],
    "run on a file": ["run", "wcc", "edges.txt", "--device=cpu", "-o", "new.txt"],
    "run from disk": ["run", "bfs", "graph.store", "--source=0", "--device=cpu", "--host-memory=400K", "-o", "new.txt"],
    "export": ["export", "graph.store", "-o", "old.wel.gz"],
    "export of rows": ["export", "graph.store", "-o", "new.npz"],
    "partition": ["partition", "graph.store", "--parts=2", "-o", "new.store"],
    "verify": ["verify", "graph.store"],
}


class Faults(harness.CliTest):
    @classmethod
    def setUpClass(cls):
        if harness.is_sanitized():
            raise unittest.SkipTest("sanitizers have an allocator of their own")
        compiler = shutil.which(os.environ.get("CC", "cc"))
        if not compiler:
            raise unittest.SkipTest("there is no C compiler")
        cls.prepared = pathlib.Path(tempfile.mkdtemp(prefix="millrace-"))
        cls.addClassCleanup(shutil.rmtree, cls.prepared)
        cls.injector = cls.prepared / "failing_calls.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", cls.injector, SOURCE, "-ldl"], check=True)
        cls.inputs = cls.prepared / "inputs"
        cls.inputs.mkdir()
        options = {"cwd": cls.inputs, "check": True, "capture_output": True}
        generate = [harness.MILLRACE, "generate", "rmat", "--scale=12", "--page-size=16K", "--weights=1:9", "-o"]
        subprocess.run([*generate, "graph.store"], **options)
        subprocess.run([harness.MILLRACE, "export", "graph.store", "-o", "edges.txt"], **options)
        draw = random.Random(1)
        names = "".join(f"name {draw.randrange(9000)},{draw.randrange(9000)}\n" for _ in range(40000))
        (cls.inputs / "names.csv").write_text("source,target\n" + names)
        (cls.inputs / "ldbc/temp").mkdir(parents=True)
        (cls.inputs / "ldbc/x.v").write_text("1\n2\n")
        (cls.inputs / "ldbc/x.e").write_text("1 2\n")
        (cls.inputs / "ldbc/x.properties").write_text(
            "graph.x.vertex-file = x.v\ngraph.x.edge-file = x.e\ngraph.x.directed = true\ngraph.x.algorithms = wcc\n"
        )

    def prepare(self):
        """The inputs, and an old file or store in the place of every result."""
        shutil.rmtree(self.directory)
        shutil.copytree(self.inputs, self.directory)
        (self.directory / "old.txt").write_text("old")
        (self.directory / "old.wel.gz").write_text("old")
        shutil.copytree(self.directory / "graph.store", self.directory / "old.store")

    def there(self):
        paths = (path for path in self.directory.rglob("*") if path.name != "learned.json" and path.is_file())
        return {str(path.relative_to(self.directory)): hashlib.md5(path.read_bytes()).digest() for path in paths}

    def failing(self, command, kind, at):
        """Runs a command in which the call number `at` of this kind fails; also returns how many calls there were."""
        self.prepare()
        count = self.prepared / "count"
        count.unlink(missing_ok=True)
        environment = {
            **harness.ENVIRONMENT, "XDG_CACHE_HOME": str(self.prepared / f"cache-{kind}-{at}"), "LD_PRELOAD": str(self.injector),
            "FAIL_KIND": kind, "FAIL_AT": str(at), "FAIL_COUNT": str(count),
        }  # fmt: skip
        done = subprocess.run(
            [harness.MILLRACE, *command], cwd=self.directory, env=environment, capture_output=True, text=True
        )
        cache = pathlib.Path(environment["XDG_CACHE_HOME"])
        partial = [path.name for path in cache.rglob("*") if ".partial" in path.name]
        shutil.rmtree(cache, ignore_errors=True)
        self.assertEqual(partial, [], done.stderr)
        return done, int(count.read_text()) if count.exists() else None

    def expect_right(self, command, done, before, kind):
        self.assertIn(done.returncode, CODES[kind], done.stderr)
        if done.returncode != 0:
            self.assertIn("millrace: ", done.stderr)
        if done.returncode != 0 and "completed" not in done.stderr:
            self.assertEqual(self.there(), before, done.stderr)
            return
        if any(".partial" in path.name or path.suffix == ".lock" for path in self.directory.iterdir()):
            # What could not be removed is removed by the next command.
            replace = command[0] in MAKE_STORES and "--force" not in command
            self.millrace(*command, *["--force"] if replace else [])
        target = command[-1] if command[-1] != "--force" else "old.store"
        names = {path.split("/")[0] for path in before} | ({target} if "-o" in command else set())
        self.assertEqual(set(self.files()), names)
        if target.endswith(".store"):
            self.millrace("verify", target)

    def try_all(self, kind):
        print(f"{kind}: MILLRACE_FAULTS_OF={CHOICE}", file=sys.stderr)
        failures = 0
        for name, command in COMMANDS.items():
            with self.subTest(name):
                done, calls = self.failing(command, kind, 0)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertGreater(calls, 3 if kind != "threads" else -1)
                self.prepare()
                before = self.there()
                runs = calls if "MILLRACE_ALL_FAULTS" in os.environ else min(calls, MOST_RUNS)
                # The calls of several threads come in another order each time: a call may be another one than before.
                start = random.Random(f"{CHOICE} {kind} {name}").randrange(max(1, calls // max(1, runs)))
                for run in range(runs):
                    at = 1 + start + run * calls // runs
                    with self.subTest(f"{kind} {at} of {calls}"):
                        failed = self.failing(command, kind, at)[0]
                        failures += failed.returncode != 0
                        self.expect_right(command, failed, before, kind)
        self.assertGreater(failures, 0, f"no command failed for want of {kind}: the faults did not take place")

    def test_of_memory(self):
        self.try_all("memory")

    def test_of_files(self):
        self.try_all("files")

    def test_of_threads(self):
        self.try_all("threads")

    def test_of_removing_temporary_files(self):
        command = ["graphalytics", "ldbc", "x", "--temp", "ldbc/temp", "--device=cpu"]
        done, calls = self.failing(command, "files", 0)
        self.assertEqual(done.returncode, 0, done.stderr)
        for at in range(max(1, calls - 30), calls + 1):  # the folder is removed at the end
            with self.subTest(f"{at} of {calls}"):
                done = self.failing(command, "files", at)[0]
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.assertEqual(list(self.path("ldbc/temp").rglob("*")), [])

    def test_of_the_limit_of_file_sizes(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16 << 10, 16 << 10))
        for name in ("import that replaces", "generate", "export", "export of rows", "partition"):
            with self.subTest(name):
                self.prepare()
                before = self.there()
                done = self.millrace(*COMMANDS[name], exit_code=1, preexec_fn=limit, restore_signals=True)
                self.assertIn("File too large", done.stderr)
                self.assertEqual(self.there(), before)


if __name__ == "__main__":
    unittest.main()
