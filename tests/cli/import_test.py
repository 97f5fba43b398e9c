"""Importing text edge lists, and what import refuses."""

import gzip
import unittest

import harness

TRIANGLE = "10 20\n20 30\n30 10\n"


class Import(harness.CliTest):
    def levels(self, *flags, **options):
        store = self.import_text(*flags, **options)
        self.millrace("verify", store)
        return self.values("bfs", store, "--source", 10)

    def test_takes_every_usual_dress_of_the_same_edges(self):
        expected = {10: 0, 20: 1, 30: 2}
        dresses = {
            "plain": TRIANGLE,
            "tabs": TRIANGLE.replace(" ", "\t"),
            "commas": TRIANGLE.replace(" ", ","),
            "CRLF": TRIANGLE.replace("\n", "\r\n"),
            "no last newline": TRIANGLE.rstrip(),
            "comments": "# from\n% a file\n" + TRIANGLE + "# end",
            "blank lines": TRIANGLE.replace("\n", "\n\n"),
            "a third column": TRIANGLE.replace("\n", " 7\n"),
            "gzip": gzip.compress(TRIANGLE.encode()),
            "gzip of CRLF": gzip.compress(TRIANGLE.replace("\n", "\r\n").encode()),
        }
        for name, content in dresses.items():
            with self.subTest(name):
                self.assertEqual(self.levels(content, "--force"), expected)

    def test_refuses_matrix_market_as_edges_since_its_sizes_look_like_one(self):
        file = self.write("m.mtx", "%%MatrixMarket matrix coordinate pattern general\n% a comment\n3 3 1\n1 2\n")
        arguments = ("import", file, "-o", self.path("graph.store"), "--format=edges")
        self.fails(3, *arguments, says=["m.mtx:1:", "MatrixMarket", "--format mtx"])

    def test_says_what_it_did_on_stderr(self):
        done = self.millrace("import", self.write("e.txt", TRIANGLE + "10 20\n5 5\n"), "-o", self.path("g.store"))
        self.assertEqual(done.stdout, "")
        for words in ("order: ", "dropped 1 self-loop", "merged 1 parallel edge", "4 vertices, 3 edges"):
            self.assertIn(words, done.stderr)

    def test_follows_undirected_edges_both_ways(self):
        store = self.import_text("1 2\n2 3\n", "--undirected")
        self.assertEqual(self.values("bfs", store, "--source", 3), {1: 2, 2: 1, 3: 0})
        self.assertEqual(self.info(store)["undirected_edges"], 2)

    def test_has_vertices_without_edges_from_a_vertex_file(self):
        vertices = self.write("v.txt", "1\n2\n3\n99\n")
        store = self.import_text("1 2\n", "--vertices", vertices)
        unreached = harness.UNREACHED
        self.assertEqual(self.values("bfs", store, "--source", 1), {1: 0, 2: 1, 3: unreached, 99: unreached})

    def test_takes_ids_of_64_bits(self):
        store = self.import_text("18446744073709551615 0\n0 5000000000\n")
        levels = self.values("bfs", store, "--source", 18446744073709551615)
        self.assertEqual(levels, {18446744073709551615: 0, 0: 1, 5000000000: 2})

    def test_keeps_what_it_is_told_to(self):
        text = "1 2\n1 2\n1 1\n"
        self.assertEqual(self.info(self.import_text(text))["edges"], 1)
        self.assertEqual(self.info(self.import_text(text, "--duplicates=keep", "--force"))["edges"], 2)
        info = self.info(self.import_text(text, "--self-loops=keep", "--force"))
        self.assertEqual((info["edges"], info["self_loops"]), (2, 1))

    def test_counts_parallel_edges(self):
        text = "1 2\n1 2\n2 1\n3 3\n1 2\n2 3\n"
        for flags, expected in (
            ([], {"1 2 3", "2 1 1", "2 3 1"}),
            (["--self-loops=keep"], {"1 2 3", "2 1 1", "2 3 1", "3 3 1"}),
            (["--undirected"], {"1 2 4", "2 3 1"}),
        ):
            store = self.import_text(text, "--duplicates=count", "--force", *flags)
            self.millrace("export", store, "-o", self.path("counted.txt"))
            self.assertEqual(set(self.path("counted.txt").read_text().splitlines()), expected)
            self.assertEqual(self.info(store)["weights"], "u32")
        weighted = self.write("weighted.txt", "1 2 5\n1 2 7\n")
        self.fails(2, "import", weighted, "-o", self.path("w.store"), "--weighted", "--duplicates=count",
                   says="--duplicates count: the edges have weights")
        self.fails(2, "generate", "rmat", "--scale=4", "-o", self.path("w.store"), "--weights=1:9", "--duplicates=count",
                   says="--duplicates count: the edges have weights")
        self.assertFalse(self.path("w.store").exists())
        counted = self.generate("counted.store", scale=10, duplicates="count")
        kept = self.generate("kept.store", scale=10, duplicates="keep")
        self.millrace("export", counted, "-o", self.path("counted.txt"))
        total = sum(int(line.split()[2]) for line in self.path("counted.txt").read_text().splitlines())
        self.assertEqual(total, self.info(kept)["edges"])

    def test_keeps_the_order_it_is_told_to(self):
        text = "1 9\n2 9\n3 9\n"
        self.assertEqual(self.info(self.import_text(text, "--order=natural"))["order"], "natural")
        store = self.import_text(text, "--order=degree", "--force")
        self.assertEqual(self.info(store)["order"], "degree")
        self.assertEqual(self.values("bfs", store, "--source", 3)[9], 1)

    def test_of_no_vertices_is_an_empty_graph(self):
        store = self.path("graph.store")
        self.millrace("import", self.write("empty.graph", "0 0\n"), "-o", store)
        self.assertEqual(self.info(store)["vertices"], 0)
        self.millrace("verify", store)
        self.assertEqual(self.values("pagerank", store, "--check"), {})
        self.fails(2, "run", "bfs", store, "--source", 0)


