#!/usr/bin/env python3
"""Computes what is true of the published graphs in DATA/real, by SciPy and plain loops, from the files as they are, and
writes it to real_answers.json. It shares no code with Millrace. Run it by hand after a change of what is computed:

    tests/published/real_answers.py DATA     (takes some minutes; needs NumPy and SciPy)

Self-loops are dropped and parallel edges merged (the first weight counts), as an import does. Vertices are in ascending
order of ids, and names in the order in which they appear. Whole numbers are kept as a checksum of all of them, with
their sum and their largest; fractions as their sum and some of them."""

import gzip
import json
import pathlib
import sys
import zlib

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

UNREACHED = 2**63 - 1

# The file, and options of its import.
GRAPHS = {
    "roads": ("usa-road-d.ny.gr.gz", ["--weighted"]),
    "commits": ("dag-commits.txt.gz", []),
    "slashdot": ("soc-Slashdot0902.txt.gz", []),
    "web": ("web-debian-doc.txt.gz", []),
    "dependencies": ("deps-debian12.csv.gz", ["--ids", "string", "--weighted"]),
    "mesh": ("mesh-copter2.graph.gz", []),
    "files": ("bipartite-commit-file-temporal.txt.gz", []),
}


class Graph:
    """ids; out: the adjacency matrix, a weight or 1 for each edge; undirected edges are there both ways."""

    def __init__(self, path):
        self.names = None
        self.undirected = path.name.endswith(".graph.gz")
        self.weighted = path.name.endswith((".gr.gz", ".csv.gz"))
        with gzip.open(path, "rt") as file:
            source, target, weight = self.read(path.name, file)
        ids, ends = np.unique(np.concatenate([source, target]), return_inverse=True)
        if self.undirected:  # METIS numbers all vertices, also those without edges
            ids, ends = np.arange(1, self.num_vertices + 1), np.concatenate([source, target]) - 1
        self.ids, self.n = ids, len(ids)
        source, target = ends[: len(source)], ends[len(source) :]
        self.self_loops = int((source == target).sum())
        weight = weight[source != target]
        source, target = source[source != target], target[source != target]
        _, first = np.unique(source * self.n + target, return_index=True)
        # An explicit entry for each edge, also for those of weight 0.
        self.out = sp.csr_matrix((weight[first], (source[first], target[first])), shape=(self.n, self.n))
        self.ones = self.out.copy()
        self.ones.data = np.ones(len(self.ones.data))
        self.m = len(first)
        both = (self.ones + self.ones.T).tocsr()
        both.data[:] = 1
        self.both = both
        self.out_degree = np.diff(self.out.indptr)
        self.in_degree = np.diff(self.out.tocsc().indptr)
        total = self.out_degree if self.undirected else self.out_degree + self.in_degree
        self.hub = int(np.argmax(total))

    def read(self, name, file):
        lines = (line.split("#")[0] if not self.undirected else line for line in file)
        if name.endswith(".gr.gz"):
            rows = np.array([line.split()[1:] for line in lines if line.startswith("a ")], np.int64)
            return rows[:, 0], rows[:, 1], rows[:, 2].astype(float)
        if name.endswith(".csv.gz"):
            next(lines)
            rows = [line.strip().split(",") for line in lines]
            number = {}
            for a, b, _ in rows:
                number.setdefault(a, len(number))
                number.setdefault(b, len(number))
            self.names = list(number)
            ends = np.array([(number[a], number[b]) for a, b, _ in rows], np.int64)
            return ends[:, 0], ends[:, 1], np.array([float(w) for _, _, w in rows])
        if name.endswith(".graph.gz"):
            self.num_vertices = int(next(lines).split()[0])
            pairs = [(v, int(w)) for v, line in enumerate(lines, 1) for w in line.split()]
            ends = np.array(pairs, np.int64)
            return ends[:, 0], ends[:, 1], np.ones(len(ends))
        rows = np.array([line.split()[:2] for line in lines if line.strip()], np.int64)
        return rows[:, 0], rows[:, 1], np.ones(len(rows))


def whole(values):
    """What is kept of whole numbers; UNREACHED ones count in the checksum alone."""
    values = [int(x) for x in values]
    reached = [x for x in values if x != UNREACHED]
    text = "".join(f"{x}\n" for x in values).encode()
    return {"crc32": zlib.crc32(text), "sum": sum(reached), "largest": max(reached), "reached": len(reached)}


def fractions(values):
    """What is kept of fractions: the sum, and by position the highest and others evenly spread."""
    values = np.asarray(values, float)
    highest = np.argsort(-values, kind="stable")[:8]
    spread = np.linspace(0, len(values) - 1, 24).astype(int)
    return {"sum": float(values.sum()), "some": {int(i): float(values[i]) for i in sorted({*highest, *spread})}}


