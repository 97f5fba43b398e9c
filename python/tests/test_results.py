"""Results: without a copy, in every form."""

import gc
import json

import millrace
import numpy as np
import pytest


def test_columns_are_not_copied(rmat):
    result = rmat.pagerank()
    rank = result["rank"]
    address = rank.__array_interface__["data"][0]
    assert address == result.rank.__array_interface__["data"][0]
    assert address == result._run.columns["rank"][1].__array_interface__["data"][0], "made again, at the same place"
    assert not rank.flags.owndata and not rank.flags.writeable
    with pytest.raises(ValueError):
        rank[0] = 1
    before = rank.copy()
    del result
    gc.collect()
    assert np.array_equal(rank, before), "the array keeps the result alive"
    pa = pytest.importorskip("pyarrow")
    again = rmat.pagerank()
    column = pa.table(again)["rank"].chunk(0)
    assert column.buffers()[1].address == again.rank.__array_interface__["data"][0]


def test_order_is_that_of_ids(rmat):
    result = rmat.pagerank()
    ids, rank = result.by_id()
    assert np.all(np.diff(ids.astype(np.int64)) > 0)
    vertices = rmat.vertices(ids)
    assert np.array_equal(rmat.ids[vertices], ids) and np.array_equal(result.rank[vertices], rank)
    assert np.array_equal(rmat.vertices(ids[:3]), vertices[:3])
    with pytest.raises(millrace.UsageError, match="no vertex"):
        rmat.vertices([10**9] * 20)


def test_top(rmat):
    result = rmat.pagerank()
    top = result.top(5)
    assert [value for _, value in top] == sorted(result.rank.tolist(), reverse=True)[:5]
    assert result.rank[rmat.vertices([top[0][0]])[0]] == top[0][1]
    assert len(result.top(10**6)) == rmat.num_vertices and result.top(0) == []
    levels = rmat.bfs(source=0)
    assert levels.top(1)[0][1] == levels.results["depth"], "vertices that were not reached have no level"


def test_missing_values(chain):
    result = chain.bfs(source=2, columns="all")
    assert result.level.tolist().count(millrace.UNREACHED) == 2
    assert result.kind("level") == "levels" and result.kind("parent") == "vertices"
    pandas = pytest.importorskip("pandas")
    frame = result.to_pandas().sort_index()
    assert frame.index.name == "id" and frame["level"].isna().tolist() == [True, True, False, False, False]
    assert frame["parent"].tolist()[3:] == [2, 3] and pandas.isna(frame["parent"].tolist()[0])
    arrow = pytest.importorskip("pyarrow").table(result)
    assert arrow["level"].null_count == 2
    assert dict(zip(arrow["id"].to_pylist(), arrow["level"].to_pylist())) == {0: None, 1: None, 2: 0, 3: 1, 4: 2}
    assert result.to_arrow().equals(arrow)
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(arrow)["level"].null_count() == 2


def test_names_in_tables():
    graph = millrace.from_edges(["a", "b", "x"], ["b", "c", "y"])
    pa = pytest.importorskip("pyarrow")
    table = pa.table(graph.wcc())
    assert dict(zip(table["id"].to_pylist(), table["component"].to_pylist())) == dict(a="a", b="a", c="a", x="x", y="x")
    assert graph.wcc().by_id()["c"] == "a"
    assert graph.wcc().to_pandas().loc["y", "component"] == "x"


def test_streams_may_be_read_in_part_or_not_at_all(rmat):
    pa = pytest.importorskip("pyarrow")
    result = rmat.pagerank()
    capsule = result.__arrow_c_stream__()
    del capsule
    reader = pa.RecordBatchReader.from_stream(result)
    batch = reader.read_next_batch()
    del reader, result
    gc.collect()
    assert batch.num_rows == rmat.num_vertices and batch["rank"].to_numpy().sum() == pytest.approx(1, abs=1e-3)


def test_what_is_known_of_a_run(rmat):
    result = rmat.pagerank(iterations=7, tolerance=0, device="cpu", host_memory="1G")
    assert result.iterations == 7 and result.seconds > 0 and "cpu" in result.plan
    assert result.details["algorithm"] == "pagerank" and json.dumps(result.details)
    assert repr(result).startswith("pagerank on") and "highest rank" in repr(result)
    assert "<table>" in result._repr_html_() and "highest rank" in result._repr_html_()
    assert "<table>" in rmat._repr_html_() and "1," in repr(rmat) or rmat.num_vertices < 1000
    assert result.columns == ("rank",) and list(result) == ["rank"] and len(result) == rmat.num_vertices
    with pytest.raises(KeyError, match="no column 'ranks'; the result has: rank"):
        result["ranks"]
    with pytest.raises(AttributeError):
        result.ranks


def test_files(rmat, tmp_path):
    result = rmat.pagerank(record=True)
    result.write(tmp_path / "rank.npy")
    assert np.array_equal(np.load(tmp_path / "rank.npy"), result.by_id()[1])
    result.report(tmp_path / "page.html")
    rmat.bfs(source=0).report(tmp_path / "plain.html")
    for name in ("page.html", "plain.html"):
        assert "<html" in (tmp_path / name).read_text()
    with pytest.raises(millrace.IoError) as raised:
        result.write(tmp_path / "nowhere" / "rank.txt")
    assert isinstance(raised.value, OSError)


def test_degrees(rmat):
    matrix = rmat.to_scipy() if pytest.importorskip("scipy") else None
    assert np.array_equal(rmat.out_degrees, np.diff(matrix.indptr))
    assert rmat.in_degrees.sum() == rmat.num_edges
    assert rmat.degrees().details["results"]["out"]["max"] == rmat.out_degrees.max()
    assert "mean" in repr(rmat.degrees())


def test_info_and_files(rmat, tmp_path):
    assert rmat.info()["vertices"] == rmat.num_vertices
    text = tmp_path / "edges.txt"
    text.write_text("10 30\n30 10\n10 7\n")
    graph = millrace.open(text)
    assert graph.num_edges == 3 and graph.path == text
    assert millrace.open(text, undirected=True).num_edges == 4
    kept = millrace.import_file(text, tmp_path / "kept.store", undirected=True)
    assert kept.num_edges == 4 and not kept.directed and kept.path == tmp_path / "kept.store"
    assert millrace.import_file(text).num_edges == 3


def test_columns_are_those_that_were_asked_for(rmat):
    source = int(rmat.ids[0])
    assert rmat.bfs(source=source).columns == ("level",)
    assert rmat.bfs(source=source, columns="all").columns == ("level", "parent")
    assert rmat.hits(columns="hub").columns == ("hub",)
