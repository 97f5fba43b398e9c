"""Breadth-first searches. The engine finds levels; NetworkX's order of discovery follows from them and its rows."""

import math

import networkx as nx
import numpy as np
from millrace import UNREACHED


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
        layers, parents = [np.asarray(sources, np.int64)], [np.full(len(sources), -1)]
        while len(layers[-1]):
            found, parent = self._next_layer(rows, level, layers[-1], len(layers))
            layers.append(found)
            parents.append(parent)
        self.layers = layers[:-1]
        self.nodes = np.concatenate(layers)
        self.parents = np.concatenate(parents)
        self.levels = np.repeat(np.arange(len(layers)), [len(layer) for layer in layers])

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


def discover(G, source, reverse=False, depth=None):
    """The search from a node (its number), along in-edges if `reverse`. `depth`: the most hops."""
    level = levels(G, [source], "in" if reverse and G.is_directed() else "out", depth)
    return Discovery(G.incoming if reverse else G.rows, level, [source])


def number_of(G, node, message, error=nx.NodeNotFound):
    """The number of a node; raises NetworkX's error where there is none."""
    if node not in G:
        raise error(message)
    return G.number(node)


def _known(G, source):
    return number_of(G, source, f"The node {source} is not in the graph.", nx.NetworkXError)


def _with_neighbours(G, source):
    kind = "digraph" if G.is_directed() else "graph"  # as the methods of NetworkX that find neighbours say
    return number_of(G, source, f"The node {source} is not in the {kind}.", nx.NetworkXError)


def bfs_edges(G, source, reverse=False, depth_limit=None, sort_neighbors=None):
    found = discover(G, _with_neighbours(G, source), reverse, depth_limit)
    return zip(G.pick(found.parents[1:]), G.pick(found.nodes[1:]))


def bfs_successors(G, source, depth_limit=None, sort_neighbors=None):
    parent, children = source, []
    for one, child in bfs_edges(G, source, depth_limit=depth_limit):
        if one == parent:
            children.append(child)
            continue
        yield parent, children
        parent, children = one, [child]
    yield parent, children


def bfs_tree(G, source, reverse=False, depth_limit=None, sort_neighbors=None):
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(bfs_edges(G, source, reverse, depth_limit))
    return tree


def bfs_layers(G, sources):
    given = [sources] if sources in G else sources
    numbers = [_known(G, node) for node in set(given)]  # NetworkX too has the first layer in the order of a set
    if not numbers:
        return
    found = Discovery(G.rows, levels(G, numbers), numbers)
    yield from map(G.pick, found.layers)


def descendants_at_distance(G, source, distance):
    number = _known(G, source)
    if not math.isfinite(distance) or distance != int(distance) or distance < 0:
        return set()
    level = levels(G, [number], cutoff=distance)
    return set(G.pick(np.flatnonzero(level == int(distance))))


def _reached(G, source, along):
    number = _with_neighbours(G, source)
    level = levels(G, [number], along).copy()
    level[number] = UNREACHED
    return set(G.pick(np.flatnonzero(level != UNREACHED)))


def descendants(G, source):
    return _reached(G, source, "out")


def ancestors(G, source):
    return _reached(G, source, "in")


def has_path(G, source, target):
    start = number_of(G, source, f"Source {source} is not in G")
    end = number_of(G, target, f"Target {target} is not in G")
    return bool(levels(G, [start])[end] != UNREACHED)


def ego_graph(G, n, radius=1, center=True, undirected=False, distance=None):
    number = number_of(G, n, f"Source {n} is not in G")
    level = levels(G, [number], "both" if undirected else "out", radius)
    part = G.to_networkx().subgraph(G.pick(np.flatnonzero(level != UNREACHED))).copy()
    if not center:
        part.remove_node(n)
    return part
