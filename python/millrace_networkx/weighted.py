"""Shortest paths by weight: NetworkX's functions of Dijkstra and Bellman and Ford."""

import networkx as nx
import numpy as np

from .dijkstra import Distances, Settled, check_weights
from .searches import number_of


def _numbers(G, sources):
    if not sources:
        raise ValueError("sources must not be empty")
    return [number_of(G, source, f"Node {source} not found in graph") for source in sources]


def _lengths(G, distances):
    """In the order of settling or, where that is not known, of distance: these dictionaries are equal."""
    try:
        order = Settled(distances).order
    except NotImplementedError:
        order = np.argsort(distances.values, kind="stable")
        order = order[np.isfinite(distances.values[order])]
    return dict(zip(G.pick(order), distances.numbers(order)))


def _paths(G, distances):
    settled, nodes = Settled(distances), G.nodes
    paths = {source: [nodes[source]] for source in distances.sources}
    for end in settled.order.tolist()[len(paths) :]:
        paths[end] = [*paths[int(settled.parents[end])], nodes[end]]
    return {nodes[end]: path for end, path in paths.items()}


def _path_to(G, parents, end):
    path = [end]
    while parents[path[-1]] >= 0:
        path.append(int(parents[path[-1]]))
    return G.pick(np.array(path[::-1]))


def multi_source_dijkstra(G, sources, target=None, cutoff=None, weight="weight"):
    numbers = _numbers(G, sources)
    if target is not None and target in sources:
        return 0, [target]
    distances = Distances(G, numbers, weight, cutoff=cutoff)
    if target is None:
        return _lengths(G, distances), _paths(G, distances)
    if target not in G or np.isinf(distances.values[G.number(target)]):
        raise nx.NetworkXNoPath(f"No path to {target}.")
    end = G.number(target)
    return distances.numbers(np.array([end]))[0], _path_to(G, Settled(distances).parents, end)


def multi_source_dijkstra_path(G, sources, cutoff=None, weight="weight"):
    return _paths(G, Distances(G, _numbers(G, sources), weight, cutoff=cutoff))


def multi_source_dijkstra_path_length(G, sources, cutoff=None, weight="weight"):
    return _lengths(G, Distances(G, _numbers(G, sources), weight, cutoff=cutoff))


def single_source_dijkstra(G, source, target=None, cutoff=None, weight="weight"):
    return multi_source_dijkstra(G, [source], target, cutoff, weight)


def single_source_dijkstra_path(G, source, cutoff=None, weight="weight"):
    return multi_source_dijkstra_path(G, [source], cutoff, weight)


def single_source_dijkstra_path_length(G, source, cutoff=None, weight="weight"):
    return multi_source_dijkstra_path_length(G, [source], cutoff, weight)


def dijkstra_path(G, source, target, weight="weight"):
    return multi_source_dijkstra(G, [source], target, None, weight)[1]


def _length_between(G, source, target, weight, message):
    start = number_of(G, source, f"Node {source} not found in graph")
    if source == target:
        return 0
    distances = Distances(G, [start], weight)
    if target not in G or np.isinf(distances.values[G.number(target)]):
        raise nx.NetworkXNoPath(message)
    return distances.numbers(np.array([G.number(target)]))[0]


def dijkstra_path_length(G, source, target, weight="weight"):
    return _length_between(G, source, target, weight, f"Node {target} not reachable from {source}")


def _of_all(G, weight, for_paths, find):
    """(node, what `find` finds from it) of all nodes. What cannot be served is known before the first one."""
    check_weights(G, G.weights(weight), for_paths)
    return ((node, find(node)) for node in G.nodes)


def all_pairs_dijkstra(G, cutoff=None, weight="weight"):
    return _of_all(G, weight, True, lambda node: single_source_dijkstra(G, node, None, cutoff, weight))


def all_pairs_dijkstra_path(G, cutoff=None, weight="weight"):
    return _of_all(G, weight, True, lambda node: single_source_dijkstra_path(G, node, cutoff, weight))


def all_pairs_dijkstra_path_length(G, cutoff=None, weight="weight"):
    return _of_all(G, weight, False, lambda node: single_source_dijkstra_path_length(G, node, cutoff, weight))


def bellman_ford_path_length(G, source, target, weight="weight"):
    if source != target:
        number_of(G, source, f"Source {source} not in G")
    return _length_between(G, source, target, weight, f"node {target} not reachable from {source}")


def single_source_bellman_ford_path_length(G, source, weight="weight"):
    return _lengths(G, Distances(G, [number_of(G, source, f"Source {source} not in G")], weight))


def all_pairs_bellman_ford_path_length(G, weight="weight"):
    return _of_all(G, weight, False, lambda node: single_source_bellman_ford_path_length(G, node, weight))