def levels(matrix, source):
    """Hops from a source, by a queue."""
    indptr, indices = matrix.indptr, matrix.indices
    level = np.full(matrix.shape[0], UNREACHED, np.int64)
    level[source] = 0
    waiting, hop = [source], 0
    while waiting:
        hop += 1
        near = []
        for v in waiting:
            for w in indices[indptr[v] : indptr[v + 1]]:
                if level[w] == UNREACHED:
                    level[w] = hop
                    near.append(w)
        waiting = near
    return level


def lowest_member(labels, ids):
    """The lowest id of each component; ids ascend."""
    first = np.full(labels.max() + 1, -1, np.int64)
    order = np.arange(len(labels))[::-1]
    first[labels[order]] = order
    return ids[first[labels]]


def walk(graph, start, iterations, restart, dangling, damping=0.85):
    """rank = (1-d) restart + d (sum over in-neighbours of rank/out-degree + dangling mass by `dangling`)."""
    rank, transposed = start.copy(), graph.ones.T.tocsr()
    degree = np.maximum(graph.out_degree, 1)
    for _ in range(iterations):
        lost = rank[graph.out_degree == 0].sum()
        rank = (1 - damping) * restart + damping * (transposed @ (rank / degree) + lost * dangling)
    return rank


def hits(graph, iterations):
    transposed = graph.ones.T.tocsr()
    hub = np.full(graph.n, 1 / graph.n)
    for _ in range(iterations):
        authority = transposed @ hub
        authority /= authority.sum()
        hub = graph.ones @ authority
        hub /= hub.sum()
    return authority


def katz(graph, alpha):
    transposed = graph.ones.T.tocsr()
    x = np.zeros(graph.n)
    for _ in range(2000):
        following = alpha * (transposed @ x) + 1
        if np.abs(following - x).sum() < graph.n * 1e-14:
            break
        x = following
    return x / np.linalg.norm(x)


def eigenvector(graph, iterations):
    transposed = graph.ones.T.tocsr()
    x = np.full(graph.n, 1 / graph.n)
    for _ in range(iterations):
        x = x + transposed @ x
        x /= np.linalg.norm(x)
    return x


def betweenness_from(graph, source):
    """Brandes's sums of one source, level by level."""
    level = levels(graph.ones, source)
    reached = level[level != UNREACHED].max()
    masks = [np.flatnonzero(level == hop) for hop in range(reached + 1)]
    paths = np.zeros(graph.n)
    paths[source] = 1
    between = [graph.ones[masks[hop]][:, masks[hop + 1]] for hop in range(reached)]
    for hop in range(reached):
        paths[masks[hop + 1]] = between[hop].T @ paths[masks[hop]]
    dependency = np.zeros(graph.n)
    for hop in range(reached - 1, -1, -1):
        later = masks[hop + 1]
        dependency[masks[hop]] = paths[masks[hop]] * (between[hop] @ ((1 + dependency[later]) / paths[later]))
    dependency[source] = 0
    return dependency


def core_numbers(graph):
    """Peeling with buckets (Batagelj, Zaversnik); neighbours along both directions of a directed graph count twice."""
    ends = [graph.out] if graph.undirected else [graph.out, graph.out.T.tocsr()]
    degree = sum(np.diff(matrix.indptr) for matrix in ends).tolist()
    buckets = [[] for _ in range(max(degree) + 1)]
    for v, d in enumerate(degree):
        buckets[d].append(v)
    rows = [(matrix.indptr.tolist(), matrix.indices.tolist()) for matrix in ends]
    core, k = [-1] * graph.n, 0
    while k < len(buckets):
        if not buckets[k]:
            k += 1
            continue
        v = buckets[k].pop()
        if core[v] >= 0 or degree[v] > k:
            continue
        core[v] = k
        for indptr, indices in rows:
            for w in indices[indptr[v] : indptr[v + 1]]:
                if core[w] < 0 and degree[w] > k:
                    degree[w] -= 1
                    buckets[max(degree[w], k)].append(w)
    return core


