"""Graphs, results and sessions that are copied, pickled, or there in a process that was forked."""

import copy
import os
import pickle
import subprocess
import sys
import textwrap

import millrace
import numpy as np
import nx_entry_points
import pytest

nx_entry_points.register()


def test_graphs_that_stay_are_pickled_as_their_paths(tmp_path):
    graph = millrace.from_edges(["a", "b"], ["b", "c"], path=tmp_path / "g.store")
    again = pickle.loads(pickle.dumps(graph))
    assert (again.num_edges, again.ids, again.path) == (2, graph.ids, graph.path)
    assert again.bfs(source="a").by_id() == graph.bfs(source="a").by_id()
    text = tmp_path / "edges.txt"
    text.write_text("0 1\n1 2\n")
    opened = pickle.loads(pickle.dumps(millrace.open(text, undirected=True)))
    assert (opened.num_edges, opened.directed) == (4, False)
    assert copy.deepcopy([graph])[0] is graph and copy.copy(graph) is graph


def test_a_graph_that_was_made_again_is_not_taken_for_the_pickled_one(tmp_path):
    store, text = tmp_path / "g.store", tmp_path / "edges.txt"
    for make in (lambda *edges: millrace.from_edges(*edges, path=store, force=True), lambda *_: millrace.open(text)):
        text.write_text("0 1\n1 2\n")
        pickled = pickle.dumps(make([0, 1], [1, 2]))
        assert pickle.loads(pickled).num_edges == 2
        make([0, 2], [1, 1], [1.5, 2])  # as many vertices and edges
        text.write_text("0 1\n2 1\n")
        with pytest.raises(millrace.BadInputError, match="has changed since the graph was pickled"):
            pickle.loads(pickled)


def test_files_of_options_are_found_from_everywhere(tmp_path, monkeypatch):
    (tmp_path / "edges.txt").write_text("0 1\n")
    (tmp_path / "vertices.txt").write_text("0\n1\n7\n")
    monkeypatch.chdir(tmp_path)
    pickled = pickle.dumps(millrace.open("edges.txt", vertices="vertices.txt"))
    monkeypatch.chdir("/")
    assert pickle.loads(pickled).ids.tolist() == [0, 1, 7]


def test_the_store_of_a_graph_file_is_found_from_everywhere(tmp_path, monkeypatch):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    (here / "edges.txt").write_text("0 1\n1 2\n")
    monkeypatch.chdir(here)
    pickled = pickle.dumps(millrace.open("edges.txt", store="kept.store"))
    monkeypatch.chdir(there)
    assert pickle.loads(pickled).path == here / "kept.store"
    assert os.listdir(there) == []


def on_another_machine(graph, **given):
    """The graph of a file, pickled here and unpickled where the cache asks for segments, which need another store."""
    reopened, ((path, options, *others), *rest) = graph.__reduce__()
    options = dict(options) | {"segments": "64"} | given
    return reopened((path, list(options.items()), *others), *rest)


def test_a_graph_file_has_another_store_on_another_machine(tmp_path):
    text = tmp_path / "edges.txt"
    edges = "".join(f"{v} {(v + step) % 300} {step}\n" for v in range(300) for step in (1, 7, 100))
    text.write_text(edges)
    graph = millrace.open(text, weighted=True)
    there = on_another_machine(graph)
    assert there.info() != graph.info() and there.num_edges == graph.num_edges
    kept = millrace.open(text, weighted=True, store=tmp_path / "a.store")
    there = on_another_machine(kept, store=str(tmp_path / "b.store"))
    assert there.path == tmp_path / "b.store" and there.num_edges == graph.num_edges
    for changed in ("0 299 1\n", "0 1 256\n", ""):
        text.write_text(edges.replace("0 1 1\n", changed, 1))
        with pytest.raises(millrace.BadInputError, match="has changed since the graph was pickled"):
            on_another_machine(graph)
    # Stores are compared as they are.
    millrace.import_file(tmp_path / "edges.txt", tmp_path / "c.store")
    pickled = pickle.dumps(millrace.open(tmp_path / "c.store"))
    millrace.import_file(tmp_path / "edges.txt", tmp_path / "c.store", segments="64", force=True)
    with pytest.raises(millrace.BadInputError, match="has changed since the graph was pickled"):
        pickle.loads(pickled)


def test_nodes_of_networkx_come_along(tmp_path):
    nx = pytest.importorskip("networkx")
    graph = millrace.from_networkx(nx.path_graph(["x", "y"]), path=tmp_path / "g.store")
    assert pickle.loads(pickle.dumps(graph)).nodes == graph.nodes


