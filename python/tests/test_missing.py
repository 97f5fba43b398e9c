"""Values that are missing, such as parents of vertices that a search does not reach: right in every form of a result."""

import math

import millrace
import numpy as np
import pytest

OPTIONS = {
    "ppr": {"seeds": [10]},
    "bfs": {"source": 10},
    "sssp": {"source": 10},
    "neighbourhood": {"source": [10], "hops": 1},
    "katz": {"alpha": 0.01},
    "bc": {"samples": 2},
    "closeness": {"samples": 2},
}
# Two parts, and an id that is the number for "none" in columns: it must not be taken for a missing value.
SOURCES, TARGETS = [10, 11, 2**32 - 1, 30, 31], [11, 2**32 - 1, 12, 31, 30]


def graph_of(ids, weight):
    if ids == "names":
        return millrace.from_edges([f"n{i}" for i in SOURCES], [f"n{i}" for i in TARGETS], weight)
    return millrace.from_edges(SOURCES, TARGETS, weight)


GRAPHS = {
    "ids": ("ids", None),
    "names": ("names", None),
    "whole distances": ("ids", [1, 2, 3, 4, 5]),
    "real distances": ("names", [0.5, 2, 3, 4, 5]),
    "real distances of ids": ("ids", [0.5, 2, 3, 4, 5]),
}
WITH_COLUMNS = [name for name, one in millrace.algorithms().items() if one["columns"]]


def expected(graph, result, name):
    """{id: value or None}, from the numbers of the column alone."""
    kind, values = result.kind(name), result[name].tolist()
    ids = [one if isinstance(one, str) else int(one) for one in graph.ids]
    if kind == "numbers":
        return dict(zip(ids, values))
    there = [None if value == 2**32 - 1 or value == math.inf else value for value in values]
    if kind == "vertices":
        there = [None if value is None else ids[value] for value in there]
    return dict(zip(ids, there))


def same(found, wanted):
    """Equal, with numbers that are no missing values but NaN."""
    assert found.keys() == wanted.keys()
    for key, value in wanted.items():
        other = found[key]
        assert value == other or (value != value and other != other), (key, value, other)


def of_pandas(values):
    pandas = pytest.importorskip("pandas")
    return [None if one is pandas.NA or (isinstance(one, float) and one != one) else one for one in values]


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("algorithm", WITH_COLUMNS)
def test_every_form(algorithm, graph, tmp_path):
    graph = graph_of(*GRAPHS[graph])
    options = {k: [f"n{i}" for i in v] if isinstance(v, list) and isinstance(graph.ids, tuple) else v
               for k, v in OPTIONS.get(algorithm, {}).items()}  # fmt: skip
    if "source" in options and not isinstance(options["source"], list) and isinstance(graph.ids, tuple):
        options["source"] = f"n{options['source']}"
    if algorithm == "spmv":
        options["x"] = np.ones(graph.num_vertices)
    result = getattr(graph, algorithm)(**options, columns="all")
    for name in result.columns:
        wanted = expected(graph, result, name)
        check_by_id(graph, result, name, wanted)
        same(result.by_node(name), wanted)
        check_top(result, name, wanted)
        check_tables(result, name, wanted)
        check_files(result, name, wanted, tmp_path)
        check_dlpack(result, name)
    assert list(result) == list(result.columns)
    assert "4294967295</text>" not in result._repr_html_() and "4.29e+09" not in result._repr_html_()
    if algorithm in ("bfs", "sssp"):
        assert any(value is None for value in wanted.values()), "nothing is missing in this test"


def check_by_id(graph, result, name, wanted):
    found = result.by_id(name)
    if isinstance(found, tuple):
        ids, values = found
        assert ids.tolist() == sorted(wanted)
        found = dict(zip(ids.tolist(), values.tolist()))
        if any(value is None for value in wanted.values()):
            assert isinstance(values, np.ma.MaskedArray)
    else:
        assert list(found) == sorted(wanted)
    same(found, wanted)


def check_top(result, name, wanted):
    there = {key: value for key, value in wanted.items() if value is not None and value == value}
    top = [one for one in result.top(100, name) if one[1] == one[1]]
    same(dict(top), there)
    assert [value for _, value in top] == sorted(there.values(), reverse=True)


def check_tables(result, name, wanted):
    nan = {key: None if value != value else value for key, value in wanted.items()}
    frame = result.to_pandas()
    same(dict(zip(frame.index.tolist(), of_pandas(frame[name].tolist()))), nan)
    assert frame[name].isna().sum() == sum(value is None for value in nan.values())
    arrow = pytest.importorskip("pyarrow").table(result)
    same(dict(zip(arrow["id"].to_pylist(), arrow[name].to_pylist())), wanted)
    assert arrow.equals(result.to_arrow()) or any(value != value for value in wanted.values())
    polars = pytest.importorskip("polars").DataFrame(result)
    same(dict(zip(polars["id"].to_list(), polars[name].to_list())), wanted)


def check_files(result, name, wanted, folder):
    """The files have what the command has for a missing value (docs/running.md)."""
    result.write(folder / "values.csv", name)
    lines = (folder / "values.csv").read_text().splitlines()[1:]
    named = isinstance(result.graph.ids, tuple)
    missing = {"levels": "9223372036854775807", "distances": "infinity", "vertices": "" if named else "-1"}
    for line, key in zip(lines, sorted(wanted, key=lambda one: result.graph.ids.index(one) if named else one)):
        key, text = line.split(",")
        value = wanted[key if named else int(key)]
        if value is None:
            assert text == missing[result.kind(name)]
        else:
            assert text == str(value) or float(text) == pytest.approx(value, nan_ok=True)
    result.write(folder / "values.npy", name)
    array = np.load(folder / "values.npy")
    if not named:
        for key, found in zip(sorted(wanted), array.tolist()):
            value = wanted[key]
            none = math.inf if result.kind(name) == "distances" else -1
            assert found == none if value is None else found == pytest.approx(value, nan_ok=True)


def check_dlpack(result, name):
    """The numbers of the column itself, in which missing values are UNREACHED, NO_VERTEX or infinite."""
    assert np.array_equal(np.from_dlpack(result[name].copy()), result[name], equal_nan=True)


def test_parents_are_not_invented():
    graph = millrace.from_edges([0, 1, 3], [1, 2, 4])
    ids, parents = graph.bfs(0, columns="all").by_id("parent")
    assert parents.tolist() == [0, 0, 1, None, None]
    assert parents.filled().tolist()[3:] == [2**64 - 1] * 2


def test_components_in_top_are_ids():
    graph = millrace.from_edges([70, 80, 90], [80, 70, 91])
    assert graph.wcc().top(4) == [(90, 90), (91, 90), (70, 70), (80, 70)]
    assert millrace.from_edges(["a", "x"], ["b", "y"]).wcc().top(3) == [("x", "x"), ("y", "x"), ("a", "a")]
