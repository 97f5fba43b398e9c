"""Things that are not files where a file is expected, files that no writer makes, and directories that may not be
read: a plain error, at once and with little memory."""

import os
import resource
import signal
import struct
import subprocess
import unittest

import harness
import store_surgery

SECONDS = 60  # enough for any of these; a command that waits for a FIFO waits for ever


class CliTest(harness.CliTest):
    seconds = SECONDS

    def fifo(self, name):
        os.mkfifo(self.path(name))
        return self.path(name)


class StoreFiles(CliTest):
    def test_that_are_none(self):
        store = self.generate(scale=6, order="degree")
        for file in sorted(store.iterdir()):
            content = file.read_bytes()
            for kind in ("a pipe", "a directory", "a socket"):
                file.unlink()
                if kind == "a pipe":
                    os.mkfifo(file)
                elif kind == "a directory":
                    file.mkdir()
                else:
                    harness.make_socket(file)
                with self.subTest(f"{file.name} is {kind}"):
                    for command in (["info"], ["verify"], ["run", "bfs", "--source=0"]):
                        self.fails(3, *command, store, says=f"{file} is {kind}")
                file.rmdir() if kind == "a directory" else file.unlink()
                file.write_bytes(content)
        self.millrace("verify", store)

    def test_that_are_a_store(self):
        self.fails(3, "info", self.fifo("fifo"), says="not a store")


class Lists(CliTest):
    def test_that_are_none(self):
        store = self.generate(scale=6)
        fifo = self.fifo("fifo")
        for kind, place in (("a pipe", fifo), ("a directory", self.directory), ("a device", "/dev/null")):
            for command in (
                ["run", "ppr", store, "--seeds-file"],
                ["run", "subgraph", store, "-o", self.path("out.txt"), "--vertices"],
                ["run", "spmv", store, "--x"],
                ["import", self.write("edges.txt", "1 2\n"), "-o", self.path("new.store"), "--vertices"],
            ):
                with self.subTest(f"{command[:2]} {kind}"):
                    self.fails(3, *command, place, says=f"is {kind}")
        self.assertEqual(self.files(), ["edges.txt", "fifo", "graph.store"])


class Graphs(CliTest):
    """The graph that is imported may come from anywhere."""

    def setUp(self):
        super().setUp()
        self.edges = "".join(f"{i} {i * 7 % 40_000}\n" for i in range(40_000))  # more than a pipe holds

    def expect_graph(self, store):
        self.assertEqual(self.info(store)["vertices"], 40_000)

    def test_from_stdin(self):
        self.millrace("import", "/dev/stdin", "-o", self.path("a.store"), input=self.edges)
        self.expect_graph(self.path("a.store"))

    def test_from_process_substitution(self):
        text = self.write("edges.txt", self.edges)
        command = f"{harness.MILLRACE} import <(cat {text}) -o {self.path('a.store')}"
        subprocess.run(["bash", "-c", command], check=True, env=harness.ENVIRONMENT, timeout=SECONDS, capture_output=True)
        self.expect_graph(self.path("a.store"))

    def test_from_a_fifo_whose_writer_comes_late(self):
        fifo = self.fifo("fifo")
        with harness.running("import", fifo, "-o", self.path("a.store")) as process:
            harness.wait_for(lambda: harness.catches(signal.SIGTERM, process), process)
            with open(fifo, "w") as writer:
                writer.write(self.edges[:100])
                writer.flush()
                writer.write(self.edges[100:])
            self.assertEqual(process.wait(timeout=SECONDS), 0)
        self.expect_graph(self.path("a.store"))

    def test_a_signal_ends_the_wait(self):
        fifo = self.fifo("fifo")
        with harness.running("import", fifo, "-o", self.path("a.store")) as process:
            harness.wait_for(lambda: harness.catches(signal.SIGTERM, process), process)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=SECONDS), 130)
        with harness.running("import", fifo, "-o", self.path("a.store")) as process, open(fifo, "w") as writer:
            writer.write("1 2\n")
            writer.flush()
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=SECONDS), 130)
        self.assertEqual(self.files(), ["fifo"])


