"""Completion scripts: each shell reads them, and offers what a user may type next."""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

import harness

BASH = """
source "$1"
COMP_WORDS=("${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_millrace
printf '%s\\n' "${COMPREPLY[@]}"
"""


def needs(shell):
    return unittest.skipUnless(shutil.which(shell), f"{shell} is not installed")


class Completion(harness.CliTest):
    def script(self, shell, name):
        path = self.path(name)
        path.write_text(self.millrace("completion", shell).stdout)
        return path

    def read(self, *command, **options):
        """What a shell prints; it must have no complaints."""
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=self.directory, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        return done.stdout

    def make_files(self):
        self.path("g.store").mkdir()
        self.write("graph.txt", "0 1\n")

    def expect(self, offered):
        """What is offered, by a function from the words of a command line to a set, must fit the commands."""
        self.make_files()
        self.assertLessEqual({"import", "run", "explain", "completion", "manual"}, offered())
        self.assertEqual(offered("im"), {"import"})
        self.assertEqual(offered("run", "pag"), {"pagerank"})
        self.assertEqual(offered("-q", "run", "pag"), {"pagerank"})
        self.assertEqual(offered("explain", "cross"), set(), "cross-edges has no plans")
        self.assertEqual(offered("completion", ""), {"bash", "fish", "zsh"})
        self.assertEqual(offered("generate", "gr"), {"grid"})
        self.assertEqual(offered("run", "bfs", "--sou"), {"--source"})
        self.assertEqual(offered("run", "pagerank", "--sou"), set())
        self.assertEqual(offered("bench", "--no-h"), {"--no-hub"})
        self.assertEqual(offered("devices", "--vers"), set())
        self.assertEqual(offered("run", "bfs", "g.store", "--direction", "pu"), {"pull", "push"})
        self.assertEqual(offered("run", "bfs", "--strategy", "chu"), {"chunked"})
        self.assertEqual(offered("import", "graph.txt", "--segments", ""), {"auto", "none"})
        self.assertEqual(offered("run", "pagerank", "--iterations", "5", "g"), offered("run", "pagerank", "g"))
        self.assertEqual(offered("run", "bfs", "g.store", "--source", "x"), set())
        self.assertEqual(offered("import", "gr"), {"graph.txt"})
        self.assertIn("g.store", {name.rstrip("/") for name in offered("run", "bfs", "g")})
        self.assertIn("graph.txt", offered("run", "bfs", "g"), "a graph file is imported")
        self.assertNotIn("graph.txt", offered("info", "g"), "a store is a directory")
        self.assertIn("graph.txt", offered("run", "ppr", "g.store", "--seeds-file", "gr"))
        self.assertNotIn("graph.txt", offered("import", "graph.txt", "--temp", "g"))

    def test_bash(self):
        script = self.script("bash", "millrace.bash")
        self.read("bash", "-n", script)

        def offered(*words):
            return {word for word in self.read("bash", "-c", BASH, "-", script, "millrace", *(words or [""])).split("\n") if word}

        self.expect(offered)
        # bash splits words at "=", unless it is told not to.
        self.assertEqual(offered("run", "bfs", "--direction", "=", "pul"), {"pull"})
        self.assertEqual(offered("run", "bfs", "--direction", "="), {"auto", "pull", "push"})
        self.assertEqual(offered("run", "bfs", "--direction=pul"), {"--direction=pull"})
        self.assertEqual(offered("run", "bfs", "--direction", "=", "pull", "g.st"), {"g.store"})
        self.assertEqual(offered("generate", "grid", "-o", "x.store", "--ord"), {"--order"})
        self.assertLessEqual({"--quick", "--json", "--help"}, offered("devices", ""))

    @needs("fish")
    def test_fish(self):
        script = self.script("fish", "millrace.fish")
        environment = {**harness.ENVIRONMENT, "HOME": str(self.directory)}
        self.read("fish", "-n", script, env=environment)

        def offered(*words):
            line = " ".join(["millrace", *(words or [""])])
            program = "source $argv[1]; complete -C $argv[2]"
            lines = self.read("fish", "-c", program, script, line, env=environment).splitlines()
            return {line.split("\t")[0] for line in lines}

        self.expect(offered)
        self.assertEqual(offered("run", "bfs", "--direction=pul"), {"--direction=pull"})
        described = self.read("fish", "-c", f"source {script}; complete -C 'millrace run pag'", env=environment)
        self.assertRegex(described, "pagerank\tPageRank")

    @needs("zsh")
    def test_zsh_reads_it(self):
        self.read("zsh", "-n", self.script("zsh", "_millrace"))

    @needs("zsh")
    def test_zsh(self):
        self.script("zsh", "_millrace")
        self.make_files()
        with Terminal(self.directory) as zsh:
            for typed, completed in (
                ("millrace im", "millrace import "),
                ("millrace -q run pag", "millrace -q run pagerank "),
                ("millrace completion z", "millrace completion zsh "),
                ("millrace run bfs g.store --sou", "millrace run bfs g.store --source="),
                ("millrace run bfs g.store --direction=pus", "millrace run bfs g.store --direction=push "),
                ("millrace run bfs g.store --direction pus", "millrace run bfs g.store --direction push "),
                ("millrace verify g", "millrace verify g.store/"),
                ("millrace bench g.store --no-h", "millrace bench g.store --no-hub "),
                ("millrace import gra", "millrace import graph.txt "),
                ("millrace generate gr", "millrace generate grid "),
                ("millrace explain --report gra", "millrace explain --report graph.txt "),
            ):
                self.assertEqual(zsh.complete(typed), completed.strip())

    @needs("zsh")
    def test_zsh_by_source(self):
        script = self.script("zsh", "_millrace")
        program = f"autoload -Uz compinit; compinit -D -u; source {script}; print $_comps[millrace]"
        self.assertEqual(self.read("zsh", "-f", "-c", program), "_millrace\n")

    def test_refuses_other_shells(self):
        self.fails(2, "completion", "tcsh", says="tcsh")
        self.fails(2, "completion")


class Terminal:
    """An interactive zsh with the script in a folder of its fpath."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(self.folder)
            os.environ.update(HOME=str(self.folder), TERM="dumb", COLUMNS="200", LINES="50")
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.command("PROMPT=; RPROMPT=; unsetopt zle_bracketed_paste prompt_cr prompt_sp list_beep 2>/dev/null")
        self.command("fpath=($PWD $fpath); autoload -Uz compinit; compinit -D -u")
        # Shows the line as it stands, between marks, and empties it.
        self.command("show() { print -r -- \"<<$BUFFER>>\" > shown; mv shown line; BUFFER=; }; zle -N show; bindkey '^X' show")
        self.command("print ready > line")
        self.wait_for_line()
        return self

    def __exit__(self, *_):
        os.close(self.terminal)
        os.waitpid(self.process, 0)

    def command(self, line):
        os.write(self.terminal, line.encode() + b"\n")

    def wait_for_line(self):
        line = pathlib.Path(self.folder) / "line"
        end = time.monotonic() + 60
        while not line.exists():
            if select.select([self.terminal], [], [], 0.02)[0]:
                os.read(self.terminal, 65536)  # what zsh shows must be read, or it waits
            if time.monotonic() > end:
                raise AssertionError("zsh does not answer")
        text = line.read_text()
        line.unlink()
        return text

    def complete(self, typed):
        os.write(self.terminal, typed.encode() + b"\t\x18")
        return re.search("<<(.*)>>", self.wait_for_line())[1].strip()


if __name__ == "__main__":
    unittest.main()
