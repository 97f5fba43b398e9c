"""The path of a store with a slash at its end, as the completion of shells writes folders: for every command that writes one."""

import unittest

import harness

EDGES = "1 2\n2 3\n3 1\n"
ENDS = ("/", "//", "/.")


class WithASlash(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.write("edges.txt", EDGES)
        self.write("some.txt", "1\n2\n")
        self.write("x.properties", "graph.x.vertex-file = x.v\ngraph.x.edge-file = x.e\ngraph.x.directed = true\n"
                   "graph.x.algorithms = wcc\n")
        self.write("x.v", "1\n2\n3\n")
        self.write("x.e", EDGES)
        self.millrace("import", "edges.txt", "-o", "g.store")

    def commands(self):
        """Each command that writes a store, by its name, without the path."""
        part = ["run", "subgraph", "g.store", "--vertices=some.txt"]
        return {
            "import": ["import", "edges.txt", "-o"],
            "generate": ["generate", "rmat", "--scale=4", "-o"],
            "partition": ["partition", "g.store", "--parts=2", "-o"],
            "subgraph": [*part, "--store"],
            "output": [*part, "-o"],
            "kcore": ["run", "kcore", "g.store", "--k=1", "--store"],
            "run": ["run", "bfs", "edges.txt", "--source=1", "--device=cpu", "--store"],
            "graphalytics": ["graphalytics", ".", "x", "--store"],
        }

    def test_the_store_is_made_and_made_again(self):
        for name, command in self.commands().items():
            for number, end in enumerate(ENDS):
                with self.subTest(command=name, end=end):
                    store = f"{name}{number}.store"
                    self.millrace(*command, store + end)
                    self.millrace("verify", store)
                    if name not in ("run", "graphalytics"):
                        self.fails(2, *command, store + end, says=f"{store} exists already")
                        self.millrace(*command, store + end, "--force")
                    else:  # the store is used again
                        self.millrace(*command, store + end)
                    self.millrace("verify", store + "/")
        left = [file for file in self.files() if file.endswith((".lock", ".partial"))]
        self.assertEqual(left, [])

    def test_a_link_to_a_store_is_not_replaced(self):
        self.millrace("import", "edges.txt", "-o", "real.store")
        self.path("link.store").symlink_to("real.store")
        for name, command in self.commands().items():
            force = [] if name in ("run", "graphalytics") else ["--force"]
            with self.subTest(command=name):
                self.fails(2, *command, "link.store/", *force, says="link.store is a link to real.store")
        self.assertTrue(self.path("link.store").is_symlink())


if __name__ == "__main__":
    unittest.main()
