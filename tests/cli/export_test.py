"""Exports: other programs and import read the same graph."""

import gzip
import random
import signal
import struct
import unittest
import zipfile

import format_reader as reader
import harness
import store_surgery

try:
    import scipy.sparse
except ImportError:
    scipy = None


def random_text(undirected=False, weight=lambda rng: None, seed=1):
    rng = random.Random(seed)
    edges = {}
    while len(edges) < 2000:
        ends = rng.randrange(300) ** 2, rng.randrange(300) ** 2
        if ends[0] != ends[1]:
            edges.setdefault(tuple(sorted(ends)) if undirected else ends, weight(rng))
    return "".join(f"{s} {t}\n" if w is None else f"{s} {t} {w!r}\n" for (s, t), w in edges.items())


def read_npy(data):
    """The values of an array of at most one dimension."""
    assert data[:8] == b"\x93NUMPY\x01\x00"
    (length,) = struct.unpack("<H", data[8:10])
    header = eval(data[10 : 10 + length].decode())
    payload = data[10 + length :]
    if header["descr"] == "|S3":
        assert header["shape"] == ()
        return payload
    code = {"<i4": "i", "<i8": "q", "|u1": "B", "<u2": "H", "<u4": "I", "<f4": "f", "<f8": "d"}[header["descr"]]
    return list(struct.unpack(f"<{header['shape'][0]}{code}", payload))


WEIGHTS = {
    "none": lambda rng: None,
    "u8": lambda rng: rng.randrange(256),
    "u32": lambda rng: rng.randrange(1 << 32),
    "f32": lambda rng: rng.choice((4294967296, -0.0, 0.5, 2.0**90, as_f32(rng.random()), -3)),
    "f64": lambda rng: rng.choice((rng.random(), 1e300, 1e-300, 2**53 + 2, -0.1, 4294967297, 1e16, 2.0**60)),
}
# Names that some reader could take for something else; none has a tab, a line break or a NUL.
ODD_NAMES = [
    *("source", "Target", "from", "to", "weight", "p", "sp", "c", "a", "7", "-1", "0.5", "nan"),
    *("a b", " a", "a ", "a,b", ",", "a;b", "#a", "#", "%", "%%MatrixMarket", "#a b"),
    *('"', '""', '"a"', 'a"b', '"a b', 'a ""b" ', "'", "\\", "\x01", "\x0b", "\x1f", "\ufeffa", "Zo\u00eb", "\u00a0", "\u2028"),
]


def as_f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


