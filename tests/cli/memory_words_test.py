"""Refusals for memory are true: the amount that they name is enough, and their numbers agree with each other.

The tests run a part of the commands. `memory_words_test.py --full` runs all of them and counts."""

import pathlib
import random
import shutil
import sys
import tempfile
import unittest

import harness
from limited_commands import Graphs, exports, generations, imports, partitions, runs, write_large_texts
from refusals import call, check


class Words(harness.CliTest):
    def expect_true(self, commands, option, first="4K", refused=1):
        asked, first_refused, skipped, wrong = check(commands, option, self.directory, first)
        self.assertEqual(wrong, [])
        self.assertGreaterEqual(first_refused, refused)
        return asked

    def test_of_runs_and_exports(self):
        names = ("rmat", "star", "sparse", "names", "one")
        graphs = Graphs(self.directory, names)
        self.assertGreater(self.expect_true(runs(graphs, names, False), "--host-memory", refused=300), 300)
        self.expect_true(exports(names), "--host-memory", refused=50)

    def test_of_builds(self):
        write_large_texts(self.directory, sparse=1_000_000, dense=500_000, leaves=3_000_000)
        self.expect_true(imports(False), "--memory", "128M", refused=2)
        self.expect_true(generations(False), "--memory", "128M", refused=0)

    def test_of_partitions(self):
        store = self.generate("g.store", scale=20, edge_factor=1)
        self.expect_true(partitions(store, False), "--memory", "128M", refused=0)


def main_full(jobs):
    where = pathlib.Path(tempfile.mkdtemp(prefix="millrace-words-"))
    bad = 0

    def report(title, commands, option, first="4K", at_a_time=jobs):
        nonlocal bad
        asked, refused, skipped, wrong = check(commands, option, where, first, at_a_time)
        print(f"{title}: {asked} combinations, {refused} refused at first, {len(wrong)} wrong; {skipped} make no sense")
        print("".join(line + "\n" for line in wrong), end="", flush=True)
        bad += len(wrong)

    try:
        names = ("rmat", "undirected", "weighted", "reals", "star", "ring", "grid", "one", "none", "sparse", "names")
        names += ("outward", "inward", "keeping", "large")
        if "--builds" not in sys.argv:
            graphs = Graphs(where, names)
            commands = list(runs(graphs, names, True))
            random.shuffle(commands)
            report("runs", commands, "--host-memory")
            report("exports", list(exports(names)), "--host-memory")
        write_large_texts(where)
        report("imports", imports(True), "--memory", "128M", 1)
        report("generated graphs", generations(True), "--memory", "128M", 1)
        for number, shape in enumerate((["rmat", "--scale=22", "--edge-factor=1"], ["uniform", "--scale=21", "--weights=1:9"])):
            assert call(["generate", *shape, "-o", f"whole-{number}.store"], where).returncode == 0
            report("partitions", partitions(f"whole-{number}.store", True), "--memory", "128M", 1)
        return bad
    finally:
        shutil.rmtree(where, ignore_errors=True)


if __name__ == "__main__":
    if "--full" in sys.argv:
        sys.exit(1 if main_full(2) else 0)
    unittest.main()
