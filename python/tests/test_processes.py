"""Threads, signals, forks and memory."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import millrace
import numpy as np
import pytest


def python(code, *arguments, **more):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **more},
    )


def resident_bytes():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_no_leak_over_a_thousand_runs(undirected):
    keep = None
    for i in range(1100):
        keep = undirected.pagerank(iterations=2)
        if i % 4 == 0:
            undirected.bfs(source=int(undirected.ids[0]), columns="all").top(3)
        if i == 100:
            before = resident_bytes()
    assert keep is not None and resident_bytes() - before < 4 << 20


def test_two_threads_with_two_graphs():
    graphs = [millrace.generate("rmat", 12, seed=seed) for seed in (1, 2)]
    expected = [graph.pagerank().rank.copy() for graph in graphs]
    wrong = []

    def work(i):
        for _ in range(20):
            if not np.allclose(graphs[i].pagerank().rank, expected[i], rtol=1e-5):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_go_on_meanwhile():
    graph = millrace.generate("rmat", 16)
    done = []
    run = lambda: done.append(graph.pagerank(iterations=3000, tolerance=0, device="cpu", threads=1))  # noqa: E731
    thread = threading.Thread(target=run)
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert done and turns > 20, "the GIL is released"


# A run that would take very long. From disk even a superstep takes some seconds: reads are slowed down.
INTERRUPTED = """
    import os, sys, millrace
    graph = millrace.open(sys.argv[1])
    print("ready", flush=True)
    try:
        graph.pagerank(iterations=100000, tolerance=0, device="cpu", host_memory=sys.argv[2])
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    os.environ.pop("MILLRACE_DISK_GBPS", None)
    print(len(graph.pagerank(iterations=1, tolerance=0, device="cpu").rank), flush=True)
