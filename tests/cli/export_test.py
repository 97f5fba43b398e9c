"""Exports: other programs find the same graph, and import finds it again."""

import gzip
import random
import signal
import struct
import unittest
import zipfile

import format_reader_test as reader
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
