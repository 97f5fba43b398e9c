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
    """In NetworkX's order: as a depth-first search leaves the first node of each that it came to."""
    if len(G):
        labels = _labels(G, "scc")
        sets = _sets(G, labels)
        component = np.unique(labels, return_inverse=True)[1]
        order = [0] if len(sets) == 1 else _left_in_depth(G.rows, component.tolist(), len(sets))
        yield from (sets[i] for i in order)


def _left_in_depth(rows, component, count):
    """Components in the order in which a depth-first search leaves them."""
    starts, indices = rows.starts.tolist(), rows.indices.tolist()
    visited, entered = bytearray(len(component)), bytearray(count)
    for source in range(len(component)):
        if visited[source]:
            continue
        visited[source] = 1
        path = [(source, iter(indices[starts[source] : starts[source + 1]]), not entered[component[source]])]
        entered[component[source]] = 1
        while path:
            node, neighbours, is_first = path[-1]
            for next_node in neighbours:
                if not visited[next_node]:
                    visited[next_node] = 1
                    row = iter(indices[starts[next_node] : starts[next_node + 1]])
                    path.append((next_node, row, not entered[component[next_node]]))
                    entered[component[next_node]] = 1
                    break
            else:
                path.pop()
                if is_first:
                    yield component[node]


def number_strongly_connected_components(G):
    return _count(G, "scc")


def is_strongly_connected(G):
    return _is_one(G, "scc")
