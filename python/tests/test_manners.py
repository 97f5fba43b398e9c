"""What people expect of a package of Python: kinds of errors, texts, warnings, files."""

import os
import pathlib
import re
import warnings

import millrace
import nx_entry_points
import numpy as np
import pytest

nx_entry_points.register()
ROOT = pathlib.Path(__file__).resolve().parents[2]


def described():
    """Every text of the package: help of methods, and of options."""
    for name, one in millrace.algorithms().items():
        yield name, getattr(millrace.Graph, name).__doc__
        for option in one["options"]:
            yield f"{name} {option['name']}", option["help"]
    for name in ("open", "import_file", "generate", "from_edges", "from_scipy", "from_networkx"):
        yield name, getattr(millrace, name).__doc__
    for module in (ROOT / "python").glob("millrace*/*.py*"):
        yield module.name, module.read_text()


def test_texts_are_for_python():
    leaks = re.compile(
        r"- is stdout|given several times|one vertex per line: an id|ids separated by commas|"
        r"For people:|that there is not|that there is no more|none any more|no numbers\b|\bis a int\b"
    )
    for name, text in described():
        found = leaks.search(text)
        assert not found, f"{name}: {found[0]}"


def test_lists_are_offered_where_files_are(chain):
    assert "a list" in millrace.Graph.subgraph.__doc__.lower()
    assert chain.subgraph(vertices=[0, 1]).results["edges"] == 1


def test_errors_say_what_there_is(chain):
    for call, text in (
        (lambda: chain.pagerank(precision="f16"), "precision f16 is none of the choices: f32, f64"),
        (lambda: chain.pagerank(damping=2), "damping 2 is out of its range: from 0 to 1"),
        (lambda: chain.katz(beta=0), "beta 0 is out of its range: from 1e-10 to 10000000000"),
        (lambda: chain.pagerank(tolerance=-1), "tolerance -1 is out of its range: from 0 on"),
        (lambda: chain.sssp(0, delta=0.0), "delta 0.0 is out of its range: above 0"),
        (lambda: chain.bc(samples=0), "samples 0 is out of its range: from 1 to 4294967280"),
        (lambda: chain.sssp(0, delta=0), "delta 0 is out of its range: above 0"),
        (lambda: chain.radius(hops=2**32 - 1), "hops 4294967295 is out of its range"),
        (lambda: chain.pagerank(iterations=2**31), "iterations 2147483648 is out of its range: from 0 to 1073741824"),
        (lambda: chain.pagerank(direction="up"), "direction up is none of the choices: auto, pull, push"),
        (lambda: millrace.generate("tree", 4), "kind tree is none of the choices: grid, rmat, uniform"),
        (lambda: millrace.generate("rmat", 40), "scale 40 is out of its range: from 0 to 31"),
        (lambda: millrace.from_edges([0], [1], duplicates="add"), "duplicates add is none of the choices: count, first, keep"),
        (lambda: millrace.from_edges(object(), [1]), "src is of type object"),
        (lambda: millrace.from_edges(3, [1]), "src is of type int, which is no array"),
    ):
        with pytest.raises(millrace.UsageError) as raised:
            call()
        assert text in str(raised.value)


def test_warnings_point_at_the_caller(chain):
    for call in (
        lambda: chain.bc(samples=100),
        lambda: chain.run("bc", samples=100),
        lambda: chain.session().bc(samples=100),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert [one.filename for one in caught if "all of which" in str(one.message)] == [__file__]


@pytest.mark.parametrize("call", [
    lambda graph, path: millrace.open(path),
    lambda graph, path: millrace.import_file(path),
    lambda graph, path: graph.ppr(seeds_file=path),
    lambda graph, path: graph.subgraph(vertices=path),
    lambda graph, path: graph.spmv(path),
    lambda graph, path: graph.pagerank().write(path / "values.txt"),
    lambda graph, path: graph.pagerank().report(path / "page.html"),
    lambda graph, path: millrace.from_edges([0], [1], path=path / "x.store"),
    lambda graph, path: millrace.from_edges([0], [1], path=path / "deeper" / "x.store"),
    lambda graph, path: millrace.generate("rmat", 4, path=path / "x.store"),
])  # fmt: skip
def test_files_and_folders_that_are_missing(chain, tmp_path, call):
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError) as raised:
        call(chain, missing)
    assert isinstance(raised.value, millrace.MissingFileError) and isinstance(raised.value, millrace.IoError)
    assert raised.value.errno == 2 and str(missing) in str(raised.value)
    assert not os.listdir(tmp_path), "folders were made"


