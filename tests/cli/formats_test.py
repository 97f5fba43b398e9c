"""Importing every graph format, end to end: what is read, what the options do, what is refused."""

import gzip
import struct
import unittest

import harness

# 1-2, 1-3 with weights 5 and 6; vertex 4 has no edge.
METIS = "4 2 1\n2 5 3 6\n1 5\n1 6\n\n"
MATRIX = "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n4 4 2\n2 1 5\n3 1 6\n"
DIMACS = "c a comment\np sp 4 4\na 1 2 5\na 2 1 5\na 1 3 6\na 3 1 6\n"


def gap(weighted):
    """The same graph with vertices numbered from 0."""
    lists = [[(1, 5), (2, 6)], [(0, 5)], [(0, 6)], []]
    offsets = [0, 2, 3, 4, 4]
    entries = [number for row in lists for entry in row for number in (entry if weighted else entry[:1])]
    return struct.pack("<?qq5q", False, 4, 4, *offsets) + struct.pack(f"<{len(entries)}i", *entries)


class Formats(harness.CliTest):
    def imported(self, name, content, *flags):
        done = self.millrace("import", self.write(name, content), "-o", self.path("g.store"), "--force", *flags)
        self.millrace("verify", self.path("g.store"))
        self.stderr = done.stderr
        return self.info(self.path("g.store"))

    def levels(self, source):
        return self.values("bfs", self.path("g.store"), "--source", source)

    def test_the_same_graph_in_every_format(self):
        far = harness.UNREACHED
        for name, content, kind, first, weighted in (
            ("g.graph", METIS, "metis", 1, True),
            ("g.mtx", MATRIX, "mtx", 1, True),
            ("g.graph.gz", gzip.compress(METIS.encode()), "metis", 1, True),
            ("g.sg", gap(False), "sg", 0, False),
            ("g.wsg", gap(True), "wsg", 0, True),
            ("unnamed", gap(True), "wsg", 0, True),
        ):
            with self.subTest(name):
                info = self.imported(name, content)
                self.assertIn(f"format: {kind}, undirected", self.stderr)
                self.assertEqual((info["vertices"], info["undirected_edges"], info["directed"]), (4, 2, False))
                self.assertEqual(info["weights"], "u8" if weighted else "none")
                self.assertEqual(self.levels(first + 1), {first: 1, first + 1: 0, first + 2: 2, first + 3: far})

    def test_directed_formats(self):
        info = self.imported("g.gr", DIMACS)
        self.assertEqual((info["vertices"], info["edges"], info["directed"], info["weights"]), (4, 4, True, "u8"))
        info = self.imported("g.graph500", struct.pack("<4q", 7, 1 << 40, 1 << 40, 9))
        self.assertEqual((info["vertices"], info["edges"]), (3, 2))
        self.assertEqual(self.levels(7), {7: 0, 1 << 40: 1, 9: 2})
        info = self.imported("g.wel", "0 1 5\n1 2 300\n")
        self.assertEqual((info["weights"], info["edges"]), ("u16", 2))

    def test_csv_columns_by_name_and_number(self):
        table = 'day,to,from,weight\n1,20,"10",0.5\n2,30,20,1.5\n'
        self.imported("t.csv", table)
        self.assertEqual(self.levels(10), {10: 0, 20: 1, 30: 2})
        self.imported("t.csv", table, "--columns", "to,from")
        self.assertEqual(self.levels(30), {10: 2, 20: 1, 30: 0})
        self.assertEqual(self.imported("t.csv", table, "--columns=3,2,4")["weights"], "f32")
        self.assertEqual(self.imported("t.csv", table, "--weighted")["weights"], "f32")
        self.assertEqual(self.imported("t.csv", table)["weights"], "none")

    def test_weights_can_be_left_out(self):
        for name, content in (("g.graph", METIS), ("g.mtx", MATRIX), ("g.gr", DIMACS), ("g.wsg", gap(True))):
            with self.subTest(name):
                self.assertEqual(self.imported(name, content, "--unweighted")["weights"], "none")

    def test_format_can_be_forced(self):
        info = self.imported("g.txt", METIS, "--format", "metis")
        self.assertEqual(info["undirected_edges"], 2)
        info = self.imported("g.graph", "1 2\n2 3\n", "--format=edges")
        self.assertEqual(info["edges"], 2)

    def test_sample_data(self):
        for name, sizes in (
            ("astro-ph.graph", (16706, 121251)),
            ("power.graph", (4941, 6594)),
            ("netscience.mtx", (1589, 2742)),
            ("ldbc/example-undirected.properties", (9, 12)),
        ):
            with self.subTest(name):
                file = harness.shared_data(name)
                self.millrace("import", file, "-o", self.path("g.store"), "--force")
                info = self.info(self.path("g.store"))
                self.assertEqual((info["vertices"], info["undirected_edges"]), sizes)


class FormatsRefuse(harness.CliTest):
    def refuses(self, exit_code, name, content, *flags, says):
        self.fails(exit_code, "import", self.write(name, content), "-o", self.path("g.store"), *flags, says=says)
        self.assertFalse(self.path("g.store").exists())

    def test_options_that_do_not_go_with_the_format(self):
        self.refuses(2, "g.mtx", MATRIX, "--columns=1,2", says=["--columns", "mtx"])
        self.refuses(2, "g.graph", METIS, "--ids=string", says=["--ids string", "metis"])
        self.refuses(2, "g.graph", METIS, "--vertices=x", says=["--vertices", "metis"])
        self.refuses(2, "g.sg", gap(False), "--weighted", says=["--weighted", "sg"])
        self.refuses(2, "g.txt", "1 2\n", "--weighted", "--unweighted", says="--unweighted")
        self.refuses(2, "g.txt", "1 2\n", "--format=excel", says="excel")
        self.refuses(2, "g.txt", "1 2\n", "--format=ldbc", says="NAME.properties")
        self.refuses(2, "t.csv", "a,b\n1,2\n", "--columns=a,c", says=['"c"', "a, b"])
        self.refuses(2, "g.bin", b"\x07\0\0\0", says="--format")

    def test_broken_files(self):
        self.refuses(3, "g.mtx", MATRIX.replace("2 1 5", "5 1 5"), says=["g.mtx:4:", "1 to 4"])
        self.refuses(3, "g.graph", METIS.replace("1 6", "1 7"), says=["g.graph", "do not agree"])
        self.refuses(3, "g.gr", DIMACS.replace("sp 4 4", "sp 4 5"), says=["g.gr:6:", "announces 5"])
        self.refuses(3, "g.sg", gap(False)[:-1], says=["g.sg", "72 bytes", "expected 73"])
        self.refuses(3, "g.graph500", struct.pack("<2q", 1, -1), says=["byte 8", "-1"])
        self.refuses(3, "g.zst", b"\x28\xb5\x2f\xfd", says=["g.zst", "zstd data ends too early"])


if __name__ == "__main__":
    unittest.main()