def hostile():
    """JSON, valid or not, that no writer makes."""
    yield "nested objects", '{"a":' * 100_000
    yield "nested arrays", "[" * 100_000 + "]" * 100_000
    yield "80 MB of numbers", '{"a":[' + "1," * 40_000_000 + "1]}"
    yield "a file full of values", '{"a":[' + "[]," * 4_000_000 + "1]}"
    yield "a file full of members", "{" + ",".join(f'"{i}":1' for i in range(1_000_000)) + "}"
    yield "junk after a NUL", "{}\0junk"
    yield "nothing", ""
    yield "an array", "[1]"


class Json(CliTest):
    def test_manifests_that_nobody_wrote(self):
        store = self.generate(scale=6)
        for name, text in hostile():
            (store / "manifest.json").write_text(text)
            for command in ("info", "verify"):
                with self.subTest(f"{command}: {name}"):
                    self.fails(3, command, store, says="manifest.json")

    @unittest.skipIf(harness.is_sanitized(), "sanitizers take memory of their own")
    def test_takes_little_memory(self):
        store = self.generate(scale=6)
        for name, text in hostile():
            (store / "manifest.json").write_text(text)
            # What wait4() says of a child may be the memory of this process, which has the text.
            limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (200 << 20, 200 << 20))
            environment = {**harness.ENVIRONMENT, "OMP_NUM_THREADS": "1"}
            done = subprocess.run(
                [harness.MILLRACE, "info", store], stderr=subprocess.PIPE, env=environment, preexec_fn=limit
            )
            with self.subTest(name):
                self.assertEqual(done.returncode, 3, done.stderr)

    def test_what_earlier_versions_left_does_not_matter(self):
        store = self.generate(scale=6)
        learned = store / "learned.json"
        for name, text in hostile():
            with self.subTest(name):
                learned.write_text(text)
                self.millrace("run", "bfs", store, "--source=0", "--device=cpu")
                learned.unlink(missing_ok=True)
        for make in (learned.mkdir, lambda: os.mkfifo(learned)):
            make()
            self.millrace("run", "bfs", store, "--source=0", "--device=cpu")
            learned.rmdir() if learned.is_dir() else learned.unlink(missing_ok=True)
        self.millrace("verify", store)


class Verify(CliTest):
    """Manifests with a corrected checksum."""

    def test_finds_what_cannot_be(self):
        store = self.generate(scale=6)
        good = (store / "manifest.json").read_bytes()
        changes = [("version", value) for value in ("1", True, 1.0, [1])]
        changes += [("vertices", value) for value in (-1, 1e300, 64.0, "64")]
        for member, value in changes:
            with self.subTest(f"{member} {value!r}"):
                store_surgery.change_manifest(store, lambda manifest: manifest.update({member: value}))
                self.fails(3, "verify", store, says=f"'{member}' is")
                (store / "manifest.json").write_bytes(good)
        for member in ("bytes", "table_bytes", "pages"):
            for value in (-1, 1e300):
                with self.subTest(f"{member} {value!r}"):
                    change = {member: value}
                    store_surgery.change_manifest(store, lambda manifest: manifest["orientations"]["in"].update(change))
                    self.fails(3, "verify", store, says=f"'{member}' is")
                    (store / "manifest.json").write_bytes(good)

    def test_finds_bytes_that_belong_to_nobody(self):
        store = self.generate(scale=9, page_size="4K", order="degree")
        for file in sorted(store.iterdir()):
            content = file.read_bytes()
            file.write_bytes(content + b"\0")
            with self.subTest(f"{file.name} with a byte more"):
                self.fails(3, "verify", store)
            file.write_bytes(content)
        table = (store / "out.table").read_bytes()
        places = [struct.unpack_from("<QI", table, at) for at in range(16, len(table) - 4, 64)]
        gap = next(offset + size for offset, size in places[:-1] if size % 4096 != 0)
        harness.flip_byte(store / "out.pages", gap)
        self.fails(3, "verify", store, says="the bytes after it")

    def test_notes_what_is_not_of_the_store(self):
        store = self.generate(scale=6)
        (store / "thesis.tex").write_text("x")
        store_surgery.change_manifest(store, lambda manifest: manifest.update(colour="blue"))
        text = self.millrace("verify", store).stdout
        self.assertIn("whole", text)
        self.assertIn("note: thesis.tex is no part of the store", text)
        self.assertIn("note: manifest.json has a member that this version does not know: /colour", text)


