"""Progress on a terminal: percentage, supersteps, active vertices, and an estimate of the time if possible."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import unittest

import harness


class Progress(harness.CliTest):
    def on_a_terminal(self, *arguments, columns=200):
        """What a command writes to stderr if that is a terminal of so many columns (0: it does not say)."""
        reader, writer = pty.openpty()
        fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
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

    def ranks(self, *flags, columns=200):
        """PageRank with many iterations on one thread: a bar appears after a fifth of a second."""
        store = self.path("graph.store")
        if not store.exists():
            self.generate(scale=14)
        run = ("run", "pagerank", store, "--device", "cpu", "--threads", 1, "--iterations", 4000)
        return self.on_a_terminal(*flags, *run, columns=columns)

    def test_fits_in_a_line_of_any_terminal(self):
        for columns in (20, 40, 80, 100, 200, 0):
            with self.subTest(columns=columns):
                text = self.ranks(columns=columns)
                lines = [line for line in re.split(r"[\r\n]+(?:\x1b\[K)?", text) if line]
                self.assertTrue(lines)
                for line in lines:
                    self.assertLess(len(line), columns or 80, line)
                    self.assertRegex(line, r"pagerank.*\d+%")
                if columns != 20:
                    self.assertRegex(text, r"\d% .* left")
                self.assertNotRegex(text, r"\d{3} s left")

    def test_of_supersteps_tells_how_many_are_active(self):
        self.assertRegex(self.ranks(), r"pagerank +\[#*\.*\] +\d+%.* superstep [\d,]+, 16,384 active  .* left")

    def test_of_many_sources_tells_what_is_left(self):
        run = ("run", "bc", self.generate(scale=13), "--device", "cpu", "--threads", 1, "--samples", 2000)
        self.assertRegex(self.on_a_terminal(*run), r"bc +\[#*\.*\] +\d+%.* left")

    def test_is_not_shown_when_told_to_be_quiet(self):
        self.assertEqual(self.ranks("-q"), "")


if __name__ == "__main__":
    unittest.main()
