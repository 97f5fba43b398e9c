"""Lengths and paths of any kind, eccentricity and what follows from it."""

import networkx as nx
import numpy as np
from millrace import UNREACHED

from . import hops, weighted
from .components import is_connected, is_strongly_connected
from .dijkstra import Distances
from .discovery import levels
from .reasons import AS_IN_3_7
from .searches import number_of


def shortest_path(G, source=None, target=None, weight=None, method="dijkstra"):
    if target is not None:
        return hops._paths(G, number_of(G, target, f"Source {target} not in G"), True, None, from_target=True)
    if source is None:
        return hops.all_pairs_shortest_path(G) if weight is None else weighted.all_pairs_dijkstra_path(G, weight=weight)
    if weight is None:
        return hops.single_source_shortest_path(G, source)
    return weighted.single_source_dijkstra_path(G, source, weight=weight)


def shortest_path_length(G, source=None, target=None, weight=None, method="dijkstra"):
    if weight is None:
        return _hops(G, source, target)
    ford = method == "bellman-ford"
    if source is None and target is None:
        all_pairs = weighted.all_pairs_bellman_ford_path_length if ford else weighted.all_pairs_dijkstra_path_length
        return all_pairs(G, weight=weight)
    if source is None or target is None:  # of one target: only in undirected graphs
        one = source if target is None else target
        if ford:
            return weighted.single_source_bellman_ford_path_length(G, one, weight=weight)
        return weighted.single_source_dijkstra_path_length(G, one, weight=weight)
    return (weighted.bellman_ford_path_length if ford else weighted.dijkstra_path_length)(G, source, target, weight)


def _hops(G, source, target):
    if source is None and target is None:
        return hops.all_pairs_shortest_path_length(G)
    if source is None:
        return hops._lengths(G, number_of(G, target, f"Source {target} is not in G"), True, None)
    if target is None:
        return hops.single_source_shortest_path_length(G, source)
    return hops.length_between(G, source, target)


def average_shortest_path_length(G, weight=None, method=None):
    n = len(G)
    if n == 0:
        message = "the null graph has no paths, thus there is no average shortest path length"
        raise nx.NetworkXPointlessConcept(message)
    if n == 1:
        return 0
    if G.is_directed() and not is_strongly_connected(G):
        raise nx.NetworkXError("Graph is not strongly connected.")
    if not G.is_directed() and not is_connected(G):
        raise nx.NetworkXError("Graph is not connected.")
    return hops.sum_of_lengths(G) / (n * (n - 1))


def eccentricity(G, v=None, sp=None, weight=None):
    if len(G) == 0:
        if not AS_IN_3_7:
            return {}
        raise nx.NetworkXPointlessConcept("Cannot compute eccentricity of a null graph.")
    found = {node: _farthest(G, G.number(node), weight) for node in G.nbunch_iter(v)}
    return found[v] if v in G else found


def _farthest(G, number, weight):
    if weight is None:
        value = int(levels(G, [number]).max())
        reached = value != UNREACHED
    else:
        distances = Distances(G, [number], weight)
        reached = np.isfinite(distances.values).all()
        value = distances.numbers(distances.values.argmax(keepdims=True))[0] if reached else None
    if not reached:
        kind = "digraph is not strongly connected" if G.is_directed() else "graph is not connected"
        raise nx.NetworkXError(f"Found infinite path length because the {kind}")
    return value


def diameter(G, e=None, usebounds=False, weight=None):
    return max((eccentricity(G, weight=weight) if e is None else e).values())


def radius(G, e=None, usebounds=False, weight=None):
    return min((eccentricity(G, weight=weight) if e is None else e).values())


def _nodes_at(e, value):
    return [node for node in e if e[node] == value]


def periphery(G, e=None, usebounds=False, weight=None):
    e = eccentricity(G, weight=weight) if e is None else e
    return _nodes_at(e, max(e.values()))


def center(G, e=None, usebounds=False, weight=None):
    if e is None and weight is None and not G.is_directed() and G.number_of_edges() == len(G) - 1:
        raise NotImplementedError("NetworkX has an algorithm of its own for trees")
    e = eccentricity(G, weight=weight) if e is None else e
    return _nodes_at(e, min(e.values()))
