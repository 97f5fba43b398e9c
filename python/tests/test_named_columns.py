"""Tables whose columns have names: these come before positions."""

import decimal

import millrace
import numpy as np
import pytest
from millrace import UsageError
from test_edges import edges_of

DATA = {"src": [10, 10, 30], "dst": [30, 7, 7], "w": [1.5, 2.0, 2.5]}
EDGES = {(10, 30): 1.5, (10, 7): 2.0, (30, 7): 2.5}


def tables_of(data):
    """The same columns in every kind of table that has names."""
    yield "dict", {name: np.array(values) for name, values in data.items()}
    yield "rows", [dict(zip(data, row)) for row in zip(*data.values())]
    kinds = [(name, "f8" if isinstance(values[0], float) else "i8") for name, values in data.items()]
    yield "records", np.array(list(zip(*data.values())), kinds)
    yield "masked records", np.ma.array(np.array(list(zip(*data.values())), kinds))
    for library, make in (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table")):
        try:
            yield library, getattr(__import__(library), make)(data)
        except ImportError:
            pass


@pytest.mark.parametrize("order", [("src", "dst", "w"), ("dst", "src", "w"), ("w", "dst", "src"), ("w", "src", "dst")])
def test_names_come_before_positions(order):
    for kind, table in tables_of({name: DATA[name] for name in order}):
        graph = millrace.from_edges(table)
        assert edges_of(graph) == EDGES, kind
        assert "columns src -> dst, weight w" in repr(graph)
        assert graph.info()["source"] == "a table in memory, columns src -> dst, weight w"


@pytest.mark.parametrize("names", [
    ("source", "target", "weight"), ("SRC", "Dst", "W"), ("from", "to", "value"), ("u", "v", "weight"),
    ("start", "end", "cost"), ("source_id", "target_id", "val"), ("head", "tail", "w"),
])  # fmt: skip
def test_usual_names(names):
    source, target, weight = names
    if names[0] == "head":
        source, target = target, source
    data = {target: DATA["dst"], weight: DATA["w"], source: DATA["src"]}
    for kind, table in tables_of(data):
        assert edges_of(millrace.from_edges(table)) == EDGES, kind
    for kind, table in tables_of({target: DATA["dst"], source: DATA["src"]}):
        assert edges_of(millrace.from_edges(table)) == dict.fromkeys(EDGES), kind


@pytest.mark.parametrize("names", [("a", "b", "c"), ("user", "item", "weight"), ("0", "1", "2")])
def test_positions_where_names_say_nothing(names):
    for kind, table in tables_of(dict(zip(names, DATA.values()))):
        graph = millrace.from_edges(table)
        assert edges_of(graph) == EDGES, kind
        assert f"columns {names[0]} -> {names[1]}, weight {names[2]}" in repr(graph)
    pandas = pytest.importorskip("pandas")
    assert edges_of(millrace.from_edges(pandas.DataFrame(list(zip(*DATA.values()))))) == EDGES


@pytest.mark.parametrize("names", [
    ("weight", "a", "b"), ("src", "b"), ("a", "target"), ("dst", "a"), ("weight", "src", "x"), ("src", "source", "dst"),
    ("src", "w"), ("v", "w"), ("a", "weight", "b"), ("src", "dst", "target"), ("x", "src", "y"),
    ("source", "target", "capacity"), ("src", "timestamp", "dst"),
])  # fmt: skip
def test_names_that_leave_it_open_are_refused(names):
    for kind, table in tables_of(dict(zip(names, ([1, 2], [2, 3], [3, 4])))):
        with pytest.raises(UsageError) as raised:
            millrace.from_edges(table)
        assert all(repr(name) in str(raised.value) for name in names), kind
        assert "columns=" in str(raised.value)


def test_columns_says_which():
    data = {"weight": DATA["w"], "a": DATA["src"], "b": DATA["dst"], "note": [1, 2, 3]}
    for kind, table in tables_of(data):
        for columns in (["a", "b", "weight"], "a,b,weight", ("a", "b", "weight")):
            assert edges_of(millrace.from_edges(table, columns=columns)) == EDGES, kind
        assert edges_of(millrace.from_edges(table, columns="b,a")) == {(t, s): None for s, t in EDGES}
        with pytest.raises(UsageError, match="4 columns, 'weight', 'a', 'b', 'note'.*columns="):
            millrace.from_edges(table)
        with pytest.raises(UsageError, match="no column 'c'; it has 'weight', 'a'"):
            millrace.from_edges(table, columns=["a", "c"])
        with pytest.raises(UsageError, match="names 1 column;"):
            millrace.from_edges(table, columns=["a"])
    with pytest.raises(UsageError, match="columns already|columns of a table"):
        millrace.from_edges([0], [1], columns="a,b")
    with pytest.raises(UsageError, match="no names"):
        millrace.from_edges(np.zeros((2, 2), int), columns="a,b")
    with pytest.raises(UsageError, match="columns="):
        millrace.from_edges({"a": [0], "b": [1]}, weight=[2.0])


def test_columns_of_the_same_name():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame([[1, 2], [2, 3]], columns=["a", "a"])
    assert edges_of(millrace.from_edges(table)) == {(1, 2): None, (2, 3): None}
    with pytest.raises(UsageError, match="2 columns that are called"):
        millrace.from_edges(table, columns=["a", "a"])


def test_what_is_no_table():
    with pytest.raises(UsageError, match="dst is missing"):
        millrace.from_edges([0, 1, 2])
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(UsageError, match="dst is missing"):
        millrace.from_edges(pyarrow.array([0, 1]))
    with pytest.raises(UsageError, match="src is a table of 2 columns"):
        millrace.from_edges(pyarrow.table({"a": [1], "b": [2]}), [0])
    with pytest.raises(UsageError, match="different columns"):
        millrace.from_edges([{"a": 1, "b": 2}, {"a": 1, "c": 2}])


def test_masked_values_are_refused():
    mask = [False, True, False]
    one = np.ma.MaskedArray([1, 2, 3], mask)
    whole = np.ma.MaskedArray([1, 2, 3])
    for given in ((one, [4, 5, 6]), ([4, 5, 6], one), ([4, 5, 6], [5, 6, 7], one), ({"a": one, "b": whole},)):
        with pytest.raises(UsageError, match="1 masked value"):
            millrace.from_edges(*given)
    with pytest.raises(UsageError, match="masked"):
        millrace.from_edges([1], [2], vertices=one)
    with pytest.raises(UsageError, match="masked"):
        millrace.from_edges(np.ma.MaskedArray([[1, 2], [2, 3]], [[False, True], [False, False]]))
    graph = millrace.from_edges(whole, np.ma.MaskedArray([2, 3, 1], False), np.ma.MaskedArray([0.5, 1, 2]))
    assert edges_of(graph) == {(1, 2): 0.5, (2, 3): 1, (3, 1): 2}
    with pytest.raises(UsageError, match="x has 1 masked"):
        graph.spmv(np.ma.MaskedArray([1.0, 2, 3], mask))


EXACT = [2**53, 2**53 + 2, 2**62, -(2**62), 2**63 - 1024, -(2**63)]
ROUNDED = [2**53 + 1, -(2**53) - 1, 2**63 - 1, 2**62 + 1]


def weight_columns(values):
    yield values
    yield np.array(values)
    yield np.array(values, object)
    for name, make in (("pandas", "Series"), ("polars", "Series"), ("pyarrow", "array")):
        try:
            yield getattr(__import__(name), make)(values)
        except ImportError:
            pass


def test_whole_weights_are_exact_or_refused():
    for given in weight_columns(EXACT):
        graph = millrace.from_edges(range(6), range(1, 7), given)
        assert sorted(graph.edges()[2].tolist()) == sorted(map(float, EXACT))
        assert set(map(int, graph.edges()[2].tolist())) == set(EXACT)
    for wrong in ROUNDED:
        for given in weight_columns([1, wrong]):
            with pytest.raises(UsageError, match=f"{wrong} at position 1, which no f64 equals"):
                millrace.from_edges([0, 1], [1, 2], given)
    most = np.array([2**64 - 2048, 2**63], np.uint64)
    assert sorted(map(int, millrace.from_edges([0, 1], [1, 2], most).edges()[2])) == [2**63, 2**64 - 2048]
    with pytest.raises(UsageError, match="no f64 equals"):
        millrace.from_edges([0], [1], np.array([2**64 - 1], np.uint64))
    with pytest.raises(UsageError, match="no f64 equals"):
        millrace.from_edges([0, 1], [1, 2], [2**53 + 1, 0.5])


@pytest.mark.skipif(np.finfo(np.longdouble).nmant <= 52, reason="long double is f64 here")
def test_long_doubles_are_exact_or_refused():
    with pytest.raises(UsageError, match="no f64 equals"):
        millrace.from_edges([0], [1], np.array([np.longdouble(1) + np.finfo(np.longdouble).eps]))
    assert millrace.from_edges([0], [1], np.array([0.5], np.longdouble)).edges()[2].tolist() == [0.5]


def test_decimals():
    """What DuckDB makes of DECIMAL columns, and of sums of whole numbers."""
    pyarrow = pytest.importorskip("pyarrow")
    number = decimal.Decimal
    for kind in ("decimal32", "decimal64", "decimal128"):
        make = getattr(pyarrow, kind, None)
        if make is None:
            continue
        column = lambda values, digits, scale: pyarrow.array(map(number, values), make(digits, scale))  # noqa: B023,E731
        table = pyarrow.table({
            "src": column(["1", "2", "3"], 9, 0), "dst": column(["2", "3", "1"], 9, 0),
            "w": column(["0.10", "-2.50", "3.00"], 9, 2),
        })  # fmt: skip
        assert edges_of(millrace.from_edges(table)) == {(1, 2): 0.1, (2, 3): -2.5, (3, 1): 3}
        assert edges_of(millrace.from_edges(table.slice(1))) == {(2, 3): -2.5, (3, 1): 3}
    wide = lambda values, scale=0: pyarrow.array(map(number, values), pyarrow.decimal128(38, scale))  # noqa: E731
    most = 2**64 - 1
    assert sorted(millrace.from_edges(wide([most, 0]), wide([5, 6])).ids.tolist()) == [0, 5, 6, most]
    assert millrace.from_edges([0], [1], wide(["123456789012.345"], 3)).edges()[2].tolist() == [123456789012.345]
    for given, text in (
        (([0], [1], wide([2**53 + 1])), "no f64 equals"),
        (([0], [1], wide([2**80])), "position 0 that does not fit 64 bits"),
        ((wide([-1]), [0]), "negative id at position 0"),
        ((wide(["1.5"], 1), [0]), "real numbers"),
        (([0], [1], wide(["12345678901234567.8"], 1)), "too many digits"),
    ):
        with pytest.raises(UsageError, match=text):
            millrace.from_edges(*given)
    # Zeros at the end do not make a number longer; places are those of the column, not of a batch of it.
    weights = wide(["0.1", "-2.5", "0"], 20)
    assert edges_of(millrace.from_edges([0, 1, 2], [1, 2, 0], weights)) == {(0, 1): 0.1, (1, 2): -2.5, (2, 0): 0}
    assert millrace.from_edges([0], [1], wide(["0"], 30)).edges()[2].tolist() == [0]
    batches = pyarrow.chunked_array([wide(["0.1", "0.2"], 20), wide(["0.3", "0.12345678901234567890"], 20)])
    with pytest.raises(UsageError, match="at position 3 that has too many digits"):
        millrace.from_edges([0, 1, 2, 3], [1, 2, 3, 0], batches)
    listed = [number("0.10"), number(3)]
    assert sorted(millrace.from_edges([0, 1], [1, 2], listed).edges()[2].tolist()) == [0.1, 3]
    with pytest.raises(UsageError, match="too many digits"):
        millrace.from_edges([0], [1], [number("0.12345678901234567890123")])


def test_sums_of_duckdb():
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    rows = duckdb.sql("SELECT a, b, sum(w) AS w FROM (VALUES (0, 1, 2), (0, 1, 3), (1, 2, 4)) AS t(a, b, w) GROUP BY a, b")
    assert edges_of(millrace.from_edges(rows)) == {(0, 1): 5, (1, 2): 4}
