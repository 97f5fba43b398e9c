"""Reports as pages, and traces: every event closed, tracks named, times in order, nothing lost."""

import collections
import json
import re
import unittest

import harness


def page_data(text):
    """The data that a page draws."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(found.group(1))


class Reports(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.store = self.generate(scale=15, page_size="64K")
        self.flags = ("--device=cpu", "--host-memory=700K", "--iterations=7")

    def run_with(self, *flags):
        return json.loads(self.millrace("run", "pagerank", self.store, *self.flags, "--json", *flags).stdout)

    def trace(self, *flags):
        report = self.run_with("--trace=trace.json", *flags)
        return report, json.loads(self.path("trace.json").read_text())["traceEvents"]

    def test_trace_has_the_documented_form(self):
        _, events = self.trace()
        tracks = {}
        for event in events:
            self.assertEqual(event["pid"], 1)
            if event["ph"] == "M":
                self.assertIn(event["name"], ("process_name", "thread_name", "thread_sort_index"))
                if event["name"] == "thread_name":
                    self.assertNotIn(event["tid"], tracks)
                    tracks[event["tid"]] = event["args"]["name"]
            elif event["ph"] == "X":  # complete: it has its end
                self.assertGreaterEqual(event["ts"], 0)
                self.assertGreaterEqual(event["dur"], 0)
                self.assertTrue(event["name"])
            else:
                self.assertEqual(event["ph"], "C")
                self.assertIsInstance(event["args"]["value"], int)
        self.assertTrue({event["tid"] for event in events if event["ph"] == "X"} <= set(tracks), "all are named")
        self.assertEqual(len(set(tracks.values())), len(tracks))
        for name in ("steps", "supersteps", "disk reads 1"):
            self.assertIn(name, tracks.values())
        self.assertTrue(any(name.startswith("cpu thread") for name in tracks.values()))

    def test_events_of_a_track_are_in_order_and_do_not_overlap(self):
        _, events = self.trace()
        by_track = collections.defaultdict(list)
        for event in events:
            if event["ph"] == "X":
                by_track[event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
        for spans in by_track.values():
            for (_, end), (begin, _) in zip(spans, spans[1:]):
                self.assertLessEqual(end, begin + 0.01)  # written with three digits

    def test_nothing_is_lost(self):
        report, events = self.trace()
        count = collections.Counter(event.get("cat") for event in events if event["ph"] == "X")
        self.assertEqual(count["superstep"], report["supersteps"])
        read = sum(event["args"]["bytes"] for event in events if event.get("cat") == "disk")
        self.assertEqual(read, report["disk_bytes"])
        computed = sum(event["args"]["bytes"] for event in events if event.get("cat") == "cpu" and "page" in event["name"])
        self.assertEqual(computed, report["supersteps"] * report["plan"]["page_bytes"])
        steps = [event["name"] for event in events if event.get("cat") == "step"]
        self.assertEqual(steps, ["plan", "load", "compute", "finish", "answer"])

    def test_page_is_one_file_with_everything(self):
        report = self.run_with("--report=run.html", "--trace=trace.json")
        text = self.path("run.html").read_text()
        self.assertNotRegex(text, r'(src|href)="(?!#|data:)')
        self.assertNotIn("/*DATA*/", text)
        data = page_data(text)
        self.assertEqual(data["kind"], "run")
        self.assertTrue(data["command"].startswith("millrace run pagerank"))
        self.assertIn("--report=run.html", data["command"])
        self.assertEqual(data["answer"]["tops"][0]["title"], "highest rank")
        self.assertEqual(len(data["answer"]["tops"][0]["rows"]), 10)
        self.assertEqual(data["measured"]["disk_bytes"], report["disk_bytes"])
        self.assertEqual(data["supersteps"]["count"], 7)
        self.assertEqual(data["supersteps"]["disk_bytes"], [step["disk_bytes"] for step in report["trace"]])
        pages = data["plan"]["pages"]
        self.assertEqual(pages["on_devices"] + pages["in_host_memory"] + pages["on_disk"], pages["bytes"])
        names = dict(data["machine"])
        self.assertIn("cores", names["cpu"])
        shown = sum(len(track["events"]) for track in data["timeline"]["tracks"])
        traced = json.loads(self.path("trace.json").read_text())["traceEvents"]
        self.assertEqual(shown, sum(event["ph"] == "X" for event in traced), "few enough to show all")
        self.assertEqual(data["timeline"]["note"], "")

    def test_many_supersteps_are_summed_up(self):
        flags = ("--device=cpu", "--iterations=5000")
        self.millrace("run", "pagerank", self.generate("small.store", scale=8), *flags, "--report=run.html")
        self.assertLess(self.path("run.html").stat().st_size, 5_000_000)
        steps = page_data(self.path("run.html").read_text())["supersteps"]
        self.assertEqual((steps["count"], steps["per"], len(steps["seconds"])), (5000, 3, 1667))

    def test_names_cannot_end_the_script(self):
        self.write("names.txt", "</script><script>alert(1)</script> b\n")
        self.millrace("import", "names.txt", "-o", "names.store", "--ids=string", "--columns=1,2")
        self.millrace("run", "pagerank", "names.store", "--device=cpu", "--report=run.html")
        text = self.path("run.html").read_text()
        self.assertEqual(text.count("<script"), 2)
        self.assertIn("</script><script>alert(1)</script>", page_data(text)["answer"]["tops"][0]["rows"][1][0])

    def test_files_that_cannot_be_written_end_the_run_before_it_begins(self):
        for option in ("report", "trace"):
            done = self.millrace("run", "pagerank", self.store, "--device=cpu", f"--{option}=no/such/x", exit_code=1)
            self.assertIn("no/such", done.stderr)
            self.assertEqual(done.stdout, "")

    def test_outputs_are_kept_apart(self):
        file = self.write("edges.txt", "1 2\n")
        for flags, words in (
            (("--report=-", "--json"), "both want stdout"),
            (("--trace=-", "-o", "-"), "both want stdout"),
            (("--report=x", "--trace=./x"), "name the same file"),
            (("--report=x", "-o", "x"), "name the same file"),
            ((f"--report={file}",), "which is read"),
        ):
            self.assertIn(words, self.millrace("run", "pagerank", file, "--device=cpu", *flags, exit_code=2).stderr)
        self.assertEqual(file.read_text(), "1 2\n")


if __name__ == "__main__":
    unittest.main()
