"""Graphs from tables in memory, of every kind."""

import array
import gc
import os
import pathlib

import millrace
import numpy as np
import pytest
from millrace import Graph, UsageError

SRC, DST, WEIGHT = [10, 10, 30, 7], [30, 7, 7, 10], [1.5, 2.0, 2.5, 8.0]
EDGES = {(10, 30): 1.5, (10, 7): 2.0, (30, 7): 2.5, (7, 10): 8.0}


def edges_of(graph):
    """{(source id, target id): weight or None}"""
    ids = graph.ids
    source, target, weight = graph.edges()
    weights = [None] * len(source) if weight is None else weight.tolist()
    name = (lambda i: ids[i]) if isinstance(ids, tuple) else (lambda i: int(ids[i]))
    return {(name(s), name(t)): w for s, t, w in zip(source.tolist(), target.tolist(), weights)}


def columns(kind):
    if kind == "list":
        return SRC, DST, WEIGHT
    if kind == "array.array":
        return array.array("q", SRC), array.array("I", DST), array.array("d", WEIGHT)
    if kind == "memoryview":
        return (
            memoryview(array.array("q", SRC)),
            memoryview(array.array("q", DST)),
            memoryview(array.array("f", WEIGHT)),
        )
    if kind == "strided":
        both = np.array([SRC, DST]).T
        return both[:, 0], both[:, 1], np.repeat(np.array(WEIGHT), 3)[::3]
    if kind == "reversed":
        return np.array(SRC[::-1])[::-1], np.array(DST[::-1])[::-1], np.array(WEIGHT[::-1])[::-1]
    if kind == "big-endian":
        return np.array(SRC, ">i8"), np.array(DST, ">u4"), np.array(WEIGHT, ">f8")
    if kind == "object":
        return np.array(SRC, object), np.array(DST, object), np.array(WEIGHT)
    if kind.startswith("numpy"):
        return np.array(SRC, kind[6:]), np.array(DST, kind[6:]), np.array(WEIGHT, np.float32)
    if kind == "generator":
        return (i for i in SRC), (i for i in DST), np.array(WEIGHT)
    library = pytest.importorskip(kind.split(".")[0])
    if kind == "pandas":
        return library.Series(SRC), library.Series(DST, dtype="Int64"), library.Series(WEIGHT)
    if kind == "polars":
        return library.Series(SRC), library.Series(DST, dtype=library.UInt16), library.Series(WEIGHT)
    if kind == "pyarrow":
        return library.array(SRC), library.chunked_array([DST[:1], DST[1:]]), library.array(WEIGHT).slice(0, 4)
    if kind == "pyarrow.dictionary":
        return library.array(SRC).dictionary_encode(), library.array(DST), library.array(WEIGHT)
    return library.tensor(SRC), library.tensor(DST), library.tensor(WEIGHT)


NUMBERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
KINDS = [
    "list",
    "array.array",
    "memoryview",
    "strided",
    "reversed",
    "big-endian",
    "object",
    "generator",
    "pandas",
    "polars",
]
KINDS += ["pyarrow", "pyarrow.dictionary", "torch", *(f"numpy {name}" for name in NUMBERS)]


@pytest.mark.parametrize("kind", KINDS)
def test_columns(kind):
    graph = Graph.from_edges(*columns(kind))
    assert edges_of(graph) == EDGES
    assert graph.directed and graph.weighted and graph.num_vertices == 3
    assert edges_of(Graph.from_edges(*columns(kind)[:2])) == dict.fromkeys(EDGES)


def test_parallel_edges_are_counted():
    graph = Graph.from_edges([0, 0, 0, 1], [1, 1, 2, 2], duplicates="count", order="natural")
    assert [list(column) for column in graph.edges()] == [[0, 0, 1], [1, 2, 2], [2, 1, 1]]
    with pytest.raises(millrace.UsageError, match="duplicates count: the edges have weights"):
        Graph.from_edges([0, 0], [1, 1], [2.0, 3.0], duplicates="count")


def test_weights_of_16_bits():
    pa = pytest.importorskip("pyarrow")
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    every = every[np.isfinite(every)]
    ends = np.zeros(len(every), np.int64), np.arange(1, len(every) + 1)
    column = pa.array(every)
    for weight in (every, column, pa.chunked_array([column[:7], column[7:]])):
        graph = Graph.from_edges(*ends, weight, order="natural")
        assert np.array_equal(graph.edges()[2], every.astype(np.float64))
    table = pa.table({"source": [0, 1, 2], "target": [1, 2, 3], "weight": column[100:103]}).slice(1)
    assert np.array_equal(Graph.from_edges(table).edges()[2], every[101:103].astype(np.float64))
    none = pa.array([], pa.int64())
    assert Graph.from_edges(pa.table({"source": none, "target": none, "weight": column[:0]})).num_edges == 0
    for wrong, text in (([np.inf, 1], "inf at position 0"), ([1, np.nan], "nan at position 1")):
        with pytest.raises(millrace.UsageError, match=text):
            Graph.from_edges([0, 1], [1, 2], pa.array(np.array(wrong, np.float16)))
    with pytest.raises(millrace.UsageError, match="src has real numbers; ids are whole numbers or texts"):
        Graph.from_edges(column[:1], [1])


