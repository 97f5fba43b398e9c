"""Cores, triangles and clustering, and nodes without edges."""

import networkx as nx
import numpy as np


def core_number(G):
    if len(G.shape.loops):
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    if len(G) == 0:
        return {}
    return G.by_node(G.shape.stores.simple().run("kcore").core)


def _core_part(G, k, core, wanted):
    if core is None:
        core = core_number(G)
    if k is None:
        k = max(core.values())
    return G.to_networkx().subgraph([node for node, value in core.items() if wanted(value, k)]).copy()


def k_core(G, k=None, core_number=None):
    return _core_part(G, k, core_number, lambda value, k: value >= k)


def k_shell(G, k=None, core_number=None):
    return _core_part(G, k, core_number, lambda value, k: value == k)


def _counts(G):
    """The number of triangles of each node, as an array."""
    if len(G) == 0:
        return np.zeros(0, np.int64)
    return G.shape.stores.simple().run("triangles").triangles


def _chosen(G, nodes, values):
    """One value, those of some nodes, or of all, as NetworkX's argument `nodes` asks for."""
    if nodes is None:
        return dict(zip(G.nodes, values))
    if nodes in G:
        return values[G.number(nodes)]
    return {node: values[G.number(node)] for node in G.nbunch_iter(nodes)}


def triangles(G, nodes=None):
    return _chosen(G, nodes, _counts(G).tolist())


def _triangles_and_pairs(G):
    """Of each node twice the triangles, and the ordered pairs of other neighbours, as lists."""
    degrees = G.rows.degrees.copy()
    degrees[G.rows.indices[G.shape.loops]] -= 1
    return (2 * _counts(G).astype(np.int64)).tolist(), (degrees * (degrees - 1)).tolist()


def clustering(G, nodes=None, weight=None):
    found, pairs = _triangles_and_pairs(G)
    return _chosen(G, nodes, [0 if t == 0 else t / p for t, p in zip(found, pairs)])


def average_clustering(G, nodes=None, weight=None, count_zeros=True):
    values = clustering(G, nodes).values()
    if not count_zeros:
        values = [value for value in values if abs(value) > 0]
    return sum(values) / len(values)


def transitivity(G):
    found, pairs = map(sum, _triangles_and_pairs(G))
    return 0 if found == 0 else found / pairs


def is_isolate(G, n):
    return bool(G.shape.degrees()[G.number(n)] == 0)


def isolates(G):
    return iter(G.pick(np.flatnonzero(G.shape.degrees() == 0)))


def number_of_isolates(G):
    return int((G.shape.degrees() == 0).sum())
