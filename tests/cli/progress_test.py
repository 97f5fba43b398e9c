"""Progress on a terminal: how far, supersteps, active vertices, and an estimate where one can be had."""

import os
import pty
import subprocess
import unittest

import harness


class Progress(harness.CliTest):
    def on_a_terminal(self, *arguments):
        """What a command writes to stderr where that is a terminal."""
        reader, writer = pty.openpty()
        command = [harness.MILLRACE, *map(str, arguments)]
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=writer, env=harness.ENVIRONMENT)
        os.close(writer)
        text = b""
        while True:
            try:
                part = os.read(reader, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            text += part
        os.close(reader)
        self.assertEqual(run.wait(), 0)
        return text.decode()

    def test_of_supersteps_tells_how_many_are_active(self):
        store = self.generate(scale=14)
        shown = self.on_a_terminal("run", "pagerank", store, "--device", "cpu", "--iterations", 2000)
        self.assertRegex(shown, r"pagerank +\[#*\.*\] +\d+%.* superstep [\d,]+, 16,384 active  .* left")

    def test_of_many_sources_tells_what_is_left(self):
        store = self.generate(scale=13)
        shown = self.on_a_terminal("run", "bc", store, "--device", "cpu", "--samples", 2000)
        self.assertRegex(shown, r"bc +\[#*\.*\] +\d+%.* left")

    def test_is_not_shown_when_told_to_be_quiet(self):
        store = self.generate(scale=14)
        self.assertEqual(self.on_a_terminal("-q", "run", "pagerank", store, "--device", "cpu", "--iterations", 2000), "")


if __name__ == "__main__":
    unittest.main()
