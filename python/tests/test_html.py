"""Results and graphs as notebooks show them."""

import html.parser
import warnings

import millrace
import numpy as np
import pytest
from millrace import _html

NEEDED = {
    "ppr": {"seeds": [0]},
    "katz": {"alpha": 0.001},
    "subgraph": {"vertices": [0, 1, 2]},
    "cross_edges": {"from_": [0, 1], "to": [2, 4]},
}
MOST_BYTES = 20_000


class Whole(html.parser.HTMLParser):
    """Every element is closed, and in order; keeps the texts."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts = [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        if tag != "br":
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def options_of(name, described, graph):
    options = dict(NEEDED.get(name, {}))
    if any(one["name"] == "source" and one["required"] for one in described["options"]):
        options["source"] = 0
    if name == "spmv":
        options["x"] = np.ones(graph.num_vertices)
    return options


@pytest.mark.parametrize("name", millrace.algorithms())
def test_every_algorithm(name, rmat, undirected):
    described = millrace.algorithms()[name]
    for graph in (rmat, undirected):
        result = graph.run(name, **options_of(name, described, graph))
        text = result._repr_html_()
        shown = Whole(text).texts
        assert shown[0] == f"{result.algorithm} on a temporary graph" and len(text) < MOST_BYTES
        assert "nan" not in text and str(graph.path) not in text + repr(result)
        for title, rows, _ in result._run.answer(10)[0] if result.columns else ():
            assert not rows or (any(one.startswith(title) for one in shown) and rows[0][1] in shown)
        if result.columns:
            assert "<table>" in text and ("background:" in text or "<svg" in text)


def test_graphs(rmat, undirected, chain):
    for graph in (rmat, undirected, chain):
        text = graph._repr_html_()
        shown = Whole(text).texts
        assert shown[0] == "a temporary graph" and f"{graph.num_vertices:,} vertices" in text and len(text) < MOST_BYTES
        assert any("in-degree" in one for one in shown) == graph.directed
    counts = dict(zip(*[iter(Whole(chain._repr_html_()).texts[3:7])] * 2))
    assert counts == {"0": "1", "1": "4"}, "the last vertex has no out-edge"


def test_graphs_whose_degrees_are_too_many(rmat, monkeypatch):
    monkeypatch.setattr(_html, "MOST_DEGREES", 10)
    text = rmat._repr_html_()
    assert "<table>" not in text and "g.degrees()" in text


def test_empty_graphs():
    graph = millrace.from_edges([], [])
    assert "0 vertices, 0 edges" in "".join(Whole(graph._repr_html_()).texts)
    for name, described in millrace.algorithms().items():
        try:
            text = graph.run(name, **options_of(name, described, graph))._repr_html_()
        except millrace.Error:
            continue  # there is no vertex to begin at
        assert "0 vertices" in "".join(Whole(text).texts) and "nan" not in text


def test_names_are_escaped(tmp_path):
    names = ["<script>alert(1)</script>", "a & b", "\"quoted\" 'twice'"]
    graph = millrace.from_edges(names, names[1:] + names[:1], path=tmp_path / "<i>.store")
    assert not graph.wcc()._repr_html_().count("<script") and "&lt;i&gt;" in graph._repr_html_()
    for result in (graph.pagerank(), graph.wcc()):
        assert set(names) & set(Whole(result._repr_html_()).texts)


def test_values_that_are_no_numbers(chain):
    for values in ([np.nan] * 5, [np.inf, -np.inf, 1, 2, -3], [0] * 5, [-1, -2, -3, -4, -5]):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            Whole(chain.spmv(np.array(values, np.float64))._repr_html_())


def test_histograms():
    assert _html.histogram_svg("y", np.ones(9)) == "" and _html.histogram_svg("y", np.zeros(0)) == ""
    line = _html.histogram_svg("<y>", np.arange(320.0))
    assert line.count("<rect") == 32 and "heights" in line and "&lt;y&gt;" in line
    assert "both scales" in _html.histogram_svg("y", np.geomspace(1e-9, 1, 100))
    assert ", of every 3th" not in line and "of every 4th vertex" in _html.histogram_svg("y", np.arange(2.0**22))


def test_durations_and_numbers():
    assert [_html.duration(one) for one in (0, 1.61e-5, 0.0038, 2.5, 4000)] == [
        "0 µs",
        "16.1 µs",
        "3.8 ms",
        "2.5 s",
        "4,000 s",
    ]
    assert [_html.size_of(one) for one in (512, 2**20, 5 * 2**40)] == ["0.5 KiB", "1.0 MiB", "5.0 TiB"]
    assert [_html.number(one) for one in (7115, 0.25, True)] == ["7,115", "0.25", "True"]


def test_a_result_may_be_shown_again(undirected):
    result = undirected.radius()
    first = result._repr_html_()
    assert "pairs by hops" in first and result._repr_html_() == first and "pairs by hops" in repr(result)
