"""The command itself: version, help, and errors for wrong arguments."""

import re
import unittest

import harness

COMMANDS = list(harness.all_commands())


class Command(harness.CliTest):
    def test_has_a_version(self):
        done = self.millrace("--version")
        self.assertRegex(done.stdout, r"^millrace \d+\.\d+\.\d+")
        self.assertEqual(done.stderr, "")

    def test_explains_itself(self):
        text = self.millrace("--help").stdout
        for command in COMMANDS:
            self.assertIn(command[0], text)
        self.assertIn("Exit codes", text)

    def test_explains_itself_where_nothing_is_asked(self):
        alone = self.millrace()
        self.assertEqual(alone.stdout, self.millrace("--help").stdout)
        self.assertEqual(alone.stderr, "")

    def test_explains_every_command(self):
        for command in COMMANDS:
            with self.subTest(command):
                done = self.millrace(*command, "--help")
                self.assertIn("Usage", done.stdout)
                self.assertEqual(done.stderr, "")

    def test_explains_every_option(self):
        """Every option must have a help text."""
        for command in COMMANDS:
            text = self.millrace(*command, "--help").stdout
            options = re.findall(r"^  (?:-\w,)?--[\w-]+.*\n(?:\s{20,}.*\n)?", text, re.MULTILINE)
            self.assertTrue(options)
            for option in options:
                self.assertGreater(len(option.split()), 3, f"{command}: {option}")

    def test_refuses_empty_values(self):
        self.import_text("1 2\n")
        for command in (["import", "edges.txt", "-o", "n.store", "--columns"], ["run", "wcc", "graph.store", "--device"],
                        ["import", "edges.txt", "-o", "n.store", "--memory"], ["bench", "graph.store", "--algorithms"],
                        ["run", "bfs", "graph.store", "--source"], ["generate", "rmat", "-o", "n.store", "--segments"]):
            with self.subTest(command):
                option = command.pop()
                self.fails(2, *command, option, "", says=f"{option} is empty")
                self.fails(2, *command, f"{option}=", says=option)
                self.assertFalse(self.path("n.store").exists())
        self.fails(2, "graphalytics", ".", "", says="name is empty")

    def test_decodes_as_it_is_told(self):
        store = self.generate(scale=10)
        results = set()
        self.addCleanup(harness.ENVIRONMENT.pop, "MILLRACE_DECODER", None)
        best = re.search(r"decoder: (\w+)", self.millrace("--version").stdout)[1]
        decoders = ["portable", "avx2", "avx512"]
        for decoder in decoders[: decoders.index(best) + 1]:
            harness.ENVIRONMENT["MILLRACE_DECODER"] = decoder
            self.assertIn(f"decoder: {decoder}", self.millrace("--version").stdout)
            results.add(self.millrace("run", "bfs", store, "--source=1", "--device=cpu", "-o", "-").stdout)
        self.assertEqual(len(results), 1)
        harness.ENVIRONMENT["MILLRACE_DECODER"] = "paper"
        self.fails(2, "info", store, says=["MILLRACE_DECODER=paper", "portable"])

    def test_refuses_bad_values_of_its_environment(self):
        store = self.generate(scale=4)
        for name in ("MILLRACE_LINK_GBPS", "MILLRACE_DISK_GBPS", "MILLRACE_READER", "MILLRACE_DECODER"):
            for value in ("foo", "1e", "-1", "nan"):
                with self.subTest(name=name, value=value):
                    self.addCleanup(harness.ENVIRONMENT.pop, name, None)
                    harness.ENVIRONMENT[name] = value
                    for command in (("info", store), ("run", "wcc", store), ("--version",)):
                        self.fails(2, *command, says=f"{name}={value}")
            del harness.ENVIRONMENT[name]

    def test_refuses_numbers_beyond_what_they_can_be(self):
        generate = ("generate", "rmat", "--scale=4", "-o", self.path("g.store"))
        for seed in ("18446744073709551616", "-1", "1.5", "0x10", "x", ""):
            with self.subTest(seed):
                self.fails(2, *generate, f"--seed={seed}", says="--seed")
        self.assertFalse(self.path("g.store").exists())
        self.millrace(*generate, "--seed=18446744073709551615")
        self.millrace(*generate, "--seed=+010", "--force")
        self.assertEqual(self.info(self.path("g.store"))["source"], "rmat scale 4 edge factor 16 seed 10")

    def test_takes_what_follows_two_dashes_for_names(self):
        self.write("-e.txt", "1 2\n2 3\n")
        done = self.millrace("import", "-o", "g.store", "--", "-e.txt")
        self.assertIn("3 vertices", done.stderr)
        for before, after in ((["run", "wcc", "--json"], []), (["run"], ["wcc"]), ([], ["run", "wcc"])):
            with self.subTest(before=before, after=after):
                self.assertIn("wcc", self.millrace(*before, "--", *after, "-e.txt").stdout)
        self.assertIn("-e.txt", self.millrace("-q", "--", "info", "g.store").stdout)
        self.fails(3, "run", "wcc", "--", "--json", says="graph file --json")
        self.fails(2, "run", "wcc", "g.store", "--", "--json", says="'--json' is not understood")
        self.fails(2, "--", "inof", says="'inof' is not understood")

    def test_refuses_what_it_does_not_know(self):
        self.fails(2, "--frobnicate")
        self.fails(2, "frobnicate")
        self.fails(2, "run", "frobnicate")

    def test_names_the_command_it_does_not_know(self):
        self.fails(2, "frobnicate", says="frobnicate")
        self.fails(2, "run", "frobnicate", says="frobnicate")


if __name__ == "__main__":
    unittest.main()
