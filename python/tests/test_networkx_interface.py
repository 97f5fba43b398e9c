"""The NetworkX backend as NetworkX sees it: entry points, caching, reasons, settings; and graphs from NetworkX."""

import gc
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import tomllib
import weakref

import millrace
import nx_entry_points
import pytest

nx_entry_points.register()
nx = pytest.importorskip("networkx")
info = pytest.importorskip("millrace_networkx.info")

from millrace_networkx import backend, reasons, stores  # noqa: E402
from millrace_networkx.conversion import BackendGraph, convert_from_nx, convert_to_nx  # noqa: E402

nx.config.warnings_to_ignore.add("cache")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def reason(name, *args, **options):
    return backend.can_run(name, args, options)


def conversions(graph):
    return [one for one in graph.__networkx_cache__["backends"]["millrace"].values() if isinstance(one, BackendGraph)]


# Entry points and information


def test_every_function_is_one_of_networkx_with_its_parameters():
    import inspect

    from networkx.utils.backends import _registered_algorithms

    for name, function in backend.FUNCTIONS.items():
        original = list(inspect.signature(_registered_algorithms[name].orig_func).parameters.values())
        own = list(inspect.signature(function).parameters.values())
        if not reasons.AS_IN_3_7:
            own = own[: len(original)]  # some have got another one since
        assert [(one.name, one.default) for one in own] == [(one.name, one.default) for one in original], name
    described = set(nx.utils.backends.backend_info["millrace"]["functions"])
    assert described - set(backend.FUNCTIONS) <= {"hits"}  # which is for NetworkX 3.7 and later


def test_the_information_loads_nothing():
    code = "import sys, millrace_networkx.info as i; i.get_info(); print({'numpy', 'millrace'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


def test_the_wheel_has_the_backend():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "python/millrace_networkx" in project["tool"]["scikit-build"]["wheel"]["packages"]
    assert project["project"]["entry-points"]["networkx.backends"] == {"millrace": "millrace_networkx.backend"}


def test_every_function_is_in_the_document():
    text = (ROOT / "docs" / "networkx.md").read_text()
    assert [name for name in backend.FUNCTIONS if f"`{name}`" not in text] == []


# Conversion and its cache


def test_a_graph_is_converted_once():
    graph = nx.gnp_random_graph(50, 0.2, seed=1, directed=True)
    nx.pagerank(graph, backend="millrace")
    (first,) = conversions(graph)
    nx.pagerank(graph, backend="millrace")
    nx.weakly_connected_components(graph, backend="millrace")
    assert conversions(graph) == [first]


def test_conversions_with_other_attributes_share_nodes_and_stores():
    graph = nx.gnp_random_graph(50, 0.2, seed=1)
    nx.number_connected_components(graph, backend="millrace")
    (first,) = conversions(graph)
    nx.pagerank(graph, weight="other", backend="millrace")
    assert all(one.shape is first.shape for one in conversions(graph))


def test_a_change_of_the_graph_is_seen():
    graph = nx.path_graph(4)
    assert nx.number_connected_components(graph, backend="millrace") == 1
    graph.add_edge(7, 8, weight=2)
    assert nx.number_connected_components(graph, backend="millrace") == 2
    graph.remove_node(2)
    assert nx.number_connected_components(graph, backend="millrace") == 3


def test_without_cache():
    graph = nx.path_graph(4)
    with nx.config(cache_converted_graphs=False):
        assert nx.is_connected(graph, backend="millrace")
    assert not graph.__networkx_cache__


def test_a_converted_graph_can_be_passed_on():
    graph = nx.gnp_random_graph(30, 0.2, seed=2)
    converted = convert_from_nx(graph)
    assert (len(converted), converted.number_of_edges()) == (30, graph.number_of_edges())
    assert nx.triangles(converted) == nx.triangles(graph)
    assert nx.is_connected(converted) == nx.is_connected(graph)
    assert convert_to_nx(converted) is graph and convert_to_nx(5) == 5
    with nx.config(fallback_to_nx=True):
        assert nx.is_bipartite(converted) == nx.is_bipartite(graph)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_a_converted_graph_is_a_graph_again(kind):
    graph = kind([(0, 1), (1, 2), (1, 2), (2, 2)], name="x")
    graph.add_node("alone")
    converted = convert_from_nx(graph, preserve_graph_attrs=True)
    nodes, edges = list(graph), sorted(graph.edges())
    del graph
    gc.collect()
    again = convert_to_nx(converted)
    assert type(again) is kind and list(again) == nodes and again.name == "x"
    assert sorted(again.edges()) == edges


def test_a_conversion_does_not_keep_its_graph():
    graph = nx.path_graph(50)
    nx.pagerank(graph, backend="millrace")
    alive = weakref.ref(graph)
    del graph  # without the garbage collector
    assert alive() is None


