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

    def test_refuses_what_it_does_not_know(self):
        self.fails(2, "--frobnicate")
        self.fails(2, "frobnicate")
        self.fails(2, "run", "frobnicate")

    def test_names_the_command_it_does_not_know(self):
        self.fails(2, "frobnicate", says="frobnicate")
        self.fails(2, "run", "frobnicate", says="frobnicate")


if __name__ == "__main__":
    unittest.main()
