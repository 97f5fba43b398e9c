"""Links between documents: relative links lead to files of the project, anchors to headings. Needs no network."""

import os
import pathlib
import re
import unittest

import markdown
from markdown import ROOT

# Documents that are named in text but lie in the folder of a user.
NAMED_ELSEWHERE = {"commands.md"}
MOST_README_LINES = 110


def exists(path):
    """Whether a path is there in just this spelling, on file systems that ignore case too."""
    return path.exists() and path.name in os.listdir(path.parent)


def broken_links(name, text, root=ROOT):
    """What is wrong with the links of a document, whose name is relative to the root."""
    wrong = []
    for number, target in markdown.links(text):
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue  # of the network
        where = f"{name}:{number} ({target})"
        path, _, anchor = target.partition("#")
        file = pathlib.Path(os.path.normpath(root / pathlib.Path(name).parent / path)) if path else root / name
        if not target or target.startswith("/"):
            wrong.append(f"{where}: not relative")
        elif not file.is_relative_to(root):
            wrong.append(f"{where}: outside of the project")
        elif path and not exists(file):
            wrong.append(f"{where}: no such file")
        elif anchor and file.suffix != ".md":
            wrong.append(f"{where}: an anchor of a file without headings")
        elif anchor and anchor not in markdown.anchors(text if file == root / name else file.read_text("utf-8")):
            wrong.append(f"{where}: no such heading")
    return wrong


def missing_documents(name, text, root=ROOT):
    """Documents that are named as code, such as `docs/format.md`, and do not exist."""
    wrong = []
    for number, line in markdown.prose(text):
        for path in re.findall(r"`([\w./-]+\.md)`", line):
            if path not in NAMED_ELSEWHERE and not any((base / path).exists() for base in (root, (root / name).parent)):
                wrong.append(f"{name}:{number}: `{path}`: no such document")
    return wrong


class Links(unittest.TestCase):
    def complain(self, complaints, remedy):
        if complaints:
            self.fail("\n  ".join([f"{remedy}:", *complaints]))

    def test_links_lead_somewhere(self):
        texts = {path.as_posix(): (ROOT / path).read_text("utf-8") for path in markdown.documents()}
        count = sum(len(list(markdown.links(text))) for text in texts.values())
        self.assertGreater(count, 50)
        print(f"{count} links in {len(texts)} documents")
        self.complain([fault for name, text in texts.items() for fault in broken_links(name, text)], "broken links")

    def test_named_documents_exist(self):
        faults = []
        for path in markdown.documents():
            faults += missing_documents(path.as_posix(), (ROOT / path).read_text("utf-8"))
        self.complain(faults, "renamed or removed?")

    def test_the_index_has_every_document(self):
        index = (ROOT / "docs/README.md").read_text("utf-8")
        linked = {os.path.normpath(target.partition("#")[0]) for _, target in markdown.links(index)}
        below = [path.relative_to("docs").as_posix() for path in markdown.documents() if path.parts[0] == "docs"]
        self.complain([path for path in below if path not in linked | {"README.md"}], "not in docs/README.md")

    def test_the_readme_is_short(self):
        lines = len((ROOT / "README.md").read_text("utf-8").splitlines())
        self.assertLessEqual(lines, MOST_README_LINES, "it is for a first look; docs/ has the rest")

    def test_pictures_have_a_text(self):
        faults = []
        for path in markdown.documents():
            for number, line in markdown.prose((ROOT / path).read_text("utf-8")):
                if re.search(r"!\[\s*\]\(|<img\b(?![^>]*\balt=\"[^\"]+\")", line):
                    faults.append(f"{path}:{number}")
        self.complain(faults, "pictures without a text for those who do not see them")


class PlantedFaults(unittest.TestCase):
    """The checks find planted faults."""

    def faults(self, text):
        return broken_links("docs/README.md", text)

    def test_broken(self):
        for target in (
            "nothing.md",
            "../docs/Format.md",
            "format.md#no-such-heading",
            "#no-such-heading",
            "../../elsewhere",
            "/etc/passwd",
            "",
            "../LICENSE#terms",
        ):
            self.assertEqual(len(self.faults(f"a [link]({target}) here")), 1, target)
        self.assertEqual(len(self.faults("![picture](images/none.svg)\n[one](none) [two](none)\n[r]: none.md")), 4)
        self.assertEqual(len(self.faults('<img alt="x" src="images/none.svg">')), 1)

    def test_whole(self):
        for text in (
            "[a](architecture.md#folders), [b](https://example.org/none), [c](../LICENSE), [d](../bench/results/)",
            "```\n[a](none.md)\n```\nand `[a](none.md)`",
            "# A `b` (c), d!\n[here](#a-b-c-d)",
            "# Twice\n# Twice\n[here](#twice-1)",
        ):
            self.assertEqual(self.faults(text), [])

    def test_anchors(self):
        self.assertEqual(markdown.slug("The `--store` of *one* file: a [link](x.md)"), "the---store-of-one-file-a-link")
        self.assertEqual(markdown.anchors("```\n# no heading\n```\n## Known limits"), {"known-limits"})

    def test_named(self):
        self.assertEqual(len(missing_documents("docs/README.md", "see `docs/none.md` and `format.md`")), 1)


if __name__ == "__main__":
    unittest.main()
