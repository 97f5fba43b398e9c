"""Parts of a graph: neighbourhoods, egonets, subgraphs and edges between lists of vertices."""

import gzip
import json
import unittest

import harness

# A cycle 1 -> 2 -> 3 -> 4 -> 5 -> 1 with a chord 1 -> 3 and a tail 9 -> 1.
GRAPH = "1 2 10\n2 3 20\n3 4 30\n4 5 40\n5 1 50\n1 3 60\n9 1 70\n"
FAR = harness.UNREACHED


class Part(harness.CliTest):
    def graph(self, *flags, text=GRAPH, name="graph.store"):
        return self.import_text(text, *flags, name=name)

    def edges(self, *arguments):
        """The edges that a command prints, in order."""
        text = self.millrace("run", *arguments, "-o", "-").stdout
        return sorted(tuple(map(int, line.split())) for line in text.splitlines())

    def exported(self, store):
        self.millrace("export", store, "-o", self.path("exported.txt"))
        lines = self.path("exported.txt").read_text().splitlines()
        return sorted(tuple(map(int, line.split())) for line in lines)


class Neighbourhood(Part):
    def test_goes_along_out_edges_in_edges_or_both(self):
        store = self.graph()
        run = ("neighbourhood", store, "--source=1", "--hops=1")
        self.assertEqual(self.values(*run), {1: 0, 2: 1, 3: 1, 4: FAR, 5: FAR, 9: FAR})
        self.assertEqual(self.values(*run, "--along=in"), {1: 0, 2: FAR, 3: FAR, 4: FAR, 5: 1, 9: 1})
        self.assertEqual(self.values(*run, "--along=both"), {1: 0, 2: 1, 3: 1, 4: FAR, 5: 1, 9: 1})

    def test_has_one_source_or_several(self):
        store = self.graph()
        expected = {1: 1, 2: 0, 3: 1, 4: 2, 5: FAR, 9: 0}
        for sources in (["--source=2,9"], ["--source=2", "--source", "9"], ["--source=2,9,2"]):
            self.assertEqual(self.values("neighbourhood", store, *sources, "--hops=2"), expected, sources)

    def test_reports_how_many_are_at_each_hop(self):
        store = self.graph()
        done = self.millrace("run", "neighbourhood", store, "--source=9,1", "--hops=3", "--json", "--check")
        report = json.loads(done.stdout)
        self.assertEqual(report["results"], {"reached": 6, "found": [2, 2, 1, 1]})
        self.assertEqual(report["options"]["source"], [9, 1])
        self.assertEqual(report["options"]["hops"], 3)
        self.assertEqual(report["options"]["along"], "out")
        self.assertEqual(report["edges_traversed"], 6)
        self.assertEqual(report["check"], "passed")

    def test_passes_its_check_on_every_plan(self):
        store = self.generate(scale=12, page_size="4K")
        for along in ("out", "in", "both"):
            for flags in (["--direction=push"], ["--direction=pull"], [], ["--host-memory=400K"]):
                done = self.millrace(
                    "run", "neighbourhood", store, "--source=1,2,3", "--hops=2", "--along", along, *flags, "--check",
                    "--device=cpu", "--json"
                )
                self.assertEqual(json.loads(done.stdout)["check"], "passed")

    def test_refuses_what_makes_no_sense(self):
        store = self.graph()
        self.fails(2, "run", "neighbourhood", store, "--source=7", says="--source: the graph has no vertex with id 7")
        self.fails(2, "run", "neighbourhood", store, "--source=1,,2", says="--source")
        self.fails(2, "run", "neighbourhood", store, "--source=1", "--hops=-1", says="--hops")
        self.fails(2, "run", "neighbourhood", store, "--source=1", "--along=up", says="--along")

    def test_of_names_takes_them_one_by_one(self):
        self.write("names.csv", 'from,to\n"a,b",c\nc,d\n')
        self.millrace("import", self.path("names.csv"), "-o", self.path("named.store"), "--ids=string")
        store = self.path("named.store")
        done = self.millrace("run", "neighbourhood", store, "--source", "a,b", "--source", "d", "-o", "-")
        self.assertEqual(done.stdout, "a,b\t0\nc\t1\nd\t0\n")


