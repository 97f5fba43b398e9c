"""Graphs of NetworkX as arrays, and back.

Reading dictionaries takes most of the time of a first call, so every edge is visited once, by the extension, and
attributes of edges are read only where they are asked for.
"""

import weakref
from itertools import chain

import networkx as nx
import numpy as np
from millrace._core import read_adjacency

from .stores import Stores


class Rows:
    """The neighbours of every node, in NetworkX's order: those of node i are indices[starts[i]:starts[i + 1]].
    `plain`: no edge has attributes, as far as is known."""

    def __init__(self, starts, indices, plain=False):
        self.starts, self.indices, self.plain = starts, indices, plain

    @property
    def degrees(self):
        """How many neighbours each node has. A node that is its own neighbour counts it once."""
        return np.diff(self.starts)

    def sources(self):
        """The node that each entry of `indices` belongs to."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), self.degrees)


def read_rows(nodes, index, adjacency):
    """The rows of a dictionary of dictionaries whose keys are `nodes`, in their order."""
    if type(adjacency) is dict:
        own_numbers = set(map(type, nodes)) == {int} and nodes == list(range(len(nodes)))
        found = read_adjacency(adjacency, None if own_numbers else index())
        if found is not None:
            return Rows(*found)
    # A class of its own, or neighbours that are equal to nodes but other objects: 1.0 for 1.
    rows = adjacency.values()
    if set(map(type, rows)) - {dict}:  # those of views may have other lengths than neighbours
        rows = list(map(list, rows))
    counts = np.fromiter(map(len, rows), np.int64, count=len(nodes))
    starts = np.zeros(len(nodes) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    numbers = map(index().__getitem__, chain.from_iterable(rows))
    return Rows(starts, np.fromiter(numbers, np.int32, count=int(starts[-1])))


class Shape:
    """Nodes and edges without attributes, and the stores made of them. Conversions of one graph share it."""

    def __init__(self, graph):
        self.directed, self.multigraph = graph.is_directed(), graph.is_multigraph()
        self.nodes = list(graph._adj)
        self._index = None
        self.rows = read_rows(self.nodes, self.index, graph._adj)
        self._incoming = None if self.directed else self.rows
        self.parallel = None
        if self.multigraph:
            self.parallel = np.fromiter(map(len, _data(graph)), np.int64, count=len(self.rows.indices))
        self._loops = None
        self.stores = Stores(self)

    def index(self):
        """The number of each node, made when it is asked for."""
        if self._index is None:
            self._index = dict(zip(self.nodes, range(len(self.nodes))))
        return self._index

    def incoming(self, graph):
        """Rows of in-neighbours. Their order is that of NetworkX, which only the graph itself knows."""
        if self._incoming is None:
            if graph is None or list(graph._pred) != self.nodes:
                raise NotImplementedError("the order of in-edges is that of a graph that there is no more")
            self.require_unchanged(graph)
            self._incoming = read_rows(self.nodes, self.index, graph._pred)
        return self._incoming

    def require_unchanged(self, graph):
        """What is read of the graph later has to fit. NetworkX converts a graph again that has changed, but a
        conversion that somebody keeps stays."""
        same = list(graph._adj) == self.nodes
        if same:
            now = read_rows(self.nodes, self.index, graph._adj)
            same = np.array_equal(now.starts, self.rows.starts) and np.array_equal(now.indices, self.rows.indices)
        if not same:
            raise NotImplementedError("the graph has changed since it was converted")

    @property
    def loops(self):
        """The entries of `rows` that are self-loops."""
        if self._loops is None:
            self._loops = np.flatnonzero(self.rows.indices == self.rows.sources())
        return self._loops

    def out_degrees(self):
        """Edges that leave each node, parallel ones counted; of undirected graphs without a second end of loops."""
        return self._sum_parallel(self.rows.sources())

    def in_degrees(self):
        """Edges that arrive at each node, parallel ones counted."""
        return self._sum_parallel(self.rows.indices)

    def _sum_parallel(self, nodes):
        weights = None if self.parallel is None else self.parallel
        return np.bincount(nodes, weights, minlength=len(self.nodes)).astype(np.int64)

    def degrees(self):
        """The degrees of NetworkX: a self-loop counts twice."""
        if self.directed:
            return self.out_degrees() + self.in_degrees()
        degrees = self.out_degrees()
        nodes = self.rows.indices[self.loops]
        degrees[nodes] += 1 if self.parallel is None else self.parallel[self.loops]
        return degrees


class Weights:
    """An attribute of every entry of the rows. Of parallel edges: what they add up to, and the least."""

    def __init__(self, total, least, types):
        self.total, self.least, self.types = total, least, types


def read_weights(graph, shape, name, default):
    """The weights, or None where every edge has the default 1."""
    if shape.multigraph:
        return _read_parallel(_data(graph), name, default)
    # A dictionary without attributes is false.
    if default == 1 and (shape.rows.plain or not any(_data(graph))):
        return None
    values = [attributes.get(name, default) for attributes in _data(graph)]
    types = _types(values, name)
    numbers = _numbers(values, name)
    return Weights(numbers, numbers, types)


def _read_parallel(data, name, default):
    values = [[one.get(name, default) for one in edges.values()] for edges in data]
    types = _types(chain.from_iterable(values), name)
    return Weights(_numbers(list(map(sum, values)), name), _numbers(list(map(min, values)), name), types)


def _types(values, name):
    types = set(map(type, values))
    for one in types:
        if not issubclass(one, (int, float, np.integer, np.floating)):
            raise NotImplementedError(f"the attribute {name!r} has values that are no numbers, of type {one.__name__}")
    return types


def _numbers(values, name):
    try:
        numbers = np.fromiter(values, np.float64, count=len(values))
    except OverflowError as error:
        raise NotImplementedError(f"the attribute {name!r} has values that are too large") from error
    if not np.isfinite(numbers).all():
        raise NotImplementedError(f"the attribute {name!r} has values that are not finite")
    return numbers


def _data(graph):
    """The dictionary of each entry of the rows: of attributes or, in multigraphs, of parallel edges."""
    rows = graph._adj.values()
    if set(map(type, rows)) - {dict}:  # those of views are no dictionaries
        rows = map(dict, rows)
    return chain.from_iterable(map(dict.values, rows))


class BackendGraph:
    """A graph of NetworkX as arrays and stores. Results are by node, in the order of the nodes."""

    __networkx_backend__ = "millrace"

    def __init__(self, shape, weights, graph, keep, attributes):
        self.shape = shape
        self.nodes = shape.nodes
        self.graph = attributes
        self._weights = weights
        # Not to keep a graph alive that has its conversion in its cache, unless all of its attributes are asked for.
        self._origin = (lambda: graph) if keep else weakref.ref(graph)

    def is_directed(self):
        return self.shape.directed

    def is_multigraph(self):
        return self.shape.multigraph

    def __len__(self):
        return len(self.nodes)

    number_of_nodes = order = __len__

    def __iter__(self):
        return iter(self.nodes)

    @property
    def _adj(self):
        return self.shape.index()

    def __contains__(self, node):
        try:
            return node in self.shape.index()
        except TypeError:
            return False

    nbunch_iter = nx.Graph.nbunch_iter

    def number_of_edges(self):
        """As NetworkX counts: an undirected edge once."""
        return int(self.shape.degrees().sum()) // 2

    def number(self, node):
        """The number of a node; KeyError where there is none."""
        return self.shape.index()[node]

    @property
    def rows(self):
        return self.shape.rows

    @property
    def incoming(self):
        return self.shape.incoming(self._origin())

    def weights(self, name):
        """The weights of an attribute, or None where every edge has 1."""
        if name is None:
            return None
        if name not in self._weights:
            graph = self._origin()
            if graph is None:
                raise NotImplementedError(f"the attribute {name!r} was not converted")
            self.shape.require_unchanged(graph)
            self._weights[name] = read_weights(graph, self.shape, name, 1)
        return self._weights[name]

    def by_node(self, values):
        """A dictionary of an array of values, one for each node."""
        return dict(zip(self.nodes, values.tolist()))

    def pick(self, numbers):
        """The nodes of an array of numbers."""
        return list(map(self.nodes.__getitem__, numbers.tolist()))

    def to_networkx(self):
        """The graph that this one was made from or, where there is none any more, one with the same nodes and edges."""
        graph = self._origin()
        if graph is not None:
            return graph
        kind = {(0, 0): nx.Graph, (1, 0): nx.DiGraph, (0, 1): nx.MultiGraph, (1, 1): nx.MultiDiGraph}
        made = kind[self.is_directed(), self.is_multigraph()](**self.graph)
        made.add_nodes_from(self.nodes)
        made.add_edges_from(self._edges())
        return made

    def _edges(self):
        sources, targets = self.rows.sources(), self.rows.indices
        chosen = np.arange(len(targets)) if self.is_directed() else np.flatnonzero(sources <= targets)
        if self.shape.parallel is not None:
            chosen = np.repeat(chosen, self.shape.parallel[chosen])
        return zip(self.pick(sources[chosen]), self.pick(targets[chosen]))


def _shared_shape(graph):
    """The shape of an earlier conversion with other attributes. NetworkX empties the cache when the graph changes."""
    cache = getattr(graph, "__networkx_cache__", None)
    if not cache or not nx.config.cache_converted_graphs:
        return None
    for made in list(cache.get("backends", {}).get("millrace", {}).values()):
        if isinstance(made, BackendGraph):
            return made.shape
    return None


def convert_from_nx(
    graph,
    edge_attrs=None,
    node_attrs=None,
    preserve_edge_attrs=False,
    preserve_node_attrs=False,
    preserve_graph_attrs=False,
    name=None,
    graph_name=None,
):
    """Called by NetworkX. Attributes of nodes stay with the graph: no algorithm here reads them."""
    if isinstance(graph, BackendGraph):
        return graph
    if hasattr(graph, "_graph"):  # a view: its cache is not emptied when the graph changes that it shows
        graph.__networkx_cache__ = None
    shape = _shared_shape(graph) or Shape(graph)
    weights = {}
    for attribute, default in (edge_attrs or {}).items():
        weights[attribute] = read_weights(graph, shape, attribute, default)
    keep = bool(preserve_edge_attrs is True or preserve_node_attrs is True)
    return BackendGraph(shape, weights, graph, keep, dict(graph.graph))


def convert_to_nx(result, *, name=None):
    """Called by NetworkX on results, which are no graphs of Millrace unless someone passes one on."""
    return result.to_networkx() if isinstance(result, BackendGraph) else result