def test_a_path_that_is_nearly_right(tmp_path):
    (tmp_path / "edges.txt").write_text("0 1\n")
    with pytest.raises(FileNotFoundError, match="did you mean edges.txt"):
        millrace.open(tmp_path / "edgse.txt")


@pytest.mark.parametrize("graph, missing", [
    (lambda: millrace.from_edges([0, 1], [1, 2]), 99),
    (lambda: millrace.from_edges(["a"], ["b"]), "nobody"),
])  # fmt: skip
def test_ids_that_no_vertex_has(graph, missing):
    graph = graph()
    there = graph.nodes[0]
    for call in (
        lambda: graph.bfs(missing), lambda: graph.sssp(missing), lambda: graph.bc(source=missing),
        lambda: graph.ppr(seeds=[there, missing]), lambda: graph.ppr(seeds_file=[missing]),
        lambda: graph.neighbourhood([missing]), lambda: graph.egonet(missing),
        lambda: graph.subgraph([there, missing]), lambda: graph.cross_edges([there], [missing]),
        lambda: graph.cross_edges([missing], [there]), lambda: graph.vertices([missing]),
        lambda: graph.vertices([missing] * 20),
    ):  # fmt: skip
        with pytest.raises(millrace.UsageError, match=f"the graph has no vertex with (id|name) {missing}$") as raised:
            call()
        assert "millrace-" not in str(raised.value), "it names a temporary file or store"


def test_graph_is_no_way_to_open_a_file():
    for wrong in ("x.store", pathlib.Path("x"), None, [1]):
        with pytest.raises(TypeError, match=r"millrace\.open"):
            millrace.Graph(wrong)


def test_formats_that_are_not_written(chain, tmp_path):
    result = chain.pagerank()
    for name in ("x.parquet", "x.json", "X.JSON", "x.feather", "x.xlsx", "x.pkl", "x.npz", "x.csv.gz"):
        with pytest.raises(millrace.UsageError, match=r"\.txt.*\.csv.*\.npy"):
            result.write(tmp_path / name)
    with pytest.raises(millrace.UsageError, match="empty"):
        result.write("")
    assert not os.listdir(tmp_path)
    for name in ("x", "x.txt", "x.ranks", "x.csv", "x.npy", "x.2026"):
        result.write(tmp_path / name)
        assert (tmp_path / name).exists()
    result.write(os.fsencode(tmp_path / "bytes.csv"))
    assert (tmp_path / "bytes.csv").exists()


def test_parallel_edges_stay_in_networkx():
    nx = pytest.importorskip("networkx")
    sources, targets, weights = [0, 0, 1, 2], [1, 1, 2, 2], [1.0, 2.0, 4.0, 8.0]
    for directed, kind in ((True, nx.MultiDiGraph), (False, nx.MultiGraph)):
        graph = millrace.from_edges(
            sources, targets, weights, directed=directed, duplicates="keep", self_loops="keep"
        ).to_networkx()
        assert type(graph) is kind
        found = sorted((*sorted((u, v)), w) for u, v, w in graph.edges(data="weight"))
        assert found == sorted(zip(sources, targets, weights))
    assert type(millrace.from_edges(sources, targets).to_networkx()) is nx.DiGraph


def test_one_of_a_thing_is_singular(chain):
    assert "1 vertex, 0 edges" in repr(millrace.from_edges([], [], vertices=1))
    assert "2 vertices, 1 edge, directed" in repr(millrace.from_edges([0], [1]))
    for result in (chain.pagerank(threads=1), chain.subgraph([0], threads=1)):
        assert "1 thread" in result.summary() and "1 threads" not in result.summary()
    assert "1 threads" not in chain.explain("pagerank", device="cpu", threads=1)
