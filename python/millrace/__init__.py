"""Millrace: graph algorithms for graphs larger than memory, on CPUs and NVIDIA GPUs.

>>> import millrace
>>> g = millrace.open("wiki-Vote.txt")
>>> g.pagerank().top(3)
"""

import os as _os

# Threads of OpenMP that have nothing to do would take cores from those of the engine: small graphs would take four times
# as long. The runtime reads this when it is loaded; other libraries and processes are not to see it.
_waits = _os.environ.get("OMP_WAIT_POLICY")
_os.environ.setdefault("OMP_WAIT_POLICY", "passive")
from . import _core  # noqa: E402

if _waits is None:
    del _os.environ["OMP_WAIT_POLICY"]
from . import _progress  # noqa: E402
from ._options import CATALOGUE  # noqa: E402
from ._table import NO_VERTEX, UNREACHED  # noqa: E402
from .errors import (  # noqa: E402
    BadInputError,
    DeviceError,
    DoesNotFitError,
    Error,
    InternalError,
    IoError,
    MissingFileError,
    UsageError,
)
from .graph import Graph  # noqa: E402
from .result import Result  # noqa: E402
from .runs import Session  # noqa: E402
from .sources import generate, import_file, open  # noqa: E402

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
    _core.show_progress(show)


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
    "open",
    "show_progress",
    "with_cuda",
]
