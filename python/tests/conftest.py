"""Graphs that tests share. MILLRACE names the command that results are compared with."""

import os

import pytest

import millrace


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """Imports of tests and measurements of the machine stay out of the user's cache."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def rmat():
    """A directed graph with weights, whose ids have gaps."""
    return millrace.generate("rmat", 10, edge_factor=8, weights="1:9")


@pytest.fixture(scope="session")
def undirected():
    return millrace.generate("rmat", 9, edge_factor=8, undirected=True)


@pytest.fixture
def chain():
    return millrace.from_edges([0, 1, 2, 3], [1, 2, 3, 4])


@pytest.fixture
def command():
    if "MILLRACE" not in os.environ:
        pytest.skip("MILLRACE does not name the command")
    return os.environ["MILLRACE"]