def test_nodes_that_are_equal_to_others():
    graph = nx.Graph([(0, 1.0), (1, 2), (2, 3.0), (True, 5)])
    check = {name: getattr(nx, name) for name in ("pagerank", "triangles", "core_number")}
    for name, function in check.items():
        assert function(graph, backend="millrace") == pytest.approx(function(graph)), name


def test_views_and_frozen_graphs():
    graph = nx.gnp_random_graph(40, 0.2, seed=4, directed=True)
    for one in (graph.subgraph(range(5, 30)), graph.reverse(copy=False), nx.freeze(graph.copy())):
        assert nx.pagerank(one, backend="millrace") == pytest.approx(nx.pagerank(one))
        assert list(nx.bfs_edges(one, 7, backend="millrace")) == list(nx.bfs_edges(one, 7))


def test_views_without_some_edges():
    for kind in (nx.Graph, nx.MultiDiGraph):
        graph = kind(nx.gnp_random_graph(30, 0.3, seed=5))
        view = nx.subgraph_view(graph, filter_edge=lambda u, v, *key: (u + v) % 3 == 0)
        assert nx.pagerank(view, backend="millrace") == pytest.approx(nx.pagerank(view))
        assert list(nx.bfs_edges(view, 0, backend="millrace")) == list(nx.bfs_edges(view, 0))


# Which calls are served


REFUSED = [
    ("betweenness_centrality", {"weight": "w"}, "by weight"),
    ("closeness_centrality", {"distance": "w"}, "by weight"),
    ("closeness_centrality", {"sp": {}}, "given distances"),
    ("harmonic_centrality", {"distance": "w"}, "by weight"),
    ("hits", {"method": "svd"}, "power iteration"),
    ("clustering", {"weight": "w"}, "by weight"),
    ("bfs_edges", {"source": 0, "sort_neighbors": sorted}, "function of Python"),
    ("shortest_path", {"source": 0, "target": 1}, "both ends"),
    ("shortest_path", {"source": 0, "weight": "w", "method": "bellman-ford"}, "Bellman and Ford"),
    ("single_source_dijkstra", {"source": 0, "weight": lambda u, v, d: 1}, "weight is a function"),
    ("diameter", {"usebounds": True}, "another algorithm"),
    ("eccentricity", {"sp": {}}, "given distances"),
    ("average_shortest_path_length", {"weight": "w"}, "in hops"),
    ("ego_graph", {"n": 0, "distance": "w"}, "by weight"),
    ("is_isolate", {"n": "nobody"}, "not in the graph"),
    ("square_clustering", {}, "not served"),
    ("pagerank", {"nonsense": 1}, "arguments"),
]


@pytest.mark.parametrize("name, options, text", REFUSED)
def test_reasons(name, options, text):
    if name == "hits" and name not in backend.FUNCTIONS:
        text = "not served"
    assert text in reason(name, nx.path_graph(4), **options)


def test_reasons_of_directed_graphs_and_multigraphs():
    assert "directed" in reason("clustering", nx.DiGraph())
    assert "multigraphs" in reason("transitivity", nx.MultiGraph())
    assert "multigraphs" in reason("triangles", nx.MultiGraph(), nodes=[0])
    assert "one target" in reason("shortest_path_length", nx.DiGraph(), target=0, weight="w")
    assert reason("shortest_path_length", nx.Graph(), target=0, weight="w") is True
    assert reason("pagerank", G=nx.Graph()) is True


class Complement(nx.Graph):
    def neighbors(self, node):
        return iter(set(self) - set(self._adj[node]) - {node})


class Named(nx.DiGraph):
    """It adds nothing to the edges."""


def test_classes_with_edges_of_their_own_are_refused():
    assert "its own neighbors" in reason("pagerank", Complement([(0, 1)]))
    assert "not a kind" in reason("pagerank", nx.PlanarEmbedding())
    assert reason("pagerank", Named([(0, 1)])) is True
    assert reason("pagerank", nx.path_graph(3).subgraph([0, 1])) is True


@pytest.mark.parametrize("weights, text", [
    ([1, -2], "negative"), ([1, 2.5], "several types"), ([1, "a"], "not numbers"), ([1.0, float("inf")], "not finite"),
    ([1, None], "not numbers"), ([1, 2**60], "53 bits"),
])  # fmt: skip
def test_weights_that_are_not_served(weights, text):
    graph = nx.Graph()
    graph.add_weighted_edges_from([(0, 1, weights[0]), (1, 2, weights[1])])
    with pytest.raises(NotImplementedError) as caught:
        nx.single_source_dijkstra_path_length(graph, 0, backend="millrace")
    error = caught.value
    while error.__cause__ is not None and text not in str(error):
        error = error.__cause__
    assert text in str(error)


def test_networkx_takes_over_where_weights_are_not_served():
    graph = nx.Graph()
    graph.add_weighted_edges_from([(0, 1, 1), (1, 2, 2.5)])
    with nx.config(backend_priority=["millrace"], fallback_to_nx=True), nx.config.backends.millrace(min_edges=0):
        assert nx.single_source_dijkstra_path_length(graph, 0) == {0: 0, 1: 1, 2: 3.5}


