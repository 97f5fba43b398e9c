"""Graphs of NetworkX as arrays, and back."""

import weakref

import networkx as nx
import numpy as np

from .rows import edge_data, read_rows, read_weights
from .stores import Stores


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
            self.parallel = np.fromiter(map(len, edge_data(graph._adj)), np.int64, count=len(self.rows.indices))
        self._loops = None
        self._degrees = None
        self.back = None  # of undirected views: for each entry of the rows the one of the same edge from its other end
        if hasattr(graph, "_graph"):
            self._compare_ends(graph)
        self.stores = Stores(self)

    def index(self):
        """The number of each node, made when it is asked for."""
        if self._index is None:
            self._index = dict(zip(self.nodes, range(len(self.nodes))))
        return self._index

    def _compare_ends(self, graph):
        """Views compute what a node's neighbours are. Those of an undirected graph may hide an edge from one end alone,
        which is no graph any more. Directed views of such ones have out-edges without in-edges."""
        if self.directed:
            if all(one.is_directed() for one in _graphs_below(graph)):
                return
            if list(graph._pred) != self.nodes:
                raise NotImplementedError("the in-edges of the view are not in the order of its nodes")
            rows = read_rows(self.nodes, self.index, graph._pred)
            parallel = list(map(len, edge_data(graph._pred))) if self.multigraph else None
        else:
            rows, parallel = self.rows, self.parallel
        count = len(self.nodes)
        there = np.argsort(self.rows.sources().astype(np.int64) * count + self.rows.indices)
        back = np.argsort(rows.indices.astype(np.int64) * count + rows.sources())
        ends = ((self.rows.sources(), rows.indices), (self.rows.indices, rows.sources()))
        same = len(there) == len(back) and all(np.array_equal(one[there], other[back]) for one, other in ends)
        if same and parallel is not None:
            same = np.array_equal(self.parallel[there], np.asarray(parallel)[back])
        if not same:
            raise NotImplementedError("the view has edges that only one of their ends has")
        if not self.directed:
            self.back = np.empty(len(there), np.int64)
            self.back[there] = back

    def incoming(self, graph):
        """Rows of in-neighbours. Their order is that of NetworkX, which only the graph itself knows."""
        if self._incoming is None:
            if graph is None or list(graph._pred) != self.nodes:
                raise NotImplementedError("the order of in-edges is known only to the graph that was converted, which no longer exists")
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
        if self._degrees is None:
            degrees = self.out_degrees()
            if self.directed:
                degrees += self.in_degrees()
            else:
                nodes = self.rows.indices[self.loops]
                degrees[nodes] += 1 if self.parallel is None else self.parallel[self.loops]
            self._degrees = degrees
        return self._degrees


def _graphs_below(view):
    """The graphs that a view shows, one through the other."""
    while hasattr(view, "_graph"):
        view = view._graph
        yield view


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
        """The graph that this one was made from or, once that is gone, one with the same nodes and edges."""
        graph = self._origin()
        if graph is not None:
            return graph
        kind = {(0, 0): nx.Graph, (1, 0): nx.DiGraph, (0, 1): nx.MultiGraph, (1, 1): nx.MultiDiGraph}
        made = kind[self.is_directed(), self.is_multigraph()](**self.graph)
        made.add_nodes_from(self.nodes)
        made.add_edges_from(self._edges())
        return made

    def __reduce__(self):
        """Conversions stay in their process: in a copy of a graph, whose cache is copied too, they become None, which
        NetworkX takes for no conversion."""
        if conversion_of(self._origin()) is not None:
            return type(None), ()
        raise TypeError("a converted graph can be neither pickled nor copied: convert the graph of NetworkX again")

    def _edges(self):
        sources, targets = self.rows.sources(), self.rows.indices
        chosen = np.arange(len(targets)) if self.is_directed() else np.flatnonzero(sources <= targets)
        if self.shape.parallel is not None:
            chosen = np.repeat(chosen, self.shape.parallel[chosen])
        return zip(self.pick(sources[chosen]), self.pick(targets[chosen]))


def conversion_of(graph):
    """The graph itself if it is converted, or a conversion that is in its cache, or None."""
    if isinstance(graph, BackendGraph):
        return graph
    cache = getattr(graph, "__networkx_cache__", None) or {}
    made = list(cache.get("backends", {}).get("millrace", {}).values())
    return next((one for one in made if isinstance(one, BackendGraph)), None)


def _shared_shape(graph):
    """The shape of an earlier conversion with other attributes. NetworkX empties the cache when the graph changes."""
    made = conversion_of(graph) if nx.config.cache_converted_graphs else None
    return None if made is None else made.shape


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
