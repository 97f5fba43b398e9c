"""Every example of every command, from its --help, in a folder with the files that examples name."""

import os
import re
import shutil
import subprocess
import unittest

import harness

# Graphs of a size that is worth an example take too long here.
SMALLER = {"--scale 20": "--scale 10", "millrace calibrate": "millrace calibrate --quick --seconds 0.1"}
# What has to be done before an example.
BEFORE = {"millrace explain --after": "millrace run pagerank g.store"}
VERTICES = 64


def examples_of(path):
    """The command lines under "Examples:" in the help of a command."""
    section = re.search(r"^Examples:\n((?:  .*\n)+)", harness.help_of(*path), re.M)
    return [line.strip() for line in section[1].splitlines()] if section else []


def make_files(test):
    """A directed graph, one with weights, one with names, lists of vertices, an array, and a graph of Graphalytics."""
    edges = sorted({(v, (v * v + step) % VERTICES) for v in range(VERTICES) for step in (1, 5, 12)})
    test.write("edges.txt", "".join(f"{source} {target}\n" for source, target in edges))
    test.write("roads.txt", "".join(f"{source} {target} {1 + (source + target) % 9}\n" for source, target in edges))
    test.write("trades.csv", "seller,buyer,price\nAda,Bo,3.5\nBo,Cem,2\nCem,Ada,1\n")
    test.write("vertices.txt", "0\n1\n5\n7\n")
    test.write("others.txt", "2\n12\n13\n")
    test.write("x.npy", harness.npy([0] * VERTICES, "<f4"))
    test.millrace("import", "edges.txt", "-o", "g.store")
    test.millrace("import", "roads.txt", "-o", "roads.store", "--undirected", "--weighted")
    test.path("graphs").mkdir()
    test.write("graphs/example.v", "".join(f"{v}\n" for v in range(VERTICES)))
    test.write("graphs/example.e", test.path("edges.txt").read_text())
    test.write(
        "graphs/example.properties",
        "graph.example.vertex-file = example.v\ngraph.example.edge-file = example.e\n"
        "graph.example.directed = true\ngraph.example.algorithms = bfs, pr, wcc\n"
        "graph.example.bfs.source-vertex = 0\ngraph.example.pr.damping-factor = 0.85\n"
        "graph.example.pr.num-iterations = 10\n",
    )


class Examples(harness.CliTest):
    def setUp(self):
        super().setUp()
        make_files(self)
        self.path("bin").mkdir()
        os.symlink(os.path.abspath(harness.MILLRACE), self.path("bin/millrace"))
        self.environment = {
            **harness.ENVIRONMENT,
            "PATH": f"{self.path('bin')}:{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(self.path("cache")),
        }
        self.has_gpu = bool(harness.gpus())

    def run_example(self, example):
        """In a copy of the folder, without the store that it writes."""
        folder = self.path("here")
        shutil.copytree(self.directory, folder, symlinks=True, ignore=shutil.ignore_patterns("here", "bin", "cache"))
        for written in re.findall(r"-o (\S+\.store)", example):
            shutil.rmtree(folder / written, ignore_errors=True)
        for size, smaller in SMALLER.items():
            example = example.replace(size, smaller)
        command = ["bash", "-c", f"set -eo pipefail\n{BEFORE.get(example, '')}\n{example}"]
        done = subprocess.run(command, cwd=folder, env=self.environment, capture_output=True, text=True)
        shutil.rmtree(folder)
        return done

    def test_every_command_has_some(self):
        for path in [[], *harness.all_commands()]:
            with self.subTest(path):
                examples = examples_of(path)
                self.assertGreater(len(examples), 0)
                self.assertLessEqual(len(examples), 3 if path else 7)
                for example in examples:
                    self.assertIn(" ".join(["millrace", *path[:1]]), example)
                    self.assertLessEqual(len(example), 100)
                if path[:1] == ["run"] and len(path) == 2:
                    self.assertTrue(all(example.startswith(f"millrace run {path[1]} ") for example in examples))
                if path[:1] == ["explain"] and len(path) == 2:
                    run = [example.replace("millrace explain", "millrace run") for example in examples]
                    self.assertEqual(run, examples_of(["run", path[1]]))

    def test_all_of_them_work(self):
        """Those on a GPU are at least understood: without one the exit code is that of a missing device. Those of explain
        are those of run, and every algorithm would be measured first: two of them will do."""
        seen = set()
        for path in [[], *harness.all_commands()]:
            if path[:1] == ["explain"] and path[1:] not in ([], ["pagerank"], ["bfs"]):
                continue
            for example in examples_of(path):
                if example in seen:
                    continue
                seen.add(example)
                with self.subTest(example):
                    done = self.run_example(example)
                    if done.returncode == 2 and harness.MISSING.search(done.stderr):
                        continue
                    allowed = {0} if self.has_gpu or "cuda" not in example else {5}
                    self.assertIn(done.returncode, allowed, done.stderr)
        self.assertGreater(len(seen), 60)


if __name__ == "__main__":
    unittest.main()
