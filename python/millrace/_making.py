"""Making the store of a new graph: at a path, or in a temporary folder."""

import os

from . import _core
from ._options import texts_of
from ._temporary import TemporaryFolder
from .errors import UsageError, require_folder, require_folder_of


def _require_stripes(layout, path):
    """Raises an error for folders of pages that do not exist, or in which a temporary graph would leave its pages."""
    for name, text in layout:
        if name == "stripe":
            if path is None:
                raise UsageError("stripe is for graphs that stay: give the path of the graph too")
            for folder in filter(None, text.split(",")):  # an empty one is refused with the other options
                require_folder(folder)


def make_graph(kind, path, layout, make, folder=None):
    """The graph, of the class `kind`, that make(path of the store) makes: at `path`, or temporary, in `folder` (default:
    that of TMPDIR). `layout`: the texts of its options."""
    _require_stripes(layout, path)
    trusted = texts_of({"trust": True})  # it is made here
    if path is not None:
        path = require_folder_of(path)
        make(path)
        return kind(_core.open(path, trusted, "", 0), reopened_by=(os.path.abspath(path), [], "", 0))
    temporary = TemporaryFolder(folder)
    try:
        store = os.path.join(temporary.path, "graph.store")
        make(store)
        graph = kind(_core.open(store, trusted, "", 0), name="a temporary graph")
    except BaseException:
        temporary.remove()
        raise
    graph._folder = temporary
    return graph
