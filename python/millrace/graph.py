"""Graphs."""

import json
import operator
import os
import pathlib
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _core, _html, _inputs
from ._lists import list_of
from ._making import make_graph
from ._options import LAYOUT, SETTINGS, Common, Files, ask, find_algorithm, flag_of
from ._options import settings_named, texts_of, threads_of
from .errors import BadInputError, UsageError, reworded
from .result import Result
from .runs import Runs, Session


def _reopened(arguments, identity, nodes, taken):
    """A graph that was pickled. Raises BadInputError where something else is in its place now."""
    graph = Graph(_core.open(*arguments), reopened_by=arguments)
    if graph._store.identity != identity:
        raise BadInputError(
            f"{graph.path} has changed since the graph was pickled: that had {identity}; this has {graph._store.identity}"
        )
    graph._nodes, graph._taken = nodes, taken
    return graph


class Graph(Runs):
    """A graph in a store. Made by ``millrace.open``, ``Graph.from_edges`` and others, not by its constructor."""

    def __init__(self, store, name=None, reopened_by=None):
        if not isinstance(store, _core.Store):
            raise TypeError("Graph() opens no files: millrace.open(path) does, and millrace.from_edges(...) takes tables")
        self._store = store
        self._name = name
        self._reopened_by = reopened_by  # the arguments of _core.open, for pickle
        self._taken = None  # which columns of a table were taken
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
        """What messages and summaries call the graph: its path, or "a temporary graph"."""
        return self._name or str(self.path)

    def _named(self, text, name=None):
        """A text with the name of a temporary graph instead of its path, which nobody has given. Paths of files in it
        stay."""
        if self._name is None:
            return text
        return re.sub("(the graph )?" + re.escape(str(self.path)) + "(?!/)", name or self._name, text)

    def _errors_named(self):
        """A context whose errors name a temporary graph."""
        return reworded(lambda text: self._named(text, "the graph"))

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
        """The id of a node of ``nodes``, for options such as ``source``. Raises KeyError for a node that the graph does not
        have."""
        if self._nodes is not None or self._store.has_names:
            if self._node_ids is None:
                ids = self.ids
                self._node_ids = dict(zip(self.nodes, ids if isinstance(ids, tuple) else ids.tolist()))
            return self._node_ids[node]
        # Looked for in the store: a dictionary, or an array that is kept, would take much memory.
        try:
            number = int(operator.index(node))
            self._store.find("id_of", [str(number)])
        except (TypeError, UsageError):
            raise KeyError(node) from None
        return number

    def vertices(self, ids: Iterable[int | str] | np.ndarray) -> np.ndarray:
        """The vertices that have these ids or names, as an array. Raises UsageError for an id that no vertex has."""
        plain = isinstance(ids, np.ndarray) and not isinstance(ids, np.ma.MaskedArray) and ids.ndim == 1
        if not plain or ids.dtype.kind not in "iu":
            ids = list_of("ids", ids)
        if not self._store.has_names and len(ids):
            ids = np.asarray(ids)
            if ids.dtype.kind not in "iu" or (ids.dtype.kind == "i" and ids.min() < 0):
                raise UsageError("ids of this graph are whole numbers from 0 on")
        if self._store.has_names or len(ids) <= 16:
            return np.array(self._store.find("ids", [str(one) for one in ids]), np.uint32)
        order = np.argsort(self.ids, kind="stable")
        wanted = np.asarray(ids, np.uint64)
        places = np.minimum(np.searchsorted(self.ids, wanted, sorter=order), max(len(order) - 1, 0))
        found = order[places].astype(np.uint32) if len(order) else np.zeros(0, np.uint32)
        wrong = np.flatnonzero(self.ids[found] != wanted) if len(order) else np.arange(len(wanted))
        if len(wrong):
            self._store.find("ids", [str(wanted[wrong[0]])])  # raises
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
        with self._errors_named():
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
        as_dict = flag_of("as_dict", as_dict)
        with Files(find_algorithm(algorithm)["options"], self._store) as files, self._errors_named():
            asked = ask(files, algorithm, Common(columns, check, threads=threads), options)
            text = self._named(settings_named(_core.explain(self._store, asked, as_dict)))
        return json.loads(text) if as_dict else text

    def session(self, *, memory: str | None = None, threads: int | None = None, **settings: Any) -> "Session":
        """A context in which pages stay loaded between runs that need the same of the graph. ``memory`` is
        ``host_memory``; ``device`` and the other settings of runs are given here, once."""
        if memory is not None:
            settings["host_memory"] = memory
        return Session(self, texts_of(settings, SETTINGS.values()), threads_of(threads))

    # To other forms

    def edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """(sources, targets, weights or None) of every edge, by vertex; an undirected edge is there both ways."""
        return _core.edges(self._store)

    def to_scipy(self) -> Any:
        """The adjacency matrix as a ``scipy.sparse.csr_array``: row ``i`` has the out-edges of vertex ``i``. Parallel
        edges add up."""
        from ._scipy import to_scipy

        return to_scipy(self)

    def to_networkx(self) -> Any:
        """A ``networkx.DiGraph``, or ``Graph`` if undirected, of ``nodes``; of a graph that keeps parallel edges
        (``duplicates="keep"``) a ``MultiDiGraph`` or ``MultiGraph``. Weights are the attribute ``weight``. Needs
        NetworkX."""
        from ._networkx import to_networkx

        return to_networkx(self)

    @property
    def _edges_once(self):
        """How many edges there are if an undirected one counts once."""
        return self.num_edges if self.directed else (self.num_edges + self._store.self_loops) // 2

    def __len__(self):
        return self.num_vertices

    def __repr__(self):
        kind = ("directed" if self.directed else "undirected") + (", weighted" if self.weighted else "")
        taken = f", of {self._taken}" if self._taken else ""
        return f"<millrace.Graph {self.name}: {_html.size_text(self)}, {kind}{taken}>"

    def __copy__(self):
        return self  # it cannot change

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        if self._reopened_by is None:
            raise TypeError(
                "a temporary graph cannot be pickled, as its store goes with this process: make it with path=..., and "
                "the pickled graph opens that path"
            )
        return _reopened, (self._reopened_by, self._store.identity, self._nodes, self._taken)

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
        columns: Sequence[str] | str | None = None,
        **layout: Any,
    ) -> "Graph":
        """A graph from columns of sources, targets and perhaps weights, or from a table of these as the only argument.

        Of a table whose columns have names, those with usual names are taken: source, src, from or u; target, dst, to
        or v; weight, w or value; and similar ones, the same as in files. Where none has such a name the columns are
        source, target and weight in this order. ``columns=["a", "b", "w"]`` names them, and is needed where names leave
        it open: also for a third column that is not called a weight, beside two that are called the ends.

        Columns may be NumPy arrays, columns of pandas, Polars or PyArrow, tensors on the host, anything with
        ``__arrow_c_stream__``, ``__arrow_c_array__``, ``__array__``, ``__dlpack__`` or a buffer, and lists. Ids are
        whole numbers from 0 to 2**64 - 1, or texts. ``vertices``: ids of vertices that may have no edges, in a column,
        or a number ``n`` for 0 to n - 1; without it the vertices are the ends of edges. Without ``path`` the graph is
        temporary: its store is in ``folder`` (default: that of temporary files, TMPDIR) and is removed with the graph.
        ``memory``, such as "1G", is the most memory to use beside the columns; edges that do not fit go through
        temporary files. ``layout``: options of ``import_file``, such as ``duplicates="sum"``, ``self_loops="keep"``,
        ``force=True``.
        """
        (given, said), alone = _inputs.edge_columns(src, dst, weight, columns), _inputs.vertex_column(vertices)
        undirected = None if flag_of("directed", directed) else True
        options = texts_of({"undirected": undirected, "memory": memory, **layout}, LAYOUT)
        source = "a table in memory" + (f", {said}" if said else "")
        threads = threads_of(threads)
        if path is not None and folder is not None:
            raise UsageError("folder is for temporary graphs, and path for others: give one of them")
        make = lambda to: _core.build_edges(to, given, alone, options, threads, path is None, source)  # noqa: E731
        graph = make_graph(cls, path, options, make, folder)
        graph._taken = said
        return graph

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
        """A graph from a square sparse matrix of SciPy: an entry in row i and column j is an edge from i to j, also on
        the diagonal and where its value is 0. Every row is a vertex, also without entries, and vertex i is row i, so
        that ``spmv`` is the product with the matrix. Entries of the same place add up, as in SciPy, or are merged as
        ``duplicates`` says. ``self_loops="drop"`` leaves out the diagonal: algorithms that do not expect edges from a
        vertex to itself would count them. With ``directed=False`` the matrix is symmetric, or one triangle."""
        from ._scipy import from_scipy

        return from_scipy(cls, matrix, directed, weighted, path, memory, layout)

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
