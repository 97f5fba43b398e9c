"""Writes python/millrace/_algorithms.pyi from the catalogue of the installed package; --check only compares."""

import inspect
import pathlib
import sys

from millrace import _algorithms

HEAD = """# Made by scripts/make_stubs.py from the catalogue.
import os
from collections.abc import Sequence
from typing import Literal

from .result import Result

class Algorithms:
"""


def stub_of(name, described):
    """The declaration of a method, with its help."""
    lines = [f"    def {name}(", "        self,"]
    keywords = False
    for parameter, kind, default in _algorithms.parameters(described):
        required = default is inspect.Parameter.empty
        if not required and not keywords:
            keywords = True
            lines.append("        *,")
        lines.append(f"        {parameter}: {kind}{'' if required else f' = {default!r}'},")
    lines.append("    ) -> Result:")
    help_lines = _algorithms.docstring(described).replace("\\", "\\\\").split("\n")
    text = "\n".join(f"        {line}".rstrip() for line in help_lines).strip()
    return "\n".join([*lines, f'        """{text}', '        """', ""])


def main():
    text = HEAD + "\n".join(
        stub_of(name, described)
        for name, described in _algorithms.CATALOGUE.items()
        if name not in _algorithms.WRITTEN_BY_HAND
    )
    path = pathlib.Path(__file__).parents[1] / "python" / "millrace" / "_algorithms.pyi"
    if "--check" not in sys.argv:
        path.write_text(text)
    elif path.read_text() != text:
        sys.exit(f"{path} is not what the catalogue says: run scripts/make_stubs.py")


if __name__ == "__main__":
    main()
