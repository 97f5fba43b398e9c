"""The sources that the tests of this folder look at."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"

COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)"
    | "(?:\\.|[^"\\\n])*" | (?<!\w)'(?:\\.|[^'\\\n])+'""",
    re.S | re.X,
)


def sources():
    """The text of every source file, by its path below src/."""
    found = sorted(path for path in SOURCE.rglob("*") if path.suffix in (".h", ".cpp", ".cuh", ".cu"))
    return {path.relative_to(SOURCE).as_posix(): path.read_text() for path in found}


class SourceTest(unittest.TestCase):
    """Has all sources, and fails with what is wrong in them."""

    @classmethod
    def setUpClass(cls):
        cls.texts = sources()

    def complain(self, complaints, remedy):
        if complaints:
            self.fail("\n  ".join([f"{remedy}:", *complaints]))
