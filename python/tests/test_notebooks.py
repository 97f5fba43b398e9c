"""The notebooks of docs/notebooks run, and what they show is kept in them."""

import importlib.util
import pathlib
import re

import pytest

for needed in ("nbformat", "nbclient", "ipykernel", "matplotlib", "pandas"):
    pytest.importorskip(needed)

import nbformat  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
# What a run has to show, in the order of cells.
SHOWN = {
    "quick-start": [
        "6 vertices, 8 edges",
        "highest rank",
        "('eve', 0.286",
        "'components': 2",
        "65,536 vertices, 909,509 edges, undirected",
        "the ranks add up to 1.0",
        "<image/png>",
        "vertices; the page has",
        "below 1e-8: True",
    ],
    "larger-than-memory": [
        "1,048,576 vertices, 16,083,951 edges",
        "MiB on disk alone",
        "allow at least",
        "streamed: ",
        "MiB read from disk during the run",
        "pages resident",
        "the same ten highest: True",
        "equal: True",
        "a table of 183 MiB",
        "equal: True",
    ],
}
OF_A_MACHINE = re.compile(r"(?<![\w.<])/(?:work|root|tmp|home|usr|var|opt|mnt)\b")


def texts_of(notebook):
    """What each cell shows, as text; pictures by their type."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            assert output.output_type != "error"
            data = output.get("data", {})
            yield output.get("text", "") + "".join(v for k, v in data.items() if k.startswith("text/"))
            yield from (f"<{kind}>" for kind in data if not kind.startswith("text/"))


def assert_shows(name, notebook):
    text, place = "\n".join(texts_of(notebook)), 0
    for wanted in SHOWN[name]:
        assert wanted in text[place:], wanted
        place = text.index(wanted, place) + len(wanted)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path, tmp_path):
    spec = importlib.util.spec_from_file_location("run_notebooks", ROOT / "scripts" / "run_notebooks.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    if path.stem == "quick-start":
        pytest.importorskip("networkx")
    assert_shows(path.stem, script.run(path, tmp_path))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_kept(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert_shows(path.stem, notebook)
    for text in texts_of(notebook):
        assert not OF_A_MACHINE.search(text), text
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), "run in order, from the start"
    assert path.stat().st_size < 100_000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links(path):
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)#]+)", cell.source):
                assert (path.parent / target).exists(), target


def test_every_notebook_is_known():
    assert {path.stem for path in NOTEBOOKS} == SHOWN.keys()
    index = (ROOT / "docs" / "README.md").read_text()
    assert all(f"notebooks/{path.name}" in index for path in NOTEBOOKS)
