"""Where graphs come from: stores, files, generators. Tables are in Graph.from_edges."""

import os
from typing import Any

from . import _core
from ._making import make_graph
from ._options import IMPORTS, LAYOUT, texts_of, threads_of
from .errors import path_text, reworded
from .graph import Graph


def _without_commands(text):
    """What a message says of commands, as the functions of Python."""
    for name, function in (("import", "import_file"), ("generate", "generate")):
        text = text.replace(f"'millrace {name}'", f"millrace.{function}")
    return text


def open(
    path: str | os.PathLike[str],
    *,
    memory: str | None = None,
    threads: int | None = None,
    trust: bool = False,
    **options: Any,
) -> Graph:
    """Opens a store, or a graph file of any format that ``import_file`` reads: that is imported once, and the store is
    kept in the cache of ``millrace run``. ``options`` are those of ``import_file``, for graph files. A store that this
    user did not make is checked the first time; with ``trust`` it is not."""
    texts = texts_of({"trust": trust, **options}, IMPORTS)
    given = (path_text("path", path), texts, str(memory or ""), threads_of(threads))
    files = {one["name"] for one in IMPORTS if one["value"] in ("FILE", "DIR", "PATH")} | {"store"}
    anywhere = [(name, os.path.abspath(text) if name in files else text) for name, text in texts]
    with reworded(_without_commands):
        store = _core.open(*given)
    return Graph(store, reopened_by=(os.path.abspath(given[0]), anywhere, *given[2:]))


def import_file(
    file: str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
    *,
    threads: int | None = None,
    **options: Any,
) -> Graph:
    """Imports a graph file to a store at ``path``; without one the graph is temporary. ``options`` are those of
    ``millrace import`` with underscores: ``format``, ``columns``, ``ids``, ``weighted``, ``undirected``, ..."""
    given = texts_of(options, [*IMPORTS, *LAYOUT])
    file = path_text("file", file)
    make = lambda store: _core.import_file(file, store, given, threads_of(threads), path is None)  # noqa: E731
    return make_graph(Graph, path, given, make)


def generate(
    kind: str,
    scale: int = 20,
    *,
    edge_factor: int = 16,
    seed: int = 1,
    weights: str | None = None,
    path: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    **layout: Any,
) -> Graph:
    """Makes a synthetic graph of 2**scale vertices: "rmat", "uniform" or "grid". ``weights``: "1:255" for random whole
    numbers, "0.5:1" for real ones. ``layout``: options of ``import_file`` such as ``undirected=True``."""
    options = {"scale": scale, "edge_factor": edge_factor, "seed": seed, "weights": weights}
    graph = texts_of(options, [{"name": name, "commas": False} for name in options])
    given = texts_of(layout, LAYOUT)
    make = lambda store: _core.generate(store, kind, graph, given, threads_of(threads), path is None)  # noqa: E731
    return make_graph(Graph, path, given, make)
