"""Every function of the NetworkX backend against NetworkX itself: values, types, order and errors."""

import random

import nx_entry_points
import pytest

nx_entry_points.register()
nx = pytest.importorskip("networkx")
pytest.importorskip("scipy")  # NetworkX's PageRank needs it
info = pytest.importorskip("millrace_networkx.info")
backend = pytest.importorskip("millrace_networkx.backend")
discovery = pytest.importorskip("millrace_networkx.discovery")

nx.config.warnings_to_ignore.add("cache")
SIZE = 30


def make(kind, names, loops, seed):
    """A random graph with isolated nodes, whole weights `w`, real ones `f`, and nodes in no order."""
    rng = random.Random(seed)
    graph = kind()
    nodes = {"int": list(range(SIZE)), "text": [f"n{i}" for i in range(SIZE)], "mixed": [(i, "x") for i in range(SIZE)]}
    nodes = nodes[names]
    rng.shuffle(nodes)
    graph.add_nodes_from(nodes)
    for source, target in rng.sample([(u, v) for u in nodes for v in nodes if u != v], 60):
        for _ in range(1 + (graph.is_multigraph() and rng.random() < 0.3)):
            graph.add_edge(source, target, w=rng.randint(1, 3), f=rng.random())
    if loops:
        graph.add_edge(nodes[3], nodes[3], w=2, f=0.5)
    graph.add_node("alone", colour="red")
    return graph


GRAPHS = [
    pytest.param((kind, names, loops), id=f"{kind.__name__}-{names}-{'loops' if loops else 'simple'}")
    for kind in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
    for names, loops in (("int", False), ("text", True), ("mixed", False))
]


@pytest.fixture(params=GRAPHS)
def graph(request):
    return make(*request.param, seed=7)


def result_of(call):
    """What a call gives, iterators as lists; an error as (type, text)."""
    try:
        found = call()
        return list(found) if hasattr(found, "__next__") else found
    except NotImplementedError:
        raise
    except Exception as error:
        return type(error), str(error)


def same(left, right):
    """Equal, also in the types of numbers and the order of dictionaries; floats up to rounding."""
    if isinstance(left, nx.Graph):
        return nx.utils.graphs_equal(left, right)
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float):
        return type(right) is float and right == pytest.approx(left, rel=1e-9, abs=1e-12, nan_ok=True)
    return type(left) is type(right) and left == right


def skip_unless_served(name):
    if name not in backend.FUNCTIONS:
        pytest.skip(f"not served with NetworkX {nx.__version__}")


def check(name, graph, *args, **options):
    expected = result_of(lambda: getattr(nx, name)(graph, *args, **options))
    found = result_of(lambda: getattr(nx, name)(graph, *args, backend="millrace", **options))
    assert same(expected, found), f"{name}{args}{options}:\n{expected}\n{found}"


def largest_part(graph):
    parts = nx.weakly_connected_components(graph) if graph.is_directed() else nx.connected_components(graph)
    return graph.subgraph(max(parts, key=len)).copy()


@pytest.mark.parametrize("weight", [None, "w", "f", "absent"])
def test_pagerank(graph, weight):
    nodes = list(graph)
    check("pagerank", graph, weight=weight)
    check("pagerank", graph, weight=weight, alpha=0.5, tol=1e-10)
    check("pagerank", graph, weight=weight, max_iter=2, tol=1e-12)
    check("pagerank", graph, weight=weight, personalization={nodes[0]: 1, nodes[4]: 2})
    check("pagerank", graph, weight=weight, dangling={nodes[1]: 1}, nstart={n: i + 1 for i, n in enumerate(nodes)})
    check("pagerank", graph, weight=weight, personalization={"nobody": 1})


def test_hits(graph):
    skip_unless_served("hits")
    check("hits", graph, max_iter=5000)
    check("hits", graph, max_iter=5000, normalized=False, nstart={n: i + 1 for i, n in enumerate(graph)})
    check("hits", graph, max_iter=2)
    check("hits", graph, nstart=dict.fromkeys(list(graph)[1:], 1.0))


