"""Views of graphs of NetworkX, which compute their edges when they are asked, against NetworkX itself."""

import random

import millrace
import nx_entry_points
import pytest

nx_entry_points.register()
nx = pytest.importorskip("networkx")
pytest.importorskip("scipy")

from test_networkx import check, skip_unless_served  # noqa: E402

nx.config.warnings_to_ignore.add("cache")
NODES = 9


def random_graph(kind, seed):
    """Pairs of opposite edges with different weights are frequent, and so are parallel edges and self-loops."""
    rng = random.Random(seed)
    graph = kind()
    graph.add_nodes_from(rng.sample(range(NODES), NODES))
    for _ in range(22):
        source, target = rng.randrange(NODES), rng.randrange(NODES)
        graph.add_edge(source, target, weight=rng.randint(1, 9))
    return graph


def undirected(graph):
    return graph.to_undirected(as_view=True)


def keeps(u, v, *key):
    return (u + v) % 4 != 1


VIEWS = {
    "undirected": undirected,
    "directed": lambda graph: graph.to_directed(as_view=True),
    "reverse": lambda graph: graph.reverse(copy=False) if graph.is_directed() else graph.copy(as_view=True),
    "subgraph": lambda graph: graph.subgraph(range(NODES - 2)),
    "edges": lambda graph: nx.subgraph_view(graph, filter_edge=keeps),
    "undirected of edges": lambda graph: undirected(nx.subgraph_view(graph, filter_edge=keeps)),
    "subgraph of undirected": lambda graph: undirected(graph).subgraph(range(1, NODES)),
    "directed of undirected": lambda graph: undirected(graph).to_directed(as_view=True),
}
BY_WEIGHT = [
    "pagerank", "katz_centrality", "eigenvector_centrality", "all_pairs_dijkstra", "all_pairs_dijkstra_path",
    "all_pairs_dijkstra_path_length", "shortest_path", "shortest_path_length", "eccentricity", "diameter", "radius",
    "center", "periphery",
]  # fmt: skip
FROM_ONE = [
    "single_source_dijkstra", "single_source_dijkstra_path", "single_source_dijkstra_path_length",
    "multi_source_dijkstra", "multi_source_dijkstra_path", "multi_source_dijkstra_path_length",
]  # fmt: skip
BETWEEN = ["dijkstra_path", "dijkstra_path_length", "bellman_ford_path_length", "shortest_path_length"]
LENGTHS = ["single_source_bellman_ford_path_length", "all_pairs_bellman_ford_path_length"]
MORE = {"katz_centrality": {"alpha": 0.01}, "eigenvector_centrality": {"max_iter": 1000}}


def compare(view, rng):
    """Every function that takes weights, of all nodes, and of some."""
    for name in BY_WEIGHT:
        check(name, view, weight="weight", **MORE.get(name, {}))
    one, other = rng.sample(list(view), 2)
    for name in FROM_ONE:
        check(name, view, [one, other] if name.startswith("multi") else one, weight="weight")
    for name in BETWEEN:
        check(name, view, one, other, weight="weight")
    if not view.is_directed():
        check("shortest_path_length", view, target=one, weight="weight")
    for name in LENGTHS:
        args = () if name.startswith("all") else (one,)
        found, expected = (dict(getattr(nx, name)(view, *args, backend=by)) for by in ("millrace", "networkx"))
        assert found == expected


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph, nx.Graph, nx.MultiGraph])
def test_functions_that_take_weights(kind, name):
    for seed in range(3):
        compare(VIEWS[name](random_graph(kind, seed)), random.Random(seed))


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_hits(kind, name):
    skip_unless_served("hits")
    for seed in range(5):
        check("hits", VIEWS[name](random_graph(kind, seed)), max_iter=5000)


@pytest.mark.parametrize("name", VIEWS)
def test_functions_without_weights(name):
    for kind in (nx.DiGraph, nx.MultiDiGraph, nx.Graph, nx.MultiGraph):
        for seed in range(3):
            view = VIEWS[name](random_graph(kind, seed))
            one = list(view)[0]
            for function in ("closeness_centrality", "betweenness_centrality", "degree_centrality", "isolates"):
                check(function, view)
            for function in ("bfs_edges", "descendants", "ancestors", "single_source_shortest_path"):
                check(function, view, one)
            for part in ("connected_components", "strongly_connected_components"):
                check(part, view)


def test_an_edge_of_two_weights_is_that_of_the_node_that_it_leaves():
    graph = nx.DiGraph()
    graph.add_edge(0, 1, weight=1)
    graph.add_edge(1, 0, weight=5)
    view = undirected(graph)
    assert nx.dijkstra_path_length(view, 1, 0, backend="millrace") == 5
    assert nx.dijkstra_path_length(view, 0, 1, backend="millrace") == 1
    with pytest.raises(millrace.UsageError, match="copy"):
        millrace.from_networkx(view, weight="weight")
    assert millrace.from_networkx(view.copy(), weight="weight").num_edges == 2


def test_edges_that_only_one_end_has_are_left_to_networkx():
    graph = nx.path_graph(4)
    hidden = nx.subgraph_view(graph, filter_edge=lambda u, v: u < v)
    for view in (hidden, hidden.to_directed(as_view=True)):
        with pytest.raises(NotImplementedError):
            nx.descendants(view, 0, backend="millrace")
        with nx.config(backend_priority=["millrace"], fallback_to_nx=True), nx.config.backends.millrace(min_edges=0):
            assert list(nx.bfs_edges(view, 2)) == [(2, 3)]
    with pytest.raises(millrace.UsageError, match="one of their ends"):
        millrace.from_networkx(hidden)
