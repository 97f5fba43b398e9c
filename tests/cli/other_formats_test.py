"""Files in formats of other programs, and names of outputs that say such formats: refused by name, with what to do."""

import gzip
import lzma
import unittest

import harness

FOREIGN = {
    "g.json": (b'{"source": 1, "target": 2}\n', "JSON"),
    "g.jsonl": (b'{"source": 1, "target": 2}\n{"source": 2, "target": 3}\n', "JSON"),
    "g.graphml": (b'<?xml version="1.0"?>\n<graphml><graph edgedefault="directed"/></graphml>\n', "GraphML"),
    "g.gml": (b"graph [\n  node [ id 1 ]\n]\n", "GML"),
    "g.dot": (b"digraph G {\n  a -> b;\n}\n", "DOT"),
    "g.net": (b"*Vertices 2\n1 a\n2 b\n*Arcs\n1 2\n", "Pajek"),
    "g.parquet": (b"PAR1\x15\x04\x15\x00" + bytes(40) + b"PAR1", "Parquet"),
    "g.arrow": (b"ARROW1\0\0" + bytes(40), "Arrow"),
    "g.arrows": (b"\xff\xff\xff\xff\x78\0\0\0" + bytes(40), "Arrow"),
    "g.txt.lzma": (lzma.compress(b"1 2\n2 3\n", format=lzma.FORMAT_ALONE), "LZMA"),
    "g.utf16.txt": ("1 2\n2 3\n".encode("utf-16"), "UTF-16"),
    "g.utf16.csv": ("source,target\n1,2\n".encode("utf-16-be"), "UTF-16"),
    "g.zip": (b"PK\x03\x04\x14\0" + bytes(40), "ZIP"),
    "g.txt.bz2": (b"BZh91AY&SY" + bytes(40), "bzip2"),
}


class OtherFormats(harness.CliTest):
    def test_are_refused_by_name(self):
        for name, (content, kind) in FOREIGN.items():
            for given in (name, "unnamed", "g.txt"):
                file = self.write(given, content)
                for flags in ((), ("--ids=string",)):
                    with self.subTest(kind=kind, name=given, flags=flags):
                        says = [given, kind, "which is not read: "]
                        self.fails(2, "import", file, "-o", self.path("g.store"), *flags, says=says)
                        self.fails(2, "run", "wcc", file, *flags, says=[given, kind])
                        self.assertFalse(self.path("g.store").exists())
                for command in (("info",), ("bench",), ("verify",)):
                    self.fails(3, *command, file, says=[given, kind, "not a store"])

    def test_are_told_from_each_other_by_their_names(self):
        sheet = self.write("g.xlsx", FOREIGN["g.zip"][0])
        self.fails(2, "import", sheet, "-o", self.path("g.store"), says=["a spreadsheet", "as CSV"])

    def test_are_known_when_compressed_too(self):
        file = self.write("edges.gz", gzip.compress(FOREIGN["g.jsonl"][0]))
        self.fails(2, "import", file, "-o", self.path("g.store"), "--ids=string", says="JSON")

    def test_may_be_other_than_their_names_say(self):
        file = self.write("g.json", "1 2\n2 3\n")
        self.fails(2, "import", file, "-o", self.path("g.store"), says=["by its name JSON", "--format"])
        self.millrace("import", file, "-o", self.path("g.store"), "--format=edges")
        file = self.write("names.txt", '{"a" b}\n')
        self.fails(2, "import", file, "-o", self.path("n.store"), "--ids=string", says=["JSON", "--format"])
        self.millrace("import", file, "-o", self.path("n.store"), "--ids=string", "--format=edges")

    def test_that_are_binary_are_no_text_whatever_is_said(self):
        file = self.write("edges", FOREIGN["g.parquet"][0])
        for kind in ("edges", "csv", "wel"):
            flags = ("--ids=string", f"--format={kind}")
            self.fails(2, "import", file, "-o", self.path("g.store"), *flags, says="a Parquet file")

    def test_are_no_names_of_vertices(self):
        for name in ("PAR1", "ARROW1", "FEA1"):  # PAR1 is a gene
            file = self.write("genes.txt", f"{name} TP53\nTP53 {name}\n")
            for flags in ((), ("--format=edges",)):
                self.millrace("import", file, "-o", self.path("g.store"), "--force", "--ids=string", *flags)
                self.assertEqual(self.info(self.path("g.store"))["vertices"], 2)

    def test_are_not_written(self):
        store = self.import_text("1 2\n2 3\n")
        for name in ("x.parquet", "x.json", "x.xlsx", "x.feather", "x.zip", "x.txt.gz", "x.csv.zst"):
            with self.subTest(name):
                for option in ("-o", "--parents"):
                    says = [name, ".txt", ".csv", ".npy"]
                    self.fails(2, "run", "bfs", store, "--source=1", option, self.path(name), says=says)
                self.assertFalse(self.path(name).exists())
        for name in ("x.parquet", "x.json"):
            self.fails(2, "export", store, "-o", self.path(name), says=[name, ".txt", ".mtx", ".npz"])
        self.millrace("run", "bfs", store, "--source=1", "-o", self.path("x.npy"))
        self.millrace("run", "bfs", store, "--source=1", "-o", self.path("x.ranks"))