"""


@pytest.mark.parametrize("where", ["memory", "disk"])
def test_interrupt(where, tmp_path):
    graph = millrace.generate("rmat", 17, edge_factor=48, path=tmp_path / "g.store", page_size="64K")
    memory = "1G" if where == "memory" else f"{(graph.num_vertices * 24 + (1 << 20)) >> 10}K"
    slow = {"MILLRACE_DISK_GBPS": "0.006"} if where == "disk" else {}
    child = python(INTERRUPTED, str(tmp_path / "g.store"), memory, **slow)
    assert child.stdout.readline() == "ready\n"
    time.sleep(1)
    begin = time.monotonic()
    child.send_signal(signal.SIGINT)
    line = child.stdout.readline()
    seconds = time.monotonic() - begin
    rest, errors = child.communicate(timeout=60)
    assert line == "interrupted\n", errors
    assert seconds < 30 and rest == f"{graph.num_vertices}\n" and child.returncode == 0


def test_interrupt_of_an_import(tmp_path):
    code = """
        import os, sys, numpy as np, millrace
        rng = np.random.default_rng(1)
        src, dst = rng.integers(0, 1 << 22, (2, 1 << 24))
        print("ready", flush=True)
        try:
            while True:
                millrace.from_edges(src, dst, memory="600M")
        except KeyboardInterrupt:
            print("interrupted", os.listdir(sys.argv[1]), flush=True)
    """
    child = python(code, str(tmp_path), TMPDIR=str(tmp_path))
    assert child.stdout.readline() == "ready\n"
    time.sleep(1.5)
    begin = time.monotonic()
    child.send_signal(signal.SIGINT)
    line = child.stdout.readline()
    assert line == "interrupted []\n", child.communicate()
    assert time.monotonic() - begin < 60
    child.communicate(timeout=60)


def test_ctrl_c_while_a_graph_is_removed(tmp_path):
    """Its folder is removed all the same, and the interrupt is not lost."""
    code = """
        import os, shutil, signal, sys, time, millrace
        rmtree = shutil.rmtree
        def interrupted(*given, **more):
            shutil.rmtree = rmtree
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(60)
        graph = millrace.from_edges([0], [1])
        shutil.rmtree = interrupted
        try:
            del graph
            time.sleep(60)
            print("the interrupt was lost")
        except KeyboardInterrupt:
            print("interrupted", os.listdir(sys.argv[1]))
    """
    out, errors = python(code, str(tmp_path), TMPDIR=str(tmp_path)).communicate(timeout=200)
    assert out == "interrupted []\n", errors


def test_handlers_of_signals_run_meanwhile():
    class Rings(Exception):
        pass

    def ring(*_):
        raise Rings

    graph = millrace.generate("rmat", 14)
    before = signal.signal(signal.SIGALRM, ring)
    try:
        with pytest.raises(Rings):
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            graph.pagerank(iterations=1_000_000_000, tolerance=0)  # which would take days
    finally:
        signal.signal(signal.SIGALRM, before)


def test_interrupt_of_one_thread_leaves_the_other():
    code = """
        import threading, time, millrace
        a, b = millrace.generate("rmat", 14, seed=1), millrace.generate("rmat", 14, seed=2)
        done = []
        thread = threading.Thread(target=lambda: done.append(b.pagerank(iterations=1000, tolerance=0).iterations))
        thread.start()
        print("ready", flush=True)
        try:
            a.pagerank(iterations=1000000, tolerance=0)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        thread.join()
        print(done, flush=True)
    """
    child = python(code)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, errors = child.communicate(timeout=120)
    assert out == "interrupted\n[1000]\n", errors


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_is_detected():
    code = """
        import os, sys, millrace
        graph = millrace.from_edges([0, 1], [1, 2])
        folder = graph.path.parent
        graph.pagerank()
        child = os.fork()
        if child == 0:
            try:
                graph.pagerank()
                print("computed", graph.num_vertices, flush=True)
            except millrace.InternalError as error:
                print("forked" in str(error), graph.num_vertices, flush=True)
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        print(folder.exists(), len(graph.pagerank().rank), flush=True)
    """
    out, errors = python(code).communicate(timeout=60)
    assert out == "True 3\nTrue 3\n", errors
    fresh = "import os, millrace\nif os.fork() == 0:\n  print(millrace.from_edges([0], [1]).num_edges)\nelse: os.wait()"
    out, errors = python(fresh).communicate(timeout=60)
    assert out == "1\n", errors


def test_threads(rmat):
    assert rmat.pagerank(threads=1).details["plan"]["threads"] == 1
    assert rmat.pagerank().details["plan"]["threads"] == len(os.sched_getaffinity(0))


def test_a_run_within_its_memory():
    graph = millrace.generate("rmat", 15, edge_factor=64, page_size="64K")
    limit = (graph.num_vertices * 24 + (1 << 20)) >> 10
    result = graph.pagerank(host_memory=f"{limit}K", device="cpu")
    assert "streamed" in result.plan and result.details["peak_memory"] <= limit << 10
    assert np.allclose(result.rank, graph.pagerank(device="cpu").rank, rtol=1e-4)


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path):
    code = (
        "import millrace, os, signal, sys; g = millrace.from_edges([0], [1], folder=sys.argv[1])\n"
        "if sys.argv[2] == 'killed': os.kill(os.getpid(), signal.SIGKILL)\n"
        "print(len(os.listdir(sys.argv[1])))"
    )
    own = millrace.from_edges([0], [1], folder=tmp_path)  # in use: it stays
    subprocess.run([sys.executable, "-c", code, tmp_path, "killed"])
    assert len(os.listdir(tmp_path)) == 2
    ended = subprocess.run([sys.executable, "-c", code, tmp_path, "ends"], capture_output=True, text=True, check=True)
    assert ended.stdout == "2\n"
    assert os.listdir(tmp_path) == [os.path.basename(os.path.dirname(own.path))]
    assert own.wcc().results["components"] == 1


def test_ctrl_c_while_another_run_of_the_session_goes_on():
    code = """
        import os, signal, threading, time, millrace
        graph = millrace.generate("rmat", 12)
        session = graph.session(device="cpu")
        other = threading.Thread(target=lambda: session.pagerank(iterations=1_000_000_000, tolerance=0), daemon=True)
        other.start()
        time.sleep(0.5)
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            session.bfs(source=int(graph.ids[0]))
        except KeyboardInterrupt:
            print("interrupted", other.is_alive(), flush=True)
        os._exit(0)
    """
    out, errors = python(code).communicate(timeout=60)
    assert out.split() == ["interrupted", "True"], errors
