"""Graph libraries with one face: load, and the functions of bench/python_peers.py that each of them has.

A function gets what load returned and the arrays of edges, and returns an array with a value for each vertex, or a list
of these. Where a library has several functions for the same, the fastest one is taken.
"""

import contextlib

import numpy as np

SEARCHES = 4  # sources of bfs and sssp
SAMPLES = 8  # of betweenness
TOLERANCE = 1e-9  # of pagerank


class Library:
    def __init__(self, module):
        self.module, self.version = module, module.__version__

    def by_id(self, g, values):
        """Values in the order of ids."""
        return values


class Millrace(Library):
    name = "Millrace"

    def __init__(self, threads):
        import millrace

        super().__init__(millrace)
        self.threads = threads
        self.now = {"threads": threads}  # settings of a call; a session has them once

    def load(self, kind, n, source, target, weight):
        return self.module.from_edges(source, target, weight, directed=kind != "undirected", threads=self.threads)

    def by_id(self, g, values):
        return values[..., g.vertices(np.arange(len(g)))]

    @contextlib.contextmanager
    def session(self, g):
        """A session of g, for functions in place of g."""
        plain, self.now = self.now, {}
        try:
            with g.session(threads=self.threads) as session:
                yield session
        finally:
            self.now = plain

    def pagerank(self, g, data):
        return g.pagerank(damping=0.85, tolerance=TOLERANCE, precision="f64", **self.now).rank

    def bfs(self, g, data):
        return [g.bfs(source=s, **self.now).level for s in data["searches"]]

    def sssp(self, g, data):
        return [g.sssp(source=s, **self.now).distance for s in data["searches"]]

    def components(self, g, data):
        return g.wcc(**self.now).component

    def scc(self, g, data):
        return g.scc(**self.now).component

    def betweenness(self, g, data):
        return g.bc(samples=SAMPLES, **self.now).centrality

    def betweenness_given(self, g, data):
        """From the sources that igraph gets, to compare."""
        return sum(g.bc(source=s).centrality.astype(np.float64) for s in data["samples"])

    def cores(self, g, data):
        return g.kcore(**self.now).core

    def clustering(self, g, data):
        return g.lcc(**self.now).coefficient


class NetworKit(Library):
    name = "NetworKit"

    def __init__(self, threads):
        import networkit

        super().__init__(networkit)
        networkit.setNumberOfThreads(threads)

    def load(self, kind, n, source, target, weight):
        weights = np.ones(len(source)) if weight is None else weight.astype(np.float64)
        return self.module.GraphFromCoo((weights, (source, target)), n=n, directed=kind != "undirected",
                                    weighted=weight is not None)

    def pagerank(self, g, data):
        sinks = self.module.centrality.SinkHandling.DistributeSinks
        ranks = self.module.centrality.PageRank(g, damp=0.85, tol=TOLERANCE, distributeSinks=sinks)
        ranks.norm = self.module.centrality.Norm.L1_NORM
        return np.array(ranks.run().scores())

    def bfs(self, g, data):
        run = self.module.distance.BFS
        return [np.asarray(run(g, s, storePaths=False).run().getDistances(asarray=True)) for s in data["searches"]]

    def sssp(self, g, data):
        run = self.module.distance.Dijkstra
        return [np.asarray(run(g, s, storePaths=False).run().getDistances(asarray=True)) for s in data["searches"]]

    def components(self, g, data):
        return np.array(self.module.components.ConnectedComponents(g).run().getPartition().getVector())

    def scc(self, g, data):
        return np.array(self.module.components.StronglyConnectedComponents(g).run().getPartition().getVector())

    def betweenness(self, g, data):
        return np.array(self.module.centrality.EstimateBetweenness(g, SAMPLES, parallel=True).run().scores())

    def cores(self, g, data):
        return np.array(self.module.centrality.CoreDecomposition(g).run().scores())

    def clustering(self, g, data):
        return np.array(self.module.centrality.LocalClusteringCoefficient(g, turbo=True).run().scores())


class IGraph(Library):
    name = "igraph"

    def __init__(self, threads):
        import igraph

        super().__init__(igraph)

    def load(self, kind, n, source, target, weight):
        pairs = zip(source.tolist(), target.tolist())  # faster than an array of two columns
        g = self.module.Graph(n=n, edges=pairs, directed=kind != "undirected")
        if weight is not None:
            g.es["weight"] = weight
        return g

    def pagerank(self, g, data):
        return np.array(g.pagerank(damping=0.85))

    def bfs(self, g, data):
        return [np.array(g.distances(source=[s])[0]) for s in data["searches"]]

    def sssp(self, g, data):
        return [np.array(g.distances(source=[s], weights="weight")[0]) for s in data["searches"]]

    def components(self, g, data):
        return np.array(g.connected_components().membership)

    def scc(self, g, data):
        return np.array(g.connected_components(mode="strong").membership)

    def betweenness(self, g, data):
        return np.array(g.betweenness(sources=data["samples"].tolist()))

    def cores(self, g, data):
        return np.array(g.coreness())

    def clustering(self, g, data):
        return np.array(g.transitivity_local_undirected(mode="zero"))


class SciPy(Library):
    name = "SciPy"

    def __init__(self, threads):
        import scipy.sparse.csgraph

        super().__init__(scipy)
        self.sparse, self.csgraph = scipy.sparse, scipy.sparse.csgraph

    def load(self, kind, n, source, target, weight):
        values = np.ones(len(source)) if weight is None else weight.astype(np.float64)
        return self.sparse.coo_array((values, (source.astype(np.int32), target.astype(np.int32))), (n, n)).tocsr()

    def _levels(self, g, source):
        """Vertices of a level follow each other in the order, as do those of the next one behind their predecessors."""
        order, before = self.csgraph.breadth_first_order(g, source)
        place = np.empty(g.shape[0], np.int64)
        place[order] = np.arange(len(order))
        before = place[before[order[1:]]]
        level = np.full(g.shape[0], -1)
        first, end, depth = 0, 1, 0
        while first < end:
            level[order[first:end]] = depth
            first, end, depth = end, 1 + np.searchsorted(before, end), depth + 1
        return level

    def bfs(self, g, data):
        return [self._levels(g, s) for s in data["searches"]]

    def sssp(self, g, data):
        return [self.csgraph.dijkstra(g, indices=s) for s in data["searches"]]

    def components(self, g, data):
        return self.csgraph.connected_components(g, directed=False)[1]

    def scc(self, g, data):
        return self.csgraph.connected_components(g, connection="strong")[1]


LIBRARIES = {"millrace": Millrace, "networkit": NetworKit, "igraph": IGraph, "scipy": SciPy}
