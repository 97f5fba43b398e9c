"""Arguments that are wrong, and some that look wrong but are not."""

import io
import tracemalloc

import millrace
import numpy as np
import pytest


def test_streams_whose_threads_need_the_interpreter():
    pa = pytest.importorskip("pyarrow")
    csv = pytest.importorskip("pyarrow.csv")
    lines = b"a,b\n" + b"".join(b"%d,%d\n" % (i, i + 1) for i in range(1000))
    reader = csv.open_csv(pa.PythonFile(io.BytesIO(lines), mode="r"))
    assert millrace.from_edges(reader).num_edges == 1000


def test_records_that_are_not_aligned():
    rows = np.zeros(3, [("a", "i8"), ("b", "i8"), ("w", "f4")])
    rows["a"], rows["b"], rows["w"] = [0, 1, 2], [1, 2, 3], [0.5, 1.5, 2.5]
    assert sorted(millrace.from_edges(rows).edges()[2].tolist()) == [0.5, 1.5, 2.5]


def test_weights_may_be_anything_that_has_numbers():
    for weight in ({1: 0.5, 2: 1.5}.values(), np.array([0.5, 1.5], object), (0.5, 1.5)):
        assert sorted(millrace.from_edges([0, 1], [1, 2], weight).edges()[2].tolist()) == [0.5, 1.5]
    with pytest.raises(millrace.UsageError, match="not numbers"):
        millrace.from_edges([0, 1], [1, 2], ["a", "b"])


@pytest.mark.parametrize(
    "wrong, text",
    [
        (lambda: millrace.from_edges([(0, 1, 0.5), (1, 2)]), "different lengths"),
        (lambda: millrace.from_edges([0], [1], vertices=-4), "0 or more"),
        (lambda: millrace.from_edges([0], [1], path="x", folder="y"), "one of them"),
        (lambda: millrace.from_edges([0], [1], threads=0), "from 1 to 4096"),
        (lambda: millrace.from_edges([0], [1], threads=2_000_000), "from 1 to 4096"),
        (lambda: millrace.generate("rmat", 4, threads="x"), "from 1 to 4096"),
        (lambda: millrace.from_edges([0], [1]).pagerank(threads=-3), "from 1 to 4096"),
        (lambda: millrace.from_edges([0], [1]).vertices([1.7] * 20), "whole numbers"),
        (lambda: millrace.from_edges([0], [1]).vertices([-1] * 20), "whole numbers"),
        (lambda: millrace.from_edges([0], [1]).spmv([1j, 2]), "real numbers"),
    ],
)
def test_wrong_use(wrong, text):
    with pytest.raises(millrace.UsageError, match=text):
        wrong()


def tables():
    """The same column in everything that has columns."""
    for library, make in (
        ("pandas", lambda one: one.DataFrame({"id": [0, 1]})),
        ("polars", lambda one: one.DataFrame({"id": [0, 1]})),
        ("polars", lambda one: one.DataFrame({"id": [0, 1]}).lazy()),
        ("pyarrow", lambda one: one.table({"id": [0, 1]})),
    ):
        try:
            yield make(__import__(library))
        except ImportError:
            pass


def test_a_table_is_no_list_of_vertices(chain):
    for table in tables():
        for call in (chain.subgraph, chain.vertices, lambda one: chain.ppr(seeds=one), chain.neighbourhood):
            with pytest.raises(millrace.UsageError, match="is a table, of type .*: give a list, a Series or an array"):
                call(table)
        with pytest.raises(millrace.UsageError, match="source takes one value, and was given a table"):
            chain.bfs(table)
    with pytest.raises(millrace.UsageError, match="vertices is of type dict: give a list, a Series or an array"):
        chain.subgraph({"id": [0, 1]})


