"""Output that cannot be written: an exit code, a message if stderr works, never an abort, and requested files are
complete or absent."""

import os
import signal
import subprocess
import tempfile
import unittest

import harness

EDGES = "1 2\n2 3\n3 1\n1 4\n4 5\n9000000000 4\n"
GRAPH = "graph.example"
PROPERTIES = f"""{GRAPH}.vertex-file = example.v
{GRAPH}.edge-file = example.e
{GRAPH}.directed = true
{GRAPH}.algorithms = bfs
{GRAPH}.bfs.source-vertex = 1
"""
# Commands that print their result, and commands whose result is a file.
PRINTING = [
    ["--help"],
    ["--version"],
    ["import", "--help"],
    ["run", "pagerank", "--help"],
    ["info", "graph.store"],
    ["info", "graph.store", "--json"],
    ["verify", "graph.store"],
    ["run", "pagerank", "graph.store"],
    ["run", "pagerank", "graph.store", "--json"],
    ["run", "pagerank", "graph.store", "-o", "-"],
    ["run", "degrees", "graph.store"],
    ["run", "egonet", "graph.store", "--source", "1"],
    ["run", "subgraph", "graph.store", "--vertices", "some.ids"],
    ["run", "radius", "graph.store", "--neighbourhood", "-"],
    ["export", "graph.store", "-o", "-"],
    ["partition", "graph.store", "--parts", "2", "-o", "new.store"],
    ["bench", "graph.store", "--algorithms", "bfs", "--repeats", "1"],
    ["graphalytics", ".", "example"],
    ["devices", "--quick"],
]
WRITING = [
    ["import", "edges.txt", "-o", "new.store"],
    ["generate", "grid", "--scale", "4", "-o", "new.store"],
    ["export", "graph.store", "-o", "edges.mtx"],
]
# Wrong commands, and the expected answers.
MISTAKEN = [
    (2, ["run", "bfs", "graph.store", "--source", "77"]),
    (2, ["run", "pagerank"]),
    (2, ["--nonsense"]),
    (3, ["import", "malformed.txt", "-o", "new.store"]),
    (4, ["run", "pagerank", "graph.store", "--host-memory", "1K"]),
]
BROKEN = {"closed": "{}>&-", "full": "{}>/dev/full"}


