"""Files that are written: never what the graph was read from, a part of a store or a link. And the cache of graph files."""

import os
import stat

import millrace
import pytest

EDGES = "".join(f"{v} {(v + step) % 60}\n" for v in range(60) for step in (1, 7))


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


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_options_that_name_outputs_destroy_nothing(tmp_path):
    file, store, x = tmp_path / "edges.txt", tmp_path / "s.store", tmp_path / "x.csv"
    file.write_text(EDGES)
    graph = millrace.import_file(file, store)
    before = contents(tmp_path)
    inside = "inside of the store"
    for words, wrong in (
        (inside, lambda: graph.kcore(k=1, edges=store / "in.pages")),
        (inside, lambda: graph.kcore(k=1, store=store / "in.store")),
        (inside, lambda: graph.degrees(output=store / "out.pages")),
        (inside, lambda: graph.run("radius", neighbourhood=store / "out.degrees")),
        (inside, lambda: graph.subgraph([0], output=store / "x.store")),
        (inside, lambda: millrace.generate("grid", 4, path=store / "in.store")),
        (inside, lambda: millrace.from_edges([0], [1], path=store / "x.store")),
        (inside, lambda: millrace.from_edges([0], [1], stripe=f"{tmp_path},{store}", path=tmp_path / "x.store")),
        (inside, lambda: millrace.import_file(file, store / "x.store")),
        ("output and vertices name the same file", lambda: graph.degrees(output=x, vertices=x)),
        ("which is read", lambda: graph.subgraph(vertices=file, output=file)),
        ("which is read", lambda: millrace.open(file).degrees(output=file)),
    ):
        with pytest.raises(millrace.UsageError, match=words):
            wrong()
        with graph.session() as session, pytest.raises(millrace.UsageError, match="inside|same"):
            session.degrees(output=x, vertices=x)
    assert contents(tmp_path) == before
    graph.degrees(output=x, vertices=tmp_path / "v.csv")
    assert x.exists() and (tmp_path / "v.csv").exists()
    assert millrace.from_edges([0], [1], path=store, force=True).num_edges == 1


def test_a_store_of_a_graph_file_destroys_nothing(tmp_path):
    file, ids, store = tmp_path / "edges.txt", tmp_path / "ids.txt", tmp_path / "s.store"
    file.write_text(EDGES)
    ids.write_text("0\n99\n")
    millrace.import_file(file, store)
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "edges.txt").write_text(EDGES)
    before = contents(tmp_path)
    for words, path, options in (
        ("store .* is inside of the store", file, {"store": store / "in.store"}),
        ("inside of the cache", file, {"store": os.path.join(os.environ["XDG_CACHE_HOME"], "millrace", "x.store")}),
        ("store .* would replace path .*, which is read", file, {"store": file}),
        ("store .* would replace vertices .*, which is read", file, {"store": ids, "vertices": ids}),
        ("would replace the store that path .* is in", inner / "edges.txt", {"store": inner}),
    ):
        with pytest.raises(millrace.UsageError, match=words):
            millrace.open(path, **options)
    assert contents(tmp_path) == before
    for _ in range(2):  # the second time it is used again
        assert millrace.open(file, store=tmp_path / "kept.store").path == tmp_path / "kept.store"
    with pytest.raises(millrace.UsageError, match="is a store: store is for graph files"):
        millrace.open(store, store=tmp_path / "new.store")
    with pytest.raises(millrace.MissingFileError):
        millrace.open(tmp_path / "none.txt", store=tmp_path / "new.store")


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
