"""The examples of docs/python.md and docs/networkx.md."""

import doctest
import os
import pathlib
import re
import shutil

import millrace
import nx_entry_points
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run_examples(name, least):
    """Runs the examples of a document, which has at least so many."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / name).read_text(), re.M | re.S)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, f"docs/{name}", None, 0)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    assert len(test.examples) >= least and doctest.DocTestRunner(optionflags=flags).run(test).failed == 0


def test_examples(tmp_path, monkeypatch):
    data = pathlib.Path(os.environ.get("MILLRACE_SHARED_DATA", ROOT.parent / "shared" / "data"))
    if not (data / "wiki-Vote.txt").exists():
        pytest.skip("MILLRACE_SHARED_DATA has no wiki-Vote.txt")
    pytest.importorskip("pandas")
    shutil.copy(data / "wiki-Vote.txt", tmp_path)
    monkeypatch.chdir(tmp_path)
    run_examples("python.md", 16)


def test_examples_of_networkx():
    nx_entry_points.register()
    pytest.importorskip("networkx")
    pytest.importorskip("scipy")
    run_examples("networkx.md", 10)


def test_the_document_names_every_exception():
    text = (ROOT / "docs" / "python.md").read_text()
    for name in millrace.__all__:
        if name.endswith("Error"):
            assert name in text
