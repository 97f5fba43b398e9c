"""Calls that NetworkX answers from a few nodes: these are left to it, since a run looks at the whole graph. Where the
arguments do not say how far a search of NetworkX goes, it is made here, up to a number of edges (`few`)."""

import functools
import inspect
import itertools
import math

import networkx as nx

from .conversion import BackendGraph

SAMPLES = 5  # of searches from all nodes so many are looked at

signature_of = functools.cache(inspect.signature)


def few_edges(graph):
    """So many edges NetworkX looks at in less time than a run takes, whose cost grows with the nodes of the graph."""
    return max(nx.config.backends.millrace.min_edges, len(graph)) // 10


def arguments_of(function, args, kwargs):
    """The arguments of a call by their names, with defaults."""
    bound = signature_of(function).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments


def _ends_soon(adjacency, source, hops, few):
    """Whether a search in hops is one to the neighbours, or looks at `few` edges at most."""
    if source not in adjacency or hops <= 1:
        return True
    seen, layer, edges = {source}, [source], 0
    while layer and hops > 0:
        found = []
        for node in layer:
            edges += len(adjacency[node])
            if edges > few:
                return False
            for one in adjacency[node]:
                if one not in seen:
                    seen.add(one)
                    found.append(one)
        layer, hops = found, hops - 1
    return True


class _TooFar(Exception):
    """Dijkstra's algorithm has looked at more than a few edges."""


_short = [None, 0]  # the last search that was found to be short, and for how many calls this holds


def _settles_few(call, sources, few, target=None):
    """Whether Dijkstra's algorithm of NetworkX comes to the target, or to its end, after `few` edges at most. Functions
    of NetworkX call up to two others with the same arguments: for these it is not asked again."""
    asked = hash((id(call["G"]), frozenset(sources), target, call.get("cutoff"), call["weight"]))
    if _short[0] == asked and _short[1] > 0:
        _short[1] -= 1
        return True
    if not _is_short(call, sources, few, target):
        return False
    _short[:] = asked, 2
    return True


def _is_short(call, sources, few, target):
    name, edges, parallel = call["weight"], itertools.count(1), call["G"].is_multigraph()

    def length(source, target, attributes):
        if next(edges) > few:
            raise _TooFar
        if parallel:
            return min(one.get(name, 1) for one in attributes.values())
        return attributes.get(name, 1)

    try:
        nx.multi_source_dijkstra.orig_func(call["G"], sources, target, call.get("cutoff"), length)
    except _TooFar:
        return False
    except (nx.NetworkXException, ValueError):  # which the call raises too
        pass
    return True


def _hops(source, limit=None, backward=False):
    """A search in hops: its arguments for the source and for the most hops."""

    def is_short(call, few):
        hops = call[limit] if limit is not None else None
        adjacency = call["G"]._pred if backward and call["G"].is_directed() else call["G"]._adj
        return _ends_soon(adjacency, call[source], math.inf if hops is None else hops, few)

    return is_short


def _bfs(call, few):
    """Without a limit the first nodes come at once here too."""
    return call["depth_limit"] is not None and _hops("source", "depth_limit", call.get("reverse"))(call, few)


def _ego(call, few):
    return not call["undirected"] and _hops("n", "radius")(call, few)  # the whole graph is copied to an undirected one


def _dijkstra(call, few):
    return _settles_few(call, [call["source"]], few, call.get("target"))


def _multi_dijkstra(call, few):
    sources = call["sources"]
    if not hasattr(sources, "__len__"):  # an iterator, of which nothing would be left
        return False
    return _settles_few(call, sources, few, call.get("target"))


def _all_pairs(search):
    """Searches from all nodes: some of them are made."""

    def are_short(call, few):
        nodes = itertools.islice(call["G"], 0, None, max(1, len(call["G"]) // SAMPLES))
        return all(search({**call, "source": node}, few) for node in nodes)

    return are_short


def _by_any(call, few):
    """shortest_path and shortest_path_length, between two nodes, from one or to one, or of all pairs."""
    source, target = call["source"], call["target"]
    if call["weight"] is None:
        if source is not None and target is not None:
            return True  # NetworkX searches from both ends
        search = _hops("source") if target is None else _hops("target", backward=True)
    elif call["method"] != "dijkstra":
        return source is not None and source == target
    else:
        search = _dijkstra
        if source is None and target is not None:  # of an undirected graph
            call = {**call, "source": target, "target": None}
    return (_all_pairs(search) if source is None and target is None else search)(call, few)


def _one_or_some(call, few):
    nodes = call["nodes"]
    if nodes is None:
        return False
    return nodes in call["G"] or (hasattr(nodes, "__len__") and len(nodes) * 20 < len(call["G"]))


POINTS = {
    "is_isolate": lambda call, few: True,
    "has_path": lambda call, few: True,
    "node_connected_component": _hops("n"),
    **dict.fromkeys(("bfs_edges", "bfs_tree", "bfs_successors"), _bfs),
    "descendants": _hops("source"),
    "ancestors": _hops("source", backward=True),
    "ego_graph": _ego,
    **dict.fromkeys(("single_source_shortest_path", "single_source_shortest_path_length"), _hops("source", "cutoff")),
    **dict.fromkeys(
        ("single_target_shortest_path", "single_target_shortest_path_length"), _hops("target", "cutoff", backward=True)
    ),
    **dict.fromkeys(("shortest_path", "shortest_path_length"), _by_any),
    **dict.fromkeys(
        (
            "dijkstra_path", "dijkstra_path_length", "single_source_dijkstra", "single_source_dijkstra_path",
            "single_source_dijkstra_path_length",
        ),
        _dijkstra,
    ),
    **dict.fromkeys(
        ("multi_source_dijkstra", "multi_source_dijkstra_path", "multi_source_dijkstra_path_length"), _multi_dijkstra
    ),
    "bellman_ford_path_length": lambda call, few: call["source"] == call["target"],
    **dict.fromkeys(
        ("all_pairs_shortest_path", "all_pairs_shortest_path_length"), _all_pairs(_hops("source", "cutoff"))
    ),
    **dict.fromkeys(
        ("all_pairs_dijkstra", "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length"), _all_pairs(_dijkstra)
    ),
    **dict.fromkeys(("triangles", "clustering", "average_clustering"), _one_or_some),
}  # fmt: skip


def looks_at_few(name, function, args, kwargs):
    """Whether NetworkX answers a call from a few nodes. Arguments that are wrong are its own matter too."""
    graph = args[0] if args else kwargs.get("G")
    if name not in POINTS or isinstance(graph, BackendGraph):
        return False
    try:
        return bool(POINTS[name](arguments_of(function, args, kwargs), few_edges(graph)))
    except TypeError:
        return True
