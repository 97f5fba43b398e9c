"""The memory that a run takes beside its pages is stored with the store, and the next run uses the rest for pages."""

import json
import unittest

import harness


class LearnedSizes(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.store = self.path("g.store")
        self.millrace("generate", "rmat", "--scale=14", "--edge-factor=16", "--page-size=4K", "-o", self.store)

    def bfs(self, *options):
        command = ["run", "bfs", self.store, "--source=0", "--device=cpu", "--json", "--check", *options]
        report = json.loads(self.millrace(*command).stdout)
        self.assertEqual(report["check"], "passed")
        return report["attribute_memory"], report

    def learned(self):
        with open(self.store / "learned.json") as text:
            return json.load(text)

    def test_the_next_run_plans_with_what_was_taken(self):
        first, _ = self.bfs("--direction=pull")
        self.assertEqual(first["planned"], first["announced"])
        self.assertFalse(first["planned_again"])
        self.assertLess(first["taken"], first["announced"])
        self.assertEqual(list(self.learned().values()), [first["taken"]])
        again, _ = self.bfs("--direction=pull")
        self.assertLess(again["planned"], again["announced"])
        self.assertGreaterEqual(again["planned"], again["taken"])
        self.assertFalse(again["planned_again"])
        text = self.millrace("run", "bfs", self.store, "--source=0", "--device=cpu", "--direction=pull").stdout
        self.assertIn("as learned from runs before", text)

    def test_a_run_that_takes_more_starts_again(self):
        limited = ["--host-memory=900K"]
        first, report = self.bfs(*limited)
        self.assertEqual(report["plan"]["pages"], "streamed")
        (run,) = self.learned()
        (self.store / "learned.json").write_text(json.dumps({run: 1}))
        again, report = self.bfs(*limited)
        self.assertTrue(again["planned_again"])
        self.assertEqual(again["planned"], again["announced"])
        self.assertLessEqual(report["peak_memory"], 900 << 10)
        self.assertEqual(self.learned()[run], again["announced"], "no run is to start twice again")
        third, report = self.bfs(*limited)
        self.assertFalse(third["planned_again"])
        self.assertLessEqual(report["peak_memory"], 900 << 10)

    def test_a_damaged_memory_is_forgotten(self):
        (self.store / "learned.json").write_text("{")
        first, _ = self.bfs()
        self.assertEqual(first["planned"], first["announced"])
        self.millrace("verify", self.store)


if __name__ == "__main__":
    unittest.main()
