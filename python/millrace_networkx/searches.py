"""Breadth-first searches: NetworkX's functions."""

import itertools
import math

import networkx as nx
import numpy as np
from millrace import UNREACHED

from .discovery import Discovery, first_layers, layers, levels
from .rows import Rows


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
    found = itertools.islice(layers(G, [_with_neighbours(G, source)], reverse, depth_limit), 1, None)
    return itertools.chain.from_iterable(zip(G.pick(parents), G.pick(nodes)) for nodes, parents in found)


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
    yield from (G.pick(nodes) for nodes, _ in layers(G, numbers))


def descendants_at_distance(G, source, distance):
    number = _known(G, source)
    if not math.isfinite(distance) or distance != int(distance) or distance < 0:
        return set()
    *others, last = first_layers(G, G.rows, [number], distance)
    if last is None:
        return set(G.pick(np.flatnonzero(levels(G, [number], cutoff=distance) == int(distance))))
    return set(G.pick(last[0])) if len(others) == distance else set()


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


def _both_ways(rows, level):
    """The rows of NetworkX's undirected copy of a graph, for nodes that have a level. It adds the edges in the order of
    the rows, each to both of its ends. A neighbour may be in a row twice."""
    sources, targets = rows.sources(), rows.indices
    chosen = np.flatnonzero((level[sources] != UNREACHED) & (level[targets] != UNREACHED))
    ends = np.stack([sources[chosen], targets[chosen]], axis=1).ravel()
    others = np.stack([targets[chosen], sources[chosen]], axis=1).ravel()
    starts = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=len(level)))])
    return Rows(starts, others[np.argsort(ends, kind="stable")])


def ego_graph(G, n, radius=1, center=True, undirected=False, distance=None):
    number = number_of(G, n, f"Source {n} is not in G")
    level = levels(G, [number], "both" if undirected else "out", radius)
    # The order of nodes in the part is that of a set, which depends on the order in which they come into it.
    found = Discovery(_both_ways(G.rows, level) if undirected else G.rows, level, [number])
    part = G.to_networkx().subgraph(G.pick(found.nodes)).copy()
    if not center:
        part.remove_node(n)
    return part
