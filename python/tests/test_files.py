"""Files that are written: never what the graph was read from, a part of a store or a link. And the cache of graph files."""

import os
import stat

import millrace
import pytest

EDGES = "".join(f"{v} {v * v % 61}\n{v} {v * 7 % 67}\n" for v in range(60))


def test_results_replace_nothing_else(tmp_path):
    file = tmp_path / "edges.txt"
    file.write_text(EDGES)
    store = tmp_path / "g.store"
    millrace.import_file(file, store)
    (tmp_path / "link.txt").symlink_to("edges.txt")
    for graph in (millrace.open(file), millrace.open(store)):
        result = graph.pagerank()
        for write in (result.write, result.report):
            for path, words in (
                (store / "ids", "inside of the store"),
                (store / "new", "inside of the store"),
                (tmp_path / "link.txt", "link|read"),
                (os.path.join(os.environ["XDG_CACHE_HOME"], "millrace", "x"), "inside of the cache"),
                ("", "empty"),
            ):
                with pytest.raises(millrace.UsageError, match=words):
                    write(path)
    with pytest.raises(millrace.UsageError, match="which is read"):
        millrace.open(file).pagerank().write(file)
    with pytest.raises(millrace.UsageError, match="which is read"):
        millrace.import_file(file, file)
    assert file.read_text() == EDGES
    assert millrace.open(store).num_edges == millrace.open(file).num_edges
    assert sorted(os.listdir(tmp_path)) == ["edges.txt", "g.store", "link.txt"]


def test_a_damaged_store_in_the_cache_is_made_again(tmp_path):
    file = tmp_path / "damaged.txt"
    file.write_text(EDGES)
    ranks = millrace.open(file).pagerank().top(3)
    cache = os.path.join(os.environ["XDG_CACHE_HOME"], "millrace")
    [store] = [name for name in os.listdir(os.path.join(cache, "graphs")) if name.startswith("damaged.txt")
               and name.endswith(".store")]  # fmt: skip
    for path, _, files in os.walk(cache):
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o700
        assert all(stat.S_IMODE(os.stat(os.path.join(path, name)).st_mode) == 0o600 for name in files)
    pages = os.path.join(cache, "graphs", store, "in.pages")
    with open(pages, "r+b") as damaged:
        damaged.seek(os.path.getsize(pages) // 2)
        damaged.write(b"\xff\xfe\xfd")
    assert millrace.open(file).pagerank().top(3) == ranks


def test_messages_cannot_steer_a_terminal(tmp_path):
    with pytest.raises(millrace.Error) as raised:
        millrace.open(tmp_path / "no\033[2J\u009b")
    assert r"no\u001b[2J\u009b" in str(raised.value)
