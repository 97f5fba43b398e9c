"""run_shared.py says of every test how it ended: passed, failed, skipped, crashed, cut off or not run."""

import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

RUNNER = pathlib.Path(__file__).resolve().with_name("run_shared.py")

# Prints what a GoogleTest program prints. The name of a test says what it does.
PROGRAM = """\
#!{python}
import os, sys, time
names = {names!r}
if "--gtest_list_tests" in sys.argv:
    print("A.")
    for name in names:
        print("  " + name)
    sys.exit(0)
wanted = next(x for x in sys.argv if x.startswith("--gtest_filter=")).split("=", 1)[1].split(":")
failed = False
for name in (x.split(".")[1] for x in wanted):
    if "absent" in name:
        continue
    print("[ RUN      ] A." + name, flush=True)
    if "crashes" in name:
        os.abort()
    if "nested" in name:
        print("[ RUN      ] Inner.test\\n[       OK ] Inner.test (1 ms)")
    if "quits" in name:
        sys.exit(0)
    if "lingers" in name:
        print("[       OK ] A." + name + " (7 ms)", flush=True)
        time.sleep(600)
    if "never" in name:
        time.sleep(600)
    if "skips" in name:
        print("x.cpp:1: Skipped\\nno GPU here")
    failed |= "fails" in name
    if "fails" in name:
        print("expected 1, found 2")
    how = "FAILED  " if "fails" in name else "SKIPPED " if "skips" in name else "      OK"
    print("[  " + how + "] A." + name + " (7 ms)" if "OK" not in how else "[       OK ] A." + name + " (7 ms)", flush=True)
if {leak!r} in wanted:
    print("========= ERROR SUMMARY: 1 error")
    sys.exit(99)
sys.exit(failed)
"""


class RunShared(unittest.TestCase):
    def run_all(self, names, *options, leak="", tool=()):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            program.write_text(PROGRAM.format(python=sys.executable, names=names, leak=leak))
            program.chmod(0o755)
            command = [sys.executable, "-B", RUNNER, "--processes", "2", *options, "--", *tool, program]
            return subprocess.run(command, capture_output=True, text=True, timeout=120)

    def test_all_pass(self):
        done = self.run_all([f"passes{i}" for i in range(40)] + ["skips1", "skips2"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("40 passed, 0 failed, 2 skipped, 0 cut off, 0 not run", done.stdout)
        self.assertIn("skipped 2: no GPU here", done.stdout)

    def test_a_test_may_print_what_tests_print(self):
        done = self.run_all([f"passes{i}" for i in range(20)] + ["nested"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("21 passed, 0 failed, 0 skipped, 0 cut off, 0 not run", done.stdout)

    def test_what_was_not_run_is_a_failure(self):
        """A program that ends well without having run a test, and one that cannot be started."""
        done = self.run_all(["passes1", "quits", "passes2"])
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"failed after .*: A\.quits")
        done = self.run_all(["passes1", "passes2"], tool=["/no/such/tool"])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("2 not run", done.stdout)

    def test_a_signal_ends_the_programs_too(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with tempfile.TemporaryDirectory() as folder:
                program = pathlib.Path(folder) / "program"
                program.write_text(PROGRAM.format(python=sys.executable, names=["never"], leak=""))
                program.chmod(0o755)
                runner = subprocess.Popen([sys.executable, "-B", RUNNER, "--", program], stdout=subprocess.DEVNULL)
                self.wait_for(lambda: self.running(program, "--gtest_filter=A.never"))
                runner.send_signal(number)
                self.assertEqual(runner.wait(timeout=60), 128 + number)
                self.wait_for(lambda: not self.running(program))

    @staticmethod
    def wait_for(condition):
        until = time.monotonic() + 60
        while not condition():
            if time.monotonic() > until:
                raise AssertionError("waited for 60 s")
            time.sleep(0.01)

    @staticmethod
    def running(*words):
        """Whether a process has these words in its command."""
        for command in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if all(str(word).encode() in command.read_bytes().split(b"\0") for word in words):
                    return True
            except OSError:
                pass  # it has ended
        return False

    def test_a_failure_is_shown_with_its_text(self):
        done = self.run_all(["passes", "fails", "passes_too"])
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 passed, 1 failed, 0 skipped", done.stdout)
        self.assertIn("A.fails\n      expected 1, found 2", done.stdout)

    def test_after_a_crash_the_others_run(self):
        done = self.run_all(["crashes"] + [f"passes{i}" for i in range(20)])
        self.assertEqual(done.returncode, 1)
        self.assertIn("20 passed, 1 failed", done.stdout)
        self.assertRegex(done.stdout, r"failed after .*: A\.crashes\n      the process ended with -6")

    def test_what_does_not_end_is_cut_off(self):
        done = self.run_all(["never1", "never2", "passes"], "--limit", "10")
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 cut off", done.stdout)
        self.assertTrue(re.search(r"1 passed|not run: A\.passes", done.stdout), done.stdout)

    def test_what_is_cut_off_between_two_tests_has_not_failed(self):
        done = self.run_all(["lingers"], "--limit", "10")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 passed, 0 failed", done.stdout)

    def test_a_program_that_runs_nothing_is_a_failure(self):
        done = self.run_all(["absent1", "absent2", "passes"])
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("the program ran none of them", done.stdout)

    def test_the_limit_holds_for_a_tool_that_starts_the_tests_as_a_child(self):
        began = time.monotonic()
        tool = [sys.executable, "-c", "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))"]
        done = self.run_all(["never1", "passes"], "--limit", "10", tool=tool)
        self.assertLess(time.monotonic() - began, 100)  # and not 600
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 cut off", done.stdout)

    def test_a_tool_that_fails_at_the_end_counts(self):
        done = self.run_all(["passes"], leak="A.passes")
        self.assertEqual(done.returncode, 1)
        self.assertIn("ERROR SUMMARY: 1 error", done.stdout)

    def test_a_filter_without_tests_is_an_error(self):
        done = self.run_all([])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no test of", done.stderr)


if __name__ == "__main__":
    unittest.main()
