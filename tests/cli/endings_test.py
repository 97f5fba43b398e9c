"""No output is written under the ending of another format: every other program would take it for something else."""

import unittest

import harness

GRAPHS = ("mtx", "sg", "wsg", "graph", "metis", "gr", "g500", "graph500")
OTHERS = ("tsv", "pdf", "xlsx", "png")


class Endings(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.store = self.import_text("1 2\n2 3\n3 1\n")
        self.write("some.txt", "1\n2\n")

    def refuses(self, endings, *command):
        before = self.files()
        for ending in endings:
            with self.subTest(command=command, ending=ending):
                self.fails(2, *command, f"new.{ending}", says=[f"new.{ending} would be", "written as"])
        self.assertEqual(self.files(), before)

    def takes(self, endings, *command):
        for ending in endings:
            with self.subTest(command=command, ending=ending):
                self.millrace(*command, f"new.{ending}")
                self.assertGreater(self.path(f"new.{ending}").stat().st_size, 0)

    def test_of_values(self):
        for option in (["pagerank", self.store, "-o"], ["bfs", self.store, "--source=1", "--parents"]):
            run = ["run", *option[:1], "--device=cpu", *option[1:]]
            self.refuses([*GRAPHS, *OTHERS, "store", "el", "wel", "e", "v", "html", "txt.gz"], *run)
            self.takes(["txt", "csv", "npy", "ranks"], *run)
        self.fails(2, "run", "pagerank", self.store, "-o", "new.CSV", says="capital letters")

    def test_of_tables(self):
        for command in (["degrees", self.store, "-o"], ["radius", self.store, "--device=cpu", "--neighbourhood"]):
            self.refuses([*GRAPHS, *OTHERS, "store", "el", "json"], "run", *command)
            self.takes(["csv", "txt"], "run", *command)

    def test_of_lines_of_edges(self):
        part = ["run", "subgraph", self.store, "--vertices=some.txt", "-o"]
        core = ["run", "kcore", self.store, "--device=cpu", "--k=1", "--edges"]
        for command in (part, core):
            self.refuses([*GRAPHS, *OTHERS, "csv", "npy", "csv.gz", "v"], *command)
            self.takes(["txt", "el", "e", "txt.gz", "lines"], *command)
        self.fails(2, *part, "new.wel", says="has none")
        weighted = self.import_text("1 2 5\n2 3 6\n", "--weighted", name="weighted.store")
        self.fails(2, "run", "subgraph", weighted, "--vertices=some.txt", "-o", "other.el", says=".wel")
        self.millrace("run", "subgraph", weighted, "--vertices=some.txt", "-o", "other.wel")
        self.assertEqual(self.path("other.wel").read_text(), "1 2 5\n")

    def test_of_lists_of_ids(self):
        export = ["export", self.store, "-o", "edges.txt", "--vertices"]
        self.refuses([*GRAPHS, *OTHERS, "csv", "npy", "store", "el", "wel.gz"], *export)
        self.takes(["txt", "v", "ids", "v.gz"], *export)

    def test_of_pages_and_traces(self):
        run = ["run", "bfs", self.store, "--source=1", "--device=cpu"]
        bench = ["bench", self.store, "--algorithms=pagerank", "--repeats=1", "--iterations=1"]
        for command in ([*run, "--report"], [*bench, "--report"]):
            self.refuses([*GRAPHS, *OTHERS, "json", "csv", "html.gz", "store"], *command)
            self.takes(["html", "htm", "page"], *command)
        for command in ([*run, "--trace"], [*bench, "--json"]):
            self.refuses([*GRAPHS, *OTHERS, "html", "csv", "jsonl", "json.gz", "store"], *command)
            self.takes(["json", "txt"], *command)


if __name__ == "__main__":
    unittest.main()
