"""Which calls Millrace serves, and which are worth it. A text says why not."""

import re

import networkx as nx
from millrace._core import is_forked

from .conversion import BackendGraph, conversion_of
from .points import arguments_of, looks_at_few

AS_IN_3_7 = tuple(map(int, re.findall(r"\d+", nx.__version__)[:2])) >= (3, 7)

# NetworkX looks at each edge once at most, which takes no longer than to convert the graph: worth it only for graphs
# that are converted already.
ONE_PASS = {
    "is_isolate", "isolates", "number_of_isolates", "degree_centrality", "in_degree_centrality",
    "out_degree_centrality", "connected_components", "number_connected_components", "is_connected",
    "node_connected_component", "weakly_connected_components", "number_weakly_connected_components",
    "is_weakly_connected", "strongly_connected_components", "is_strongly_connected", "has_path", "bfs_edges",
    "bfs_tree", "bfs_layers",
    "bfs_successors", "descendants_at_distance", "descendants", "ancestors", "ego_graph",
    "single_source_shortest_path", "single_source_shortest_path_length", "single_target_shortest_path",
    "single_target_shortest_path_length",
}  # fmt: skip
# A search from many nodes: worth it from a few hundred nodes on.
HEAVY = {
    "betweenness_centrality", "closeness_centrality", "harmonic_centrality", "average_shortest_path_length",
    "eccentricity", "diameter", "radius", "center", "periphery",
}  # fmt: skip


def _no_function(call, *names):
    for name in names:
        if callable(call.get(name)):
            return f"{name} is a function"
    return None


def _betweenness(call):
    return "betweenness by weight is not in the catalogue" if call["weight"] is not None else None


def _by_hops(call):
    if call["distance"] is not None:
        return "distances by weight are not served"
    return "given distances (sp) are not used" if call.get("sp") is not None else _missing(call, "u")


def _missing(call, name):
    if call[name] is not None and call[name] not in call["G"]:
        return f"{name} is not in the graph"
    return None


def _hits(call):
    return "only the power iteration is served" if call["method"] != "power_iteration" else None


def _clustering(call):
    if call["G"].is_directed():
        return "clustering of directed graphs is defined in another way in the catalogue"
    if call["G"].is_multigraph():
        return "NetworkX does not have it for multigraphs"
    return "clustering by weight is not in the catalogue" if call.get("weight") is not None else None


def _triangles(call):
    if call["nodes"] is not None and call["G"].is_multigraph():
        return "NetworkX does not have it for multigraphs"
    return None


def _search(call):
    return "sort_neighbors is a function of Python" if call["sort_neighbors"] is not None else None


def _ego(call):
    return "distances by weight are not served" if call["distance"] is not None else None


def _path(call):
    if call["method"] not in ("dijkstra", "bellman-ford"):
        return "there is no such method"
    if call["source"] is not None and call["target"] is not None:
        return "which of several paths a search from both ends finds is not known, and it visits few nodes"
    if call["weight"] is None:
        return None
    if call["method"] == "bellman-ford":
        return "which of several paths Bellman and Ford's algorithm finds is not known"
    return "paths by weight to one target are not served" if call["target"] is not None else None


def _path_length(call):
    if call["method"] not in ("dijkstra", "bellman-ford"):
        return "there is no such method"
    to_one = call["source"] is None and call["target"] is not None
    if call["weight"] is not None and to_one and call["G"].is_directed():
        return "distances by weight to one target are not served in directed graphs"
    return _no_function(call, "weight")


def _average(call):
    if call["weight"] is not None or call["method"] not in (None, "unweighted"):
        return "only the average in hops is served"
    return None


def _bounds(call):
    if call.get("sp") is not None:
        return "given distances (sp) are not used"
    if call.get("usebounds"):
        return "usebounds is another algorithm"
    return _no_function(call, "weight")


CHECKS = {
    "betweenness_centrality": _betweenness,
    "closeness_centrality": _by_hops,
    "harmonic_centrality": lambda call: "distances by weight are not served" if call["distance"] is not None else None,
    "hits": _hits,
    "clustering": _clustering,
    "average_clustering": _clustering,
    "transitivity": _clustering,
    "triangles": _triangles,
    "is_isolate": lambda call: _missing(call, "n"),
    "bfs_edges": _search,
    "bfs_tree": _search,
    "bfs_successors": _search,
    "ego_graph": _ego,
    "shortest_path": _path,
    "shortest_path_length": _path_length,
    "average_shortest_path_length": _average,
    **dict.fromkeys(("eccentricity", "diameter", "radius", "center", "periphery"), _bounds),
}


# What a class of graphs must have from NetworkX's own ones, so that its dictionaries are the graph.
ADJACENCY = ("adj", "neighbors", "adjacency", "degree", "nodes", "edges", "__getitem__", "__iter__", "__len__")


def _own_adjacency(graph):
    """Why the dictionaries of a graph may not be what its methods say, or None."""
    if isinstance(graph, BackendGraph):
        return None
    kinds = {(0, 0): nx.Graph, (1, 0): nx.DiGraph, (0, 1): nx.MultiGraph, (1, 1): nx.MultiDiGraph}
    kind, base = type(graph), kinds[graph.is_directed(), graph.is_multigraph()]
    if kind is base:
        return None
    if not issubclass(kind, base) or (base in (nx.Graph, nx.MultiGraph) and issubclass(kind, nx.DiGraph)):
        return f"{kind.__name__} is not a kind of {base.__name__}"
    changed = [name for name in ADJACENCY if getattr(kind, name) is not getattr(base, name)]
    return f"{kind.__name__} has its own {changed[0]}" if changed else None


def reason_against(function, args, kwargs):
    """Why a call cannot be served, or None."""
    if is_forked():
        return "this process was forked after Millrace was used, and cannot use it"
    try:
        call = arguments_of(function, args, kwargs)
    except TypeError:
        return "the arguments are not those of the function"
    check = CHECKS.get(function.__name__)
    return (check(call) if check else None) or _no_function(call, "weight", "distance") or _own_adjacency(call["G"])


def size_of(graph, made):
    """Entries of the rows: edges, of undirected graphs twice. `made`: its conversion, or None."""
    return int(made.rows.starts[-1]) if made is not None else sum(map(len, graph._adj.values()))


def reason_to_leave(name, function, args, kwargs):
    """Why a call is better left to NetworkX, or None."""
    graph = args[0] if args else kwargs["G"]
    made = conversion_of(graph)
    if made is None and name in ONE_PASS:
        return "it would take longer to convert the graph, which is not converted yet"
    if looks_at_few(name, function, args, kwargs):
        return "NetworkX answers it from a few nodes"
    least = nx.config.backends.millrace.min_edges
    if name in HEAVY:
        least = least // 50
    if made is not None:
        least = least // 20  # what is left is the cost of a call
    size = size_of(graph, made)
    return f"{size} edges are few: NetworkX is faster below {least}" if size < least else None