def test_what_cannot_be_pickled_says_so(chain):
    with pytest.raises(TypeError, match="temporary graph cannot be pickled.*path="):
        pickle.dumps(chain)
    result = chain.bfs(0)
    for pickled in (pickle.dumps, lambda one: pickle.dumps([one])):
        with pytest.raises(TypeError, match="result cannot be pickled.*by_id"):
            pickled(result)
    with chain.session() as session, pytest.raises(TypeError, match="session cannot be pickled"):
        pickle.dumps(session)
    assert copy.copy(result) is result and copy.deepcopy(result) is result
    ids, levels = pickle.loads(pickle.dumps(result.by_id()))
    assert np.array_equal(ids, result.by_id()[0]) and np.array_equal(levels, result.level)


@pytest.mark.parametrize("again", [copy.deepcopy, copy.copy, lambda graph: pickle.loads(pickle.dumps(graph))])
@pytest.mark.parametrize("kind", ["Graph", "DiGraph", "MultiGraph", "MultiDiGraph"])
def test_graphs_of_networkx_after_a_call(kind, again):
    nx = pytest.importorskip("networkx")
    nx.config.warnings_to_ignore.add("cache")
    graph = getattr(nx, kind)(nx.gnp_random_graph(30, 0.2, seed=1))
    nx.set_edge_attributes(graph, 2, "weight")
    before = nx.pagerank(graph, backend="millrace")
    nx.is_isolate(graph, 3, backend="millrace")
    size = len(pickle.dumps(getattr(nx, kind)(graph)))
    assert len(pickle.dumps(graph)) < size + 1000, "the conversion comes along"
    other = again(graph)
    assert nx.utils.graphs_equal(other, graph)
    assert nx.pagerank(other, backend="millrace") == pytest.approx(before)
    assert nx.pagerank(graph, backend="millrace") == pytest.approx(before)
    other.add_edge(0, "new")
    nodes = nx.descendants(other, 0, backend="millrace")
    assert "new" in nodes
    assert nx.utils.graphs_equal(graph.copy(), graph)


def test_a_conversion_alone_is_neither_pickled_nor_copied():
    nx = pytest.importorskip("networkx")
    from millrace_networkx.conversion import convert_from_nx

    converted = convert_from_nx(nx.path_graph(4))
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="convert the graph"):
            attempt(converted)


def forked(code):
    """What a program prints; its child and itself end with status 0."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", textwrap.dedent(code)],
        capture_output=True, text=True, timeout=120, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.split()


def test_networkx_takes_over_in_a_forked_process():
    pytest.importorskip("networkx")
    found = forked("""
        import os
        import networkx as nx
        nx.config.warnings_to_ignore.add("cache")
        graph = nx.gnp_random_graph(60, 0.2, seed=1)
        nx.config.backend_priority.algos, nx.config.fallback_to_nx = ["millrace"], True
        nx.config.backends.millrace.min_edges = 0
        expected = nx.core_number(graph)
        from millrace_networkx import backend
        print(backend.can_run("core_number", (graph,), {}), flush=True)
        child = os.fork()
        if child == 0:
            print("forked" in backend.can_run("core_number", (graph,), {}), nx.core_number(graph) == expected, flush=True)
            raise SystemExit
        assert os.waitpid(child, 0)[1] == 0
        print(nx.core_number(graph) == expected)
    """)
    assert found == ["True", "True", "True", "True"]


def test_everything_of_a_graph_in_a_forked_process():
    """What needs no threads works, the rest says why not, and the process ends."""
    found = forked("""
        import os, millrace
        graph = millrace.from_edges([0, 1], [1, 2], [0.5, 2])
        ids, result, session = graph.ids, graph.bfs(0), graph.session()
        session.pagerank()
        kept = session.pagerank(keep_on_device=True)
        child = os.fork()
        if child == 0:
            repr(graph), graph.num_vertices, result.level.sum(), result.top(2), result.by_id(), result.plan
            refused = 0
            calls = [
                lambda: graph.bfs(0), lambda: graph.edges(), lambda: graph.out_degrees, lambda: graph.info(),
                lambda: session.bfs(0), lambda: session.close(), lambda: millrace.from_edges([0], [1]),
                lambda: graph.vertices([0]), lambda: result.write("/dev/null"), lambda: repr(result),
                lambda: result._repr_html_(), lambda: millrace.open(graph.path),
                lambda: millrace.generate("rmat", 4), lambda: graph.explain("bfs", source=0),
            ]
            for call in calls:
                try:
                    call()
                except millrace.InternalError as error:
                    refused += "forked" in str(error)
            print(refused == len(calls), flush=True)
            del session, result, kept, graph
            raise SystemExit
        assert os.waitpid(child, 0)[1] == 0
        print(graph.bfs(0).top(1)[0][1], os.path.exists(graph.path))
    """)
    assert found == ["True", "2", "True"]


def test_results_that_are_alive_at_the_end_are_no_leak():
    pytest.importorskip("pyarrow")
    assert forked("""
        import millrace, threading, time
        result = millrace.from_edges([0, 1], [1, 2]).pagerank()
        table = result.to_arrow()
        def wait():
            mine = result
            time.sleep(1000)
        threading.Thread(target=wait, daemon=True).start()
        print("done")
    """) == ["done"]
