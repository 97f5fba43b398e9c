"""Arguments that are wrong, and some that look wrong but are not."""

import io

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
