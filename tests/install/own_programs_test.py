"""Builds algorithms of another author against an installed Millrace, and runs them in its command and its Python package: on
every plan of a CPU, and on those of a GPU if there is one."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).parent / "own_programs"
given = None  # the arguments of this script

SOME = "{some}"  # memory for less than all pages
PLANS = {
    "resident": ["--device", "cpu"],
    "one thread": ["--device", "cpu", "--threads", "1"],
    "pushed": ["--device", "cpu", "--direction", "push"],
    "pulled": ["--device", "cpu", "--direction", "pull"],
    "from disk": ["--device", "cpu", "--host-memory", SOME],
    "two devices": ["--device", "cpu,cpu"],
    "far attributes": ["--device", "cpu", "--strategy", "chunked"],
}
PLANS_OF_GPUS = {
    "GPU": ["--device", "cuda"],
    "streamed to the GPU": ["--device", "cuda", "--device-memory", SOME],
    "two devices on the GPU": ["--device", "cuda:0,cuda:0"],
    "GPU and CPU": ["--device", "cpu,cuda", "--device-memory", SOME],
    "far from the GPU": ["--device", "cuda", "--strategy", "chunked"],
}
# Options beside the plan, columns.
RUNS = {"nearest": (["--from", "0", "--from", "7"], {"-o": "hops", "--nearest": "nearest"}),
        "widest": (["--source", "0"], {"-o": "width"})}


def run(*command, fails=False):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if (done.returncode != 0) != fails:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stderr if fails else done.stdout


def has_gpu():
    found = '"cuda:' in run(given.millrace, "devices", "--quick", "--json")
    if os.environ.get("MILLRACE_NEEDS_GPU") and not found:
        raise AssertionError("no GPU was found")
    return found


class OwnPrograms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = given.work
        shutil.rmtree(cls.work, ignore_errors=True)
        cls.work.mkdir(parents=True)
        os.environ["XDG_CACHE_HOME"] = str(cls.work / "cache")
        (cls.work / "cache").mkdir()
        build = cls.work / "build"
        for _ in range(2):  # a folder may be configured again
            run("cmake", "-S", HERE, "-B", build, "-G", given.generator, f"-DCMAKE_CXX_COMPILER={given.compiler}",
                f"-DCMAKE_PREFIX_PATH={given.prefix}", *(["-DMILLRACE_CUDA=OFF"] if not has_gpu() else []))
        run("cmake", "--build", build)
        cls.plugins = {name: build / f"lib{name}.so" for name in RUNS}
        cls.store = cls.work / "g.store"
        run(given.millrace, "-q", "generate", "rmat", "--scale", "17", "--weights", "1:9", "--page-size", "32K", "-o", cls.store)

    def command(self, name, *words, plugin=None, fails=False):
        return run(given.millrace, "--plugin", plugin or self.plugins[name], "-q", *words, fails=fails)

    def memory_for_some(self, name, options, flags):
        """An amount with which three quarters of the pages do not fit."""
        device = flags[flags.index("--device") + 1].removeprefix("cpu,")
        report = json.loads(self.command(name, "run", name, self.store, *options, "--device", device, "--json"))
        peak = report["device_memory"]["peak"] + (1 << 20) if "cuda" in device else report["peak_memory"]
        return peak - report["plan"]["page_bytes"] * 3 // 4

    def test_every_plan_has_the_same_result(self):
        for name, (options, columns) in RUNS.items():
            expected = None
            for plan, flags in {**PLANS, **(PLANS_OF_GPUS if has_gpu() else {})}.items():
                with self.subTest(algorithm=name, plan=plan):
                    files = {flag: self.work / f"{name}-{column}.txt" for flag, column in columns.items()}
                    words = [word for flag, file in files.items() for word in (flag, file)]
                    if SOME in flags:
                        flags = [self.memory_for_some(name, options, flags) if word == SOME else word for word in flags]
                    self.command(name, "run", name, self.store, *options, *flags, *words, "--check")
                    found = [file.read_text() for file in files.values()]
                    expected = expected or found
                    self.assertEqual(found, expected)
                    self.assertEqual(len(found[0].splitlines()), 1 << 17)

    def test_it_is_planned_and_reported_as_any_other(self):
        options = RUNS["nearest"][0]
        report = self.work / "report.html"
        text = self.command("nearest", "run", "nearest", self.store, *options, "--device", "cpu", "--json", "--check",
                            "--report", report)
        self.assertEqual(json.loads(text)["algorithm"], "nearest")
        self.assertEqual(json.loads(text)["check"], "passed")
        self.assertIn("nearest", report.read_text())
        plans = json.loads(self.command("nearest", "explain", "nearest", self.store, *options, "--device", "cpu", "--json"))
        self.assertTrue(plans["plans"])
        self.assertIn("One of the vertices to be near to", self.command("nearest", "run", "nearest", "--help"))
        self.assertIn("For each vertex, how many hops", self.command("nearest", "run", "--help"))

    def test_option_may_stand_anywhere(self):
        options = RUNS["nearest"][0]
        for words in (["run", f"--plugin={self.plugins['nearest']}", "nearest", self.store],
                      ["run", "nearest", self.store, "--plugin", self.plugins["nearest"]],
                      ["--plugin", self.plugins["widest"], "--plugin", self.plugins["nearest"], "run", "nearest", self.store]):
            self.assertIn("reached", run(given.millrace, *words, *options, "--device", "cpu"))

    def test_what_is_no_plugin_is_refused(self):
        text = self.work / "libtext.so"
        text.write_text("not a library\n")
        folder = self.work / "folder.so"
        folder.mkdir()
        other = self.work / "libother.so"
        (self.work / "other.cpp").write_text("int nothing() { return 0; }\n")
        run(given.compiler, "-fPIC", "-shared", self.work / "other.cpp", "-o", other)
        for plugin, says in ((self.work / "missing.so", "No such file"), (text, "cannot be loaded"),
                             (folder, "is no file"), (other, "is no plug-in of Millrace")):
            with self.subTest(plugin=plugin):
                self.assertIn(says, self.command("nearest", "info", self.store, plugin=plugin, fails=True))
        self.assertIn("--plugin", run(given.millrace, "run", "--plugin", fails=True))
        self.assertIn("no algorithm nearest", run(given.millrace, "run", "nearest", self.store, fails=True))

    def compiled(self, name, text, *flags):
        """A plug-in from a text."""
        source, plugin = self.work / f"{name}.cpp", self.work / f"lib{name}.so"
        source.write_text(text)
        run(given.compiler, "-std=c++20", "-fopenmp", "-fPIC", "-shared", "-w", f"-I{given.prefix}/include", *flags, source,
            "-o", plugin)
        return plugin

    def test_other_headers_and_names_are_refused(self):
        entry = """#include "millrace/catalogue/plugin.h"
            struct Mine : millrace::Described {
              const millrace::AlgorithmInfo& info() const override {
                static const millrace::AlgorithmInfo info{.name = NAME, .help = "", .finds = "", .supersteps = ""};
                return info;
              }
            };
            """
        for name, given_name, flags, end, says in (
                ("older", "mine", [], '#undef MILLRACE_INTERFACE\n#define MILLRACE_INTERFACE "0.1.0"\n', "(0.1.0)"),
                ("taken", "pagerank", [], "", "there is an algorithm pagerank already"),
                ("odd", "My Own", [], "", "cannot be the name of an algorithm"),
                ("missing", "mine", [], "void nowhere(); void call() { nowhere(); }\n", "undefined symbol"),
        ):
            with self.subTest(plugin=name):
                text = f'#define NAME "{given_name}"\n{entry}{end}MILLRACE_PLUGIN(Mine)\n'
                plugin = self.compiled(name, text, *flags)
                self.assertIn(says, self.command("nearest", "info", self.store, plugin=plugin, fails=True))

    def test_python_has_it_as_a_method(self):
        if not given.python_package:
            self.skipTest("the Python package was not built")
        code = f"""
