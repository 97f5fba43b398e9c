"""Millrace: graph algorithms for graphs larger than memory, on CPUs and NVIDIA GPUs.

>>> import millrace
>>> g = millrace.open("wiki-Vote.txt")
>>> g.pagerank().top(3)
"""

from . import _core
from . import _progress
from ._options import CATALOGUE, flag_of
from ._plugins import load_plugin
from ._table import NO_VERTEX, UNREACHED
from .errors import BadInputError, DeviceError, DoesNotFitError, Error, InternalError, IoError, MissingFileError, UsageError
from .graph import Graph
from .result import Result
from .runs import Session
from .sources import generate, import_file, open

__version__ = _core.version
with_cuda = _core.with_cuda  # Whether the package was built with CUDA.
from_edges = Graph.from_edges
from_networkx = Graph.from_networkx
from_scipy = Graph.from_scipy


def algorithms():
    """What the catalogue says of every algorithm, by the name of its method: options, types, ranges, columns."""
    return CATALOGUE


def show_progress(show):
    """Whether long work shows a bar, on terminals and in notebooks. It does by default."""
    _core.show_progress(flag_of("show", show))


_progress.draw_in_notebooks()


__all__ = [
    "BadInputError",
    "DeviceError",
    "DoesNotFitError",
    "Error",
    "Graph",
    "InternalError",
    "IoError",
    "MissingFileError",
    "NO_VERTEX",
    "Result",
    "Session",
    "UNREACHED",
    "UsageError",
    "algorithms",
    "from_edges",
    "from_networkx",
    "from_scipy",
    "generate",
    "import_file",
    "load_plugin",
    "open",
    "show_progress",
    "with_cuda",
]