class Egonet(Part):
    def test_has_every_edge_between_those_reached(self):
        store = self.graph("--weighted")
        run = ("egonet", store, "--source=1", "--hops=1")
        self.assertEqual(self.edges(*run), [(1, 2, 10), (1, 3, 60), (2, 3, 20)])
        self.assertEqual(
            self.edges(*run, "--along=both"), [(1, 2, 10), (1, 3, 60), (2, 3, 20), (5, 1, 50), (9, 1, 70)]
        )

    def test_is_a_store_of_its_own(self):
        store = self.graph("--weighted")
        for flags in (["--store", self.path("a.store")], ["-o", self.path("b.store")]):
            done = self.millrace("run", "egonet", store, "--source=1", *flags, "--json", "--check")
            results = json.loads(done.stdout)["results"]
            self.assertEqual((results["reached"], results["vertices"], results["edges"]), (3, 3, 3))
            self.millrace("verify", flags[1])
            self.assertEqual(self.exported(flags[1]), [(1, 2, 10), (1, 3, 60), (2, 3, 20)])

    def test_has_words_for_people(self):
        text = self.millrace("run", "egonet", self.graph("--weighted"), "--source=1").stdout
        self.assertRegex(text, r"\n  part +3 vertices, 3 edges\n  pages read +\d+ of \d+\n  time to select +[\d.]+ [mu]?s\n")
        self.assertNotRegex(text, r"\n  \w*_")


class Subgraph(Part):
    def test_is_induced_by_a_list(self):
        self.write("some.txt", "# a comment\n4\n3\n5\n3\n9\n")
        store = self.graph("--weighted")
        run = ("subgraph", store, "--vertices", self.path("some.txt"))
        self.assertEqual(self.edges(*run), [(3, 4, 30), (4, 5, 40)])
        self.millrace("run", *run, "-o", self.path("part.txt.gz"))
        self.assertEqual(gzip.decompress(self.path("part.txt.gz").read_bytes()).decode().count("\n"), 2)

    def test_as_a_store_keeps_vertices_without_edges(self):
        self.write("some.txt", "4\n3\n5\n9\n")
        store = self.graph()
        self.millrace("run", "subgraph", store, "--vertices", self.path("some.txt"), "--store", self.path("part.store"))
        info = self.info(self.path("part.store"))
        self.assertEqual((info["vertices"], info["edges"]), (4, 2))
        self.millrace("verify", self.path("part.store"))
        self.assertEqual(self.values("bfs", self.path("part.store"), "--source=3"), {3: 0, 4: 1, 5: 2, 9: FAR})

    def test_without_output_counts(self):
        self.write("some.txt", "3\n4\n5\n")
        done = self.millrace("run", "subgraph", self.graph(), "--vertices", self.path("some.txt"), "--json")
        report = json.loads(done.stdout)
        self.assertEqual(report["results"]["vertices"], 3)
        self.assertEqual(report["results"]["edges"], 2)
        self.assertEqual(report["plan"]["device"], "cpu")
        table = self.millrace("run", "subgraph", self.path("graph.store"), "--vertices", self.path("some.txt"))
        self.assertIn("3 vertices, 2 edges", table.stdout)

    def test_of_an_undirected_graph_lists_edges_once(self):
        self.write("some.txt", "1\n2\n3\n9\n")
        store = self.graph("--undirected")
        listed = self.edges("subgraph", store, "--vertices", self.path("some.txt"))
        self.assertEqual(sorted(tuple(sorted(edge)) for edge in listed), [(1, 2), (1, 3), (1, 9), (2, 3)])
        self.millrace("run", "subgraph", store, "--vertices", self.path("some.txt"), "-o", self.path("part.store"))
        info = self.info(self.path("part.store"))
        self.assertEqual((info["directed"], info["edges"]), (False, 8))

    def test_of_names_has_names(self):
        self.write("names.txt", "ann\tbob\nbob\tcy d\ncy d\tann\n")
        self.millrace("import", self.path("names.txt"), "-o", self.path("names.store"), "--ids=string", "--format=csv")
        self.write("some.txt", "cy d\nann\n")
        run = ("run", "subgraph", self.path("names.store"), "--vertices", self.path("some.txt"))
        self.assertEqual(self.millrace(*run, "-o", "-").stdout, "source\ttarget\ncy d\tann\n")
        self.millrace(*run, "--store", self.path("part.store"))
        self.millrace("export", self.path("part.store"), "-o", self.path("part.txt"))
        self.assertEqual(self.path("part.txt").read_text(), "source\ttarget\ncy d\tann\n")
        self.write("some.txt", "cy d\neve\n")
        self.fails(3, *run, says="eve")

    def test_is_the_same_in_little_memory(self):
        store = self.generate(scale=12, edge_factor=8, page_size="4K", weights="1:9")
        self.write("some.txt", "".join(f"{v}\n" for v in range(0, 4096, 2)))
        run = ("subgraph", store, "--vertices", self.path("some.txt"))
        self.assertEqual(self.edges(*run), self.edges(*run, "--host-memory=400K", "-t", 1))
        self.millrace("run", *run, "-o", self.path("part.store"), "--host-memory=160M")
        self.assertEqual(self.exported(self.path("part.store")), self.edges(*run))
        self.fails(4, "run", *run, "-o", self.path("other.store"), "--host-memory=1M", says="--host-memory")
        self.fails(4, "run", *run, "--host-memory=1K", says="--host-memory")

    def test_refuses_what_makes_no_sense(self):
        store = self.graph()
        self.write("some.txt", "1\n7\n")
        run = ("run", "subgraph", store, "--vertices", self.path("some.txt"))
        self.fails(3, *run, says=["some.txt", "no vertex", "7"])
        self.write("some.txt", "1\n2\n")
        self.write("bad.txt", "1\nx\n")
        self.fails(3, "run", "subgraph", store, "--vertices", self.path("bad.txt"), says="bad.txt")
        self.fails(2, *run, "-o", "-", "--json", says="stdout")
        self.fails(2, *run, "-o", store, says="is the store that is read")
        self.fails(2, *run, "-o", store, "--force", says="is the store that is read")
        self.fails(2, *run, "-o", self.path("a.store"), "--store", self.path("b.store"), says="one of them")
        self.fails(2, *run, "--device=abacus", says="abacus")
        self.assertEqual(self.files(), ["bad.txt", "edges.txt", "graph.store", "some.txt"])