class ImportRefuses(harness.CliTest):
    def refuses(self, exit_code, *arguments, says):
        before = self.files()
        self.fails(exit_code, "import", *arguments, "-o", self.path("g.store"), says=says)
        self.assertEqual(self.files(), before, "a failed import leaves nothing behind")

    def test_malformed_lines_with_file_number_and_text(self):
        for line in ("3 x", "3", "-1 2", "1.5 2", "18446744073709551616 1"):
            with self.subTest(line):
                file = self.write("bad.txt", f"1 2\n# comment\n{line}\n4 5\n")
                self.refuses(3, file, says=[f"bad.txt:3: ", f'"{line}"'])

    def test_names_with_the_option_that_takes_them(self):
        self.refuses(3, self.write("names.txt", "ada bo\n"), says=["is not a whole number", "--ids string"])

    def test_weights_that_are_none_in_words(self):
        for weight, says in (("x", "not a number"), ("1e400", "too large"), ("-inf", "not finite")):
            file = self.write("w.txt", f"1 2 {weight}\n")
            self.refuses(3, file, "--weighted", says=["w.txt:1: ", f"the weight is {says}"])

    def test_malformed_lines_of_compressed_files(self):
        file = self.write("bad.txt.gz", gzip.compress(b"1 2\n3 x\n"))
        self.refuses(3, file, says=["bad.txt.gz:2: ", '"3 x"'])

    def test_damaged_compressed_files(self):
        whole = gzip.compress(b"1 2\n" * 10000)
        self.refuses(3, self.write("cut.gz", whole[:-20]), says="cut.gz")

    def test_missing_weights(self):
        file = self.write("w.txt", "1 2 0.5\n2 3\n")
        self.refuses(3, file, "--weighted", says=["w.txt:2: ", '"2 3"'])

    def test_vertices_that_are_not_listed(self):
        file, vertices = self.write("e.txt", "1 2\n"), self.write("v.txt", "1\n")
        self.refuses(3, file, "--vertices", vertices, says=["e.txt:1: vertex 2 is not in ", "v.txt"])

    def test_missing_files(self):
        self.refuses(1, self.path("none.txt"), says=["none.txt", "No such file"])

    def test_directories(self):
        self.path("folder").mkdir()
        self.refuses(1, self.path("folder"), says="folder")

    def test_choices_that_are_none(self):
        file = self.write("e.txt", "1 2\n")
        self.refuses(2, file, "--order=best", says="best")
        self.refuses(2, file, "--duplicates=some", says="some")
        self.refuses(2, file, "--frobnicate", says="frobnicate")


if __name__ == "__main__":
    unittest.main()