def test_vectors_have_no_missing_values(chain):
    columns = [np.ma.MaskedArray([1.0, 0, 3, 4, 5], [False, True, False, False, False])]
    for library, make in (
        ("pandas", lambda one: one.Series([1, None, 3, 4, 5])),
        ("pandas", lambda one: one.Series([1, None, 3, 4, 5], dtype="Int64")),
        ("polars", lambda one: one.Series([1.0, None, 3.0, 4.0, 5.0])),
        ("pyarrow", lambda one: one.array([1.0, None, 3.0, 4.0, 5.0])),
        ("pyarrow", lambda one: one.chunked_array([[1, None], [3, 4, 5]])),
    ):
        try:
            columns.append(make(__import__(library)))
        except ImportError:
            pass
    for column in columns:
        with pytest.raises(millrace.UsageError, match="^x has 1 (missing|masked) value: leave this row out$"):
            chain.spmv(column)
        fill = next(getattr(column, name) for name in ("filled", "fill_null", "fillna") if hasattr(column, name))
        assert chain.spmv(fill(2)).y.tolist() == [2, 3, 4, 5, 0]
    assert np.isnan(chain.spmv([1, np.nan, 3, 4, 5]).y[0])


def test_columns_of_pandas_have_no_missing_values():
    pd = pytest.importorskip("pandas")
    for column in (pd.array([0, None], dtype="Int64"), pd.Series([0, None], dtype="Int64"), pd.Series([0.0, None])):
        with pytest.raises(millrace.UsageError, match="src has (1 missing value|missing values)"):
            millrace.from_edges(column, [1, 2])


def test_tables_that_are_not_computed_yet():
    polars = pytest.importorskip("polars")
    lazy = polars.LazyFrame({"source": [0, 1], "target": [1, 2]})
    for columns in ([lazy], [lazy, lazy]):
        with pytest.raises(millrace.UsageError, match=r"src is of type LazyFrame.* no values yet: call .collect\(\)$"):
            millrace.from_edges(*columns)
    assert millrace.from_edges(lazy.collect()).num_edges == 2


def test_pages_of_temporary_graphs_are_not_left_elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "edges.txt").write_text("0 1\n")
    (tmp_path / "there").mkdir()
    for make in (
        lambda **options: millrace.from_edges([0, 1], [1, 2], **options),
        lambda **options: millrace.generate("rmat", 4, **options),
        lambda **options: millrace.import_file("edges.txt", **options),
    ):
        with pytest.raises(millrace.UsageError, match="stripe is for graphs that stay: give the path"):
            make(stripe="there")
        for stripe in ("missing", "there,missing", ["there", tmp_path / "missing"]):
            with pytest.raises(millrace.MissingFileError, match="no such folder to write to.*missing"):
                make(path="graph", stripe=stripe)
        assert {one.name for one in tmp_path.rglob("*")} == {"edges.txt", "there"}
    graph = millrace.from_edges([0, 1], [1, 2], path="graph", stripe=["there"])
    assert len(list((tmp_path / "there").iterdir())) == 1 and graph.wcc().results["components"] == 1


def test_a_list_of_lists_is_no_list_of_vertices(chain):
    columns = [[0, 1], np.array([0, 1]), {0: 1}]
    columns += [one["id"] for one in tables() if type(one).__name__ == "DataFrame"]
    for column in columns:
        kind = type(column).__name__
        for call in (chain.subgraph, chain.vertices, lambda one: chain.ppr(seeds=one), chain.bfs):
            with pytest.raises(millrace.UsageError, match=f"has a value of type {kind} at position 1"):
                call([0, column])


def test_one_vertex_is_no_list_of_them(chain):
    for one in (3, np.int64(3), np.array(3)):
        for call, option in (
            (chain.subgraph, "vertices"), (chain.vertices, "ids"), (lambda v: chain.ppr(seeds_file=v), "seeds_file"),
            (lambda v: chain.cross_edges([0], v), "to"),
        ):  # fmt: skip
            with pytest.raises(millrace.UsageError, match=rf"^{option} takes a list.*: write \[3\]$"):
                call(one)
    named = millrace.from_edges(["ann"], ["bob"])
    with pytest.raises(millrace.UsageError, match=r"write \['ann'\]$"):
        named.vertices("ann")
    with pytest.raises(millrace.UsageError, match="output is a path, and was given a value of type int"):
        chain.degrees(output=5)


def test_ids_of_nodes_are_those_that_there_are(chain):
    most = 2**64 - 1
    assert [chain.id_of(one) for one in (0, np.int64(4), np.uint8(2))] == [0, 4, 2]
    assert millrace.from_edges([7], [most]).id_of(most) == most
    named = millrace.from_edges(["ann"], ["bob"])
    assert named.id_of("bob") == "bob"
    for graph, missing in (
        (chain, 99), (chain, -1), (chain, most), (chain, 2**64), (chain, "1"), (chain, 0.5), (chain, None),
        (named, "eve"), (named, 0), (millrace.from_edges([], []), 0),
    ):  # fmt: skip
        with pytest.raises(KeyError):
            graph.id_of(missing)


