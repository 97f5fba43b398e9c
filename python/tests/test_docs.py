"""The examples of documents, and documents that are made from the package."""

import doctest
import os
import pathlib
import re
import shutil
import subprocess
import sys

import millrace
import nx_entry_points
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run_examples(name, least):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / name).read_text(), re.M | re.S)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, None, 0)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    assert len(test.examples) > least and doctest.DocTestRunner(optionflags=flags).run(test).failed == 0


def test_examples(tmp_path, monkeypatch):
    data = pathlib.Path(os.environ.get("MILLRACE_SHARED_DATA", ROOT.parent / "shared" / "data"))
    if not (data / "wiki-Vote.txt").exists():
        pytest.skip("MILLRACE_SHARED_DATA has no wiki-Vote.txt")
    pytest.importorskip("pandas")
    shutil.copy(data / "wiki-Vote.txt", tmp_path)
    monkeypatch.chdir(tmp_path)
    run_examples("docs/python.md", 15)
    run_examples("README.md", 2)


def test_examples_for_those_who_come_from_other_libraries(tmp_path, monkeypatch):
    for needed in ("networkx", "pandas", "scipy"):
        pytest.importorskip(needed)
    monkeypatch.chdir(tmp_path)
    run_examples("docs/coming-from.md", 30)


def test_the_stub_is_what_the_catalogue_says():
    subprocess.run([sys.executable, ROOT / "scripts" / "make_stubs.py", "--check"], check=True)


def test_the_reference_is_what_the_package_says():
    subprocess.run([sys.executable, ROOT / "scripts" / "make_python_api.py", "--check"], check=True)


def test_the_reference_has_all_that_is_public():
    text = (ROOT / "docs" / "python-api.md").read_text()
    for name in millrace.__all__:
        assert f"`millrace.{name}`" in text or f"## {name}\n" in text or f"| `{name}` |" in text, name
    for name, described in millrace.algorithms().items():
        assert f"### `{name}`\n" in text
        for option in described["options"]:
            assert name == "spmv" or f"| `{option['name']}` |" in text.split(f"### `{name}`\n")[1].split("###")[0]


def test_examples_of_networkx():
    nx_entry_points.register()
    pytest.importorskip("networkx")
    pytest.importorskip("scipy")
    run_examples("docs/networkx.md", 10)


def test_the_document_names_every_exception():
    text = (ROOT / "docs" / "python.md").read_text()
    for name in millrace.__all__:
        if name.endswith("Error"):
            assert name in text
