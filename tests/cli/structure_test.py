"""Components, cores, paths and triangles: agreement with NetworkX on published graphs."""

import unittest

from networkx_graphs import NetworkXTest, networkx


class NetworkX(NetworkXTest):
    def values(self, kind, *run):
        text = self.millrace("run", *run, "-o", "-").stdout
        return {int(vertex): kind(value) for vertex, value in map(str.split, text.splitlines())}

    def expect_groups(self, found, groups):
        """Each vertex has the lowest id of its group."""
        self.assertEqual(found, {vertex: min(group) for group in map(list, groups) for vertex in group})

    def test_components(self):
        for store, graph, _, _ in self.graphs():
            weakly = networkx.weakly_connected_components if graph.is_directed() else networkx.connected_components
            self.expect_groups(self.values(int, "wcc", store), weakly(graph))
            strongly = networkx.strongly_connected_components if graph.is_directed() else weakly
            self.expect_groups(self.values(int, "scc", store), strongly(graph))

    def test_core_numbers(self):
        for store, graph, _, _ in self.graphs():
            self.assertEqual(self.values(int, "kcore", store), networkx.core_number(graph))

    def test_independent_sets(self):
        for store, graph, _, _ in self.graphs():
            undirected = graph.to_undirected()
            members = {vertex for vertex, member in self.values(int, "mis", store).items() if member}
            inside = undirected.subgraph(members)
            self.assertEqual(inside.number_of_edges(), networkx.number_of_selfloops(inside))
            self.assertEqual(members | set().union(*map(undirected.neighbors, members)), set(undirected))

    def test_triangles_and_clustering(self):
        for store, graph, _, _ in self.graphs():
            # NetworkX has another rule for directed graphs than Graphalytics.
            undirected = graph.to_undirected()
            self.assertEqual(self.values(int, "triangles", store), networkx.triangles(undirected))
            if not graph.is_directed():
                self.expect_close(self.values(float, "lcc", store), networkx.clustering(graph), 1e-12)

    def test_searches(self):
        for store, graph, vertices, _ in self.graphs():
            for source in vertices:
                lengths = dict(networkx.single_source_shortest_path_length(graph, source))
                levels = self.values(int, "bfs", store, "--source", source)
                self.assertEqual({v: level for v, level in levels.items() if level < 2**63 - 1}, lengths)

    def test_shortest_paths_by_weight(self):
        for store, graph, vertices, _ in self.graphs():
            for u, v in graph.edges:
                graph[u][v]["weight"] = (7 * min(u, v) + 13 * max(u, v)) % 100 + 1
            lines = [f"{u} {v} {weight}\n" for u, v, weight in graph.edges(data="weight")]
            weighted = self.path(store.name + ".weighted")
            flags = [] if graph.is_directed() else ["--undirected"]
            self.millrace("import", self.write("edges.txt", "".join(lines)), "-o", weighted, "--weighted", *flags)
            for source in vertices:
                if graph.degree[source] == 0:
                    continue  # an edge list does not have it
                found = self.values(float, "sssp", weighted, "--source", source)
                reached = {vertex: length for vertex, length in found.items() if length < float("inf")}
                self.assertEqual(reached, networkx.single_source_dijkstra_path_length(graph, source))

    def test_betweenness(self):
        for store, graph, vertices, _ in self.graphs():
            if len(graph) > 10000:
                continue  # too slow in Python
            source = vertices[0]
            expected = networkx.betweenness_centrality_subset(graph, [source], list(graph))
            if not graph.is_directed():  # it halves what may come from either end
                expected = {vertex: 2 * value for vertex, value in expected.items()}
            self.expect_close(self.values(float, "bc", store, "--source", source), expected, 1e-9, 1e-9)
            if len(graph) < 2000 and not graph.is_directed():
                for flags, options in (([], {"normalized": False}), (["--normalized"], {})):
                    all_pairs = networkx.betweenness_centrality(graph, **options)
                    self.expect_close(self.values(float, "bc", store, *flags), all_pairs, 1e-9, 1e-12)


if __name__ == "__main__":
    unittest.main()