class Columns(harness.CliTest):
    def imported(self, content, *flags, name="t.csv"):
        done = self.millrace("import", self.write(name, content), "-o", self.path("g.store"), "--force", *flags)
        return done.stderr

    def test_that_were_taken_are_told(self):
        table = "w,b,a\n5,2,1\n"
        self.assertIn("columns: source 'a', target 'b', weight 'w'\n", self.imported(table, "--columns=a,b,w"))
        self.assertIn("columns: source 'u', target 'v', weight 'w'\n", self.imported("w,v,u\n5,2,1\n", "--weighted"))
        said = self.imported("w,v,u\n5,2,1\n")
        self.assertIn("columns: source 'u', target 'v'; 'w' is not read (--weighted takes it as the weight)\n", said)
        self.assertEqual(self.values("bfs", self.path("g.store"), "--source=1"), {1: 0, 2: 1})

    def test_in_doubt_are_asked_for(self):
        file = self.write("t.csv", "w,a,b\n5,1,2\n")
        says = ["w, a, b", "--columns SOURCE,TARGET", "--columns a,b"]
        self.fails(2, "import", file, "-o", self.path("g.store"), says=says)
        self.fails(2, "run", "bfs", file, "--source=1", says=says)
        self.assertIn("columns: source 'a', target 'b'", self.imported("w,a,b\n5,1,2\n", "--columns=a,b"))

    def test_of_a_header_with_blanks_are_known(self):
        self.assertIn("columns: source 'source', target 'target'", self.imported("source target\n1 2\n", name="t.txt"))

    def test_that_are_not_read_are_told(self):
        file = self.write("e.txt", "1 2 5\n2 3 7\n")
        remark = "the third column is not read (--weighted takes it as the weight)\n"
        done = self.millrace("run", "sssp", file, "--source=1", "-o", "-")
        self.assertIn(remark, done.stderr)
        self.assertEqual(done.stdout, "1 0\n2 1\n3 2\n")
        again = self.millrace("run", "sssp", file, "--source=1", "-o", "-").stderr
        self.assertEqual(again.count("\n"), 1)
        self.assertRegex(again, r"no weights, so every edge counts 1 \(.*--weighted")
        weighted = self.millrace("run", "sssp", file, "--source=1", "--weighted", "-o", "-")
        self.assertEqual(weighted.stdout, "1 0\n2 5\n3 12\n")
        self.assertNotIn("column", weighted.stderr)
        self.assertNotIn("no weights", weighted.stderr)
        self.assertNotIn("column", self.millrace("run", "wcc", file, "--unweighted").stderr)


class EmptyFiles(harness.CliTest):
    def test_are_errors(self):
        for content, says in (("", "the file is empty"), ("# nothing\n", "there are no edges in it")):
            file = self.write("e.txt", content)
            for flags in ((), ("--ids=string",), ("--weighted",)):
                self.fails(3, "import", file, "-o", self.path("g.store"), *flags, says=["e.txt", says])
                self.fails(3, "run", "pagerank", file, *flags, says=["e.txt", says])
        self.assertFalse(self.path("g.store").exists())

    def test_may_say_that_there_is_nothing(self):
        matrix = self.write("e.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 0\n")
        self.millrace("import", matrix, "-o", self.path("m.store"))
        self.assertEqual(self.info(self.path("m.store"))["vertices"], 2)
        self.millrace("import", self.write("e.graph", "0 0\n"), "-o", self.path("n.store"))
        self.assertEqual(self.info(self.path("n.store"))["vertices"], 0)
        vertices = self.write("v.txt", "1\n2\n")
        self.millrace("import", self.write("e.txt", ""), "-o", self.path("v.store"), "--vertices", vertices)
        self.assertEqual(self.info(self.path("v.store"))["vertices"], 2)


if __name__ == "__main__":
    unittest.main()