class Environment(CliTest):
    def test_an_unknown_reader_is_refused(self):
        store = self.generate(scale=6)
        environment = {**harness.ENVIRONMENT, "MILLRACE_READER": "foo"}
        for command in (["run", "bfs", store, "--source=0"], ["bench", store], ["run", "degrees", store]):
            done = subprocess.run([harness.MILLRACE, *command], env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("MILLRACE_READER=foo", done.stderr)
            self.assertIn("uring or threads", done.stderr)


class Rights(CliTest):
    """Without the rights of root."""

    def setUp(self):
        super().setUp()
        self.directory.chmod(0o755)
        self.user = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
        try:
            subprocess.run([harness.MILLRACE, "--version"], check=True, capture_output=True, **self.user)
        except (PermissionError, subprocess.CalledProcessError):
            self.skipTest("another user cannot run the command")

    def command(self, *arguments, exit_code):
        done = self.millrace(*arguments, exit_code=exit_code, cwd="/", **self.user)
        self.assertNotIn("filesystem error", done.stderr)
        self.assertNotIn("filesystem_error", done.stderr)
        return done.stdout + done.stderr

    def test_a_store_in_a_directory_that_cannot_be_written(self):
        store = self.generate(scale=6)
        store.chmod(0o555)
        self.addCleanup(store.chmod, 0o755)
        self.command("run", "bfs", store, "--source=0", "--device=cpu", exit_code=0)
        self.command("verify", store, exit_code=0)
        if os.getuid() == 0:  # it may be searched, and not be listed
            store.chmod(0o711)
            self.command("run", "bfs", store, "--source=0", "--device=cpu", exit_code=0)
            self.assertIn("cannot be listed", self.command("verify", store, exit_code=0))
            self.command("info", store, exit_code=0)

    def test_what_cannot_be_read_is_named(self):
        store = self.generate(scale=6)
        edges = self.write("edges.txt", "1 2\n")
        locked = self.path("locked")
        locked.mkdir()
        (locked / "x").write_text("1\n")
        locked.chmod(0)
        self.addCleanup(locked.chmod, 0o755)
        for command in (
            ["info", locked],
            ["info", locked / "g.store"],
            ["run", "bfs", locked / "g.store", "--source=0"],
            ["import", locked / "x", "-o", "/tmp/never.store"],
            ["import", locked / "x.e", "-o", "/tmp/never.store"],
            ["import", edges, "-o", locked / "g.store"],
            ["run", "subgraph", store, "--vertices", locked / "x"],
            ["run", "ppr", store, "--seeds-file", locked / "x"],
            ["graphalytics", locked, "x"],
        ):
            with self.subTest(command):
                text = self.command(*command, exit_code=1)
                self.assertIn("Permission denied", text)
                self.assertIn(str(locked), text)
        for file in store.iterdir():
            mode = file.stat().st_mode
            file.chmod(0)
            with self.subTest(file.name):
                text = self.command("run", "bfs", store, "--source=0", "--device=cpu", exit_code=1)
                self.assertIn(f"cannot open {file}: Permission denied", text)
            file.chmod(mode)


if __name__ == "__main__":
    unittest.main()