class CrossEdges(Part):
    def test_lead_from_one_list_to_the_other(self):
        self.write("from.txt", "1\n2\n9\n")
        self.write("to.txt", "3\n1\n")
        files = ("--from", self.path("from.txt"), "--to", self.path("to.txt"))
        self.assertEqual(self.edges("cross-edges", self.graph(), *files), [(1, 3), (2, 3), (9, 1)])
        both = self.graph("--undirected", name="both.store")
        # Edges between the lists, from the first: 3 is only in the second.
        listed = self.edges("cross-edges", both, *files)
        self.assertEqual(sorted(tuple(sorted(edge)) for edge in listed), [(1, 2), (1, 3), (1, 9), (2, 3)])
        self.assertIn((2, 3), listed)
        self.millrace("run", "cross-edges", self.path("graph.store"), *files, "--store", self.path("part.store"))
        self.assertEqual(self.exported(self.path("part.store")), [(1, 3), (2, 3), (9, 1)])
        self.assertEqual(self.info(self.path("part.store"))["vertices"], 4)

    def test_are_found_in_either_orientation(self):
        self.write("from.txt", "1\n2\n9\n")
        self.write("to.txt", "3\n1\n")
        files = ("--from", self.path("from.txt"), "--to", self.path("to.txt"))
        for orientation in ("in", "out"):
            store = self.graph("--orientation", orientation, name=f"{orientation}.store")
            self.assertEqual(self.edges("cross-edges", store, *files), [(1, 3), (2, 3), (9, 1)])


class Core(Part):
    def test_is_a_part_like_others(self):
        # A triangle with weights, and a tail.
        store = self.graph("--weighted", "--undirected", text="1 2 10\n2 3 20\n3 1 30\n3 4 40\n4 5 50\n")
        run = ("run", "kcore", store, "--k=2")
        report = json.loads(self.millrace(*run, "--store", self.path("core.store"), "--json", "--check").stdout)
        self.assertEqual(report["options"]["k"], 2)
        self.assertEqual((report["results"]["vertices"], report["results"]["edges"]), (3, 3))
        self.assertEqual(report["results"]["largest_core"], 2)
        self.assertLessEqual({"pages_read", "pages", "select_seconds"}, report["results"].keys())
        text = self.millrace(*run).stdout
        self.assertRegex(text, r"\n  largest core +2\n  part +3 vertices, 3 undirected edges\n")
        self.assertNotRegex(text, r"\n  \w*_")
        self.assertEqual(self.values("kcore", self.path("core.store")), {1: 2, 2: 2, 3: 2})
        edges = [tuple(map(int, line.split())) for line in self.millrace(*run, "--edges", "-").stdout.splitlines()]
        self.assertEqual(sorted((min(e[:2]), max(e[:2]), e[2]) for e in edges), [(1, 2, 10), (1, 3, 30), (2, 3, 20)])
        self.millrace(*run, "--edges", self.path("core.txt"), "-o", self.path("numbers.txt"))
        self.assertEqual(self.path("numbers.txt").read_text(), "1 2\n2 2\n3 2\n4 1\n5 1\n")
        self.assertEqual(len(self.path("core.txt").read_text().splitlines()), 3)
        self.fails(2, *run, "--edges", "-", "-o", "-", says="stdout")
        self.fails(2, *run, "--store", self.path("core.store"), says="exists already")
        self.fails(2, "run", "kcore", store, "--store", self.path("other.store"), says="--k")


if __name__ == "__main__":
    unittest.main()