class RoundTrip(harness.CliTest):
    """An exported graph is imported as the same graph, or refused; never as another one."""

    def content(self, store, places):
        """All vertices and edges, by name or id, or by place in ascending order of ids."""
        read = reader.Store(store)
        ids = sorted(read.ids)
        call = {v: i for i, v in enumerate(ids)} if places else {v: read.names[v] if read.names else v for v in ids}
        edges = read.edges(next(iter(read.rows)))
        found = sorted((call[s], call[t], struct.pack("<d", w or 0)) for s, t, w in edges)
        return [call[v] for v in ids], read.manifest["directed"], read.manifest["weights"], found

    def check(self, store, name, kept):
        """Exports and imports again; returns false if the export was refused."""
        for file in (name, "g.v"):
            self.path(file).unlink(missing_ok=True)
        command = [harness.MILLRACE, "export", store, "-o", self.path(name), "--vertices", self.path("g.v")]
        said = harness.subprocess.run(command, capture_output=True, text=True)
        if said.returncode != 0:
            self.assertIn(said.returncode, (2, 3), said.stderr)
            self.assertIn("instead", said.stderr)
            self.assertFalse(self.path(name).exists() or self.path("g.v").exists())
            return False
        manifest = reader.Store(store).manifest
        places = name.split(".")[1] in ("mtx", "sg", "wsg")
        drops_weights = name.split(".")[1] in ("el", "sg")
        flags = list(kept)
        if not places:
            flags += ["--vertices", self.path("g.v")] + ["--undirected"] * (not manifest["directed"])
            flags += ["--weighted"] * (not drops_weights and manifest["weights"] != "none")
            flags += ["--ids=string"] * ("names" in manifest)
        self.millrace("import", self.path(name), "-o", self.path("again.store"), "--force", *flags)
        expected, found = self.content(store, places), self.content(self.path("again.store"), places)
        if drops_weights:
            expected = *expected[:2], "none", sorted((s, t, struct.pack("<d", 0)) for s, t, _ in expected[3])
        self.assertEqual(found[:3], expected[:3])
        self.assertEqual(found[3], expected[3])
        return True

    def make(self, rng, weight, names, *flags):
        """A store of random edges between random ids, or between the given names."""
        vertices = names or [rng.choice((rng.randrange(40), rng.randrange(1 << 64))) for _ in range(20)]
        quoted = lambda name: '"' + name.replace('"', '""') + '"' if names else name
        lines = ["source,target,weight"]
        for _ in range(60):
            w = weight(rng)
            lines.append(f"{quoted(rng.choice(vertices))},{quoted(rng.choice(vertices))},{1 if w is None else w!r}")
        flags = [*flags, "--weighted"] if weight(rng) is not None else flags
        flags = [*flags, "--ids=string"] if names else flags
        listed = self.write("g.csv", "\n".join(lines) + "\n")
        self.millrace("import", listed, "-o", self.path("graph.store"), "--format=csv", "--force", *flags)
        return self.path("graph.store")

    def test_of_random_graphs(self):
        rng = random.Random(11)
        done = 0
        for kind, weight in WEIGHTS.items():
            for flags in ([], ["--undirected", "--self-loops=keep"], ["--duplicates=keep", "--self-loops=keep"]):
                store = self.make(rng, weight, None, "--order=" + rng.choice(("natural", "degree")), *flags)
                self.assertEqual(self.info(store)["weights"], kind)
                formats = ["g.txt", "g.e", "g.el", "g.mtx", "g.sg", "g.txt.gz"]
                formats += ["g.wel", "g.wsg"] if kind != "none" else []
                for name in formats:
                    with self.subTest(f"{kind} {flags} {name}"):
                        exported = self.check(store, name, [flag for flag in flags if flag != "--undirected"])
                        self.assertEqual(exported, name != "g.wsg" or kind == "u8")
                        done += exported
        self.assertGreater(done, 80)

    def test_of_odd_names(self):
        rng = random.Random(12)
        plain = {"ann", "7", "-1", "Zo\u00eb", 'a"b', '"a"', "a;b", "weight", "source", "to", "p"}
        for round in range(12):
            chosen = ODD_NAMES if round == 0 else rng.sample(ODD_NAMES, 8)
            if round in (1, 2):
                chosen = sorted(plain)
            if round == 3:
                chosen = ["source", "target"]
            for kind in ("none", "f64"):
                store = self.make(rng, WEIGHTS[kind], chosen)
                used = set(reader.Store(store).names)
                for name in ["g.txt", "g.el", "g.mtx", "g.sg"] + ["g.wel"] * (kind != "none"):
                    with self.subTest(f"{chosen} {kind} {name}"):
                        exported = self.check(store, name, [])
                        if name == "g.txt" or used <= plain | {"target"}:
                            self.assertTrue(exported)
                        if name in ("g.el", "g.wel") and used & {"a b", "a,b", "#a", "%"}:
                            self.assertFalse(exported)


