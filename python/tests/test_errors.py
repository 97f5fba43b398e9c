"""Errors, with names as Python has them."""

import millrace
import pytest


@pytest.mark.parametrize(
    "options, message",
    [
        ({"dampin": 0.5}, "did you mean damping"),
        ({"damping": 2}, "damping"),
        ({"damping": "much"}, "is not a number"),
        ({"device": "tpu"}, "device tpu"),
        ({"precision": "f16"}, "precision"),
        ({"columns": ["ranks"]}, "did you mean rank"),
        ({"device": "cpu", "device_memory": "1G"}, "device_memory is for GPUs"),
    ],
)
def test_usage(rmat, options, message):
    with pytest.raises(millrace.UsageError, match=message) as raised:
        rmat.pagerank(**options)
    assert isinstance(raised.value, ValueError) and isinstance(raised.value, millrace.Error)
    assert "--" not in str(raised.value)


def test_wrong_names(rmat):
    with pytest.raises(millrace.UsageError, match="did you mean pagerank"):
        rmat.run("pagerang")
    with pytest.raises(millrace.UsageError, match="source"):
        rmat.bfs(source=10**12)
    with pytest.raises(millrace.UsageError, match="needs source"):
        rmat.bfs()


def test_memory(rmat):
    with pytest.raises(millrace.DoesNotFitError, match="host_memory") as raised:
        rmat.pagerank(host_memory="16K", device="cpu")
    assert isinstance(raised.value, MemoryError)


def test_files(tmp_path):
    with pytest.raises(millrace.BadInputError):
        millrace.open(tmp_path / "none.store")
    (tmp_path / "bad.txt").write_text("1 2\n3 x\n")
    with pytest.raises(millrace.BadInputError, match="bad.txt"):
        millrace.open(tmp_path / "bad.txt")


def test_diverging_runs_leave_the_graph_usable(rmat):
    with pytest.raises(millrace.Error):
        rmat.katz(alpha=1e9)
    assert len(rmat.pagerank().rank) == rmat.num_vertices


@pytest.mark.skipif(millrace.with_cuda, reason="this build has CUDA")
def test_no_gpu(rmat):
    with pytest.raises(millrace.DeviceError):
        rmat.pagerank(device="cuda")


def test_no_convergence_is_no_fault_of_the_library(rmat):
    with pytest.raises(millrace.Error, match="katz diverged.*alpha 0.5") as raised:
        rmat.katz(alpha=0.5)
    assert type(raised.value) is millrace.Error
