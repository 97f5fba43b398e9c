"""Runs on a GPU: the same results as on a CPU, and results that stay there. Skipped where there is no GPU."""

import json
import subprocess

import millrace
import numpy as np
import pytest


def gpu_is_there():
    if not millrace.with_cuda:
        return False
    try:
        millrace.from_edges([0], [1]).bfs(source=0, device="cuda")
        return True
    except millrace.DeviceError:
        return False


needs_gpu = pytest.mark.skipif(not gpu_is_there(), reason="no GPU, or a build without CUDA")
ARGUMENTS = {
    "bfs": {"source": 0},
    "katz": {"alpha": 0.001},
    "ppr": {"seeds": 0},
    "sssp": {"source": 0},
}
WITH_COLUMNS = [
    name
    for name, one in millrace.algorithms().items()
    if one["columns"] and not one["on_host"] and name not in ("spmv", "neighbourhood", "egonet")
]


def arrays(on_device):
    """The values as libraries of GPUs see them: [(library, array of NumPy, address)]."""
    seen = []
    try:
        import torch

        tensor = torch.from_dlpack(on_device)
        values = tensor.view(torch.int32) if tensor.dtype == torch.uint32 else tensor
        seen.append(("torch", values.cpu().numpy(), tensor.data_ptr()))
    except ImportError:
        pass
    try:
        import cupy

        array = cupy.from_dlpack(on_device)
        seen.append(("cupy", array.get(), array.data.ptr))
    except ImportError:
        pass
    if not seen:
        pytest.skip("neither PyTorch nor CuPy is installed")
    return seen


def test_where_there_is_no_gpu_the_message_says_so(chain):
    if gpu_is_there():
        pytest.skip("there is one")
    with pytest.raises(millrace.Error, match="CUDA|driver|GPU"):
        chain.pagerank(device="cuda")
    assert chain.pagerank().plan.startswith("cpu")


def test_results_of_a_cpu_are_not_on_a_gpu(chain):
    with pytest.raises(millrace.UsageError, match="keep_on_device"):
        chain.pagerank(device="cpu").on_device()
    with pytest.raises(millrace.UsageError, match="not in the memory of a GPU"):
        chain.pagerank(device="cpu", keep_on_device=True).on_device()


@needs_gpu
@pytest.mark.parametrize("name", WITH_COLUMNS)
def test_results_stay_on_the_gpu(rmat, undirected, name):
    compared = 0
    for graph in (rmat, undirected):
        arguments = ARGUMENTS.get(name, {})
        arguments = {key: int(graph.ids[0]) if key in ("source", "seeds") else one for key, one in arguments.items()}
        try:
            here = graph.run(name, columns="all", device="cpu", **arguments)
        except millrace.UsageError:
            continue  # not for such graphs
        there = graph.run(name, columns="all", device="cuda", keep_on_device=True, **arguments)
        for column in there.columns:
            for library, values, _ in arrays(there.on_device(column)):
                host = there[column]
                assert np.array_equal(values.view(host.dtype), host), (library, column)
                compared += 1
            if here[column].dtype.kind == "f":
                assert np.allclose(here[column], there[column], rtol=1e-4, atol=1e-7)
            elif column != "parent":
                assert np.array_equal(here[column], there[column])
    assert compared > 0


@needs_gpu
def test_nothing_is_copied(rmat):
    result = rmat.pagerank(device="cuda", keep_on_device=True)
    addresses = {address for _, _, address in arrays(result.on_device())}
    addresses |= {address for _, _, address in arrays(result.on_device("rank"))}
    assert len(addresses) == 1


@needs_gpu
def test_values_outlive_graph_result_and_session(rmat):
    torch = pytest.importorskip("torch")
    with rmat.session(device="cuda") as session:
        result = session.pagerank(keep_on_device=True)
        tensor = torch.from_dlpack(result.on_device())
        expected = result.rank.copy()
        assert np.array_equal(session.pagerank().rank, expected)
    del result, session
    assert np.array_equal(tensor.cpu().numpy(), expected)


@needs_gpu
def test_a_training_step_with_ranks_as_a_feature(undirected):
    """A logistic regression of "has a high degree" on the logarithm of PageRank learns something."""
    torch = pytest.importorskip("torch")
    result = undirected.pagerank(device="cuda", keep_on_device=True)
    rank = torch.from_dlpack(result.on_device())
    assert rank.is_cuda
    feature = torch.log(rank)
    feature = ((feature - feature.mean()) / feature.std())[:, None]
    degrees = torch.tensor(undirected.out_degrees.astype(np.float32), device=rank.device)
    label = (degrees > degrees.median()).float()[:, None]
    model = torch.nn.Linear(1, 1).to(rank.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    losses = []
    for _ in range(50):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(model(feature), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.7 * losses[0]


@needs_gpu
def test_the_command_sees_the_same_gpu(command):
    devices = json.loads(subprocess.run([command, "devices", "--json"], capture_output=True, check=True).stdout)
    assert any("cuda" in str(one) for one in devices["devices"])