@pytest.mark.parametrize("kind", ["numpy", "structured", "dict", "rows", "pandas", "polars", "pyarrow", "duckdb"])
def test_tables(kind):
    data = {"a": SRC, "b": DST, "w": WEIGHT}
    if kind == "numpy":
        table, expected = np.array([SRC, DST]).T, dict.fromkeys(EDGES)
    elif kind == "structured":
        table = np.array(list(zip(SRC, DST, WEIGHT)), [("a", "u8"), ("b", "u8"), ("w", "f8")])
        expected = EDGES
    elif kind == "dict":
        table, expected = {k: np.array(v) for k, v in data.items()}, EDGES
    elif kind == "rows":
        table, expected = list(zip(SRC, DST)), dict.fromkeys(EDGES)
    else:
        library = pytest.importorskip(kind)
        expected = EDGES
        if kind == "duckdb":
            pytest.importorskip("pyarrow")
            rows = ", ".join(f"({s}, {t}, {w}::DOUBLE)" for s, t, w in zip(SRC, DST, WEIGHT))
            table = library.sql(f"SELECT * FROM (VALUES {rows})")
        else:
            table = library.table(data) if kind == "pyarrow" else library.DataFrame(data)
    assert edges_of(Graph.from_edges(table)) == expected


@pytest.mark.parametrize(
    "kind", ["list", "object", "unicode", "pandas", "polars", "pyarrow", "large", "view", "dictionary"]
)
def test_names(kind):
    src, dst = ["ann", "ann", "a name of more than twelve bytes", "zoë"], ["zoë", "x", "ann", "ann"]
    if kind == "object":
        given = np.array(src, object), np.array(dst, object)
    elif kind == "unicode":
        given = np.array(src), np.array(dst)
    elif kind == "list":
        given = src, dst
    elif kind in ("pandas", "polars"):
        library = pytest.importorskip(kind)
        given = library.Series(src), library.Series(dst)
    else:
        pa = pytest.importorskip("pyarrow")
        types = {"large": pa.large_string(), "view": getattr(pa, "string_view", pa.string)()}
        given = [pa.array(texts, types.get(kind, pa.string())) for texts in (src, dst)]
        if kind == "dictionary":
            given = [one.dictionary_encode() for one in given]
    graph = Graph.from_edges(*given)
    assert edges_of(graph) == dict.fromkeys(zip(src, dst))
    assert sorted(graph.ids) == sorted({*src, *dst})
    levels = graph.bfs(source="zoë").by_id()
    assert levels["ann"] == 1 and levels["x"] == 2 and levels["a name of more than twelve bytes"] is None


def test_empty_names_are_refused():
    with pytest.raises(millrace.BadInputError, match="is empty"):
        Graph.from_edges(["a"], [""])


def test_the_largest_ids():
    most = 2**64 - 1
    for given in (([0, most], [most, 2**63]), (np.array([0, most], np.uint64), np.array([most, 2**63], np.uint64))):
        graph = Graph.from_edges(*given)
        assert graph.ids.dtype == np.uint64 and sorted(graph.ids.tolist()) == [0, 2**63, most]
        ids, levels = graph.bfs(source=most).by_id()
        assert ids.tolist() == [0, 2**63, most] and levels.tolist() == [None, 1, 0]


def test_empty():
    for given in (([], []), (np.zeros(0, np.int64), np.zeros(0, np.int64))):
        graph = Graph.from_edges(*given)
        assert (graph.num_vertices, graph.num_edges, len(graph.ids)) == (0, 0, 0)
        assert len(graph.pagerank().rank) == 0 and graph.pagerank().top(3) == []
        assert graph.wcc().results["components"] == 0
        assert graph.to_scipy().shape == (0, 0) if has_scipy() else True


def has_scipy():
    try:
        import scipy.sparse  # noqa: F401
    except ImportError:
        return False
    return True


