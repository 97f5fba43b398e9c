"""Algorithms of others, in shared libraries."""

import os

from . import _core
from ._algorithms import Algorithms, method_of
from ._options import CATALOGUE


def load_plugin(path: str | os.PathLike[str]) -> list[str]:
    """Loads a plug-in, a shared library with more algorithms (docs/own-programs.md), and returns the names of their
    methods. Graphs and sessions get these methods, unless they have something of that name already; ``run`` takes all
    names. Raises UsageError for a file that is no plug-in, or was compiled against another version of Millrace."""
    names = []
    for described in _core.load_plugin(os.path.abspath(os.fsdecode(path))):
        name = described["method"]
        if name not in CATALOGUE:
            CATALOGUE[name] = described
            if not any(hasattr(kind, name) for kind in _kinds(Algorithms)):
                setattr(Algorithms, name, method_of(name, described))
        names.append(name)
    return names


def _kinds(kind):
    """The class and all that are derived from it."""
    return [kind, *(below for one in kind.__subclasses__() for below in _kinds(one))]