@pytest.mark.parametrize("weight", [None, "w", "f"])
def test_katz_and_eigenvector(graph, weight):
    start = {node: i + 1.0 for i, node in enumerate(reversed(list(graph)))}
    check("katz_centrality", graph, weight=weight, alpha=0.05)
    check("katz_centrality", graph, weight=weight, alpha=0.05, beta=start, nstart=start, normalized=False)
    check("katz_centrality", graph, weight=weight, alpha=5.0, max_iter=30)
    check("katz_centrality", graph, beta={"nobody": 1})
    check("eigenvector_centrality", graph, weight=weight, max_iter=2000)
    check("eigenvector_centrality", graph, weight=weight, max_iter=2000, nstart=start)
    check("eigenvector_centrality", graph, max_iter=1)
    check("eigenvector_centrality", graph, nstart=dict.fromkeys(graph, 0))


@pytest.mark.parametrize("endpoints", [False, True])
@pytest.mark.parametrize("normalized", [False, True])
def test_betweenness(graph, normalized, endpoints):
    for k in (None, 1, 7, len(graph)):
        check("betweenness_centrality", graph, k=k, seed=3, normalized=normalized, endpoints=endpoints)
    check("betweenness_centrality", graph, k=len(graph) + 1, seed=3)


def test_other_centralities(graph):
    some = list(graph)[3:6]
    for improved in (False, True):
        check("closeness_centrality", graph, wf_improved=improved)
        check("closeness_centrality", graph, u=some[0], wf_improved=improved)
    check("harmonic_centrality", graph)
    check("harmonic_centrality", graph, nbunch=some)
    check("harmonic_centrality", graph, sources=some[:2])
    for name in ("degree_centrality", "in_degree_centrality", "out_degree_centrality"):
        check(name, graph)


def test_components(graph):
    for name in info.MODULES["components"].split():
        if name == "node_connected_component":
            check(name, graph, list(graph)[2])
            check(name, graph, "nobody")
        else:
            check(name, graph)


def test_cores_and_triangles(graph):
    some = list(graph)[3:6]
    for name in ("core_number", "k_core", "k_shell", "isolates", "number_of_isolates"):
        check(name, graph)
    check("k_core", graph, k=2)
    check("is_isolate", graph, some[0])
    check("is_isolate", graph, "alone")
    check("triangles", graph)
    if type(graph) is nx.Graph:
        check("triangles", graph, some)
        check("triangles", graph, some[0])
        for name in ("clustering", "average_clustering"):
            check(name, graph)
            check(name, graph, some)
        check("clustering", graph, some[0])
        check("average_clustering", graph, count_zeros=False)
        check("transitivity", graph)


@pytest.mark.parametrize("few", [0, 10**6])  # with runs and without
def test_searches(graph, few, monkeypatch):
    monkeypatch.setattr(discovery, "few_edges", lambda graph: few)
    nodes = list(graph)
    for source in (nodes[0], "alone", "nobody"):
        for name in ("bfs_edges", "bfs_tree", "bfs_successors"):
            check(name, graph, source)
            check(name, graph, source, depth_limit=2)
        check("bfs_edges", graph, source, reverse=True)
        check("bfs_layers", graph, source if source != "nobody" else [source])
        for distance in (0, 2, 50):
            check("descendants_at_distance", graph, source, distance)
        check("descendants", graph, source)
        check("ancestors", graph, source)
        check("has_path", graph, source, nodes[1])
        check("ego_graph", graph, source)
        check("ego_graph", graph, source, radius=2, center=False, undirected=True)
    check("bfs_layers", graph, nodes[:3])


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_the_order_of_ego_graphs(kind, undirected):
    """It is that of a set, which depends on the order in which nodes come into it."""
    for seed in range(60):
        graph = nx.gnm_random_graph(30, 60, seed=seed, directed=kind is nx.DiGraph)
        for radius in (1, 2, None):
            options = {"radius": radius, "undirected": undirected}
            expected = nx.ego_graph(graph, seed % 30, **options)
            found = nx.ego_graph(graph, seed % 30, **options, backend="millrace")
            assert [*expected.adjacency()] == [*found.adjacency()] and list(expected) == list(found)
            assert [list(row) for row in expected.adj.values()] == [list(row) for row in found.adj.values()]


def test_paths_in_hops(graph):
    nodes = list(graph)
    for name in info.MODULES["hops"].split():
        if name.startswith("all_pairs"):
            check(name, graph)
            check(name, graph, cutoff=2)
            continue
        for one in (nodes[0], "alone", "nobody"):
            check(name, graph, one)
            check(name, graph, one, cutoff=1.5)
            check(name, graph, one, cutoff=0)