class Ends(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.import_text(EDGES)
        self.write("malformed.txt", "1 2\n1 x\n")
        self.write("some.ids", "1\n2\n3\n")
        self.write("example.properties", PROPERTIES)
        self.write("example.v", "1\n2\n3\n")
        self.write("example.e", "1 2\n2 3\n")

    def redirected(self, redirections, arguments, exit_code):
        """Runs the command through a shell, in a directory that has only its inputs."""
        self.clear()
        script = f'exec "$@" {redirections}'
        command = ["sh", "-c", script, "sh", harness.MILLRACE, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, env=harness.ENVIRONMENT, cwd=self.directory)
        self.assertEqual(done.returncode, exit_code, f"{' '.join(arguments)} {redirections}\n{done}")
        return done

    def clear(self):
        for name in ("new.store", "a.txt", "b.txt"):
            subprocess.run(["rm", "-rf", self.path(name)], check=True)

    def content(self, store):
        return {path.name: path.read_bytes() for path in self.path(store).iterdir() if path.name != "manifest.json"}

    def test_without_stderr_commands_do_what_they_are_asked(self):
        for name, how in BROKEN.items():
            for command in PRINTING + WRITING:
                with self.subTest(f"stderr {name}: {command}"):
                    done = self.redirected(how.format(2), command, 0)
                    self.assertEqual(done.stdout != "", command in PRINTING)

    def test_without_stderr_errors_keep_their_codes(self):
        for name, how in BROKEN.items():
            for exit_code, command in MISTAKEN:
                with self.subTest(f"stderr {name}: {command}"):
                    self.assertEqual(self.redirected(how.format(2), command, exit_code).stdout, "")
                    self.assertFalse(self.path("new.store").exists())

    def test_without_stdout_results_that_go_there_are_missed(self):
        for name, how in BROKEN.items():
            reason = {"closed": "Bad file descriptor", "full": "No space left on device"}[name]
            for command in PRINTING:
                with self.subTest(f"stdout {name}: {command}"):
                    done = self.redirected(how.format(1), command, 1)
                    self.assertIn(f"millrace: cannot write to stdout: {reason}", done.stderr)
                    self.redirected(how.format(1) + " 2>&-", command, 1)

    def test_without_stdout_files_are_written_all_the_same(self):
        for how in BROKEN.values():
            for command in WRITING:
                with self.subTest(command):
                    self.assertNotIn("stdout", self.redirected(how.format(1), command, 0).stderr)

    def test_messages_never_get_into_a_store(self):
        """The number of a closed descriptor would be given to the next file that is opened."""
        self.millrace("import", "edges.txt", "-o", "kept.store")
        for redirections in ("2>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-", "0<&- 2>&-"):
            with self.subTest(redirections):
                self.redirected(redirections, ["import", "edges.txt", "-o", "new.store"], 0)
                self.millrace("verify", "new.store")
                self.assertEqual(self.content("new.store"), self.content("kept.store"))

    def test_a_closed_stdin_is_no_empty_graph(self):
        done = self.redirected("0<&-", ["import", "/dev/stdin", "-o", "new.store"], 1)
        self.assertIn("/dev/stdin", done.stderr)
        self.assertFalse(self.path("new.store").exists())

    def test_what_was_completed_is_named(self):
        for command, completed in (
            (["run", "pagerank", "graph.store", "-o", "a.txt"], "a.txt was completed"),
            (["run", "hits", "graph.store", "-o", "a.txt", "--hubs", "b.txt"], "a.txt and b.txt were completed"),
            (["run", "bfs", "graph.store", "--source=1", "-o", "a.txt", "--parents=-"], "a.txt was completed"),
            (["run", "kcore", "graph.store", "--k=1", "--store=new.store", "-o", "a.txt"],
             "new.store and a.txt were completed"),
            (["run", "egonet", "graph.store", "--source=1", "--store=new.store"], "new.store was completed"),
            (["run", "subgraph", "graph.store", "--vertices=some.ids", "-o", "a.txt"], "a.txt was completed"),
            (["run", "degrees", "graph.store", "--vertices=a.txt"], "a.txt was completed"),
            (["run", "radius", "graph.store", "--neighbourhood=a.txt"], "a.txt was completed"),
            (["export", "graph.store", "-o", "a.txt", "--vertices=-"], "a.txt was completed"),
            (["partition", "graph.store", "--parts=2", "-o", "new.store"], "new.store was completed"),
            (["graphalytics", ".", "example", "--store=new.store"], "new.store was completed"),
        ):
            with self.subTest(command):
                message = self.redirected(">/dev/full", command, 1).stderr
                self.assertIn(f"cannot write to stdout: No space left on device; before that {completed}\n", message)
                for name in completed.split(" w")[0].split(" and "):
                    self.assertTrue(self.path(name).exists())
                    if name == "new.store":
                        self.millrace("verify", name)

    def unread(self, *arguments, stream="stdout", **options):
        """Runs the command with stdout as a pipe without a reader."""
        reader, writer = os.pipe()
        os.close(reader)
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: writer}
        command = [harness.MILLRACE, *arguments]
        done = subprocess.run(command, **streams, text=True, env=harness.ENVIRONMENT, cwd=self.directory, **options)
        os.close(writer)
        return done

    def test_a_pipe_that_is_not_read_ends_the_command_as_is_the_custom(self):
        with tempfile.TemporaryDirectory(dir=self.directory) as temporary:
            for command in (
                ["run", "pagerank", "graph.store", "-o", "-"],
                ["export", "graph.store", "-o", "-"],
                ["info", "graph.store"],
                ["--help"],
                ["graphalytics", ".", "example", "--temp", temporary],
            ):
                with self.subTest(command):
                    done = self.unread(*command)
                    self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""))
                    self.assertEqual(os.listdir(temporary), [])
                    # Python ignores the signal, and so do its children with restore_signals=False.
                    done = self.unread(*command, restore_signals=False)
                    self.assertEqual(done.returncode, 1)
                    self.assertIn("cannot write to stdout: Broken pipe", done.stderr)

    def test_messages_that_nobody_reads_stop_nothing(self):
        done = self.unread("import", "edges.txt", "-o", "new.store", stream="stderr")
        self.assertEqual(done.returncode, 0)
        self.millrace("verify", "new.store")


if __name__ == "__main__":
    unittest.main()
