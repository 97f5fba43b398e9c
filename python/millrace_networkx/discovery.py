"""The order in which NetworkX's breadth-first search finds nodes. The engine finds levels; the order follows from them
and from the rows. The first layers are found without the engine."""

import math

import numpy as np
from millrace import UNREACHED

from .points import few_edges


def levels(G, sources, along="out", cutoff=None):
    """The number of hops from the nearest source to every node, UNREACHED where there is no path."""
    store = G.shape.stores.simple()
    if len(sources) == 1 and along == "out" and cutoff is None:
        return store.run("bfs", source=sources[0]).level
    hops = len(G) if cutoff is None or cutoff >= len(G) else max(0, int(np.ceil(cutoff)))
    return store.run("neighbourhood", source=list(sources), hops=hops, along=along).level


class Discovery:
    """Nodes in the order in which NetworkX's search finds them: by level and, in a level, by the order of their parents
    and of the rows of these."""

    def __init__(self, rows, level, sources):
        self._seen = np.empty(len(level), np.int64)
        self.layers = [(np.asarray(sources, np.int64), np.full(len(sources), -1))]  # nodes, and their parents
        while len((found := self._next_layer(rows, level, self.layers[-1][0], len(self.layers)))[0]):
            self.layers.append(found)
        self.nodes, self.parents = map(np.concatenate, zip(*self.layers))
        self.levels = np.repeat(np.arange(len(self.layers)), [len(nodes) for nodes, _ in self.layers])

    def _next_layer(self, rows, level, layer, number):
        """(nodes at `number` hops, their parents), in the order of discovery."""
        starts, counts = rows.starts[layer], rows.starts[layer + 1] - rows.starts[layer]
        # The places in the rows of all neighbours of the layer, one row after the other.
        places = np.arange(int(counts.sum())) + np.repeat(starts - np.cumsum(counts) + counts, counts)
        neighbours = rows.indices[places]
        new = np.flatnonzero(level[neighbours] == number)
        neighbours, order = neighbours[new], np.arange(len(new))
        self._seen[neighbours[::-1]] = order[::-1]  # of several values for a node the last one stays: where it is first
        first = np.flatnonzero(self._seen[neighbours] == order)
        return neighbours[first].astype(np.int64), np.repeat(layer, counts)[new[first]]


def discover(G, sources, reverse=False, depth=None):
    """The search from some nodes (their numbers), along in-edges if `reverse`. `depth`: the most hops."""
    level = levels(G, sources, "in" if reverse and G.is_directed() else "out", depth)
    return Discovery(G.incoming if reverse else G.rows, level, sources)


def first_layers(G, rows, sources, depth):
    """(nodes, their parents) of the first layers, without a run. Then None, if the rows have more than a few edges."""
    few = few_edges(G)
    seen, nodes, parents, edges = set(sources), sources, [-1] * len(sources), 0
    while nodes:
        yield np.array(nodes), np.array(parents)
        if depth <= 0:
            return
        layer, nodes, parents, depth = nodes, [], [], depth - 1
        for node in layer:
            row = rows.indices[rows.starts[node] : rows.starts[node + 1]]
            edges += len(row)
            if edges > few:
                yield None
                return
            found = [one for one in row.tolist() if one not in seen]
            seen.update(found)
            nodes += found
            parents += [node] * len(found)


def layers(G, sources, reverse=False, depth=None):
    """(nodes, their parents) of the layers of a search. Those who ask for the first ones alone wait for no run."""
    rows = G.incoming if reverse else G.rows  # where these are not known, it is said at once

    def found():
        given = 0
        for layer in first_layers(G, rows, sources, math.inf if depth is None else depth):
            if layer is None:
                yield from discover(G, sources, reverse, depth).layers[given:]
            else:
                yield layer
            given += 1

    return found()
