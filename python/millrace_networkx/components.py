"""Connected, weakly and strongly connected components."""

import networkx as nx
import numpy as np


def _labels(G, algorithm):
    """For each node the lowest number in its component."""
    return G.shape.stores.simple().run(algorithm).component


def _sets(G, algorithm):
    """Components as sets, in the order of their first nodes."""
    if len(G) == 0:
        return
    labels = _labels(G, algorithm)
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    for part in np.split(order, starts[1:]):
        yield set(G.pick(part))


def _count(G, algorithm):
    return len(np.unique(_labels(G, algorithm))) if len(G) else 0


def _is_one(G, algorithm):
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return not _labels(G, algorithm).any()


def connected_components(G):
    yield from _sets(G, "wcc")


def number_connected_components(G):
    return _count(G, "wcc")


def is_connected(G):
    return _is_one(G, "wcc")


def node_connected_component(G, n):
    labels, number = _labels(G, "wcc") if len(G) else None, G.number(n)
    return set(G.pick(np.flatnonzero(labels == labels[number])))


weakly_connected_components = connected_components
number_weakly_connected_components = number_connected_components
is_weakly_connected = is_connected


def strongly_connected_components(G):
    yield from _sets(G, "scc")


def number_strongly_connected_components(G):
    return _count(G, "scc")


def is_strongly_connected(G):
    return _is_one(G, "scc")