@pytest.mark.parametrize("kind", ["grid", "rmat"])  # every vertex is its own id, and not
def test_ids_of_nodes_are_looked_for_without_an_array(kind):
    graph = millrace.generate(kind, 16)
    last = graph.num_vertices - 1 if kind == "grid" else int(millrace.generate(kind, 16).ids[-1])
    tracemalloc.start()
    try:
        assert graph.id_of(last) == last
        with pytest.raises(KeyError):
            graph.id_of(1 << 16)
        assert tracemalloc.get_traced_memory()[1] < graph.num_vertices // 4
    finally:
        tracemalloc.stop()


def test_a_text_is_no_column():
    for given, name in (
        (("ab", "cd"), "src"), (([0, 1], "cd"), "dst"), (([0, 1], [1, 2], "cd"), "weight"), ((b"ab", b"cd"), "src"),
        (({0: 1}, {1: 2}), "src"), (({"a": "xy", "b": "yz"},), "the column 'a'"),
    ):  # fmt: skip
        with pytest.raises(millrace.UsageError, match=f"{name} is of type (str|bytes|dict), which is no array"):
            millrace.from_edges(*given)
    with pytest.raises(millrace.UsageError, match="vertices is of type str, which is no array"):
        millrace.from_edges(["a"], ["b"], vertices="ab")
    with pytest.raises(millrace.UsageError, match=r"is of type str, which is no table; millrace\.open"):
        millrace.from_edges("edges.txt")
    with pytest.raises(millrace.UsageError, match="dst is missing"):
        millrace.from_edges(["ab", "cd"])


def flags(graph, path):
    """(name, a call that takes it), for flags of every kind."""
    sparse = pytest.importorskip("scipy.sparse")
    yield "directed", lambda flag: millrace.from_edges([0], [1], directed=flag)
    yield "directed", lambda flag: millrace.from_scipy(sparse.eye_array(3), directed=flag)
    yield "weighted", lambda flag: millrace.from_scipy(sparse.eye_array(3), weighted=flag)
    yield "force", lambda flag: millrace.from_edges([0], [1], force=flag)
    yield "trust", lambda flag: millrace.open(path, trust=flag)
    yield "undirected", lambda flag: millrace.import_file(path, undirected=flag)
    for name in ("check", "record", "keep_on_device"):
        yield name, lambda flag, name=name: graph.degrees(**{name: flag})
    yield "normalized", lambda flag: graph.bc(samples=1, normalized=flag)
    yield "as_dict", lambda flag: graph.explain("wcc", device="cpu", as_dict=flag)
    yield "verbose", lambda flag: graph.degrees().summary(verbose=flag)
    yield "show", millrace.show_progress


def test_flags_are_true_or_false(chain, tmp_path):
    (tmp_path / "edges.txt").write_text("0 1\n")
    for name, call in flags(chain, tmp_path / "edges.txt"):
        for wrong in ("no", "true", "", 0, 1, 0.0):
            with pytest.raises(millrace.UsageError, match=f"^{name}={wrong!r}: it is True or False"):
                call(wrong)
        with pytest.raises(millrace.UsageError, match=f"^{name} takes one value"):
            call([True])
        for right in (np.bool_(False), np.array(True), False, True):
            call(right)
    assert not millrace.from_edges([0], [1], directed=np.bool_(False)).directed


def test_sessions_are_as_strict_as_runs(rmat):
    with pytest.raises(millrace.UsageError, match="nonsense"):
        rmat.session(device="nonsense")
    with rmat.session(memory="1K") as session, pytest.raises(millrace.DoesNotFitError):
        session.degrees()
    with rmat.session(device="cpu") as session, pytest.warns(match="all of which are taken"):
        session.bc(samples=100_000)


def test_results_may_be_copied(rmat):
    import copy

    result = rmat.pagerank(device="cpu")
    assert np.array_equal(copy.copy(result).rank, result.rank)


def test_lists_of_nodes_are_copies():
    graph = millrace.from_edges(["a"], ["b"])
    graph.nodes.append("c")
    assert len(graph.nodes) == 2 and isinstance(graph.ids, tuple)