@pytest.mark.parametrize(
    "given, message",
    [
        (([1, -1], [0, 0]), "src has an id at position 1"),
        ((np.array([1, -1]), np.array([0, 0])), "src has a negative id at position 1"),
        (([2**64], [0]), "2\\*\\*64 - 1"),
        ((np.array([1.0]), np.array([0])), "real numbers"),
        (([1, 2], [0]), "dst has 1 value, but src has 2"),
        ((["a"], [0]), "texts"),
        ((["a", 1], ["b", "c"]), "both numbers and texts"),
        ((np.array([True]), np.array([0])), "type bool"),
        ((np.zeros((2, 2), int), np.zeros(2, int)), "2 dimensions"),
        (([0], [1], [float("nan")]), "finite"),
        ((np.array([[1, 2, 3, 4]]),), "4 columns"),
        ((3, 4), "no array"),
    ],
)
def test_wrong_columns(given, message):
    with pytest.raises(UsageError, match=message):
        Graph.from_edges(*given)


def test_missing_values():
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(UsageError, match="src has 1 missing value: leave this row out"):
        Graph.from_edges(pa.array([1, None]), pa.array([1, 2]))
    with pytest.raises(UsageError, match="dst has 2 missing values: leave these rows out"):
        Graph.from_edges(pa.array([1, 2, 3]), pa.array([None, None, 2]))


def test_temporary_graphs_are_removed(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    graph = Graph.from_edges(SRC, DST)
    assert pathlib.Path(graph.path).is_relative_to(tmp_path)
    result = graph.pagerank()
    del graph
    gc.collect()
    assert len(os.listdir(tmp_path)) == 1  # the result has the graph
    del result
    gc.collect()
    assert os.listdir(tmp_path) == []
    with pytest.raises(UsageError):
        Graph.from_edges([-1], [0])
    assert os.listdir(tmp_path) == []


def test_layout_and_path(tmp_path):
    path = tmp_path / "g.store"
    graph = Graph.from_edges(
        [1, 1, 2], [2, 2, 2], [1, 2, 5], directed=False, path=path, duplicates="sum", self_loops="keep"
    )
    assert not graph.directed and edges_of(graph) == {(1, 2): 3, (2, 1): 3, (2, 2): 5}
    assert millrace.open(path).num_edges == 3
    with pytest.raises(UsageError, match="force"):
        Graph.from_edges([1], [2], path=path)
    assert Graph.from_edges([1], [2], path=path, force=True).num_edges == 1
    with pytest.raises(UsageError, match="did you mean duplicates"):
        Graph.from_edges([1], [2], duplicate="sum")


def test_within_memory():
    """The same graph through temporary files."""
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, 1 << 16, (2, 1 << 22))
    small = Graph.from_edges(src, dst, memory="160M")
    assert small.num_edges == Graph.from_edges(src, dst).num_edges
    with pytest.raises(millrace.DoesNotFitError, match="memory") as raised:
        Graph.from_edges(src, dst, memory="1M")
    assert isinstance(raised.value, MemoryError)


def test_scipy():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.random_array((50, 50), density=0.2, rng=np.random.default_rng(3), format="csr")
    graph = Graph.from_scipy(matrix, self_loops="keep")
    order = np.argsort(graph.ids)
    assert np.allclose(graph.to_scipy().toarray()[np.ix_(order, order)], matrix.toarray())
    with pytest.raises(UsageError, match="square"):
        Graph.from_scipy(matrix[:3])


@pytest.mark.parametrize("memory", [None, "128M"])
def test_vertices_without_edges(memory):
    g = millrace.from_edges([5, 7], [7, 9], vertices=[3, 5, 2**63], memory=memory)
    assert sorted(g.ids.tolist()) == [3, 5, 7, 9, 2**63]
    assert millrace.from_edges([0], [1], vertices=5).num_vertices == 5
    assert millrace.from_edges([], [], vertices=3).num_vertices == 3
    assert g.wcc().results["components"] == 3


def test_named_vertices_without_edges():
    g = millrace.from_edges(["a"], ["b"], vertices=["b", "c"])
    assert sorted(g.ids) == ["a", "b", "c"] and g.num_edges == 1
    assert sorted(millrace.from_edges([], [], vertices=["x", "y"]).ids) == ["x", "y"]
    with pytest.raises(millrace.UsageError, match="texts"):
        millrace.from_edges(["a"], ["b"], vertices=[1])


def test_edges_in_batches_and_at_once_give_the_same_graph():
    rng = np.random.default_rng(5)
    src, dst = rng.integers(0, 300_000, (2, 9_000_000))  # too many for a list in 256M
    small = millrace.from_edges(src, dst, vertices=300_100, memory="256M")
    whole = millrace.from_edges(src, dst, vertices=300_100)
    assert small.num_vertices == whole.num_vertices == 300_100 and small.num_edges == whole.num_edges
    assert np.array_equal(small.pagerank(precision="f64").by_id()[1], whole.pagerank(precision="f64").by_id()[1])
