"""Progress where stderr is no terminal: a bar that Python draws."""

import millrace
import pytest
from millrace import _core, _progress


class Recorded:
    """Keeps what is shown."""

    bars = []

    def __init__(self):
        self.shown, self.closed = [], False
        Recorded.bars.append(self)

    def show(self, label, share, text):
        assert not self.closed
        self.shown.append((label, share, text))

    def close(self):
        self.closed = True


@pytest.fixture
def made_by():
    Recorded.bars = []
    yield _core.set_bar_maker
    _core.set_bar_maker(None)


# Graphs of twice the size until one takes two seconds: on any machine that one is drawn a few times.
LONG_WORK = """
import time
import millrace
for scale in range(16, 30):
    began = time.monotonic()
    graph = millrace.generate("rmat", scale, edge_factor=16, threads=1)
    if time.monotonic() - began >= 2:
        break
"""


def long_work():
    names = {}
    exec(LONG_WORK, names)
    return names["graph"]


def test_long_work_is_drawn_and_short_work_is_not(made_by):
    made_by(Recorded)
    for _ in range(100):  # on a busy machine even short work may take long enough for a bar
        Recorded.bars = []
        millrace.from_edges([1], [2]).pagerank()
        if not Recorded.bars:
            break
    assert not Recorded.bars
    long_work()
    assert len(Recorded.bars) >= 1 and all(bar.closed and bar.shown for bar in Recorded.bars)
    for label, share, text in Recorded.bars[0].shown:
        assert label and text and (share is None or 0 <= share <= 1)


def test_it_can_be_silenced(made_by):
    made_by(Recorded)
    millrace.show_progress(False)
    try:
        long_work()
    finally:
        millrace.show_progress(True)
    assert not Recorded.bars


def test_ctrl_c_while_drawing_stops_the_work(made_by):
    class Interrupted(Recorded):
        def show(self, label, share, text):
            raise KeyboardInterrupt

    made_by(Interrupted)
    with pytest.raises(KeyboardInterrupt):
        millrace.generate("rmat", 20, edge_factor=16)
    assert Recorded.bars[0].closed
    made_by(None)
    assert millrace.from_edges([1], [2]).num_edges == 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_faults_of_drawing_are_not_those_of_the_work(made_by):
    class Broken(Recorded):
        def show(self, label, share, text):
            self.shown.append(label)
            raise RuntimeError("no display")

    made_by(Broken)
    assert long_work().num_edges > 0
    assert Recorded.bars and all(len(bar.shown) == 1 for bar in Recorded.bars), "not drawn again"


def test_html():
    assert _progress.as_html("<a>", None, "7 & 8") == "<div>&lt;a&gt; 7 &amp; 8</div>"
    assert "value='0.250'" in _progress.as_html("load", 0.25, "") and "25%" in _progress.as_html("load", 0.25, "")
    assert not _progress.in_kernel()


def test_in_a_notebook(tmp_path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    source = f"{LONG_WORK}\nmillrace._progress.in_kernel()"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    nbclient.NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    *bars, answer = notebook.cells[0].outputs
    assert answer.data["text/plain"] == "True"
    assert bars and all(bar.data["text/html"] == "" for bar in bars), "drawn, and empty in the end"