def test_small_graphs_are_left_to_networkx():
    small, large = nx.path_graph(50), nx.gnp_random_graph(300, 0.5, seed=1)
    assert "few" in backend.should_run("pagerank", (small,), {})
    assert backend.should_run("pagerank", (), {"G": large}) is True
    for name, args in (("descendants", (large, 0)), ("connected_components", (large,)), ("bfs_edges", (large, 0))):
        assert "convert" in backend.should_run(name, args, {})
    nx.is_connected(large, backend="millrace")
    assert backend.should_run("descendants", (large, 0), {}) is True
    assert backend.should_run("betweenness_centrality", (nx.gnp_random_graph(100, 0.3, seed=1),), {}) is True
    with nx.config.backends.millrace(min_edges=10):
        assert backend.should_run("pagerank", (small,), {}) is True


def test_priority_asks_should_run():
    small = nx.path_graph(50)
    with nx.config(backend_priority=["millrace"]):
        nx.pagerank(small)
    assert not small.__networkx_cache__.get("backends")


# Settings


def test_settings_reach_the_session(monkeypatch):
    seen = []
    original = millrace.Graph.session
    monkeypatch.setattr(millrace.Graph, "session", lambda self, **given: seen.append(given) or original(self, **given))
    graph = nx.path_graph(10)
    with nx.config.backends.millrace(device="cpu", memory="1G", threads=1):
        nx.is_connected(graph, backend="millrace")
    nx.is_connected(graph, backend="millrace")
    nx.is_connected(graph, backend="millrace")
    assert seen == [{"device": "cpu", "memory": "1G", "threads": 1}, {}]


def test_a_device_that_there_is_not():
    with nx.config.backends.millrace(device="nonsense"), pytest.raises(millrace.Error):
        nx.is_connected(nx.path_graph(10), backend="millrace")


def test_stores_go_elsewhere_without_memory_for_files(monkeypatch, tmp_path):
    monkeypatch.setattr(stores, "MEMORY_FOLDER", str(tmp_path / "missing"))
    assert stores.folder_for(10) == tempfile.gettempdir()
    assert nx.is_connected(nx.path_graph(10), backend="millrace")


def test_threads():
    graph = nx.gnp_random_graph(200, 0.05, seed=1)
    expected, found = nx.single_source_shortest_path_length(graph, 3), []
    call = lambda: found.append(nx.single_source_shortest_path_length(graph, 3, backend="millrace"))  # noqa: E731
    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


# Graphs of Millrace from NetworkX, and back


def test_from_networkx_and_back():
    rng = random.Random(3)
    for kind in (nx.Graph, nx.DiGraph):
        graph = kind()
        graph.add_nodes_from(["a", (1, 2), 3.5, frozenset("x")])
        graph.add_weighted_edges_from([("a", (1, 2), rng.random()), ((1, 2), "b", 2.0), ("b", "c", rng.random())])
        made = millrace.from_networkx(graph, weight="weight")
        assert (made.num_vertices, made.directed, made.weighted) == (6, graph.is_directed(), True)
        assert made.nodes == list(graph)
        assert nx.utils.graphs_equal(made.to_networkx(), graph)


def test_results_by_node():
    graph = nx.path_graph(["x", "y", "z"])
    graph.add_node("alone")
    made = millrace.Graph.from_networkx(graph)
    result = made.bfs(source=made.id_of("y"), columns="all")
    assert result.by_node() == {"x": 1, "y": 0, "z": 1, "alone": None}
    assert result.by_node("parent") == {"x": "y", "y": "y", "z": "y", "alone": None}
    with pytest.raises(KeyError):
        made.id_of("nobody")


def test_parallel_edges_and_loops():
    graph = nx.MultiDiGraph()
    graph.add_weighted_edges_from([(0, 1, 2.0), (0, 1, 0.5), (1, 1, 4.0)])
    assert millrace.from_networkx(graph, weight="weight").edges()[2].tolist() == [2.5]
    assert millrace.from_networkx(graph, weight="weight", duplicates="min").edges()[2].tolist() == [0.5]
    assert millrace.from_networkx(graph, self_loops="keep").num_edges == 2
    graph.add_node(7)
    alone = millrace.from_networkx(graph, self_loops="keep")
    assert alone.num_edges == 2 and sorted(alone.nodes) == [0, 1, 7]


def test_graphs_without_nodes_of_networkx_have_their_ids():
    made = millrace.from_edges([5, 9], [9, 7])
    assert made.nodes == [5, 7, 9] and made.id_of(5) == 5
    assert sorted(made.to_networkx().edges) == [(5, 9), (9, 7)]
    assert sorted(millrace.from_edges(["a"], ["b"], directed=False).to_networkx().edges) == [("a", "b")]