import millrace, numpy
assert millrace.load_plugin({str(self.plugins["nearest"])!r}) == ["nearest"]
assert millrace.load_plugin({str(self.plugins["nearest"])!r}) == ["nearest"]  # once more changes nothing
g = millrace.open({str(self.store)!r})
r = g.nearest([0, 7], device="cpu", check=True)
assert r["hops"].min() == 0 and r.details["check"] == "passed"
assert numpy.array_equal(r["hops"], g.run("nearest", **{{"from_": [0, 7]}}, device="cpu,cpu")["hops"])
with g.session(device="cpu") as s:
    assert numpy.array_equal(r["hops"], s.nearest([0, 7])["hops"])
assert "near to" in millrace.Graph.nearest.__doc__
try:
    millrace.load_plugin("missing.so")
except millrace.UsageError as error:
    assert "missing.so" in str(error)
else:
    raise AssertionError("a missing plug-in was loaded")
"""
        done = subprocess.run([given.python, "-c", code], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": given.python_package})
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--millrace", required=True, help="the installed command")
    parser.add_argument("--prefix", required=True, help="where it is installed")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder of this test alone")
    parser.add_argument("--generator", default="Ninja")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--python", help="an interpreter with NumPy")
    parser.add_argument("--python-package", help="the folder of the package")
    given, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
