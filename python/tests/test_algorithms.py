"""Every algorithm of the catalogue gives what the command gives."""

import inspect
import json
import subprocess

import millrace
import numpy as np
import pytest

# Options that algorithms cannot do without, and some that make them small.
OPTIONS = {
    "ppr": {"seeds": [0, 7]},
    "bfs": {"source": 0},
    "sssp": {"source": 0},
    "neighbourhood": {"source": [0, 5], "hops": 2},
    "egonet": {"source": 0},
    "bc": {"samples": 8},
    "closeness": {"samples": 64},
    "katz": {"alpha": 0.001},
}
WITH_FILES = {"subgraph", "cross_edges", "spmv"}


def command_line(name, options):
    words = []
    for option, value in options.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        words += [f"--{option.replace('_', '-')}", text]
    return ["run", name.replace("_", "-"), *words]


def report_of(command, graph, name, options, more=()):
    done = subprocess.run(
        [command, *command_line(name, options), str(graph.path), "--json", *more], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", sorted(set(millrace.algorithms()) - WITH_FILES))
def test_same_as_the_command(name, command, rmat, tmp_path):
    options = OPTIONS.get(name, {})
    described = millrace.algorithms()[name]
    result = getattr(rmat, name)(**options, columns="all")
    main = [column["name"] for column in described["columns"] if column["main"]]
    theirs = tmp_path / "command.csv"
    more = ["-o", str(theirs)] if main else []
    report = report_of(command, rmat, name, options, more)
    assert set(result.columns) >= {column["name"] for column in described["columns"]}
    for key, value in report["results"].items():
        if isinstance(value, int) and not key.endswith("seconds"):
            assert result.results[key] == value, key
    if main:
        result.write(tmp_path / "ours.csv", main[0])
        ours, others = ((tmp_path / file).read_text().splitlines() for file in ("ours.csv", "command.csv"))
        assert ours[0] == others[0] and len(ours) == len(others) == rmat.num_vertices + 1
        for one, other in zip(ours[1:], others[1:]):
            (id_one, value), (id_other, expected) = one.split(","), other.split(",")
            assert id_one == id_other
            assert value == expected or float(value) == pytest.approx(float(expected), rel=1e-4)


@pytest.mark.parametrize("name", ["pagerank", "bfs", "wcc", "triangles", "kcore", "hits"])
def test_checks_pass(name, rmat):
    assert getattr(rmat, name)(**OPTIONS.get(name, {}), check=True).details["check"] == "passed"


def test_signatures_come_from_the_catalogue():
    for name, described in millrace.algorithms().items():
        method = getattr(millrace.Graph, name)
        assert method.__doc__
        names = set(inspect.signature(method).parameters)
        assert name == "spmv" or {option["name"] for option in described["options"]} <= names
    assert inspect.signature(millrace.Graph.pagerank).parameters["damping"].default == 0.85
    assert "From 0 to 1." in millrace.Graph.pagerank.__doc__


def test_subgraph_of_a_list(rmat, tmp_path):
    report = rmat.subgraph(vertices=rmat.ids[:50], output=tmp_path / "part.store").details
    assert report["results"]["vertices"] == 50
    part = millrace.open(tmp_path / "part.store")
    assert part.num_vertices == 50 and part.num_edges == report["results"]["edges"]


def test_run_by_name_and_positional_source(rmat):
    assert np.array_equal(rmat.run("bfs", source=0)["level"], rmat.bfs(0).level)
    with pytest.raises(TypeError):
        rmat.bfs(0, source=0)


def test_spmv_is_that_of_scipy(rmat):
    matrix = rmat.to_scipy()
    for dtype, tolerance in ((np.float64, 1e-12), (np.float32, 1e-4)):
        x = np.random.default_rng(1).random(rmat.num_vertices).astype(dtype)
        assert rmat.spmv(x).y.dtype == dtype
        assert np.allclose(rmat.spmv(x).y, matrix @ x, rtol=tolerance)
        assert np.allclose(rmat.spmv(x, transpose=True).y, matrix.T @ x, rtol=tolerance)
    with pytest.raises(millrace.UsageError, match="has 3 values"):
        rmat.spmv([1.0, 2.0, 3.0])


def test_sessions_keep_pages(rmat):
    x = np.ones(rmat.num_vertices)
    with rmat.session(device="cpu", memory="256M") as session:
        first = session.spmv(x)
        for _ in range(3):
            again = session.spmv(first.y)
            assert again.details["load_seconds"] == 0
        assert np.allclose(again.y, rmat.spmv(first.y).y)
        assert session.pagerank().details["load_seconds"] > 0
        assert np.array_equal(session.bfs(source=0).level, rmat.bfs(source=0).level)
        with pytest.raises(millrace.UsageError, match="device"):
            session.pagerank(device="cpu")
    with pytest.raises(millrace.UsageError, match="closed"):
        session.spmv(x)
    assert len(again.y) == rmat.num_vertices  # results outlive the session


def test_explain(rmat):
    assert "cpu" in rmat.explain("pagerank", device="cpu")
    assert rmat.explain("pagerank", device="cpu", as_dict=True)
    with pytest.raises(millrace.UsageError, match="no plans"):
        rmat.explain("degrees")
