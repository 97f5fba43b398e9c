"""Every output of every command: it goes only where it was sent, never into an input, a store, another output or the
cache, never through a link, and never into the place of what is no file. A table of what was tried ends the test."""

import collections
import itertools
import os
import re
import shlex
import subprocess
import tempfile
import sys
import unittest

import examples_test
import harness

SECONDS = 120  # a command that waits for a pipe waits for ever
GROUPS = "import generate export partition run explain bench graphalytics manual calibrate".split()
# What the values of options are for, by their names; with the command where it matters.
INPUTS = {"seeds-file", "x", "from", "to", "expected", "vertices", "explain report"}
FILES = {"output", "report", "trace", "json", "edges", "parents", "hubs", "harmonic", "neighbourhood", "markdown",
         "export vertices", "degrees vertices"}
STORES = {"store", "import output", "generate output", "partition output"}
FOLDERS = {"stripe", "temp", "man", "graphalytics output"}
# Options that are needed by others.
WITH = {("kcore", "edges"): ["--k", "2"], ("kcore", "store"): ["--k", "2"]}

# The least that all tests together have to try: without commands or options in --help they would pass with nothing.
LEAST = {"files": 60, "links": 200, "files of stores": 250, "inputs": 100, "pipes": 20, "other formats": 50, "foreign files": 70}

counts = collections.Counter()
columns = []
completed = set()


def count(command, what):
    counts[command[0], what] += 1
    if what not in columns:
        columns.append(what)


def tearDownModule():
    """The table; and if all tests were run, whether they tried enough."""
    print(file=sys.stderr)
    print(f"{'':14}" + "".join(f"{what:>15}" for what in columns), file=sys.stderr)
    for group in [g for g in GROUPS if any(g == key[0] for key in counts)]:
        print(f"{group:14}" + "".join(f"{counts[group, what]:15}" for what in columns), file=sys.stderr)
    print(f"{'all':14}" + "".join(f"{sum(n for key, n in counts.items() if key[1] == what):15}" for what in columns),
          file=sys.stderr)
    if completed == set(unittest.defaultTestLoader.getTestCaseNames(Outputs)):
        missing = set(GROUPS) - {group for group, _ in counts}
        assert not missing, f"nothing was tried with {missing}"
        for what, least in LEAST.items():
            tried = sum(n for key, n in counts.items() if key[1] == what)
            assert tried >= least, f"{what}: {tried} were tried, {least} are the least"


def kind_of(command, option):
    """files, stores, folders or inputs. The command itself refuses to start with a path of no use (command_line.cpp)."""
    kinds = {"files": FILES, "stores": STORES, "folders": FOLDERS, "inputs": INPUTS}
    for name in (f"{command[-1]} {option}", f"{command[0]} {option}", option):
        for kind, names in kinds.items():
            if name in names:
                return kind
    raise AssertionError(f"{' '.join(command)} --{option}: say in this test what its path is for")


def options_of(command):
    """The options with a path, as --help lists them."""
    return re.findall(r"^  (?:-\w,)?--([\w-]+) (?:FILE|STORE|DIR|PATH)\b", harness.help_of(*command), re.M)


