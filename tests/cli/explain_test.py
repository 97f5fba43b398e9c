"""Calibration, plans and predictions, end to end."""

import json
import os
import pathlib
import stat
import subprocess
import tempfile
import unittest

import harness
from reports_test import page_data


class ExplainTest(harness.CliTest):
    calibration = None  # its name and content, if there is one

    def setUp(self):
        super().setUp()
        self.environment = {**harness.ENVIRONMENT, "XDG_CACHE_HOME": str(self.path("cache"))}
        if self.calibration:
            name, content = self.calibration
            self.path("cache/millrace").mkdir(parents=True, mode=0o700)
            self.write(f"cache/millrace/{name}", content).chmod(0o600)
        self.store = self.generate(scale=12)

    def explain(self, *arguments, **options):
        return self.millrace("explain", *arguments, **options)

    def calibration_files(self):
        return sorted(self.path("cache").glob("millrace/machine-*.json"))

    def samples(self, change=None):
        """Those of the calibration; changed, if there is a change(sample)."""
        [file] = self.calibration_files()
        known = json.loads(file.read_text())
        if change:
            for sample in known["samples"]:
                change(sample)
            file.write_text(json.dumps(known))
        return known["samples"]


class NeverMeasured(ExplainTest):
    def test_explains_before_and_after(self):
        self.assertIn("not calibrated", self.millrace("devices", "--quick").stdout)
        first = self.explain("bfs", self.store, "--source=0", "--device=cpu")
        self.assertIn("measuring how fast bfs is here", first.stderr)
        for word in ("plan", "pages", "attributes", "degrees", "direction", "predicted", "cpu chunked"):
            self.assertIn(word, first.stdout)
        self.assertNotIn("not measured", first.stdout, "however busy the machine is")
        self.assertEqual(len(self.calibration_files()), 1)
        again = self.explain("bfs", self.store, "--source=0", "--device=cpu", "--json")
        self.assertEqual(again.stderr, "", "it was measured before")
        plans = json.loads(again.stdout)
        chosen = plans["plans"][plans["chosen"]]
        self.assertEqual((chosen["device"], chosen["fits"]), ("cpu", True))
        self.assertGreater(chosen["predicted"]["seconds"], 0)
        self.assertEqual(chosen["pages"]["on_devices"], chosen["pages"]["bytes"])
        self.assertEqual((chosen["direction"], chosen["orientations"]), ("auto", ["out", "in"]))
        only = json.loads(self.explain("bfs", self.store, "--source=0", "--device=cpu", "--direction=push",
                                       "--json").stdout)
        self.assertEqual([plan["direction"] for plan in only["plans"] if plan["fits"]][0], "push")
        self.assertIn("measured", self.millrace("devices", "--quick").stdout)

        self.explain("--after", exit_code=3)
        report = self.millrace("run", "bfs", self.store, "--source=0", "--device=cpu", "--json").stdout
        self.assertGreater(json.loads(report)["predicted"]["seconds"], 0)
        after = json.loads(self.explain("--after", "--json").stdout)
        self.assertEqual(after["measured"]["seconds"], json.loads(report)["seconds"])
        self.assertEqual(after["predicted"], json.loads(report)["predicted"])
        file = self.write("report.json", report)
        self.assertIn("predicted, measured", self.explain("--after", "--report", file).stdout)
        other = self.write("other.json", '{"a": 1}')
        self.fails(3, "explain", "--after", "--report", other, says="there is no member 'predicted'")
        self.assertIn("predicted", self.millrace("run", "bfs", self.store, "--source=0", "--device=cpu").stdout)

    def test_a_home_that_cannot_be_written_only_forgets(self):
        if os.geteuid() == 0:
            self.environment["XDG_CACHE_HOME"] = "/proc/none"  # root writes anywhere else
        else:
            self.path("cache").mkdir()
            self.path("cache").chmod(stat.S_IRUSR | stat.S_IXUSR)
        done = self.explain("bfs", self.store, "--source=0", "--device=cpu")
        self.assertIn("predicted", done.stdout)
        self.assertIn("cannot", done.stderr)
        self.millrace("run", "bfs", self.store, "--source=0", "--device=cpu")

    def test_calibrates(self):
        done = self.millrace("calibrate", "--quick", "--algorithms=pagerank,bfs", "--temp", self.directory)
        for word in ("host reads", "1 thread", "samples"):
            self.assertIn(word, done.stdout)
        [file] = self.calibration_files()
        made = json.loads(file.read_text())
        kinds = {(s["algorithm"], s["graph"]["kind"]) for s in made["samples"]}
        self.assertEqual(kinds, {(a, k) for a in ("pagerank", "bfs") for k in ("skewed", "uniform", "local")})
        self.assertTrue(any("streamed" in s for s in made["samples"]))
        left = {path.name for path in self.directory.iterdir()}
        self.assertEqual(left, {"cache", self.store.name}, "the graphs are removed")

    def test_says_what_it_had_no_time_for(self):
        done = self.millrace("calibrate", "--quick", "--seconds=0.1", "--algorithms=wcc")
        self.assertRegex(done.stdout, r"no time for +wcc.*: measured when explain needs them; --seconds allows more\n")
        for told in (done, self.millrace("devices", "--quick"), self.millrace("devices", "--quick", "--json")):
            self.assertNotIn("u001", told.stdout)


