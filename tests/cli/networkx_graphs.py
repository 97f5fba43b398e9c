"""Published graphs as stores and as NetworkX graphs, for tests that compare the two."""

import unittest

import harness

try:
    import networkx
    import numpy
    import scipy
except ImportError:
    networkx = numpy = scipy = None


def read_metis(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    edges = [(vertex, int(word)) for vertex, line in enumerate(lines[1:], 1) for word in line.split()]
    return range(1, int(lines[0].split()[0]) + 1), edges


def read_matrix_market(path):
    lines = [line.split() for line in path.read_text().splitlines() if not line.startswith("%")]
    return range(1, int(lines[0][0]) + 1), [(int(words[0]), int(words[1])) for words in lines[1:]]


def read_pairs(path):
    lines = [line.split() for line in path.read_text().splitlines() if not line.startswith("#")]
    return [], [(int(words[0]), int(words[1])) for words in lines]


# How each graph is read, whether it is undirected, some vertices, and an alpha below 1 / its largest eigenvalue.
GRAPHS = {
    "wiki-Vote.txt": (read_pairs, False, (30, 3, 8297), 0.01),
    "email-Eu-core.csv": (read_pairs, False, (0, 17, 999), 0.01),
    "netscience.mtx": (read_matrix_market, True, (35, 1, 1589), 0.03),
    "astro-ph.graph": (read_metis, True, (1, 16706), 0.01),
}


@unittest.skipIf(networkx is None, "NetworkX, SciPy or NumPy is not installed: python3-networkx and python3-scipy")
class NetworkXTest(harness.CliTest):
    def graphs(self):
        """Each published graph as a store and as a NetworkX graph, without self-loops and parallel edges."""
        for name, (read, undirected, vertices, alpha) in GRAPHS.items():
            text = harness.shared_data(name)
            store = self.path(name + ".store")
            self.millrace("import", text, "-o", store)
            nodes, edges = read(text)
            graph = networkx.Graph() if undirected else networkx.DiGraph()
            graph.add_nodes_from(nodes)
            graph.add_edges_from(edges)
            graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
            info = self.info(store)
            count = info["undirected_edges"] if undirected else info["edges"]
            self.assertEqual((info["vertices"], count), (len(graph), graph.number_of_edges()))
            yield store, graph, vertices, alpha

    def expect_close(self, found, expected, relative=0.0, absolute=0.0):
        self.assertEqual(found.keys(), expected.keys())
        for vertex, value in expected.items():
            self.assertLessEqual(abs(found[vertex] - value), relative * abs(value) + absolute, f"vertex {vertex}")
