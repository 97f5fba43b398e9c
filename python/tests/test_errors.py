"""Errors, with names as Python has them."""

import os
import pathlib
import shutil

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


def known_stores():
    return list(pathlib.Path(os.environ["XDG_CACHE_HOME"], "millrace", "stores").glob("*"))


def test_stores_from_elsewhere_are_checked_once(tmp_path):
    made = tmp_path / "made.store"
    millrace.from_edges([0, 1, 2], [1, 2, 0], path=made)
    known = len(known_stores())
    assert known > 0
    copy = shutil.copytree(made, tmp_path / "copy.store")
    for _ in range(2):
        assert millrace.open(copy).wcc().results["components"] == 1
        assert len(known_stores()) == known + 1


def test_damaged_stores_are_refused_when_they_are_opened(tmp_path):
    store = tmp_path / "damaged.store"
    millrace.from_edges([0, 1, 2], [1, 2, 0], path=store)
    pages = bytearray((store / "out.pages").read_bytes())
    pages[70] ^= 1
    (store / "out.pages").write_bytes(pages)
    with pytest.raises(millrace.BadInputError, match="is damaged"):
        millrace.open(store)
    assert millrace.open(store, trust=True).num_edges == 3


def test_temporary_graphs_are_not_remembered():
    known = len(known_stores())
    assert millrace.from_edges([0, 1], [1, 2]).wcc().results["components"] == 1
    assert len(known_stores()) == known


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
