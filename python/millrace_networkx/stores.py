"""The stores of a graph, each made when an algorithm first needs it, and the sessions that keep them loaded."""

import collections
import os
import tempfile
import threading
import weakref

import millrace
import networkx as nx
import numpy as np

MEMORY_FOLDER = "/dev/shm"  # a small store is there in a tenth of the time that a disk takes


def settings():
    """How to run, from nx.config.backends.millrace."""
    config = nx.config.backends.get("millrace", {}) if hasattr(nx.config.backends, "get") else {}
    found = {"device": config.get("device"), "memory": config.get("memory"), "threads": config.get("threads")}
    if found["device"] == "auto":
        found["device"] = None
    return {name: value for name, value in found.items() if value}


def folder_for(edges):
    """Where a store of so many edges goes: into memory if there is plenty, otherwise where temporary files go."""
    try:
        space = os.statvfs(MEMORY_FOLDER)
        if os.access(MEMORY_FOLDER, os.W_OK) and space.f_bavail * space.f_frsize > 8 * (16 * edges + 2**20):
            return MEMORY_FOLDER
    except OSError:
        pass
    return tempfile.gettempdir()


class Store:
    """A graph of Millrace and its session. Vertex i is node i: order="natural", and every node is there."""

    def __init__(self, graph):
        self.graph = graph
        self._session = None
        self._settings = None
        self._lock = threading.Lock()

    def run(self, algorithm, **options):
        """The result of a run in a session with the present settings."""
        with self._lock:
            wanted = settings()
            if self._session is None or wanted != self._settings:
                self._session, self._settings = self.graph.session(**wanted), wanted
            return self._session.run(algorithm, **options)


class Stores:
    """Stores of one shape: `simple` without loops and weights, others with weights."""

    def __init__(self, shape):
        self._shape = weakref.proxy(shape)
        self._made = {}
        self._lock = threading.RLock()

    def simple(self):
        """Without self-loops, parallel edges and weights: for searches, components, cores, triangles."""
        return self._once("simple", lambda: self._build(None, loops=False, orientation="both"))

    def product(self, weights, by_edges=False):
        """With self-loops, and parallel edges added up: the matrix of NetworkX, for sparse products. An undirected edge
        with other weights from its other end is two entries or, with `by_edges`, what the first of its nodes has."""
        shape = self._shape
        if weights is None and not shape.multigraph and not len(shape.loops):
            if "simple" in self._made:
                return self._made["simple"]
            # In-edges are what a product with the transpose reads, and take two thirds of the time.
            return self._once("product", lambda: self._build(None, loops=False, orientation="in"))
        if weights is not None:
            values = weights.total
        else:
            values = np.ones(len(shape.rows.indices)) if shape.parallel is None else shape.parallel
        each_way = weights is not None and not weights.mutual and not by_edges
        key = ("product", id(weights), each_way)
        return self._once(key, lambda: self._build(values, loops=True, orientation="both", each_way=each_way), weights)

    def lengths(self, weights):
        """With the least of parallel edges: for shortest paths by weight."""
        key, each_way = ("lengths", id(weights)), not weights.mutual
        return self._once(
            key, lambda: self._build(weights.least, loops=False, orientation="both", each_way=each_way), weights
        )

    def _once(self, key, make, owner=None):
        with self._lock:
            if key not in self._made:
                self._made[key] = make()
                if owner is not None:  # its id may be that of another one afterwards
                    weakref.finalize(owner, self._made.pop, key, None)
            return self._made[key]

    def _build(self, values, loops, orientation, each_way=False):
        """`each_way`: an undirected graph as a directed one, with an edge from each end."""
        directed = self._shape.directed or each_way
        columns = edge_columns(self._shape, values, directed)
        layout = {"vertices": len(self._shape.nodes), "directed": directed, "orientation": orientation}
        layout["self_loops"] = "keep" if loops else "drop"
        return RECENT.get(columns, layout)


class RecentStores:
    """The last stores of small graphs. To make one takes ten times as long as a run, and programs that change a graph,
    or turn NetworkX's cache off, ask for the same edges again and again."""

    def __init__(self, most=16, most_edges=1000):
        self._most, self._most_edges = most, most_edges
        self._made = collections.OrderedDict()
        self._lock = threading.Lock()

    def get(self, columns, layout):
        """The store of these columns, made if it is not there."""
        if len(columns[0]) > self._most_edges:
            return self._make(columns, layout)
        key = (*layout.values(), *(b"" if one is None else one.tobytes() for one in columns))
        with self._lock:
            if key not in self._made:
                self._made[key] = self._make(columns, layout)
            self._made.move_to_end(key)
            while len(self._made) > self._most:
                self._made.popitem(last=False)
            return self._made[key]

    @staticmethod
    def _make(columns, layout):
        folder = folder_for(len(columns[0]))
        return Store(millrace.from_edges(*columns, **layout, order="natural", duplicates="sum", folder=folder))


RECENT = RecentStores()


def edge_columns(shape, values, directed):
    """(sources, targets, weights or None) of all edges, each once."""
    sources, targets = shape.rows.sources(), shape.rows.indices
    if not directed:
        half = sources <= targets
        sources, targets = sources[half], targets[half]
        values = None if values is None else values[half]
    return sources, targets, values
