"""Connected, weakly and strongly connected components."""

import networkx as nx
import numpy as np


def _labels(G, algorithm):
    """For each node the lowest number in its component."""
    return G.shape.stores.simple().run(algorithm).component


def _sets(G, labels):
    """Components as sets, in the order of their first nodes."""
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order].astype(np.int64), prepend=-1)).tolist()
    nodes = G.pick(order)  # slices of a list are faster than those of an array, and most components are small
    return [set(nodes[start:end]) for start, end in zip(starts, [*starts[1:], len(nodes)])]


def _count(G, algorithm):
    return len(np.unique(_labels(G, algorithm))) if len(G) else 0


def _is_one(G, algorithm):
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return not _labels(G, algorithm).any()


def connected_components(G):
    if len(G):
        yield from _sets(G, _labels(G, "wcc"))


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
    """In an order in which, as in NetworkX, a component comes after those that it has edges to."""
    if len(G):
        labels = _labels(G, "scc")
        sets = _sets(G, labels)
        yield from (sets[i] for i in _successors_first(G, labels, len(sets)))


def _successors_first(G, labels, count):
    """Numbers of components; of those that may come next, the one that could first."""
    component = np.unique(labels, return_inverse=True)[1]
    sources, targets = component[G.rows.sources()], component[G.rows.indices]
    pairs = np.unique((targets * count + sources)[sources != targets])
    targets, sources = np.divmod(pairs, count)
    waits_for = np.bincount(sources, minlength=count).tolist()
    starts, sources = np.searchsorted(targets, np.arange(count + 1)).tolist(), sources.tolist()
    queue = [i for i in range(count) if waits_for[i] == 0]
    for done in queue:  # it grows meanwhile
        yield done
        for source in sources[starts[done] : starts[done + 1]]:
            waits_for[source] -= 1
            if waits_for[source] == 0:
                queue.append(source)


def number_strongly_connected_components(G):
    return _count(G, "scc")


def is_strongly_connected(G):
    return _is_one(G, "scc")
