#!/usr/bin/env python3
"""The commands in documents: each one is run, and what it prints is compared with what is shown (transcript.py).

A block that cannot be run here has `<!-- not run: REASON -->` before it; its commands and options have to exist.
`commands_test.py --write FILE...` replaces what is shown where it differs."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

import files
import harness
import markdown
import transcript
from markdown import ROOT

# Made by `millrace manual`; its examples are those of --help, and tests/cli/examples_test.py runs them all.
GENERATED = "docs/commands.md"
# Records of runs on other machines and of earlier versions.
RECORDS = "bench/results/"
HOME = "/home/ada"  # as documents show the folder that commands run in


def faults_of(words):
    """What is wrong with the words of a command line after `millrace`: commands and options that --help does not list."""
    path = ()
    words = list(words)
    plugged = words[:1] == ["--plugin"]
    while words[:1] == ["--plugin"]:
        words = words[2:]
    while words and harness.subcommands(path) and not words[0].startswith("-"):
        if words[0] not in harness.subcommands(path):
            if plugged and path:
                return []  # an algorithm of the plug-in, which is not there
            return [f"{' '.join(('millrace', *path))} has no command {words[0]}"]
        path += (words.pop(0),)
    text = harness.help_of(*path) + harness.help_of()
    wrong = []
    for choices in re.findall(r"^  [\w-]+ ([a-z]\S*\|\S+) REQUIRED", harness.help_of(*path), re.M):
        if words and words[0] not in choices.split("|"):
            wrong.append(f"{' '.join(('millrace', *path))} {words[0]}: not one of {choices}")
    for place, word in enumerate(words):
        option, _, value = word.partition("=")
        if not re.match(r"--?[a-z]", option):
            continue
        listed = re.search(rf"^  (?:-\w,)?{re.escape(option)}(?![\w-])(?:,--[\w-]+)? ?(\S*)", text, re.M)
        if not listed:
            wrong.append(f"{' '.join(('millrace', *path))} has no option {option}")
        elif "|" in listed[1]:
            value = value or (words[place + 1] if place + 1 < len(words) else "")
            if value not in listed[1].split("|") and not re.search(r"[A-Z]{3}", listed[1]):
                wrong.append(f"{option} {value}: not one of {listed[1]}")
    return wrong


def pipelines(line):
    """The words of every call of the command in a line of shell."""
    line = re.sub(r"\s#.*", "", line)
    for part in re.split(r"\||&&|;|<\(|\$\(", line):
        part = part.rstrip().rstrip(")")
        found = re.match(r"\s*(?:\w+=\S+ )*(?:\S*/)?millrace (.*)", part, re.S)
        if found:
            yield shlex.split(re.sub(r"\s\d?>.*", "", found[1]))


def make_faults(line):
    """Targets of make that are not in the Makefile."""
    found = re.match(r"(?:\$ )?make((?: [^#]+)?)(?:#|$)", line)
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)
    words = [word for word in (found[1].split() if found else ()) if "=" not in word]
    return [f"make has no target {word}" for word in words if word not in targets]


def unrun_faults(block):
    """What is wrong with the commands of a block that is not run."""
    faults = []
    for number, line in enumerate(block.lines, block.line + 1):
        if "[OPTION...]" in line:
            continue  # a synopsis
        text = line.removeprefix("$ ")
        if line.startswith("$ ") or text.startswith(transcript.COMMAND_WORDS) or "| millrace" in text:
            for words in pipelines(text):
                faults += [f"{number}: {fault}" for fault in faults_of(words)]
            faults += [f"{number}: {fault}" for fault in make_faults(text)]
    return faults


class Shell:
    """Runs the commands of one document, in a folder of its own."""

    def __init__(self, folder):
        self.home = folder / "home"
        self.home.mkdir()
        (folder / "bin").mkdir()
        os.symlink(os.path.abspath(harness.MILLRACE), folder / "bin/millrace")
        self.environment = {
            **{key: value for key, value in harness.ENVIRONMENT.items() if not key.startswith(("XDG_", "MILLRACE_"))},
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "120",
            "CUDA_VISIBLE_DEVICES": "",  # documents show runs without a GPU, or mark them
        }
        self.status = 0

    def run(self, command):
        """The lines that a command prints, stdout and stderr together; `$?` is that of the one before."""
        script = f"(exit {self.status})\n{command}"
        done = subprocess.run(["bash", "-c", script], cwd=self.home, env=self.environment, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        self.status = done.returncode
        return done.stdout.replace(str(self.home), HOME).splitlines()


def prepare(shell, text):
    """The files that a document names, without those that its own commands make."""
    named, made = set(), set()
    for block in markdown.blocks(text):
        for command in transcript.commands(block) if block.reason is None else ():
            named.update(re.findall(r"[\w.-]+\.\w+", command.text))
            made.update(re.findall(r"^cat ([\w.-]+)$", command.text), re.findall(r"-o ([\w.-]+)", command.text))
    files.prepare(shell.home, sorted(named - made | named & set(files.PUBLISHED)), harness.shared_data)


def run_command(shell, command):
    """Runs a command. Returns (what it printed, a complaint or "")."""
    created = re.fullmatch(r"cat ([\w.-]+)", command.text)
    if created and command.shown and "..." not in command.shown and not (shell.home / created[1]).exists():
        (shell.home / created[1]).write_text("".join(f"{line}\n" for line in command.shown))
    printed = shell.run(command.text)
    where = f"line {command.line}: {command.text}"
    if shell.status != 0 and any(map(harness.MISSING.search, printed)):
        print(f"not compared, {where}: {printed[-1]}")
        return printed, ""
    if command.shown is not None and not transcript.same(command.shown, printed):
        shown = "\n".join(f"  - {line}" for line in command.shown)
        return printed, f"{where}\nshown:\n{shown}\nprinted:\n" + "\n".join(f"  + {line}" for line in printed)
    refused = command.shown and any(line.startswith(("millrace: ", "bash: ")) for line in command.shown)
    if shell.status != 0 and not refused:
        return printed, f"{where}: exit code {shell.status}\n" + "\n".join(printed)
    return printed, ""


def check(text, folder):
    """Runs all commands of a document. Returns complaints, and [(command, what it printed)]."""
    shell = Shell(folder)
    prepare(shell, text)
    complaints, printed = [], []
    for block in markdown.blocks(text):
        if block.reason is None:
            for command in transcript.commands(block):
                lines, complaint = run_command(shell, command)
                printed.append((command, lines, complaint))
                complaints += [complaint] if complaint else []
    return complaints, printed


def checked_documents():
    return [path.as_posix() for path in markdown.documents() if not path.as_posix().startswith(RECORDS)]


def unmarked(block):
    """Whether a block has commands that the test would not run, and does not say so."""
    return block.reason is None and transcript.looks_like_commands(block) and not transcript.commands(block)


class Documents(unittest.TestCase):
    """One test for each document with commands; they are added below."""

    def check(self, name):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="millrace-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        complaints, printed = check((ROOT / name).read_text("utf-8"), folder)
        print(f"{name}: {len(printed)} commands", flush=True)
        if complaints:
            self.fail(f"{len(complaints)} of {len(printed)} commands of {name}\n" + "\n\n".join(complaints))


def add_tests():
    for name in checked_documents():
        blocks = markdown.blocks((ROOT / name).read_text("utf-8"))
        if name != GENERATED and any(transcript.commands(block) and block.reason is None for block in blocks):
            method = "test_" + re.sub(r"\W", "_", name)
            setattr(Documents, method, lambda self, name=name: self.check(name))


add_tests()


class Unrun(unittest.TestCase):
    def test_blocks_that_are_not_run(self):
        faults, marked = [], 0
        for name in checked_documents():
            for block in markdown.blocks((ROOT / name).read_text("utf-8")):
                if unmarked(block):
                    faults.append(f"{name}:{block.line}: commands that are not run; say why: <!-- not run: ... -->")
                if block.reason is not None and len(block.reason.split()) < 2:
                    faults.append(f"{name}:{block.line}: marked as not run, without a reason")
                if block.reason is not None or name == GENERATED:
                    marked += block.reason is not None
                    faults += [f"{name}:{fault}" for fault in unrun_faults(block)]
        print(f"{marked} blocks are marked as not run")
        self.assertFalse(faults, "\n" + "\n".join(faults))


class PlantedFaults(unittest.TestCase):
    """The checks find planted faults."""

    def complaints(self, text):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="millrace-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        return len(check(text, folder)[0])

    def test_what_is_printed(self):
        for text, count in (
            ("```\n$ echo 7 vertices\n7 vertices\n```", 0),
            ("```\n$ echo 7 vertices\n8 vertices\n```", 1),
            ("```\n$ echo 7 vertices\n```", 1),
            ("```\n$ false\n```", 1),
            ("```\n$ (exit 4)\n$ echo $?\n4\n```", 1),  # the first command fails, and shows no message
            ("```\n$ seq 4\n1\n...\n4\n```", 0),
            ("```\n$ seq 4\n1\n...\n3\n```", 1),
            ("```\n$ cat new.txt\none\ntwo\n$ wc -l < new.txt\n2\n```", 0),
            ("```\nmillrace --version\n```", 0),
            ("```\nmillrace --nonsense\n```", 1),
            ("<!-- not run: a reason -->\n\n```\nmillrace --nonsense\n```", 0),
        ):
            self.assertEqual(self.complaints(text), count, text)

    def test_shapes(self):
        for shown, printed, same in (
            ("  time  3.75 ms, 0.5 GTEPS", "  time  12.1 us, 12 GTEPS", True),
            ("  plan  cpu, 2 threads, 4.0 KiB", "  plan  cpu, 16 threads, 3 MiB", True),
            ("  rank  0.00460717", "  rank  0.00460718", True),
            ("  rank  0.00460717", "  rank  0.00461717", False),
            ("  graph  7,115 vertices", "  graph  7,116 vertices", False),
            ("  check  passed", "  check  failed", False),
            ("1001 3", "1001 4", False),
            ("  change  1e-08", "  change  2e-08", True),
            ("  a", "    a", False),
        ):
            self.assertEqual(transcript.same([shown], [printed]), same, (shown, printed))

    def test_marks(self):
        marked, empty, none = markdown.blocks(
            "<!-- not run: needs a GPU -->\n\n```\nmake demo\n```\n<!-- not run -->\n```\nx\n```\n```\nmake demo\n```\n"
        )
        self.assertEqual((marked.reason, empty.reason, none.reason), ("needs a GPU", "", None))
        self.assertEqual([unmarked(block) for block in (marked, empty, none)], [False, False, True])

    def test_commands_that_are_not_run(self):
        for line, count in (
            ("$ millrace run pagerank g.store --device cuda --strategy chunked  # a comment", 0),
            ("$ MILLRACE_LINK_GBPS=6 build/millrace info g.store --json > out.json", 0),
            ("$ millrace run pagrank g.store", 1),
            ("$ millrace run pagerank g.store --devise cuda", 1),
            ("$ millrace run pagerank g.store --strategy chunky", 1),
            ("$ millrace generate rmatt -o g.store", 1),
            ("cat x | millrace imprt /dev/stdin -o g.store", 1),
            ("make test PRESET=cpu", 0),
            ("make tset", 1),
        ):
            block = markdown.Block(1, "", [line], "a reason")
            self.assertEqual(len(unrun_faults(block)), count, line)


def write(name):
    """Replaces what a document shows by what was printed, where it differs."""
    path = pathlib.Path(name)
    with tempfile.TemporaryDirectory(prefix="millrace-") as folder:
        _, printed = check(path.read_text("utf-8"), pathlib.Path(folder))
    lines = path.read_text("utf-8").splitlines()
    for command, output, complaint in reversed(printed):
        if complaint and command.shown is not None:
            begin = command.line - 1 + command.lines
            lines[begin : begin + len(command.shown)] = [line.rstrip() for line in output]
            print(f"{name}:{command.line}: {command.text}")
        elif complaint:
            print(complaint)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        for document in sys.argv[2:]:
            write(document)
    else:
        unittest.main()
