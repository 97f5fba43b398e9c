"""Shortest paths by weights that are not negative. The engine finds distances; the order in which Dijkstra's algorithm of
NetworkX settles nodes, and so its choice among paths of the same length, follows from them."""

import numpy as np
from millrace import UNREACHED

EXACT = 2.0**53  # whole numbers up to here are exact in float64


def check_weights(G, weights, for_paths=False):
    """Raises NotImplementedError where distances, or the order of paths, would not be NetworkX's."""
    if weights is None:
        return
    if weights.least.min(initial=0) < 0:
        raise NotImplementedError("there are negative weights")
    if weights.types not in ({int}, {float}, set()):
        names = ", ".join(sorted(kind.__name__ for kind in weights.types))
        raise NotImplementedError(f"weights are of several types, or of another than int and float: {names}")
    if weights.types == {int} and weights.least.max(initial=0) * len(G) >= EXACT:
        raise NotImplementedError("distances may be whole numbers of more than 53 bits")
    if not np.isfinite(float(weights.least.max(initial=0)) * max(len(G), 1)):
        raise NotImplementedError("distances may be larger than the largest float")
    if for_paths and (weights.least == 0).any():
        raise NotImplementedError("there are edges of weight 0: the order of nodes on their ends is not known")


class Distances:
    """The distance of every node from the nearest source, infinite where there is no path."""

    def __init__(self, G, sources, weight, cutoff=None):
        self.G, self.sources = G, list(dict.fromkeys(sources))
        self.weights = G.weights(weight)
        check_weights(G, self.weights)
        self.values = _shortest(G, self.sources, self.weights)
        if cutoff is not None:
            beyond = self.values > cutoff
            beyond[sources] = False
            self.values[beyond] = np.inf

    @property
    def whole(self):
        """Whether distances are ints."""
        return self.weights is None or self.weights.types == {int}

    def numbers(self, nodes):
        """The distances of some nodes (an array of numbers) as NetworkX has them: of sources 0, also among floats."""
        values = self.values[nodes]
        values = values.astype(np.int64).tolist() if self.whole else values.tolist()
        return [0 if value == 0 else value for value in values]

    def tight_edges(self):
        """(places in the rows, sources, targets) of edges that are the last one of a shortest path, without loops."""
        sources, targets = self.G.rows.sources(), self.G.rows.indices
        reach = self.values[sources] + (1 if self.weights is None else self.weights.least)
        places = np.flatnonzero((reach == self.values[targets]) & np.isfinite(reach) & (sources != targets))
        return places, sources[places], targets[places]


def _shortest(G, sources, weights):
    """Distances as float64."""
    found = np.full(len(G), np.inf)
    for source in sources:
        if weights is None:
            one = G.shape.stores.simple().run("bfs", source=source).level
        else:
            one = G.shape.stores.lengths(weights).run("sssp", source=source).distance
        one = np.where(one == UNREACHED, np.inf, one) if one.dtype.kind == "u" else one
        np.minimum(found, one, out=found)
    return found


class Settled:
    """Nodes in the order in which Dijkstra's algorithm settles them, and the parent of each.

    Nodes of the same distance are settled in the order in which they got it: by the order of their parents and of the
    rows of these. The parent of a node is the first settled one of those that give it its distance.
    """

    def __init__(self, distances):
        values = distances.values
        places, sources, targets = distances.tight_edges()
        check_weights(distances.G, distances.weights, for_paths=True)
        reached = np.flatnonzero(np.isfinite(values))
        order = reached[np.argsort(values[reached], kind="stable")]
        self._rank = np.full(len(values), -1)
        self._rank[order] = np.arange(len(order))
        self._rank[distances.sources] = np.arange(len(distances.sources))
        self._order_ties(values, order, places, sources, targets)
        self.order = np.empty(len(order), np.int64)
        self.order[self._rank[reached]] = reached
        best = np.lexsort((places, self._rank[sources]))
        self.parents = np.full(len(values), -1)
        self.parents[targets[best[::-1]]] = sources[best[::-1]]  # of several, the last one written stays: the first

    def _order_ties(self, values, order, places, sources, targets):
        """Ranks of nodes that have the same distance, from the nearest on: those of their parents are known then."""
        by_target = np.argsort(self._rank[targets], kind="stable")
        places, sources, targets = places[by_target], sources[by_target], targets[by_target]
        starts = np.flatnonzero(np.diff(values[order], prepend=-1.0))
        ends = np.append(starts[1:], len(order))
        ties = np.flatnonzero((ends - starts > 1) & (values[order[starts]] > 0))
        edges = np.searchsorted(self._rank[targets], np.stack([starts[ties], ends[ties]]))
        for start, first, last in zip(starts[ties].tolist(), *edges.tolist()):
            found = np.lexsort((places[first:last], self._rank[sources[first:last]]))
            nodes, seen = np.unique(targets[first:last][found], return_index=True)
            self._rank[nodes[np.argsort(seen)]] = start + np.arange(len(nodes))