class Measured(ExplainTest):
    """By one explain of each algorithm for all of these tests."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory(prefix="millrace-") as folder:
            environment = {**harness.ENVIRONMENT, "XDG_CACHE_HOME": folder}
            store = os.path.join(folder, "g.store")
            for command in (
                ["generate", "rmat", "--scale=12", "-o", store],
                ["explain", "bfs", store, "--source=0", "--device=cpu"],
                ["explain", "pagerank", store, "--device=cpu"],
            ):
                subprocess.run([harness.MILLRACE, *command], env=environment, check=True, capture_output=True)
            [file] = pathlib.Path(folder).glob("millrace/machine-*.json")
            cls.calibration = (file.name, file.read_bytes())

    def test_a_damaged_calibration_is_measured_again(self):
        [file] = self.calibration_files()
        file.write_text("{")
        again = self.explain("bfs", self.store, "--source=0", "--device=cpu")
        self.assertIn("is not used", again.stderr)
        json.loads(file.read_text())

    def test_predictions_of_any_size(self):
        command = ("bfs", self.store, "--source=0", "--device=cpu")
        self.explain(*command)
        self.samples(lambda sample: sample.update(seconds=1e-8))
        tiny = self.explain(*command).stdout
        self.assertIn("less than 1.00 ms for 1 search", tiny)
        self.assertNotIn("phases", tiny)
        self.samples(lambda sample: sample.update(seconds=1000))
        large = self.explain(*command).stdout
        self.assertRegex(large, "predicted +[0-9.]+ s for 1 search, bound by computing")
        self.assertRegex(large, "phases +computing")

    def test_what_says_too_little_is_not_compared(self):
        """On a tiny graph a run mostly starts supersteps, which the samples of larger graphs do not tell."""
        store = self.import_text("0 1\n1 2\n2 3\n3 0\n", name="tiny.store")
        self.explain("pagerank", store, "--device=cpu")  # measures graphs of its kind
        self.samples(lambda sample: sample.update(seconds=1e-9 * sample["graph"]["vertices"]))
        why = "nothing: starting 300,000 supersteps takes most of the time"
        for iterations, said in ((20, "less than 1.00 ms"), (300_000, why)):
            command = ("pagerank", store, "--device=cpu", f"--iterations={iterations}")
            self.assertIn(said, self.explain(*command).stdout)
            shown = self.millrace("run", *command, "--report=run.html").stdout
            self.assertRegex(shown, f"predicted +{said}\n")
            after = self.explain("--after").stdout
            self.assertIn(f"{said}; ", after)
            self.assertNotIn(" x)", after)
            self.assertNotIn("compute", after)
            data = page_data(self.path("run.html").read_text())
            self.assertEqual((data["predicted"]["shown"], data["predicted"]["compared"]), (False, False))
            self.assertEqual(data["predicted"]["text"], said)
            [chosen] = [plan for plan in data["plans"] if plan["chosen"]]
            self.assertEqual((chosen["seconds"], chosen["text"]), (None, said))
        text = self.millrace("bench", store, "--device=cpu", "--repeats=2", "--algorithms=pagerank",
                             "--json=figures.json", "--report=bench.html").stdout  # fmt: skip
        self.assertNotIn("predicted", text.lower())
        [figures] = json.loads(self.path("figures.json").read_text())["results"]
        self.assertGreater(figures["predicted_seconds"], 0, "programs get the figures")
        self.assertNotIn("predicted", page_data(self.path("bench.html").read_text())["bench"]["columns"])

    def test_a_faster_run_corrects_what_was_measured(self):
        """A busy machine was measured; runs on an idle one show it, unless they did less or something else."""
        command = ("pagerank", self.store, "--device=cpu")
        self.explain(*command)
        self.samples(lambda sample: sample.update(seconds=1000 * sample["graph"]["vertices"]))
        slow = self.samples()
        for other in (["--direction=pull"], ["--strategy=chunked"], *([["--threads=1"]] if os.cpu_count() > 1 else [])):
            self.millrace("run", *command, *other)
            self.assertEqual(self.samples(), slow, other)
        before = json.loads(self.millrace("run", *command, "--json").stdout)
        [new] = [sample for sample in self.samples() if sample not in slow]
        self.assertEqual((new["algorithm"], new["device"], new["graph"]["vertices"]), ("pagerank", "cpu", 4096))
        self.assertAlmostEqual(new["seconds"], before["seconds"] / 20)
        after = json.loads(self.millrace("run", *command, "--json").stdout)
        self.assertLess(after["predicted"]["seconds"], before["predicted"]["seconds"] / 1000)
        # Nothing is learnt from what is slower than predicted.
        self.samples(lambda sample: sample.update(seconds=1e-12))
        fast = self.samples()
        self.millrace("run", *command)
        self.assertEqual(self.samples(), fast)

    def test_a_search_of_nearly_nothing_is_no_measurement(self):
        store = self.path("two.store")
        edges = ["0 1\n", *(f"{v} {v + 1}\n" for v in range(2, 3000))]
        self.millrace("import", self.write("two.txt", "".join(edges)), "-o", store)
        self.explain("bfs", store, "--source=0", "--device=cpu")
        self.samples(lambda sample: sample.update(seconds=1000))
        slow = self.samples()
        self.millrace("run", "bfs", store, "--source=0", "--device=cpu")
        self.assertEqual(self.samples(), slow)

    def test_what_does_not_fit_is_exit_4(self):
        done = self.explain("pagerank", self.store, "--device=cpu", "--host-memory=1K", exit_code=4)
        self.assertIn("does not fit", done.stdout)
        self.assertIn("--host-memory", done.stdout + done.stderr)
        plans = json.loads(
            self.explain("pagerank", self.store, "--device=cpu", "--host-memory=1K", "--json", exit_code=4).stdout)
        self.assertIsNone(plans["chosen"])
        on_cpus = [plan for plan in plans["plans"] if plan["device"].startswith("cpu") and "cuda" not in plan["device"]]
        self.assertTrue(on_cpus)  # plans on a GPU, where there is one, are shown too and may fit
        self.assertFalse([plan for plan in on_cpus if plan["fits"]])

    def test_bad_input(self):
        self.explain(exit_code=2)
        self.explain("nosuch", self.store, exit_code=2)
        self.explain("bfs", self.store, exit_code=2)  # no source
        self.explain("bfs", self.path("none.store"), "--source=0", exit_code=3)
        self.explain("bfs", self.store, "--source=0", "--device=tpu", exit_code=2)
        self.explain("--after", "bfs", self.store, "--source=0", exit_code=2)
        self.explain("bfs", self.store, "--source=0", "--cpu-share=20%", exit_code=2)
        self.explain("bfs", self.store, "--source=0", "--host-memory=lots", exit_code=2)
        self.explain("bfs", self.store, "--source=0", "--device=auto,cpu", exit_code=2)
        self.millrace("run", "bfs", self.store, "--source=0", "--cpu-share=20%", exit_code=2)
        for text in ("{}", "no", "[]", '{"predicted": 1, "seconds": []}'):
            report = self.write("r.json", text)
            said = self.fails(3, "explain", "--after", "--report", report, says="r.json")
            self.assertNotIn("json.exception", said)
        self.millrace("calibrate", "--algorithms=nosuch", exit_code=2)
        self.millrace("calibrate", "--temp", self.path("none"), "--algorithms=bfs", exit_code=1)

    def test_auto_runs_where_values_do_not_fit(self):
        """Without a GPU the planner keeps them in a file; the results are those of other runs."""
        if harness.gpus():
            raise unittest.SkipTest("a GPU has room of its own")
        store = self.generate("larger.store", scale=15, page_size="16K")
        report = json.loads(self.millrace("run", "bfs", store, "--source=0", "--json").stdout)
        # What the attributes alone take, less a tenth.
        limit = report["peak_memory"] - report["plan"]["page_bytes"]
        if limit <= 0:
            self.fail("the run took no memory beside pages")
        small = self.millrace("run", "bfs", store, "--source=0", f"--host-memory={limit * 9 // 10}", "--check", "--json")
        self.assertIn("chunked", small.stderr)
        self.assertEqual(json.loads(small.stdout)["check"], "passed")
        self.millrace("run", "bfs", store, "--source=0", f"--host-memory={limit * 9 // 10}", "--strategy=performance",
                      exit_code=4)


if __name__ == "__main__":
    unittest.main()
