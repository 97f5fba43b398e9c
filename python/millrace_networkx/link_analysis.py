"""PageRank, hubs and authorities, Katz and eigenvector centrality: iterations of sparse products, in float64.

NetworkX's definitions say how often to iterate, so that each of these follows its start, its test and its scaling. All
but the plain PageRank are loops over products; the catalogue's PageRank iterates exactly as NetworkX does.
"""

import math

import networkx as nx
import numpy as np


class Matrix:
    """Products with the adjacency matrix of a graph."""

    def __init__(self, graph, weight, by_edges=False):
        self._store = graph.shape.stores.product(graph.weights(weight), by_edges)

    def times(self, x):
        """A x: sums over out-neighbours."""
        return self._store.run("spmv", x=x).y

    def transposed_times(self, x):
        """x A: sums over in-neighbours."""
        return self._store.run("spmv", x=x, transpose=True).y


def pagerank(
    G, alpha=0.85, personalization=None, max_iter=100, tol=1.0e-6, nstart=None, weight="weight", dangling=None
):
    n = len(G)
    if n == 0:
        return {}
    plain = G.weights(weight) is None and not G.is_multigraph() and not len(G.shape.loops)
    if plain and personalization is nstart is dangling is None and max_iter > 0 and tol > 0 and 0 <= alpha <= 1:
        return _plain_pagerank(G, alpha, max_iter, tol)
    start = _shares(G, nstart)
    restart = _shares(G, personalization, refuse_zero=True)
    matrix = Matrix(G, weight, by_edges=True)  # NetworkX makes its matrix from edges, and other functions read rows
    out = matrix.times(np.ones(n))
    nowhere = out == 0
    share = np.divide(1.0, out, where=~nowhere, out=np.zeros(n))
    where_dangling = restart if dangling is None else _shares(G, dangling)
    x = start
    for _ in range(max_iter):
        last = x
        x = matrix.transposed_times(x * share) + last[nowhere].sum() * where_dangling
        x = alpha * x + (1 - alpha) * restart
        if np.abs(x - last).sum() < n * tol:
            return G.by_node(x)
    raise nx.PowerIterationFailedConvergence(max_iter)


def _plain_pagerank(G, alpha, max_iter, tol):
    store = G.shape.stores.product(None)
    options = {"damping": float(alpha), "iterations": int(max_iter), "tolerance": len(G) * tol, "precision": "f64"}
    result = store.run("pagerank", **options)
    # The report takes longer than a small run: it is read only where the last iteration may have been the right one.
    if result.supersteps >= max_iter and not result.results["converged"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return G.by_node(result.rank)


def _shares(G, given, refuse_zero=False):
    """A dictionary by node as an array that sums to 1; None: the same for all."""
    if given is None:
        return np.full(len(G), 1.0 / len(G))
    values = np.array([given.get(node, 0) for node in G.nodes], dtype=float)
    if refuse_zero and values.sum() == 0:
        raise ZeroDivisionError
    return values / values.sum()


def hits(G, max_iter=100, tol=1.0e-8, nstart=None, normalized=True, *, method="power_iteration"):
    n = len(G)
    if n == 0:
        return {}, {}
    hub = np.full(n, 1.0 / n) if nstart is None else _start_of_hits(G, nstart)
    matrix = Matrix(G, "weight") if max_iter > 0 else None
    for _ in range(max_iter):
        last = hub
        authority = matrix.transposed_times(hub)
        hub = matrix.times(authority)
        hub = hub / hub.max()
        if np.abs(hub - last).sum() < tol:
            break
    else:
        raise nx.PowerIterationFailedConvergence(max_iter)
    if normalized:
        return G.by_node(hub / hub.sum()), G.by_node(authority / authority.sum())
    return G.by_node(hub), G.by_node(authority / authority.max())


def _start_of_hits(G, nstart):
    missing = set(G.nodes) - nstart.keys()
    if missing:
        raise nx.NetworkXError(f"nstart must have a value for every node; missing: {missing}")
    start = np.array([nstart[node] for node in G.nodes], dtype=float)
    if start.sum() == 0:
        raise nx.NetworkXError("nstart values must not sum to zero")
    return start / start.sum()


def _start(G, nstart, value):
    """(nodes in the order of the result, values by number)."""
    if nstart is None:
        return G.nodes, np.full(len(G), value, dtype=float)
    if set(nstart) != set(G.nodes):
        raise NotImplementedError("nstart must have a value for every node, and for no others")
    return list(nstart), np.array([nstart[node] for node in G.nodes], dtype=float)


def _in_order(G, nodes, x):
    values = G.by_node(x)
    return values if nodes is G.nodes else {node: values[node] for node in nodes}


def _length(x):
    return math.hypot(*x.tolist())


def katz_centrality(G, alpha=0.1, beta=1.0, max_iter=1000, tol=1.0e-6, nstart=None, normalized=True, weight=None):
    n = len(G)
    if n == 0:
        return {}
    nodes, x = _start(G, nstart, 0.0)
    try:
        constant = np.full(n, float(beta))
    except (TypeError, ValueError, AttributeError) as error:
        if set(beta) != set(G.nodes):
            raise nx.NetworkXError("beta dictionary must have a value for every node") from error
        constant = np.array([beta[node] for node in G.nodes], dtype=float)
    matrix = Matrix(G, weight)
    with np.errstate(all="ignore"):  # it may grow without end, as in NetworkX
        for _ in range(max_iter):
            last = x
            x = alpha * matrix.transposed_times(x) + constant
            if np.abs(x - last).sum() < n * tol:
                length = _length(x) if normalized else 1
                return _in_order(G, nodes, x / length if length else x)
    raise nx.PowerIterationFailedConvergence(max_iter)


def eigenvector_centrality(G, max_iter=100, tol=1.0e-6, nstart=None, weight=None):
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    nodes, x = _start(G, nstart, 1.0)
    if not x.any():
        raise nx.NetworkXError("initial vector cannot have all zero values")
    if x.sum() == 0:
        raise ZeroDivisionError("division by zero")
    x = x / x.sum()
    matrix = Matrix(G, weight)
    for _ in range(max_iter):
        last = x
        x = x + matrix.transposed_times(x)
        x = x / (_length(x) or 1)
        if np.abs(x - last).sum() < n * tol:
            return _in_order(G, nodes, x)
    raise nx.PowerIterationFailedConvergence(max_iter)
