"""The words of messages: for people who use Python, in its words and in those of their libraries."""

import datetime
import decimal
import json

import millrace
import numpy as np
import pytest


def test_types_of_arrow_have_their_names():
    pa = pytest.importorskip("pyarrow")
    moment = datetime.datetime(2026, 1, 2)
    for column, name in (
        (pa.array([moment.date()]), "date32"),
        (pa.array([moment.date()], pa.date64()), "date64"),
        (pa.array([moment]), "timestamp"),
        (pa.array([moment], pa.timestamp("s", "UTC")), "timestamp"),
        (pa.array([moment.time()]), "time64"),
        (pa.array([0], pa.time32("ms")), "time32"),
        (pa.array([datetime.timedelta(1)]), "duration"),
        (pa.array([True]), "bool"),
        (pa.array([None]), "null"),
        (pa.array([decimal.Decimal(1)], pa.decimal256(50)), "decimal256"),
        (pa.array([b"ab"], pa.binary(2)), "fixed_size_binary"),
        (pa.array([[1]]), "list"),
        (pa.array([[1]], pa.large_list(pa.int64())), "large_list"),
        (pa.array([[1]], pa.list_(pa.int64(), 1)), "fixed_size_list"),
        (pa.array([[(1, 2)]], pa.map_(pa.int64(), pa.int64())), "map"),
        (pa.array([moment.date()]).dictionary_encode(), "date32"),
    ):
        with pytest.raises(millrace.UsageError, match=f"src has values of Arrow's type {name}; whole numbers"):
            millrace.from_edges(column, pa.array([1]))


def test_no_message_has_the_path_of_a_temporary_graph(tmp_path):
    """Nobody has given it."""
    one_way = millrace.from_edges([0, 1], [1, 2], orientation="out")
    loops = millrace.from_edges([0, 1, 1], [1, 2, 1], self_loops="keep")
    parallel = millrace.from_edges([0, 0], [1, 1], duplicates="keep")
    for call, text in (
        (one_way.triangles, "^the graph has out pages alone"),
        (one_way.session().triangles, "^the graph has out pages alone"),
        (lambda: one_way.explain("triangles"), "^the graph has out pages alone"),
        (lambda: one_way.bc(direction="pull"), "^the graph has out pages alone"),
        (loops.kcore, "^the graph keeps 1 self-loops"),
        (parallel.kcore, "^the graph keeps parallel edges"),
        (lambda: loops.subgraph([0], output=loops.path), "^the graph is the store that is read; choose another path$"),
    ):
        with pytest.raises(millrace.UsageError, match=text):
            call()
    result = one_way.pagerank(device="cpu", record=True)
    result.report(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text()
    for report in (result.details, one_way.explain("pagerank", as_dict=True)):
        assert report["graph"]["store"] == one_way.name == "a temporary graph"
    assert '"title":"pagerank on a temporary graph"' in page and page.rstrip().endswith("</html>")
    texts = [page, json.dumps(result.details), json.dumps(one_way.degrees().details), one_way.degrees().summary()]
    assert [text for text in texts if str(one_way.path) in text] == []
    kept = millrace.from_edges([0, 1], [1, 2], orientation="out", path=tmp_path / "kept")
    with pytest.raises(millrace.UsageError, match=f"^{tmp_path}/kept has out pages alone"):
        kept.triangles()
    assert kept.pagerank().details["graph"]["store"] == f"{tmp_path}/kept"


def test_explanations_have_the_words_of_python():
    graph = millrace.generate("rmat", 12)
    text = graph.explain("pagerank", host_memory="100K", device="cpu")
    assert "host_memory allows 100.0 KiB" in text and "--" not in text
    plans = graph.explain("pagerank", host_memory="100K", device="cpu", as_dict=True)["plans"]
    assert "host_memory allows" in plans[0]["problem"] and "--" not in plans[0]["problem"]


def test_what_is_no_graph_is_said_without_commands(tmp_path):
    for call, text in (
        (lambda: millrace.open(tmp_path), "make one with millrace.import_file or millrace.generate$"),
        (lambda: millrace.open(""), "^path is empty, and so names no file$"),
        (lambda: millrace.import_file(""), "^file is empty, and so names no file$"),
        (lambda: millrace.from_edges([0], [1], path=""), "^path is empty, and so names no file$"),
    ):
        with pytest.raises(millrace.Error, match=text):
            call()


def test_weights_that_are_missing_are_given_as_python_gives_them(chain):
    for run in (lambda: chain.sssp(0), lambda: chain.session().sssp(0)):
        with pytest.warns(UserWarning, match="no weights") as caught:
            run()
        [text] = [str(one.message) for one in caught]
        assert text.endswith("(weights are read from a graph file with weighted=True, and from arrays with weight=...)")


def test_devices_are_not_those_of_a_command(chain):
    with pytest.raises(millrace.UsageError, match="cuda:N with N from 0 are$"):
        chain.pagerank(device="tpu")


def test_numbers_of_arguments_are_as_python_says(chain):
    class Usual:
        def pagerank(self):
            pass

        def bfs(self, source):
            pass

        def cross_edges(self, from_, to):
            pass

    for name, given, named in (
        ("pagerank", (1,), {}), ("pagerank", (1, 2), {}), ("bfs", (0, 1), {}), ("cross_edges", ([0], [1], [2]), {}),
        ("bfs", (0,), {"source": 1}),
    ):  # fmt: skip
        getattr(Usual, name).__qualname__ = name
        with pytest.raises(TypeError) as usual:
            getattr(Usual(), name)(*given, **named)
        with pytest.raises(TypeError) as ours:
            getattr(chain, name)(*given, **named)
        assert str(ours.value) == str(usual.value)


def test_one_is_singular(chain):
    one = millrace.from_edges([], [], vertices=1)
    for call, text in (
        (lambda: millrace.from_edges([1, 2], [0]), "dst has 1 value, but src has 2"),
        (lambda: millrace.from_edges([1], [0, 2]), "dst has 2 values, but src has 1"),
        (lambda: millrace.from_edges([0], [1], np.ma.MaskedArray([1.0], [True])), "1 masked value: leave this row out"),
        (lambda: millrace.from_edges({"a": [1]}), "the table has 1 column, 'a'"),
        (lambda: millrace.from_edges(np.zeros((2, 1), int)), "the table has 1 column;"),
        (lambda: chain.spmv([1.0]), "x has 1 value, but the graph has 5 vertices"),
        (lambda: one.spmv([1.0, 2.0]), "x has 2 values, but the graph has 1 vertex$"),
    ):
        with pytest.raises(millrace.UsageError, match=text):
            call()
    assert "1 vertex, 0 edges" in one._repr_html_() and "1 vertex, 0 edges" in one.wcc()._repr_html_()


def test_columns_that_are_not_there(chain):
    for result, text in (
        (chain.bfs(0), "no column 'parent'; the result has: level"),
        (chain.bfs(0, columns="all"), "no column 'distance'; the result has: level, parent"),
        (chain.degrees(), "no column 'x'; the result has: none"),
    ):
        name = text.split("'")[1]
        for read in (result.__getitem__, result.kind, result.by_id, result.top):
            with pytest.raises(KeyError) as raised:
                read(column=name) if read == result.top else read(name)
            assert raised.value.args == (text,)
