"""Shortest paths in hops, with NetworkX's choice among paths of the same length."""

import networkx as nx
import numpy as np
from millrace import UNREACHED

from .discovery import discover, levels
from .searches import number_of


def _lengths(G, number, reverse, cutoff):
    found = discover(G, [number], reverse, cutoff)
    return dict(zip(G.pick(found.nodes), found.levels.tolist()))


def _paths(G, number, reverse, cutoff, from_target=False):
    """Paths by their ends; with `from_target` they lead to the node instead of away from it."""
    found = discover(G, [number], reverse, cutoff)
    nodes = G.nodes
    paths = {number: [nodes[number]]}
    for end, parent in zip(found.nodes[1:].tolist(), found.parents[1:].tolist()):
        paths[end] = [nodes[end], *paths[parent]] if from_target else [*paths[parent], nodes[end]]
    return {nodes[end]: path for end, path in paths.items()}


def single_source_shortest_path_length(G, source, cutoff=None):
    return _lengths(G, number_of(G, source, f"Source {source} is not in G"), False, cutoff)


def single_target_shortest_path_length(G, target, cutoff=None):
    return _lengths(G, number_of(G, target, f"Target {target} is not in G"), True, cutoff)


def all_pairs_shortest_path_length(G, cutoff=None):
    for number, node in enumerate(G.nodes):
        yield node, _lengths(G, number, False, cutoff)


def single_source_shortest_path(G, source, cutoff=None):
    return _paths(G, number_of(G, source, f"Source {source} not in G"), False, cutoff)


def single_target_shortest_path(G, target, cutoff=None):
    return _paths(G, number_of(G, target, f"Target {target} not in G"), True, cutoff, from_target=True)


def all_pairs_shortest_path(G, cutoff=None):
    for number, node in enumerate(G.nodes):
        yield node, _paths(G, number, False, cutoff)


def length_between(G, source, target):
    """The hops from a source to a target."""
    start = number_of(G, source, f"Source {source} is not in G")
    end = number_of(G, target, f"Target {target} is not in G")
    found = int(levels(G, [start])[end])
    if found == UNREACHED:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return found


def sum_of_lengths(G):
    """The hops of all pairs, where every node reaches every other; otherwise None."""
    total = 0
    for number in range(len(G)):
        found = levels(G, [number])
        if (found == UNREACHED).any():
            return None
        total += int(found.sum(dtype=np.int64))
    return total
