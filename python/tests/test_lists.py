"""Lists for options: taken where an option has several values, refused where it has one."""

import millrace
import numpy as np
import pytest
from millrace import UsageError, _core

SCALARS = [
    (name, option["name"])
    for name, one in millrace.algorithms().items()
    for option in one["options"]
    if not option.get("list") and not option["commas"] and (option["value"] != "FILE" or option["output"])
]
REQUIRED = {"bfs": {"source": 0}, "sssp": {"source": 0}, "neighbourhood": {"source": [0]}, "egonet": {"source": [0]},
            "subgraph": {"vertices": [0]}, "cross_edges": {"from_": [0], "to": [1]}, "ppr": {"seeds": [0]}}  # fmt: skip


def run(graph, name, **options):
    if name == "spmv":
        options["x"] = np.ones(graph.num_vertices)
    return getattr(graph, name)(**{**REQUIRED.get(name, {}), **options})


@pytest.mark.parametrize("name, option", SCALARS)
def test_one_value_is_no_list(chain, name, option):
    for wrong in ([1, 2], (1,), np.array([1, 2]), [], {1, 2}, range(2), (i for i in range(2))):
        with pytest.raises(UsageError, match=f"^{option} takes one value, and was given a list of"):
            run(chain, name, **{option: wrong})


@pytest.mark.parametrize("flag", ["check", "record", "keep_on_device"])
def test_flags_of_every_run(chain, flag):
    with pytest.raises(UsageError, match=f"{flag} takes one value"):
        chain.pagerank(**{flag: [False]})


@pytest.mark.parametrize("setting", [one["name"] for one in _core.run_settings()])
def test_settings_of_runs_and_sessions(chain, setting):
    for call in (chain.pagerank, chain.session, lambda **given: chain.explain("pagerank", **given)):
        with pytest.raises(UsageError, match=f"{setting} takes one value"):
            call(**{setting: ["cpu", "1G"]})


def test_options_of_imports(tmp_path):
    text = tmp_path / "edges.txt"
    text.write_text("0 1\n")
    for option in _core.import_options():
        if option["commas"]:
            continue
        for call in (millrace.open, millrace.import_file):
            with pytest.raises(UsageError, match=f"{option['name']} takes one value"):
                call(text, **{option["name"]: ["a", "b"]})
    for option in _core.store_options():
        if option["commas"] or option["name"] == "undirected":
            continue
        with pytest.raises(UsageError, match=f"{option['name']} takes one value"):
            millrace.from_edges([0], [1], **{option["name"]: ["a", "b"]})
    for option in ("scale", "edge_factor", "seed", "weights"):
        with pytest.raises(UsageError, match=f"{option} takes one value"):
            millrace.generate("rmat", **{"scale": 4, option: [4, 5]})


def test_arrays_of_no_dimension_are_one_value(chain):
    assert chain.bfs(np.array(1)).level.tolist() == chain.bfs(1).level.tolist()
    ranks = [chain.pagerank(damping=one, iterations=np.array(3)).rank.tolist() for one in (np.array(0.5), 0.5)]
    assert ranks[0] == ranks[1]
    assert chain.ppr(seeds=[np.int64(2), np.array(3)]).rank.tolist() == chain.ppr(seeds=[2, 3]).rank.tolist()


def lists_of(values):
    """The same values in everything that holds lists."""
    yield list(values)
    yield tuple(values)
    yield (value for value in values)
    yield dict.fromkeys(values).keys()
    yield np.array(values)
    for name, make in (
        ("pandas", lambda library: library.Series(values)),
        ("pandas", lambda library: library.Index(values)),
        ("polars", lambda library: library.Series(values)),
        ("pyarrow", lambda library: library.array(values)),
        ("pyarrow", lambda library: library.chunked_array([values[:1], values[1:]])),
    ):
        try:
            yield make(__import__(name))
        except ImportError:
            pass


@pytest.mark.parametrize("ids", [[0, 2, 3], ["ann", "Smith, John", "zoë"]])
def test_lists_of_vertices(ids):
    others = [9] if ids[0] == 0 else ["bob"]
    graph = millrace.from_edges([*ids, *others], [*ids[1:], *others, ids[0]])
    numbers = graph.vertices(ids)
    count = 0
    for given in lists_of(ids):
        count += 1
        again = list(lists_of(ids))
        assert np.array_equal(graph.vertices(given), numbers)
        same = again[count - 1]
        near = graph.neighbourhood(source=same, hops=0)
        assert sorted(np.flatnonzero(near.level == 0)) == sorted(numbers)
        seeded = graph.ppr(seeds=list(lists_of(ids))[count - 1], iterations=0).rank
        assert sorted(np.flatnonzero(seeded)) == sorted(numbers)
        assert graph.subgraph(vertices=list(lists_of(ids))[count - 1]).results["vertices"] == 3
    assert count > 5


def test_names_with_commas_and_quotes():
    names = ['a,b', '"quoted"', 'half"', '"', "plain", ",", '","']
    graph = millrace.from_edges(names, names[1:] + names[:1])
    for name in names:
        ranks = graph.ppr(seeds=[name], iterations=0).by_id()
        assert {one for one, rank in ranks.items() if rank > 0} == {name}
    ranks = graph.ppr(seeds=names, iterations=0).by_id()
    assert len([rank for rank in ranks.values() if rank > 0]) == len(names)
    assert graph.ppr(seeds="plain", iterations=0).by_id()["plain"] > 0
    with pytest.raises(millrace.UsageError, match="seeds='a,b' may be one name or several: give a list"):
        graph.ppr(seeds="a,b")


def test_lists_with_values_missing(chain):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    wrong = [
        [0, None], [0, float("nan")], pyarrow.array([0, None]), pandas.Series([0, None], dtype="Int64"),
        np.ma.MaskedArray([0, 1], [False, True]),
    ]  # fmt: skip
    for given in wrong:
        for call in (chain.vertices, lambda one: chain.ppr(seeds=one), lambda one: chain.subgraph(vertices=one)):
            with pytest.raises(UsageError, match="missing|masked"):
                call(given)
    with pytest.raises(UsageError, match="dimensions"):
        chain.ppr(seeds=np.array([[0, 1]]))
    with pytest.raises(UsageError, match="empty"):
        chain.ppr(seeds=[])