def triangles(graph):
    """For each vertex; each triangle is found once, from its vertex of lowest degree."""
    degree = np.diff(graph.both.indptr)
    order = np.argsort(degree, kind="stable")
    rank = np.empty(graph.n, np.int64)
    rank[order] = np.arange(graph.n)
    coo = graph.both.tocoo()
    up = rank[coo.row] < rank[coo.col]
    forward = sp.csr_matrix((np.ones(up.sum()), (coo.row[up], coo.col[up])), shape=graph.both.shape)
    count = np.zeros(graph.n)
    indptr = forward.indptr
    for begin in range(0, graph.n, 4096):  # some rows at a time: products are large
        part = forward[begin : begin + 4096]
        closed = (part @ forward).multiply(part).tocoo()  # by row u and third vertex w: middle vertices v
        np.add.at(count, closed.row + begin, closed.data)
        np.add.at(count, closed.col, closed.data)
        # Middle vertices: pairs (u, v) with the number of w beyond both.
        middle = (part @ forward.T).multiply(part).tocoo()
        np.add.at(count, middle.col, middle.data)
    assert indptr[-1] * 2 == graph.both.nnz
    return count.astype(np.int64)


def clustering(graph):
    """The share of directed edges between the neighbours of a vertex that exist."""
    known = np.diff(graph.both.indptr).astype(float)
    # Edges between neighbours: for u, the sum over pairs of neighbours of the edges from one to the other.
    found = np.zeros(graph.n)
    for begin in range(0, graph.n, 4096):
        part = graph.both[begin : begin + 4096]
        found[begin : begin + 4096] = np.asarray((part @ graph.ones).multiply(part).sum(axis=1)).ravel()
    pairs = known * (known - 1)
    return np.divide(found, pairs, out=np.zeros(graph.n), where=pairs > 0)


def labels_after(graph, iterations):
    """Label propagation of LDBC Graphalytics."""
    ends = [graph.out] if graph.undirected else [graph.out, graph.out.T.tocsr()]
    rows = np.concatenate([np.repeat(np.arange(graph.n), np.diff(matrix.indptr)) for matrix in ends])
    neighbours = np.concatenate([matrix.indices for matrix in ends])
    label = np.arange(graph.n)  # positions ascend as ids do
    for _ in range(iterations):
        pairs, times = np.unique(rows * graph.n + label[neighbours], return_counts=True)
        row, value = pairs // graph.n, pairs % graph.n
        order = np.lexsort((value, -times, row))
        row, value = row[order], value[order]
        first = np.r_[True, row[1:] != row[:-1]]
        label = label.copy()
        label[row[first]] = value[first]
    return graph.ids[label]


def answers(graph):
    hub, n = graph.hub, graph.n
    uniform = np.full(n, 1 / n)
    seed = np.zeros(n)
    seed[hub] = 1
    hub_levels = levels(graph.ones, hub)
    either = levels(graph.both, hub)
    near = np.flatnonzero(either <= 2)
    third = np.arange(0, n, 3)
    rest = np.arange(1, n, 3)
    distance = csgraph.dijkstra(graph.out, indices=hub)
    x = 1 / (1 + np.arange(n))
    name = graph.names[graph.ids[hub]] if graph.names else str(graph.ids[hub])
    return {
        "source": name,
        "vertices": n,
        "edges": graph.m,
        "self_loops": graph.self_loops,
        "bfs": whole(hub_levels),
        "bfs_either_way": int(either[either != UNREACHED].max()),
        "neighbourhood": len(near),
        "egonet": int(graph.out[near][:, near].nnz),
        "subgraph": int(graph.out[third][:, third].nnz),
        "cross-edges": int(graph.out[third][:, rest].nnz),
        "sssp": whole([UNREACHED if np.isinf(d) else d for d in distance]),
        "wcc": whole(lowest_member(csgraph.connected_components(graph.out, directed=False)[1], graph.ids)),
        "scc": whole(lowest_member(csgraph.connected_components(graph.out, connection="strong")[1], graph.ids)),
        "kcore": whole(core_numbers(graph)),
        "cdlp": whole(labels_after(graph, 5)),
        "triangles": whole(triangles(graph)),
        "degrees": whole(graph.out_degree),
        "pagerank": fractions(walk(graph, uniform, 20, uniform, uniform)),
        "ppr": fractions(walk(graph, seed, 30, seed, seed)),
        "hits": fractions(hits(graph, 12)),
        "katz": fractions(katz(graph, 0.0005)),
        "eigenvector": fractions(eigenvector(graph, 12)),
        "bc": fractions(betweenness_from(graph, hub)),
        "lcc": fractions(clustering(graph)),
        "spmv": fractions(graph.out @ x),
    }


def main():
    data = pathlib.Path(sys.argv[1]) / "real"
    found = {}
    for name, (file, options) in GRAPHS.items():
        print(name, flush=True)
        found[name] = {"file": file, "options": options, **answers(Graph(data / file))}
    target = pathlib.Path(__file__).with_name("real_answers.json")
    target.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