class Outputs(harness.CliTest):
    seconds = SECONDS
    known = None  # what there is to try, by command

    def setUp(self):
        super().setUp()
        self.addCleanup(completed.add, self._testMethodName)
        self.before = None  # what was there after the last refusal
        examples_test.make_files(self)
        self.millrace("import", "edges.txt", "-o", "striped.store", "--stripe", "disk")
        self.environment = {**harness.ENVIRONMENT, "XDG_CACHE_HOME": str(self.path("cache"))}
        self.millrace("run", "pagerank", "edges.txt", "--device=cpu")  # fills the cache
        self.write("precious", "years of work")
        self.path("alias").symlink_to("g.store")
        self.path("folder").mkdir()
        self.write("folder/thesis.tex", "years of work")
        os.link(self.path("g.store/out.pages"), self.path("hard"))
        os.mkfifo(self.path("fifo"))

    def contents(self):
        """All there is, with the contents of files and the targets of links."""
        found = {}
        for path in self.directory.rglob("*"):
            if path.suffix == ".known":  # a store was looked at: the cache remembers it
                continue
            found[path] = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        return found

    def refuses(self, arguments, what, command, says=(), codes=(1, 2)):
        before = self.before or self.contents()
        done = self.millrace(*arguments, exit_code=codes)
        self.assertEqual(done.stdout, "", shlex.join(map(str, arguments)))
        self.assertIn("millrace: ", done.stderr)
        for words in [says] if isinstance(says, str) else says:
            self.assertIn(words, done.stderr)
        self.before = self.contents()
        changed = {path for path in before.keys() | self.before if before.get(path, ...) != self.before.get(path, ...)}
        self.assertEqual(changed, set(), shlex.join(map(str, arguments)))
        count(command, what)

    def commands(self):
        if Outputs.known is None:
            Outputs.known = list(self.find_commands())
        return Outputs.known

    def find_commands(self):
        """Each command that writes, with what it needs beside outputs, its outputs by option, and its inputs."""
        for command in harness.all_commands():
            options = {option: kind_of(command, option) for option in options_of(command)}
            outputs = {option: kind for option, kind in options.items() if kind != "inputs"}
            examples = examples_test.examples_of(command)
            if not outputs or not examples:
                continue
            words = shlex.split(examples[-1] if command[-1] in ("ppr", "partition") else examples[0])[1:]
            base, inputs = [], []
            while words:
                word = words.pop(0)
                name = {"-o": "output"}.get(word, word.removeprefix("--"))
                if word.startswith("-") and name in outputs:
                    words.pop(0)
                    continue
                base.append(word)
                if self.path(word).is_file() or (self.path(word).is_dir() and word.endswith(".store")):
                    inputs.append(word)
            if command[0] == "generate":
                base = ["generate", "rmat", "--scale=4"]
            if command[0] == "bench":
                base += ["--algorithms=pagerank", "--repeats=1", "--iterations=1", "--threads=1"]
            if command[0] in ("run", "explain"):
                base += ["--device=cpu"]
            yield command, base, outputs, inputs

    def required(self, command, but):
        """An output that the command insists on."""
        if command[0] in ("import", "generate", "partition") and but != "output":
            return ["-o", "new.store"]
        return ["-o", "new.txt"] if command[0] in ("export", "subgraph") and but not in ("output", "store") else []

    def with_output(self, command, base, option, value):
        more = WITH.get((command[-1], option), [])
        return [*base, *self.required(command, option), *(w for w in more if w not in base), f"--{option}", value]

    def test_files_go_nowhere_else(self):
        harness.make_socket(self.path("socket"))
        self.path("nowhere").symlink_to("new")
        self.path("link").symlink_to("precious")
        stripe = next(self.path("disk").glob("*/out.pages")).relative_to(self.directory)
        for command, base, outputs, inputs in self.commands():
            inside = ["g.store/out.pages", "g.store/new", "./alias/ids", "striped.store/elsewhere", stripe]
            for option in [option for option, kind in outputs.items() if kind == "files"]:
                def refuses(value, what, says=(), codes=(1, 2)):
                    with self.subTest(command=command, option=option, value=str(value)):
                        self.refuses(self.with_output(command, base, option, value), what, command, says, codes)

                refuses("link", "links", "is a link to precious", 2)
                refuses("nowhere", "links", "is a link to new", 2)
                refuses("folder", "folders", "a directory", 1)
                refuses("socket", "sockets", "a socket", 1)
                for file in inside:
                    refuses(file, "files of stores", "inside of the store", 2)
                inside = inside[:1]  # its other options are looked at by the same code
                refuses("cache/millrace/new", "cache", "inside of the cache", 2)
                refuses("", "empty names", "empty", 2)
                if option != "markdown":
                    refuses("new.parquet", "other formats", "new.parquet", 2)
                refuses("missing/new", "no folder", "missing/new", 1)
                for name in inputs:
                    if self.path(name).is_file():
                        foreign = name.endswith(".npy") and option in ("report", "trace")  # its name is refused first
                        for file in (name, f"./graphs/../{name}", self.path(name)):
                            refuses(file, "inputs", "not written here" if foreign else "which is read", 2)
                    elif name == "g.store":
                        refuses("hard", "inputs", "another name of a file", 2)
                for other in [other for other, kind in outputs.items() if kind == "files" and other > option]:
                    more = [*WITH.get((command[-1], other), []), f"--{other}"]
                    with self.subTest(command=command, options=(option, other)):
                        self.refuses([*self.with_output(command, base, option, "new.txt"), *more, "./new.txt"],
                                     "other outputs", command, "name the same file", 2)
                        self.refuses([*self.with_output(command, base, option, "-"), *more, "-"], "other outputs",
                                     command, "both want stdout", 2)

    def test_files_go_where_they_were_sent(self):
        for command, base, outputs, _ in self.commands():
            files = [option for option, kind in outputs.items() if kind == "files"]
            if not files or command[0] == "explain":  # which writes none
                continue
            for what, name in (("files", "new{}.txt"), ("long names", "{}" + "n" * 250), ("devices", "/dev/null")):
                arguments = [*base]
                for number, option in enumerate(files):
                    arguments += [f"--{option}", name.format(number)]
                    arguments += [w for w in WITH.get((command[-1], option), []) if w not in arguments]
                if command[0] == "export":
                    arguments += ["--format=edges"]
                with self.subTest(command=command, what=what):
                    self.millrace(*arguments)
                    for number, option in enumerate(files):
                        count(command, what)
                        written = self.path(name.format(number))
                        if what != "devices":
                            self.assertGreater(written.stat().st_size, 0, option)
                            written.unlink()
                    self.assertEqual([file for file in self.files() if "partial" in file or "new" in file], [])
            with self.subTest(command=command, what="pipe"):
                received = tempfile.TemporaryFile()  # a pipe that nobody empties would stop the reader, and so the writer
                reader = subprocess.Popen(["cat", self.path("fifo")], stdout=received)
                try:
                    arguments = self.with_output(command, base, files[0], "fifo")
                    if command[0] == "export":
                        arguments += ["--format=edges"]
                    self.millrace(*arguments)
                    reader.wait(timeout=SECONDS)
                    self.assertGreater(received.seek(0, os.SEEK_END), 0)
                finally:
                    reader.kill()
                    reader.wait()
                    received.close()
                count(command, "pipes")
                self.path("new.txt").unlink(missing_ok=True)

    def test_stores_go_nowhere_else(self):
        self.path("real.store").mkdir()
        self.path("link.store").symlink_to("striped.store")
        self.path("nowhere.store").symlink_to("new.store")
        self.write("file.store", "years of work")
        os.mkfifo(self.path("pipe.store"))
        self.write("locked.store.lock", "years of work")
        self.path("half.store.partial").mkdir()
        self.write("half.store.partial/thesis.tex", "years of work")
        for command, base, outputs, inputs in self.commands():
            for option in [option for option, kind in outputs.items() if kind == "stores"]:
                if command[0] == "explain":
                    continue
                if option == "store" and "--k" not in base and command[-1] not in ("subgraph", "cross-edges", "kcore"):
                    base = [word.replace("g.store", "edges.txt").replace("roads.store", "roads.txt") for word in base]

                def refuses(value, what, says=(), codes=(1, 2, 3), more=()):
                    arguments = [*self.with_output(command, base, option, value), *more]
                    with self.subTest(command=command, option=option, value=str(value)):
                        self.refuses(arguments, what, command, says, codes)

                refuses("link.store", "links", "is a link to striped.store", 2)
                refuses("nowhere.store", "links", "is a link to new.store", 2)
                refuses("file.store", "foreign files", "file.store")
                refuses("folder", "folders", "folder")
                refuses("pipe.store", "pipes refused", "pipe.store")
                refuses("g.store/inner", "files of stores", "inside of the store", 2)
                refuses("cache/millrace/new.store", "cache", "inside of the cache", 2)
                refuses("", "empty names", "empty", 2)
                refuses("locked.store", "foreign files", "locked.store.lock")
                refuses("half.store", "foreign files", "half.store.partial")
                for name in inputs:
                    if name in base and self.path(name).is_dir() and command[0] != "graphalytics":
                        if command[0] == "partition":  # which may replace the store that it reads
                            refuses(name, "inputs", "exists already", 2)
                            continue
                        refuses(name, "inputs", "is the store that is read", 2)
                        refuses(name, "inputs", "is the store that is read", 2, ["--force"])

    def test_folders_are_no_stores(self):
        for command, base, outputs, _ in self.commands():
            for option in [option for option, kind in outputs.items() if kind == "folders"]:
                for value in ("g.store", "g.store/inner", "alias/inner", "disk/inner", "cache/millrace/graphs"):
                    if value == "disk/inner":
                        value = next(self.path("disk").iterdir()) / "inner"
                    with self.subTest(command=command, option=option, value=str(value)):
                        self.refuses(self.with_output(command, base, option, value),
                                     "cache" if "cache" in str(value) else "files of stores", command, "inside of the",
                                     2)
                with self.subTest(command=command, option=option, value="empty"):
                    self.refuses(self.with_output(command, base, option, ""), "empty names", command, "empty", 2)

    def test_names_that_are_made_of_others(self):
        run = ["run", "bfs", "g.store", "--source=0", "--device=cpu"]
        for first, second in itertools.permutations(("a.npy", "a.ids.npy")):
            self.refuses([*run, "-o", first, "--parents", second], "other outputs", ["run"], "name the same file", 2)
        self.path("b.ids.npy").symlink_to("precious")
        self.before = None
        self.refuses([*run, "-o", "b.npy"], "links", ["run"], "is a link", 2)
        self.refuses([*run, "-o", "n" * 250 + ".npy"], "long names", ["run"], "too long", 1)
        self.path("men").mkdir()
        self.path("men/millrace.1").symlink_to("../precious")
        self.before = None
        self.refuses(["manual", "--man", "men"], "links", ["manual"], "is a link", 2)
        self.refuses(["manual", "--man", "made", "--markdown", "made/millrace.1"], "other outputs", ["manual"],
                     "name the same file", 2)
        graphalytics = ["graphalytics", "graphs", "example"]
        self.millrace(*graphalytics, "-o", "graphs", "--algorithms=bfs")  # nothing is expected there yet
        self.before = None
        self.refuses([*graphalytics, "-o", "graphs"], "inputs", ["graphalytics"], "which is read", 2)
        self.refuses([*graphalytics, "-o", "x", "--expected", "graphs", "--store", "x/example-PR"], "other outputs",
                     ["graphalytics"], "name the same file", 2)
        self.write("list.v", "0\n1\n")
        self.before = None
        for inputs in (["list.v", "-o", "list.v"], ["edges.txt", "--vertices", "list.v", "-o", "list.v"]):
            self.refuses(["import", *inputs, "--force"], "inputs", ["import"], "which is read", 2)
        self.refuses(["import", "g.store/ids", "-o", "g.store", "--force"], "inputs", ["import"], "which is read", 2)
        self.refuses(["import", "graphs/example.properties", "-o", "graphs/example.v"], "inputs", ["import"],
                     "which is read", 2)
        self.refuses(["run", "subgraph", "g.store", "--vertices", "vertices.txt", "-o", "s.store", "--store",
                      "s.store"], "other outputs", ["run"], "name the same file", 2)
        self.refuses(["run", "kcore", "edges.txt", "--k=2", "--edges", "new.store/x", "--store", "new.store"],
                     "other outputs", ["run"], ["inside of"], 2)
        self.refuses(["run", "kcore", "g.store", "--k=2", "--edges", "new.store.lock", "--store", "new.store"],
                     "other outputs", ["run"], "name the same file", 2)
        self.refuses(["bench", "g.store", "roads.store", "--json", "roads.store/manifest.json"], "files of stores",
                     ["bench"], "inside of the store", 2)

    def test_figures_of_a_benchmark_go_to_stdout_alone(self):
        figures = ["bench", "g.store", "--algorithms=pagerank", "--repeats=1", "--iterations=1", "--json", "-"]
        self.assertTrue(self.millrace(*figures).stdout.startswith("{"))


if __name__ == "__main__":
    unittest.main()
