"""Shared by the end-to-end tests: running the command, and plain references for its results."""

import array
import atexit
import collections
import contextlib
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

MILLRACE = os.environ["MILLRACE"]
SHARED_DATA = pathlib.Path(os.environ.get("MILLRACE_SHARED_DATA", "/nonexistent"))
UNREACHED = 9223372036854775807
# What the command says if a library that it may do without is not here, at build time or now.
MISSING = re.compile("without METIS|libmetis")
NEEDS_GPU = "MILLRACE_NEEDS_GPU" in os.environ  # then tests fail without a GPU or published graphs, and do not skip


def own_cache():
    """A cache of this process, empty: ctest names a folder of each test (MILLRACE_TEST_CACHE), which is kept to look
    at; without one it is temporary."""
    folder = os.environ.get("MILLRACE_TEST_CACHE")
    if not folder:
        folder = tempfile.mkdtemp(prefix="millrace-cache-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


os.environ["XDG_CACHE_HOME"] = own_cache()
ENVIRONMENT = dict(os.environ)


def is_sanitized():
    """Sanitizers take memory and time of their own, so tests that measure either do not apply."""
    binary = pathlib.Path(MILLRACE).read_bytes()
    return b"__asan_init" in binary or b"__tsan_init" in binary


def shared_data(name):
    path = SHARED_DATA / name
    if not path.exists():
        assert not NEEDS_GPU, f"{path} is not here (scripts/gpu_suite.sh --take-along)"
        raise unittest.SkipTest(f"{path} is not here; see CONTRIBUTING.md")
    return path


def gpus():
    """The names of the GPUs that the command can use here."""
    listed = json.loads(run("devices", "--quick", "--json"))["devices"]
    names = [device["name"] for device in listed if device["name"] != "cpu"]
    assert names or not NEEDS_GPU, "there is no GPU here"
    return names


def run(*arguments):
    """What a command prints that has to succeed, outside of a test."""
    command = [MILLRACE, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


@functools.cache
def help_of(*path):
    """What --help says of a command; nothing if there is none of these words."""
    done = subprocess.run([MILLRACE, *path, "--help"], capture_output=True, text=True, env=ENVIRONMENT)
    return done.stdout if done.returncode == 0 else ""


def subcommands(path=()):
    section = re.search(r"^subcommands:\n((?:  .*\n)+)", help_of(*path), re.M | re.I)
    return re.findall(r"^  ([a-z][a-z-]*)", section[1] if section else "", re.M)


def all_commands(path=()):
    """Every command, and every algorithm of run and explain, as --help lists them: ["run"], ["run", "bfs"], ..."""
    for name in subcommands(path):
        yield [*path, name]
        yield from all_commands([*path, name])


class CliTest(unittest.TestCase):
    """Gives each test its own directory, and runs the command in it."""

    environment = ENVIRONMENT
    seconds = None  # how long a command may take; one that waits for a pipe waits for ever

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="millrace-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def path(self, name):
        return self.directory / name

    def write(self, name, content):
        self.path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def millrace(self, *arguments, exit_code=0, **options):
        """Runs the command and asserts its exit code, or that it is one of several."""
        command = [MILLRACE, *map(str, arguments)]
        usual = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": self.seconds}
        usual |= {"env": self.environment, "cwd": self.directory}
        done = subprocess.run(command, text=True, **usual | options)
        codes = exit_code if isinstance(exit_code, tuple) else (exit_code,)
        self.assertIn(done.returncode, codes, f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
        return done

    def fails(self, exit_code, *arguments, says=()):
        """Runs a command that must fail: with a message on stderr, and nothing on stdout that looks like a result."""
        done = self.millrace(*arguments, exit_code=exit_code)
        self.assertEqual(done.stdout, "")
        for words in [says] if isinstance(says, str) else says:
            self.assertIn(words, done.stderr)
        return done.stderr

    def generate(self, name="graph.store", kind="rmat", scale=10, **options):
        flags = [f"--{flag.replace('_', '-')}={value}" for flag, value in options.items()]
        self.millrace("generate", kind, "-o", self.path(name), "--scale", scale, *flags)
        return self.path(name)

    def import_text(self, text, *flags, name="graph.store"):
        self.millrace("import", self.write("edges.txt", text), "-o", self.path(name), *flags)
        return self.path(name)

    def info(self, store):
        return json.loads(self.millrace("info", store, "--json").stdout)

    def values(self, algorithm, store, *flags, kind=int):
        """The results of a run, {id: value}, as the command printed them."""
        text = self.millrace("run", algorithm, store, "-o", "-", *flags).stdout
        pairs = [line.split(" ") for line in text.splitlines()]
        ids = [int(pair[0]) for pair in pairs]
        self.assertEqual(ids, sorted(ids), "results come by ascending id")
        return {int(vertex): kind(value) for vertex, value in pairs}

    def files(self):
        return sorted(path.name for path in self.directory.iterdir())


def npy(values, descr="<f8"):
    """The bytes of a one-dimensional NumPy array of format 1.0."""
    values = array.array({"<f4": "f", "<f8": "d"}[descr], values)
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + values.tobytes()


def make_socket(path):
    """A socket as a file. It is bound by its name alone: a whole path may be longer than a socket's may be."""
    here = os.getcwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def heed_signals():
    """Ignored signals stay ignored in the command, and tests may run with some ignored: nohup, background jobs."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def running(*arguments):
    """Runs a command in the background, and ends it afterwards."""
    command = [MILLRACE, *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, env=ENVIRONMENT, preexec_fn=heed_signals, **pipes)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for(condition, process, seconds=120):
    """Waits until a condition holds, while the process still runs."""
    end = time.monotonic() + seconds
    while not condition():
        if process.poll() is not None:
            raise AssertionError(f"ended too early: {process.communicate()}")
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.005)


def catches(number, process):
    """Whether the process has installed its signal handler."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return int(caught.split()[1], 16) >> (number - 1) & 1


def flip_byte(path, offset):
    content = bytearray(path.read_bytes())
    content[offset] ^= 0x10
    path.write_bytes(content)


def read_edges(path, undirected=False):
    """The out-neighbours of every vertex; parallel edges and self-loops dropped, as import does."""
    out = collections.defaultdict(set)
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        source, target = map(int, line.split()[:2])
        out[source], out[target]
        if source != target:
            out[source].add(target)
            if undirected:
                out[target].add(source)
    return out


def reference_bfs(out, source):
    level = {vertex: UNREACHED for vertex in out}
    level[source] = 0
    waiting = collections.deque([source])
    while waiting:
        vertex = waiting.popleft()
        for target in out[vertex]:
            if level[target] == UNREACHED:
                level[target] = level[vertex] + 1
                waiting.append(target)
    return level


def reference_pagerank(out, iterations, damping=0.85):
    n = len(out)
    rank = {vertex: 1 / n for vertex in out}
    for _ in range(iterations):
        dangling = sum(rank[vertex] for vertex in out if not out[vertex])
        following = {vertex: (1 - damping) / n + damping * dangling / n for vertex in out}
        for vertex, targets in out.items():
            for target in targets:
                following[target] += damping * rank[vertex] / len(targets)
        rank = following
    return rank
