"""Calls that NetworkX answers from a few nodes are left to it, also where the graph is converted already."""

import millrace
import nx_entry_points
import pytest

nx_entry_points.register()
nx = pytest.importorskip("networkx")

from millrace_networkx import backend, discovery, points  # noqa: E402

nx.config.warnings_to_ignore.add("cache")
LEFT = [
    ("is_isolate", (5,), {}),
    ("has_path", (5, 9), {}),
    ("shortest_path_length", (5, 9), {}),
    ("shortest_path_length", (5,), {"target": "neighbour", "weight": "weight"}),
    ("shortest_path_length", ("end",), {}),
    ("shortest_path", (), {"target": "end"}),
    ("dijkstra_path", (5, "neighbour"), {}),
    ("dijkstra_path_length", (5, "neighbour"), {}),
    ("dijkstra_path_length", (5, 5), {}),
    ("bellman_ford_path_length", (5, 5), {}),
    ("single_source_dijkstra", (5, "neighbour"), {}),
    ("multi_source_dijkstra", ({5}, "neighbour"), {}),
    ("multi_source_dijkstra", ([5, 9],), {"cutoff": 1}),
    ("single_source_dijkstra_path_length", (5,), {"cutoff": 1}),
    ("single_source_dijkstra_path", ("end",), {}),
    ("all_pairs_dijkstra_path_length", (), {"cutoff": 1}),
    ("bfs_edges", (5,), {"depth_limit": 1}),
    ("ego_graph", (5,), {}),
    ("descendants", ("end",), {}),
    ("node_connected_component", ("end",), {}),
    ("single_source_shortest_path_length", (5,), {"cutoff": 1}),
    ("single_source_shortest_path_length", (5,), {"cutoff": 2}),
    ("single_target_shortest_path", (5,), {"cutoff": 0}),
    ("all_pairs_shortest_path_length", (), {"cutoff": 1}),
    ("triangles", (5,), {}),
    ("clustering", ([5, 6, 7],), {}),
    ("average_clustering", ([5, 6],), {}),
]
SERVED = [
    ("dijkstra_path_length", (5, "far"), {}),
    ("dijkstra_path_length", (5, "heavy"), {"weight": "heavy"}),
    ("multi_source_dijkstra", ({5}, "far"), {}),
    ("single_source_dijkstra_path_length", (5,), {"cutoff": 9}),
    ("bellman_ford_path_length", (5, "neighbour"), {}),
    ("shortest_path_length", (5, "far"), {"weight": "weight"}),
    ("shortest_path_length", (5, "neighbour"), {"weight": "weight", "method": "bellman-ford"}),
    ("shortest_path_length", (5,), {}),
    ("all_pairs_dijkstra_path_length", (), {}),
    ("bfs_edges", (5,), {}),
    ("bfs_layers", (5,), {}),
    ("descendants_at_distance", (5, 1), {}),
    ("ego_graph", (5,), {"radius": 3}),
    ("ego_graph", (5,), {"undirected": True}),
    ("single_source_shortest_path_length", (5,), {"cutoff": 3}),
    ("all_pairs_shortest_path_length", (), {"cutoff": 3}),
    ("triangles", (), {}),
    ("average_clustering", (), {}),
    ("pagerank", (), {}),
    ("isolates", (), {}),
]


def make(kind, count=2000, seed=1):
    """A random graph, in which the edges to the first neighbour of node 5 are `heavy`, and a part of two nodes."""
    graph = nx.gnm_random_graph(count, 10 * count, seed=seed).to_undirected()
    graph = graph.to_directed() if kind is nx.DiGraph else graph
    neighbour = next(iter(graph[5]))
    nx.set_edge_attributes(graph, {edge: 100 for edge in graph.edges if neighbour in edge}, "heavy")
    graph.add_edge("end", "last")
    return graph


@pytest.fixture(scope="module", params=[nx.Graph, nx.DiGraph])
def graph(request):
    made = make(request.param)
    nx.number_of_isolates(made, backend="millrace")
    return made


def should_run(graph, name, args, options):
    near = next(iter(graph[5]))
    far = next(n for n in graph if n != 5 and n not in nx.descendants_at_distance(graph, 5, 1))
    nodes = {"neighbour": near, "heavy": near, "far": far}
    args = tuple(nodes.get(one, one) if isinstance(one, str) else one for one in args)
    options = {key: nodes.get(one, one) if key in ("source", "target") else one for key, one in options.items()}
    if backend.can_run(name, (graph, *args), options) is not True:
        assert graph.is_directed()
        pytest.skip("it is not served")
    return backend.should_run(name, (graph, *args), options)


