"""Calls that NetworkX answers from a few nodes are left to it, also where the graph is converted already."""

import millrace
import nx_entry_points
import pytest

nx_entry_points.register()
nx = pytest.importorskip("networkx")

from millrace_networkx import backend  # noqa: E402

nx.config.warnings_to_ignore.add("cache")
LEFT = [
    ("is_isolate", (5,), {}),
    ("has_path", (5, 9), {}),
    ("shortest_path_length", (5, 9), {}),
    ("shortest_path_length", (5,), {"target": "neighbour", "weight": "weight"}),
    ("dijkstra_path", (5, "neighbour"), {}),
    ("dijkstra_path_length", (5, "neighbour"), {}),
    ("dijkstra_path_length", (5, 5), {}),
    ("bellman_ford_path_length", (5, "neighbour"), {}),
    ("single_source_dijkstra", (5, "neighbour"), {}),
    ("bfs_edges", (5,), {"depth_limit": 1}),
    ("descendants_at_distance", (5, 1), {}),
    ("ego_graph", (5,), {}),
    ("single_source_shortest_path_length", (5,), {"cutoff": 1}),
    ("single_target_shortest_path", (5,), {"cutoff": 0}),
    ("triangles", (5,), {}),
    ("clustering", ([5, 6, 7],), {}),
]
SERVED = [
    ("dijkstra_path_length", (5, "far"), {}),
    ("shortest_path_length", (5, "far"), {"weight": "weight"}),
    ("shortest_path_length", (5,), {}),
    ("bfs_edges", (5,), {}),
    ("ego_graph", (5,), {"radius": 3}),
    ("single_source_shortest_path_length", (5,), {"cutoff": 2}),
    ("triangles", (), {}),
    ("pagerank", (), {}),
    ("isolates", (), {}),
]


@pytest.fixture(scope="module")
def graph():
    made = nx.gnp_random_graph(2000, 0.01, seed=1)
    nx.is_connected(made, backend="millrace")
    return made


def should_run(graph, name, args, options):
    nodes = {"neighbour": next(iter(graph[5])), "far": next(n for n in graph if n != 5 and n not in graph[5])}
    args = tuple(nodes.get(one, one) if isinstance(one, str) else one for one in args)
    options = {key: nodes.get(one, one) if isinstance(one, str) else one for key, one in options.items()}
    assert backend.can_run(name, (graph, *args), options) is True
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
    monkeypatch.setattr(millrace.Session, "run", lambda *args, **options: pytest.fail("Millrace ran"))
    with nx.config(backend_priority=["millrace"], fallback_to_nx=True):
        assert nx.has_path(graph, 5, 9) and not nx.is_isolate(graph, 5)
        assert nx.dijkstra_path_length(graph, 5, next(iter(graph[5]))) == 1