class Export(harness.CliTest):
    def export(self, store, name, *flags):
        done = self.millrace("export", store, "-o", self.path(name), *flags)
        self.assertIn(name, done.stderr)
        return self.path(name)

    def edges_by_place(self, store):
        """(row, column, weight) with vertices numbered in ascending order of ids."""
        content = reader.Store(store)
        place = {vertex: i for i, vertex in enumerate(sorted(content.ids))}
        edges = content.edges(next(iter(content.rows)))
        return len(place), sorted((place[s], place[t], w) for s, t, w in edges)

    def test_of_text_is_imported_again(self):
        weights = (lambda rng: None, lambda rng: rng.randrange(1, 1000), lambda rng: rng.random())
        for undirected in (False, True):
            for weight in weights:
                for order in ("natural", "degree"):
                    text = random_text(undirected, weight)
                    flags = ["--undirected"] if undirected else []
                    flags += ["--weighted"] if text.split("\n")[0].count(" ") == 2 else []
                    store = self.import_text(text, "--force", "--order", order, *flags)
                    edges = self.export(store, "again.txt", "--vertices", self.path("again.v"))
                    self.assertEqual(len(edges.read_text().splitlines()), 2000, "each edge once")
                    again = self.path("again.store")
                    self.millrace("import", edges, "-o", again, "--force", "--vertices", self.path("again.v"), *flags)
                    first, second = reader.Store(store), reader.Store(again)
                    self.assertEqual(first.edges("out"), second.edges("out"))
                    self.assertEqual(sorted(first.ids), sorted(second.ids))

    def test_keeps_vertices_without_edges(self):
        vertices = self.write("all.v", "5\n1\n9\n700\n")
        store = self.import_text("5 9\n", "--vertices", vertices)
        edges = self.export(store, "again.txt", "--vertices", self.path("again.v"))
        self.assertEqual(self.path("again.v").read_text(), "1\n5\n9\n700\n")
        self.millrace("import", edges, "-o", self.path("again.store"), "--vertices", self.path("again.v"))
        self.assertEqual(self.info(self.path("again.store"))["vertices"], 4)
        self.assertTrue(self.export(store, "g.mtx").read_text().endswith("\n4 4 1\n2 3\n"))

    def test_of_text_goes_to_stdout_alone(self):
        store = self.import_text("5 9\n")
        self.assertEqual(self.millrace("export", store, "-o", "-").stdout, "5 9\n")
        mtx = self.millrace("export", store, "-o", "-", "--format", "mtx").stdout
        self.assertEqual(mtx, "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
        self.fails(2, "export", store, "-o", "-", "--format", "sg", says="file")
        self.fails(2, "export", store, "-o", "-", "--vertices", "-", says="stdout")

    def test_is_compressed_by_its_ending(self):
        store = self.generate(scale=9, weights="1:9")
        plain = self.export(store, "g.txt").read_bytes()
        self.assertEqual(gzip.decompress(self.export(store, "g.txt.gz").read_bytes()), plain)
        self.millrace("import", self.path("g.txt.gz"), "--weighted", "-o", self.path("again.store"))
        self.assertEqual(reader.Store(store).edges("out"), reader.Store(self.path("again.store")).edges("out"))
        self.assertEqual(self.export(store, "g.txt.zst").read_bytes()[:4], b"\x28\xb5\x2f\xfd")
        sg = self.export(store, "g.sg").read_bytes()
        self.assertEqual(gzip.decompress(self.export(store, "g.sg.gz").read_bytes()), sg)

    def test_of_matrix_market_has_the_entries(self):
        for undirected in (False, True):
            for weight, kind in ((lambda rng: None, "pattern"), (lambda rng: rng.randrange(99), "integer")):
                flags = ["--undirected"] * undirected + ["--weighted"] * (kind != "pattern")
                store = self.import_text(random_text(undirected, weight), "--force", "--order", "degree", *flags)
                head, sizes, *lines = self.export(store, "g.mtx").read_text().splitlines()
                symmetry = "symmetric" if undirected else "general"
                self.assertEqual(head, f"%%MatrixMarket matrix coordinate {kind} {symmetry}")
                n, edges = self.edges_by_place(store)
                expected = [edge for edge in edges if not undirected or edge[0] >= edge[1]]
                self.assertEqual(sizes, f"{n} {n} {len(expected)}")
                found = [tuple(map(int, line.split())) for line in lines]
                self.assertEqual(
                    sorted((s - 1, t - 1, *w) for s, t, *w in found),
                    [(s, t) if w is None else (s, t, w) for s, t, w in expected],
                )

    def check_npz(self, store, npz):
        n, edges = self.edges_by_place(store)
        with zipfile.ZipFile(npz) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual({member.compress_type for member in archive.infolist()}, {zipfile.ZIP_STORED})
            members = {name: read_npy(archive.read(name)) for name in archive.namelist()}
        self.assertEqual(set(members), {f"{name}.npy" for name in "format shape data indices indptr".split()})
        self.assertEqual(members["format.npy"], b"csr")
        self.assertEqual(members["shape.npy"], [n, n])
        starts = members["indptr.npy"]
        rows = [row for row in range(n) for _ in range(starts[row], starts[row + 1])]
        ones = [1.0 if w is None else w for _, _, w in edges]
        found = list(zip(rows, members["indices.npy"], members["data.npy"]))
        self.assertEqual(found, [(s, t, w) for (s, t, _), w in zip(edges, ones)])
        if scipy:
            matrix = scipy.sparse.load_npz(npz)
            self.assertEqual(matrix.format, "csr")
            matrix = matrix.tocoo()
            self.assertEqual(sorted(zip(matrix.row, matrix.col, matrix.data)), found)

    def test_of_npz_has_the_rows(self):
        weights = (
            lambda rng: None,
            lambda rng: rng.randrange(256),
            lambda rng: rng.randrange(1 << 16),
            lambda rng: rng.randrange(1 << 32),
            lambda rng: rng.randrange(-99, 99) / 8,
            lambda rng: rng.random(),
        )
        for undirected in (False, True):
            for weight in weights:
                text = random_text(undirected, weight)
                flags = ["--undirected"] * undirected + ["--weighted"] * (text.split("\n")[0].count(" ") == 2)
                store = self.import_text(text, "--force", "--order", "degree", *flags)
                self.check_npz(store, self.export(store, "g.npz"))
        self.check_npz(store, self.export(store, "g.npz", "--host-memory=4M", "-t", 1))

    def test_of_one_orientation_has_all_edges(self):
        for gone in ("in", "out"):
            for degrees in (False, True):
                both = self.generate("both.store", scale=9, weights="1:100", force=True, order="degree")
                store = self.generate("one.store", scale=9, weights="1:100", force=True, order="degree")
                store_surgery.drop_orientation(store, gone, degrees)
                for name in ("g.sg", "g.wsg", "g.npz"):
                    whole = self.export(both, name).read_bytes()
                    self.assertEqual(self.export(store, name).read_bytes(), whole)
                lines = [sorted(self.export(s, "g.txt").read_text().splitlines()) for s in (both, store)]
                self.assertEqual(*lines)

    def test_of_weights_can_leave_them_out(self):
        store = self.import_text("0 1 2.5\n", "--weighted")
        self.assertEqual(self.export(store, "g.txt").read_text(), "0 1 2.5\n")
        self.assertEqual(self.export(store, "g.txt", "--no-weights").read_text(), "0 1\n")
        self.assertEqual(self.export(store, "g.el").read_text(), "0 1\n")
        self.fails(3, "export", store, "-o", self.path("g.wsg"), says=["2.5", ".wsg"])
        self.fails(2, "export", store, "-o", self.path("g.wel"), "--no-weights", says="--no-weights")
        self.fails(2, "export", self.generate("plain.store"), "-o", self.path("g.wsg"), says="no weights")
        self.assertEqual(self.files(), ["edges.txt", "g.el", "g.txt", "graph.store", "plain.store"])

    def test_that_cannot_be_done_says_why(self):
        store = self.generate(scale=12)
        self.fails(2, "export", store, "-o", self.path("g.dot"), says=["dot", ".mtx", "--format"])
        self.fails(2, "export", store, "-o", self.path("g.npz.gz"), says="zip")
        self.fails(1, "export", store, "-o", self.path("missing/g.txt"), says="missing/g.txt")
        self.fails(3, "export", self.path("none"), "-o", self.path("g.txt"), says="not a store")
        self.fails(4, "export", store, "-o", self.path("g.npz"), "--host-memory=100K", says="--host-memory")
        harness.flip_byte(store / "out.pages", 500)
        for name in ("g.txt", "g.mtx", "g.sg", "g.npz", "g.txt.gz", "g.sg.zst"):
            self.fails(3, "export", store, "-o", self.path(name), says="damaged")
        self.assertEqual(self.files(), ["graph.store"])

    def test_that_is_killed_leaves_nothing_under_its_name(self):
        store = self.generate(scale=18)
        self.write("g.txt", "old")
        for number in (signal.SIGINT, signal.SIGKILL):
            with harness.running("export", store, "-o", self.path("g.txt")) as process:
                started = lambda: any(name.startswith("g.txt.partial") for name in self.files())
                harness.wait_for(started, process)
                process.send_signal(number)
                process.wait()
            self.assertEqual(self.path("g.txt").read_text(), "old")
            self.assertEqual(len(list(self.directory.glob("g.txt.partial*"))), int(number == signal.SIGKILL))
        self.export(store, "g.txt")
        self.assertEqual(self.files(), ["g.txt", "graph.store"])
        self.assertNotEqual(self.path("g.txt").read_bytes()[:3], b"old")


if __name__ == "__main__":
    unittest.main()