@pytest.mark.parametrize("name, args, options", LEFT)
def test_left(graph, name, args, options):
    assert "few nodes" in should_run(graph, name, args, options)


@pytest.mark.parametrize("name, args, options", SERVED)
def test_served(graph, name, args, options):
    assert should_run(graph, name, args, options) is True


def test_wrong_arguments_are_a_matter_of_networkx(graph):
    assert "few nodes" in backend.should_run("triangles", (graph, {}), {"nonsense": 1})
    assert "few nodes" in backend.should_run("bfs_edges", (graph, 0), {"depth_limit": "x"})


def test_degrees_are_counted_once(graph, monkeypatch):
    converted = next(iter(graph.__networkx_cache__["backends"]["millrace"].values()))
    backend.is_isolate(converted, 5)
    monkeypatch.setattr(type(converted.shape), "out_degrees", lambda self: pytest.fail("they are counted again"))
    assert [backend.is_isolate(converted, node) for node in range(20)] == [nx.is_isolate(graph, n) for n in range(20)]


def test_no_run_is_made_for_them(graph, monkeypatch):
    """Nor by the functions that NetworkX's own ones call."""
    monkeypatch.setattr(millrace.Session, "run", lambda *args, **options: pytest.fail("Millrace ran"))
    near = next(iter(graph[5]))
    with nx.config(backend_priority=["millrace"], fallback_to_nx=True):
        assert nx.has_path(graph, 5, 9) and not nx.is_isolate(graph, 5)
        assert nx.dijkstra_path_length(graph, 5, near) == 1
        assert nx.dijkstra_path(graph, 5, near) == [5, near]
        assert nx.single_source_dijkstra(graph, 5, near) == (1, [5, near])
        assert set(nx.single_source_dijkstra_path(graph, 5, cutoff=1)) == {5, *graph[5]}
        assert nx.descendants_at_distance(graph, 5, 1) == set(graph[5]) and nx.descendants(graph, "end") == {"last"}
        assert next(nx.bfs_edges(graph, 5)) == (5, near)
        assert next(nx.bfs_layers(graph, 5)) == [5]
        assert next(nx.bfs_successors(graph, 5)) == (5, list(graph[5]))
        assert len(nx.ego_graph(graph, 5)) == 1 + len(graph[5])
        if not graph.is_directed():
            assert nx.average_clustering(graph, [5, 6]) == pytest.approx(sum(nx.clustering(graph, [5, 6]).values()) / 2)


def test_a_search_is_made_once(graph, monkeypatch):
    """And not again by each of the functions of NetworkX that call each other with the same arguments."""
    asked = []
    is_short = points._is_short
    monkeypatch.setattr(points, "_is_short", lambda *args: asked.append(args) or is_short(*args))
    with nx.config(backend_priority=["millrace"], fallback_to_nx=True):
        for _ in range(3):
            nx.dijkstra_path(graph, 5, next(iter(graph[5])), weight="weight")
    assert len(asked) <= 3


@pytest.mark.parametrize("few", [0, 30, 10**6])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_searches_without_a_run_find_the_same(kind, few, monkeypatch):
    monkeypatch.setattr(discovery, "few_edges", lambda graph: few)
    graph = nx.gnm_random_graph(60, 90, seed=4, directed=kind is nx.DiGraph)
    for source in range(0, 60, 7):
        for name, options in (
            ("bfs_edges", {}), ("bfs_edges", {"depth_limit": 2}), ("bfs_edges", {"depth_limit": 0}),
            ("bfs_edges", {"depth_limit": 1.5, "reverse": True}), ("bfs_edges", {"reverse": True}), ("bfs_layers", {}),
            ("bfs_successors", {}), *(("descendants_at_distance", {"distance": hops}) for hops in (0, 1, 3, 50, 1.5)),
        ):  # fmt: skip
            expected = getattr(nx, name)(graph, source, **options)
            found = getattr(nx, name)(graph, source, **options, backend="millrace")
            assert found == expected if isinstance(expected, set) else list(found) == list(expected), (name, options)
    assert list(nx.bfs_layers(graph, [3, 40, 7], backend="millrace")) == list(nx.bfs_layers(graph, [3, 40, 7]))