@pytest.mark.parametrize("weight", ["w", "f", "absent"])
def test_paths_by_weight(graph, weight):
    nodes = list(graph)
    for name in info.MODULES["weighted"].split():
        if "bellman_ford" in name:
            continue
        if name.startswith("all_pairs"):
            check(name, graph, weight=weight)
            check(name, graph, weight=weight, cutoff=2)
        elif name.startswith("dijkstra"):
            for ends in ((nodes[0], nodes[5]), (nodes[0], "alone"), (nodes[0], nodes[0]), (nodes[0], "nobody")):
                check(name, graph, *ends, weight=weight)
            check(name, graph, "nobody", nodes[0], weight=weight)
        else:
            source = nodes[:3] if name.startswith("multi") else nodes[0]
            check(name, graph, source, weight=weight)
            check(name, graph, source, weight=weight, cutoff=2)
            check(name, graph, ["nobody"] if name.startswith("multi") else "nobody", weight=weight)


@pytest.mark.parametrize("weight", ["w", "f"])
def test_lengths_of_bellman_and_ford(graph, weight):
    """Their dictionaries are equal, in another order."""
    nodes = list(graph)
    for name in ("single_source_bellman_ford_path_length", "all_pairs_bellman_ford_path_length"):
        args = () if name.startswith("all") else (nodes[0],)
        expected, found = (getattr(nx, name)(graph, *args, weight=weight, backend=b) for b in ("networkx", "millrace"))
        assert dict(expected) == pytest.approx(dict(found)) if args else dict(expected) == dict(found)
    for ends in ((nodes[0], nodes[5]), (nodes[0], "alone"), ("nobody", nodes[0]), ("nobody", "nobody")):
        check("bellman_ford_path_length", graph, *ends, weight=weight)


@pytest.mark.parametrize("weight", [None, "w", "f"])
def test_paths_of_any_kind(graph, weight):
    nodes = list(graph)
    check("shortest_path", graph, weight=weight)
    check("shortest_path_length", graph, weight=weight)
    for source in (nodes[0], "nobody"):
        check("shortest_path", graph, source, weight=weight)
        check("shortest_path_length", graph, source, weight=weight)
        check("shortest_path_length", graph, source, nodes[4], weight=weight)
    check("shortest_path_length", graph, nodes[0], "alone", weight=weight)
    if weight is None or not graph.is_directed():
        check("shortest_path_length", graph, target=nodes[4], weight=weight)
    if weight is None:
        check("shortest_path", graph, target=nodes[4])


@pytest.mark.parametrize("weight", [None, "w", "f"])
def test_eccentricity(graph, weight):
    for part in (graph, largest_part(graph)):
        for name in ("eccentricity", "diameter", "radius", "center", "periphery"):
            check(name, part, weight=weight)
        check("eccentricity", part, v=list(part)[:2], weight=weight)
        check("eccentricity", part, v=list(part)[0], weight=weight)
        check("average_shortest_path_length", part)


SMALL = [nx.Graph(), nx.DiGraph(), nx.path_graph(1), nx.empty_graph(3), nx.path_graph(2), nx.path_graph(3)]


@pytest.mark.parametrize("name", [
    "pagerank", "hits", "katz_centrality", "eigenvector_centrality", "betweenness_centrality", "closeness_centrality",
    "harmonic_centrality", "degree_centrality", "connected_components", "number_weakly_connected_components",
    "is_connected", "is_strongly_connected", "core_number", "k_core", "triangles", "eccentricity", "isolates",
    "average_shortest_path_length", "all_pairs_shortest_path", "all_pairs_dijkstra_path",
])  # fmt: skip
def test_small_graphs(name):
    skip_unless_served(name)
    for graph in SMALL:
        check(name, graph)


def test_a_larger_graph():
    graph = nx.gnp_random_graph(400, 0.02, seed=1, directed=True)
    check("pagerank", graph)
    check("betweenness_centrality", graph, k=20, seed=1)
    check("single_source_shortest_path", graph, 0)
    check("single_source_dijkstra_path", nx.path_graph(200), 0)
    check("weakly_connected_components", graph)
    check("strongly_connected_components", nx.gnp_random_graph(300, 0.005, seed=2, directed=True))
    check("core_number", graph)
