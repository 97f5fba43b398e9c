"""The dictionaries of a graph of NetworkX as arrays.

Reading dictionaries takes most of the time of a first call, so every edge is visited once, by the extension, and
attributes of edges are read only where they are asked for.
"""

from itertools import chain

import numpy as np
from millrace._core import read_adjacency


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


def edge_data(adjacency):
    """The dictionary of each entry of the rows: of attributes or, in multigraphs, of parallel edges."""
    rows = adjacency.values()
    if set(map(type, rows)) - {dict}:  # those of views are no dictionaries
        rows = map(dict, rows)
    return chain.from_iterable(map(dict.values, rows))


class Weights:
    """An attribute of every entry of the rows. Of parallel edges: what they add up to, and the least. `mutual`: an
    undirected edge has the same from both ends. A view of a directed graph as an undirected one has of two opposite
    edges the one that leaves the node that is asked."""

    def __init__(self, shape, total, least, types):
        self.total, self.least, self.types = total, least, types
        back = shape.back
        self.mutual = back is None or all(np.array_equal(values, values[back]) for values in (total, least))


def read_weights(graph, shape, name, default):
    """The weights, or None where every edge has the default 1."""
    if shape.multigraph:
        return _read_parallel(shape, edge_data(graph._adj), name, default)
    # A dictionary without attributes is false.
    if default == 1 and (shape.rows.plain or not any(edge_data(graph._adj))):
        return None
    values = [attributes.get(name, default) for attributes in edge_data(graph._adj)]
    types = _types(values, name)
    numbers = _numbers(values, name)
    return Weights(shape, numbers, numbers, types)


def _read_parallel(shape, data, name, default):
    values = [[one.get(name, default) for one in edges.values()] for edges in data]
    types = _types(chain.from_iterable(values), name)
    return Weights(shape, _numbers(list(map(sum, values)), name), _numbers(list(map(min, values)), name), types)


def _types(values, name):
    types = set(map(type, values))
    for one in types:
        if not issubclass(one, (int, float, np.integer, np.floating)):
            raise NotImplementedError(f"the attribute {name!r} has values that are not numbers, of type {one.__name__}")
    return types


def _numbers(values, name):
    try:
        numbers = np.fromiter(values, np.float64, count=len(values))
    except OverflowError as error:
        raise NotImplementedError(f"the attribute {name!r} has values that are too large") from error
    if not np.isfinite(numbers).all():
        raise NotImplementedError(f"the attribute {name!r} has values that are not finite")
    return numbers
