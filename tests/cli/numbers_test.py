"""Weights: exactly the numbers of the file, from the import to the results and the export."""

import random
import struct
import unittest

import external_test
import format_reader as reader
import harness

MTX = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 {}\n2 3 1\n"
SKEW = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 {}\n3 2 1\n"
# The same edges in every text format, the first with weight {}; and the line that has it.
FORMATS = {
    "g.wel": ("1 2 {}\n2 3 1\n", 1, []),
    "g.txt": ("# a comment\n1 2 {}\n2 3 1\n", 2, ["--weighted"]),
    "columns.txt": ("{} 1 2\n1 2 3\n", 1, ["--columns=2,3,1"]),
    "g.csv": ("source,target,weight\n1,2,{}\n2,3,1\n", 2, ["--weighted"]),
    "named.txt": ("a b {}\nb c 1\n", 1, ["--weighted", "--ids=string"]),
    "g.mtx": (MTX, 3, []),
    "g.gr": ("p sp 3 2\na 1 2 {}\na 2 3 1\n", 2, []),
    "g.graph": ("3 2 1\n2 {0}\n1 {0} 3 1\n2 1\n", 2, []),
    "g.e": ("1 2 {}\n2 3 1\n", 1, []),
}


def as_f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


class Weights(harness.CliTest):
    def write_format(self, name, weight):
        text, line, flags = FORMATS[name]
        if name == "g.e":
            self.write("g.v", "1\n2\n3\n")
            properties = "graph.g.vertex-file = g.v\ngraph.g.edge-file = g.e\ngraph.g.directed = true\n"
            self.write("g.properties", properties + "graph.g.edge-properties.names = weight\n")
        return self.write(name, text.format(weight)), line, flags

    def weights_of(self, store):
        edges = reader.Store(store).edges("out")
        return sorted({weight for _, _, weight in edges})

    def test_are_those_of_the_file_in_every_format(self):
        for name in FORMATS:
            for weight, kind in (("0.1", "f64"), ("0.5", "f32"), ("300", "u16"), ("9007199254740994", "f64")):
                with self.subTest(f"{name} {weight}"):
                    file, _, flags = self.write_format(name, weight)
                    done = self.millrace("import", file, "-o", "g.store", "--force", *flags)
                    self.assertIn(f"weights: {kind}\n", done.stderr)
                    self.assertEqual(self.info(self.path("g.store"))["weights"], kind)
                    self.assertEqual(set(self.weights_of(self.path("g.store"))), {1.0, float(weight)})

    def test_that_no_type_has_are_named_by_line_or_asked_for(self):
        for name in FORMATS:
            with self.subTest(name):
                file, line, flags = self.write_format(name, "9007199254740993")
                says = [f"{name}:{line}: ", "9007199254740993", "--weights f64"]
                self.fails(3, "import", file, "-o", "g.store", *flags, says=says)
                self.assertFalse(self.path("g.store").exists())
                done = self.millrace("import", file, "-o", "f.store", "--force", "--weights=f64", *flags)
                self.assertIn("weights: f64, 1 whole numbers rounded to the nearest f64\n", done.stderr)
                self.assertEqual(self.weights_of(self.path("f.store")), [1.0, 9007199254740992.0])

    def test_that_do_not_fit_the_type_asked_for_are_named_by_line(self):
        for name in FORMATS:
            for weight, kind, says in (
                ("256", "u8", "0 to 255"),
                ("65536", "u16", "0 to 65535"),
                ("-1", "u32", "0 to 4294967295"),
                ("0.5", "u32", "0 to 4294967295"),
                ("1e39", "f32", "too large for f32"),
            ):
                with self.subTest(f"{name} {weight}"):
                    file, line, flags = self.write_format(name, weight)
                    says = [f"{name}:{line}: ", weight, says, "--weights"]
                    self.fails(3, "import", file, "-o", "g.store", f"--weights={kind}", *flags, says=says)

    def test_of_binary_and_skew_files_are_checked_too(self):
        wsg = struct.pack("<?qq4q2i2i", True, 1, 3, 0, 1, 1, 1, 1, -7, 0, 0)[: 17 + 32 + 8]
        wsg += struct.pack("<4q2i", 0, 0, 1, 1, 0, -7)
        self.write("g.wsg", wsg)
        self.millrace("import", "g.wsg", "-o", "g.store")
        self.assertEqual(self.weights_of(self.path("g.store")), [-7])
        self.fails(3, "import", "g.wsg", "-o", "h.store", "--weights=u8", says=["g.wsg: byte 53: the weight -7", "0 to 255"])
        skew = self.write("skew.mtx", SKEW.format(0.1))
        self.millrace("import", skew, "-o", "skew.store")
        self.assertEqual(self.weights_of(self.path("skew.store")), [-1, -0.1, 0.1, 1])
        self.write("skew.mtx", SKEW.format(3))
        self.fails(3, "import", skew, "-o", "h.store", "--weights=u8", says=["skew.mtx:3: ", "-3"])

    def test_asked_for_as_f32_say_how_far_off_they_are(self):
        file = self.write("g.txt", "1 2 0.1\n2 3 0.2\n1 3 1000.1\n")
        done = self.millrace("import", file, "-o", "g.store", "--weights=f32")
        errors = [(abs(w - as_f32(w)), abs(w - as_f32(w)) / w) for w in (0.1, 0.2, 1000.1)]
        absolute, relative = max(error[0] for error in errors), max(error[1] for error in errors)
        self.assertIn(f"weights: f32, off by at most {absolute:.3g}, or {relative:.3g} of the weight\n", done.stderr)
        self.assertEqual(self.weights_of(self.path("g.store")), [as_f32(w) for w in (0.1, 0.2, 1000.1)])
        # The export has what is stored, which the next import reads as f32.
        self.millrace("export", "g.store", "-o", "again.wel")
        self.assertIn("1 2 0.10000000149011612\n", self.path("again.wel").read_text())
        done = self.millrace("import", "again.wel", "-o", "again.store")
        self.assertIn("weights: f32\n", done.stderr)
        self.assertEqual(reader.Store(self.path("again.store")).edges("out"), reader.Store(self.path("g.store")).edges("out"))

    def test_asked_for_need_weights(self):
        file = self.write("g.txt", "1 2 7\n")
        self.fails(2, "import", file, "-o", "g.store", "--weights=u16", "--unweighted", says="--unweighted")
        self.write("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
        self.fails(2, "import", "g.mtx", "-o", "g.store", "--weights=u16", says="no values")
        self.millrace("import", file, "-o", "g.store", "--weights=u16")
        self.assertEqual(self.info(self.path("g.store"))["weights"], "u16")

    def test_lead_to_distances_of_these_numbers(self):
        for more in ("", "7 8 0.123456789012\n", "7 8 0.5\n"):  # an edge elsewhere changes nothing
            store = self.import_text("1 2 0.1\n2 3 0.2\n1 3 0.3\n3 4 4294967296\n" + more, "--weighted", "--force")
            distances = self.values("sssp", store, "--source=1", kind=float)
            self.assertEqual({v: distances[v] for v in range(1, 5)}, {1: 0, 2: 0.1, 3: 0.3, 4: 0.3 + 4294967296})
            printed = self.millrace("run", "sssp", store, "--source=1", "-o", "-").stdout
            self.assertTrue(printed.startswith("1 0\n2 0.1\n3 0.3\n4 4294967296.3\n"), printed)

    def test_give_the_same_store_through_temporary_files(self):
        rng = random.Random(3)
        for kind, weight in (
            ("u32", lambda: rng.randrange(1 << 31)),
            ("f32", lambda: rng.randrange(1 << 23) / 1024),
            ("f64", lambda: rng.random()),
        ):
            lines = "".join(f"{rng.randrange(1 << 16)} {rng.randrange(1 << 16)} {weight()}\n" for _ in range(60_000))
            text = self.write("edges.txt", lines * 30)
            for flags in ([], ["--weights=f32"], ["--duplicates=sum"]):
                flags = ["--weighted", "--page-size=64K", "--force", *flags]
                inside = self.millrace("import", text, "-o", "inside.store", *flags).stderr
                outside = self.millrace("import", text, "-o", "outside.store", "--memory=144M", *flags).stderr
                self.assertIn("went through temporary files", outside)
                said = [next(l for l in log.splitlines() if l.startswith("weights: ")) for log in (inside, outside)]
                self.assertEqual(*said)
                if "--weights=f32" not in flags:  # 30 times a weight outgrows u32 and f32
                    self.assertEqual(said[0], "weights: f64" if "--duplicates=sum" in flags else f"weights: {kind}")
                self.assertTrue(external_test.same(self.path("inside.store"), self.path("outside.store")), flags)


class Sums(harness.CliTest):
    def test_of_weights_widen(self):
        for weights, kind, total in (
            ([200, 200], "u32", 400),
            ([4294967295, 1], "f64", 4294967296),
            ([0.5, 0.25], "f32", 0.75),
            ([0.1, 0.2], "f64", 0.1 + 0.2),
            ([2**30, 0.5], "f64", 2**30 + 0.5),
            ([2**53, 2], "f64", 2**53 + 2),
        ):
            text = "".join(f"1 2 {weight}\n" for weight in weights)
            store = self.import_text(text, "--weighted", "--duplicates=sum", "--force")
            self.assertEqual(self.info(store)["weights"], kind)
            for orientation in ("out", "in"):
                self.assertEqual([weight for _, _, weight in reader.Store(store).edges(orientation)], [total])
            self.millrace("verify", store)

    def test_that_no_type_has_are_refused_or_asked_for(self):
        file = self.write("g.txt", "1 2 9007199254740992\n1 2 1\n")
        sums = ["--weighted", "--duplicates=sum"]
        self.fails(4, "import", file, "-o", "g.store", *sums, says=["9007199254740992", "--duplicates", "--weights f64"])
        self.millrace("import", file, "-o", "g.store", *sums, "--weights=f64")
        self.write("g.txt", "1 2 200\n1 2 100\n")
        self.fails(4, "import", file, "-o", "h.store", *sums, "--weights=u8", says=["300", "--weights u8"])
        self.assertEqual(self.files(), ["g.store", "g.txt"])


class Parents(harness.CliTest):
    def test_in_arrays_are_refused_where_ids_leave_no_number_for_none(self):
        largest = 2**64 - 1
        store = self.import_text(f"5 {largest}\n7 5\n")
        for algorithm in ("bfs", "sssp"):
            run = ["run", algorithm, store, "--source=5", "--parents"]
            said = self.fails(2, *run, "parents.npy", says=["parents.npy", str(largest), "text"])
            self.assertNotIn("lists", said)
            self.assertEqual(self.millrace(*run, "-").stdout, f"5 5\n7 -1\n{largest} 5\n")
            self.millrace(*run, "parents.csv")
            self.assertEqual(self.path("parents.csv").read_text(), f"id,value\n5,5\n7,-1\n{largest},5\n")
        self.millrace("run", "wcc", store, "-o", "components.npy")  # nobody is without one
        self.assertIn(b"'<u8'", self.path("components.npy").read_bytes())
        small = self.import_text(f"5 {2**63 - 1}\n7 5\n", "--force")
        self.millrace("run", "bfs", small, "--source=5", "--parents", "parents.npy")
        self.assertEqual(struct.unpack("<3q", self.path("parents.npy").read_bytes()[-24:]), (5, -1, 5))


if __name__ == "__main__":
    unittest.main()
