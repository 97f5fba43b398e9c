"""Graphs of NetworkX that change after they were converted, and values at the limits."""

import millrace
import nx_entry_points
import pytest

nx_entry_points.register()
nx = pytest.importorskip("networkx")

from millrace_networkx import backend  # noqa: E402
from millrace_networkx.conversion import convert_from_nx  # noqa: E402


def test_views_follow_the_graph_below():
    graph = nx.path_graph(6)
    part = graph.subgraph([0, 1, 2, 3])
    assert list(nx.connected_components(part, backend="millrace")) == [{0, 1, 2, 3}]
    graph.remove_edge(1, 2)
    assert list(nx.connected_components(part, backend="millrace")) == [{0, 1}, {2, 3}]
    directed = nx.DiGraph([(0, 1), (1, 2)])
    back = directed.reverse(copy=False)
    assert nx.descendants(back, 2, backend="millrace") == {0, 1}
    directed.remove_edge(0, 1)
    assert nx.descendants(back, 2, backend="millrace") == {1}


def test_a_conversion_of_a_graph_that_has_changed_does_not_mix_both():
    graph = nx.Graph()
    graph.add_weighted_edges_from([(0, 1, 1), (1, 2, 5), (0, 2, 9)])
    kept = convert_from_nx(graph)
    graph.remove_edge(0, 1)
    graph.add_edge(0, 1, weight=100)
    with pytest.raises(NotImplementedError):
        nx.dijkstra_path_length(kept, 0, 2)
    with pytest.raises(NotImplementedError, match="has changed"):
        backend.dijkstra_path_length(kept, 0, 2)


def test_infinite_distances():
    assert nx.descendants_at_distance(nx.path_graph(3), 0, float("inf"), backend="millrace") == set()
    graph = nx.Graph()
    graph.add_weighted_edges_from([(0, 1, 1e308), (1, 2, 1e308)])
    with pytest.raises(NotImplementedError, match="largest float"):
        backend.single_source_dijkstra_path_length(convert_from_nx(graph), 0)


def test_weights_that_are_no_numbers_are_an_error_of_usage():
    graph = nx.Graph()
    graph.add_edge(0, 1, weight="heavy")
    with pytest.raises(millrace.UsageError, match="not numbers"):
        millrace.from_networkx(graph, weight="weight")
