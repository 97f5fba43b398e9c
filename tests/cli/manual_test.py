"""The manual: man pages that man shows without warnings, and docs/commands.md, both from the descriptions of commands."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

import harness

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Manual(harness.CliTest):
    def pages(self):
        self.millrace("manual", "--man", self.path("man1"))
        return {path.name: path.read_text() for path in sorted(self.path("man1").iterdir())}

    def test_document_is_that_of_the_command(self):
        """After a change of a description: millrace manual --markdown docs/commands.md"""
        made = self.millrace("manual", "--markdown", "-").stdout
        self.assertEqual((ROOT / "docs" / "commands.md").read_text(), made)

    def test_every_command_has_a_page(self):
        pages = self.pages()
        self.assertIn("millrace.1", pages)
        for path in harness.all_commands():
            if path[0] == "explain" and len(path) > 1:
                continue  # the same options as those of run
            page = pages["-".join(["millrace", *path]) + ".1"]
            name = r"\-".join(["millrace", *path]).replace("cross-edges", r"cross\-edges")
            self.assertIn(f".SH NAME\n{name} \\- ", page)
            self.assertIn(".SH EXAMPLES\n", page)
            for option in re.findall(r"--[a-z][\w-]*", self.usage(path)):
                self.assertIn(rf"\fB{option}".replace("-", r"\-"), page, path)

    def usage(self, path):
        """The part of a help text that lists options."""
        return re.search(r"Options:\n(.*?)(?:\n\n|\Z)", self.millrace(*path, "--help").stdout, re.S)[1]

    def test_main_page_has_what_is_in_the_sources(self):
        page = self.pages()["millrace.1"].replace(r"\-", "-")
        sources = "".join(path.read_text() for path in (ROOT / "src").rglob("*.cpp"))
        variables = set(re.findall(r'getenv\("(\w+)"\)', sources)) | set(re.findall(r'"(MILLRACE_[A-Z_]+)"', sources))
        self.assertGreaterEqual(len(variables), 6)
        for variable in sorted(variables | {"TMPDIR"}):
            self.assertIn(variable, page)
        for code in (0, 1, 2, 3, 4, 5, 130):
            self.assertIn(f".TP\n\\fB{code}\\fR\n", page)
        for section in ("SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", '"EXIT STATUS"', "ENVIRONMENT", "FILES"):
            self.assertIn(f".SH {section}\n", page)

    def test_references_lead_to_pages(self):
        pages = self.pages()
        for name, page in pages.items():
            for reference in re.findall(r"\\fB(millrace[^ ]*?)\\fR\(1\)", page):
                self.assertIn(reference.replace(r"\-", "-") + ".1", pages, name)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_no_warnings(self):
        self.pages()
        for page in sorted(self.path("man1").iterdir()):
            done = subprocess.run(["groff", "-ww", "-z", "-man", "-Tutf8", page], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)

    @unittest.skipUnless(shutil.which("man"), "man is not installed")
    def test_man_has_no_warnings(self):
        self.pages()
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"}
        for page in sorted(self.path("man1").iterdir()):
            command = ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page]
            done = subprocess.run(command, capture_output=True, text=True, env=environment)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)

    def test_the_same_on_every_machine(self):
        documents = set()
        for width, language in (("80", "C"), ("200", "C.UTF-8")):
            environment = {**harness.ENVIRONMENT, "COLUMNS": width, "LC_ALL": language, "HOME": str(self.directory)}
            command = [harness.MILLRACE, "manual", "--markdown", "-"]
            documents.add(subprocess.run(command, capture_output=True, env=environment, check=True).stdout)
        self.assertEqual(len(documents), 1)
        for words in (str(self.directory), str(ROOT)):
            self.assertNotIn(words.encode(), next(iter(documents)))

    def test_wants_to_know_what_to_write(self):
        self.fails(2, "manual", says=["--man", "--markdown"])


if __name__ == "__main__":
    unittest.main()
