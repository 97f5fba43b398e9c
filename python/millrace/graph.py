"""Graphs."""

import json
import os
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core, _html, _inputs
from ._options import Common, Files, ask, find_algorithm, texts_of, threads_of
from ._temporary import TemporaryFolder
from .errors import UsageError
from .result import Result
from .runs import Runs, Session


def make_graph(path, make, folder=None):
    """The graph that make(path of the store) makes: at `path`, or temporary, in `folder` (default: that of TMPDIR)."""
    if path is not None:
        make(os.fspath(path))
        return Graph(_core.open(os.fspath(path), [], "", 0))
    temporary = TemporaryFolder(folder)
    try:
        store = os.path.join(temporary.path, "graph.store")
        make(store)
        graph = Graph(_core.open(store, [], "", 0), name="a temporary graph")
    except BaseException:
        temporary.remove()
        raise
    graph._folder = temporary
    return graph


class Graph(Runs):
    """A graph in a store. Made by ``millrace.open``, ``Graph.from_edges`` and others, not by its constructor."""

    def __init__(self, store, name=None):
        self._store = store
        self._name = name
        self._ids = None
        self._nodes = None
        self._node_ids = None
        self._folder = None

    # What it is

    @property
    def num_vertices(self) -> int:
        """The number of vertices."""
        return self._store.num_vertices

    @property
    def num_edges(self) -> int:
        """Directed edges: an undirected edge counts twice, a self-loop once. (What is printed counts it once.)"""
        return self._store.num_edges

    @property
    def directed(self) -> bool:
        """Whether edges have a direction."""
        return self._store.directed

    @property
    def weighted(self) -> bool:
        """Whether edges have weights."""
        return self._store.weighted

    @property
    def path(self) -> pathlib.Path:
        """Where the store is, or the graph file that it was made from."""
        return self._store.path

    @property
    def name(self) -> str:
        """For people: the path, or that it is temporary."""
        return self._name or str(self.path)

    def info(self) -> dict[str, Any]:
        """The figures of the store, as ``millrace info --json`` prints them."""
        return json.loads(self._store.describe(True))

    @property
    def ids(self) -> np.ndarray | tuple[str, ...]:
        """The original id of each vertex, in the order of vertices: an array of uint64, or a tuple of names."""
        if self._ids is None:
            ids = self._store.ids()
            if ids is None:
                ids = np.arange(self.num_vertices, dtype=np.uint64)
            if self._store.has_names:
                names = self._store.names()
                ids = tuple(names[i] for i in ids.tolist())
            else:
                ids.flags.writeable = False
            self._ids = ids
        return self._ids

    @property
    def nodes(self) -> list[Any]:
        """The nodes of the NetworkX graph that this one was made from, in the order of vertices; otherwise the ids."""
        if self._nodes is not None:
            return list(self._nodes)
        return self.ids.tolist() if isinstance(self.ids, np.ndarray) else list(self.ids)

    def id_of(self, node: Any) -> Any:
        """The id of a node of ``nodes``, for options such as ``source``. Raises KeyError for one that there is not."""
        if self._nodes is None:
            return node
        if self._node_ids is None:
            self._node_ids = dict(zip(self._nodes, self.ids.tolist()))
        return self._node_ids[node]

    def vertices(self, ids: Sequence[int | str] | np.ndarray) -> np.ndarray:
        """The vertices that have these ids or names, as an array. Raises UsageError for one that there is not."""
        if not self._store.has_names and len(ids):
            numbers = np.asarray(ids)
            if numbers.dtype.kind not in "iu" or (numbers.dtype.kind == "i" and numbers.min() < 0):
                raise UsageError("ids of this graph are whole numbers from 0 on")
        if self._store.has_names or len(ids) <= 16:
            return np.array(self._store.find([str(one) for one in ids]), np.uint32)
        order = np.argsort(self.ids, kind="stable")
        wanted = np.asarray(ids, np.uint64)
        places = np.minimum(np.searchsorted(self.ids, wanted, sorter=order), max(len(order) - 1, 0))
        found = order[places].astype(np.uint32) if len(order) else np.zeros(0, np.uint32)
        wrong = np.flatnonzero(self.ids[found] != wanted) if len(order) else np.arange(len(wanted))
        if len(wrong):
            raise UsageError(f"there is no vertex {wanted[wrong[0]]}")
        return found

    @property
    def out_degrees(self) -> np.ndarray:
        """Edges that leave each vertex, by vertex."""
        return self._store.degrees(True)

    @property
    def in_degrees(self) -> np.ndarray:
        """Edges that arrive at each vertex, by vertex."""
        return self._store.degrees(False)

    # Runs

    def _ask(self, files, name, common, options, x=None):
        return ask(files, name, common, options, x)

    def _run(self, asked, name, options):
        call = f"graph.{name}({', '.join(f'{k}={v!r}' for k, v in options.items() if v is not None)})"
        return Result(self, _core.run(self._store, asked), call)

    def explain(
        self,
        algorithm: str,
        /,
        *,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        threads: int | None = None,
        as_dict: bool = False,
        **options: Any,
    ) -> Any:
        """How a run would go: where everything would lie, how long it would take, and the other plans. A text, or with
        ``as_dict`` what ``millrace explain --json`` prints. An algorithm that was never measured on this machine is
        measured first, for some seconds."""
        with Files(find_algorithm(algorithm)["options"]) as files:
            asked = ask(files, algorithm, Common(columns, check, threads=threads), options)
            text = _core.explain(self._store, asked, as_dict)
        return json.loads(text) if as_dict else text.replace(str(self.path), self.name, 1)

    def session(self, *, memory: str | None = None, threads: int | None = None, **settings: Any) -> "Session":
        """A context in which pages stay loaded between runs that need the same of the graph. ``memory`` is
        ``host_memory``; ``device`` and the other settings of runs are given here, once."""
        if memory is not None:
            settings["host_memory"] = memory
        return Session(self, texts_of(settings), threads_of(threads))

    # To other forms

    def edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """(sources, targets, weights or None) of every edge, by vertex; an undirected edge is there both ways."""
        return _core.edges(self._store)

    def to_scipy(self) -> Any:
        """The adjacency matrix as a ``scipy.sparse.csr_array``: row ``i`` has the out-edges of vertex ``i``."""
        import scipy.sparse

        row, column, weight = self.edges()
        n = self.num_vertices
        if n < 2**31:
            row, column = row.view(np.int32), column.view(np.int32)
        values = np.ones(len(row), np.float64) if weight is None else weight
        return scipy.sparse.coo_array((values, (row, column)), shape=(n, n)).tocsr()

    def to_networkx(self) -> Any:
        """A ``networkx.DiGraph``, or ``Graph`` if undirected, of ``nodes``; weights are the attribute ``weight``. Needs
        NetworkX."""
        from ._networkx import to_networkx

        return to_networkx(self)

    @property
    def _edges_once(self):
        """For people: an undirected edge counts once."""
        return self.num_edges if self.directed else (self.num_edges + self._store.self_loops) // 2

    def __len__(self):
        return self.num_vertices

    def __repr__(self):
        kind = ("directed" if self.directed else "undirected") + (", weighted" if self.weighted else "")
        return f"<millrace.Graph {self.name}: {self.num_vertices:,} vertices, {self._edges_once:,} edges, {kind}>"

    def _repr_html_(self):
        return _html.graph_html(self)

    # Where graphs come from

    @classmethod
    def from_edges(
        cls,
        src: Any,
        dst: Any = None,
        weight: Any = None,
        directed: bool = True,
        path: str | os.PathLike[str] | None = None,
        vertices: Any = None,
        memory: str | None = None,
        threads: int | None = None,
        folder: str | os.PathLike[str] | None = None,
        **layout: Any,
    ) -> "Graph":
        """A graph from columns of sources, targets and perhaps weights, or from a table of these as the only argument.

        Columns may be NumPy arrays, columns of pandas, Polars or PyArrow, tensors on the host, anything with
        ``__arrow_c_stream__``, ``__arrow_c_array__``, ``__array__``, ``__dlpack__`` or a buffer, and lists. Ids are
        whole numbers from 0 to 2**64 - 1, or texts. ``vertices``: ids of vertices that may have no edges, in a column,
        or a number ``n`` for 0 to n - 1; without it the vertices are the ends of edges. Without ``path`` the graph is
        temporary: its store is in ``folder`` (default: that of temporary files, TMPDIR) and is removed with the graph.
        ``memory``, such as "1G", is the most memory to use beside the columns; edges that do not fit go through
        temporary files. ``layout``: options of ``import_file``, such as ``duplicates="sum"``, ``self_loops="keep"``,
        ``force=True``.
        """
        given, alone = _inputs.edge_columns(src, dst, weight), _inputs.vertex_column(vertices)
        options = texts_of({"undirected": True if not directed else None, "memory": memory, **layout})
        threads = threads_of(threads)
        if path is not None and folder is not None:
            raise UsageError("folder is for temporary graphs, and path for others: give one of them")
        make = lambda to: _core.build_edges(to, given, alone, options, threads, path is None)  # noqa: E731
        return make_graph(path, make, folder)

    @classmethod
    def from_scipy(
        cls,
        matrix: Any,
        directed: bool = True,
        weighted: bool = True,
        path: str | os.PathLike[str] | None = None,
        memory: str | None = None,
        **layout: Any,
    ) -> "Graph":
        """A graph from a square sparse matrix of SciPy: an entry in row i and column j is an edge from i to j. Every
        row is a vertex, also without entries. Of an undirected graph one triangle is enough."""
        if matrix.shape[0] != matrix.shape[1]:
            raise UsageError(f"the matrix has {matrix.shape[0]} rows and {matrix.shape[1]} columns; a graph is square")
        entries = matrix.tocoo()
        weight = entries.data if weighted else None
        if weight is not None and weight.dtype.kind == "b":
            weight = weight.view(np.uint8)
        layout = {"vertices": matrix.shape[0], **layout}
        return cls.from_edges(entries.row, entries.col, weight, directed, path, memory=memory, **layout)

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        weight: str | None = None,
        path: str | os.PathLike[str] | None = None,
        memory: str | None = None,
        **layout: Any,
    ) -> "Graph":
        """A graph of all nodes and edges of a graph of NetworkX, whose nodes may be anything. ``nodes`` has them by
        vertex, and ``Result.by_node`` gives values by node. ``weight``: the attribute of edges to take, 1 where an edge
        has none. Weights of parallel edges add up, or as ``duplicates`` says. Self-loops are dropped, or kept with
        ``self_loops="keep"``."""
        from ._networkx import from_networkx

        return from_networkx(cls, graph, weight, path, memory, layout)
