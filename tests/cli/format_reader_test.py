"""What the second reader of the format finds in stores of known graphs, and in the worked example of docs/format.md."""

import collections
import json
import pathlib
import random
import re
import unittest

import harness
from format_page import Damaged, crc32c
from format_reader import Store

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "format.md"


def expected_edges(edges, undirected=False, keep=False):
    """The edges after an import: self-loops are dropped; of parallel edges the first is kept, or all in their order."""
    found = {}
    for source, target, weight in edges:
        if source == target:
            continue
        for pair in [(source, target), (target, source)] if undirected else [(source, target)]:
            found.setdefault(pair, []).append(weight)
    return [(*pair, weight) for pair in sorted(found) for weight in (found[pair] if keep else found[pair][:1])]


def random_edges(seed, num_vertices, num_edges, weight=lambda rng: None):
    """Skewed towards low vertices, with parallel edges and self-loops."""
    rng = random.Random(seed)
    ends = [int(num_vertices * rng.random() ** 2) for _ in range(2 * num_edges)]
    return [(source, target, weight(rng)) for source, target in zip(ends[::2], ends[1::2])]


class SecondReader(harness.CliTest):
    def read(self, edges, *flags, undirected=False, keep=False):
        """Imports edges, and asserts that the second reader finds them in every orientation."""
        text = "".join(f"{s} {t}\n" if w is None else f"{s} {t} {w!r}\n" for s, t, w in edges)
        flags += ("--weighted",) if edges and edges[0][2] is not None else ()
        flags += ("--undirected",) if undirected else ()
        flags += ("--duplicates", "keep") if keep else ()
        store = Store(self.import_text(text, "--force", *flags))
        expected = expected_edges(edges, undirected, keep)
        self.assertEqual(list(store.rows), ["out"] if undirected else ["out", "in"])
        for orientation in store.rows:
            found = store.edges(orientation)
            self.assertEqual(len(found), len(expected))
            for edge, other in zip(found, expected):
                self.assertEqual(edge, other)
        return store

    def test_directed_and_undirected(self):
        for undirected in (False, True):
            for order in ("natural", "degree"):
                with self.subTest(undirected=undirected, order=order):
                    edges = random_edges(1, 700, 6000)
                    store = self.read(edges, "--order", order, undirected=undirected)
                    self.assertEqual(store.manifest["order"], order)

    def test_every_type_of_weight(self):
        weights = {
            "u8": lambda rng: rng.randrange(256),
            "u16": lambda rng: rng.randrange(1 << 16),
            "u32": lambda rng: rng.randrange(1 << 32),
            "f32": lambda rng: rng.randrange(-999, 999) / 8,
            "f64": lambda rng: rng.uniform(-1, 1),
        }
        for number, (kind, weight) in enumerate(weights.items()):
            for undirected in (False, True):
                with self.subTest(kind, undirected=undirected):
                    store = self.read(random_edges(number, 300, 3000, weight), undirected=undirected)
                    self.assertEqual(store.manifest["weights"], kind)

    def test_parallel_edges_kept(self):
        for weight in (lambda rng: None, lambda rng: rng.randrange(100)):
            edges = random_edges(3, 60, 3000, weight)
            store = self.read(edges, keep=True)
            self.assertTrue(store.manifest["parallel_edges"])
            self.assertGreater(store.manifest["edges"], len(set(edge[:2] for edge in edges)))

    def test_hubs_wider_than_a_page(self):
        rng = random.Random(4)

        def star(hub, count, weight):
            return [(hub, v, weight()) for v in rng.sample(range(50000), count)]

        vertices = self.write("vertices.txt", "".join(f"{v}\n" for v in range(50000)))
        for weight, keep in (lambda: None, False), (lambda: rng.random(), False), (lambda: None, True):
            with self.subTest(weighted=weight() is not None, keep=keep):
                edges = star(0, 9000, weight) + star(1, 600, weight) + star(2, 1200, weight) + star(3, 511, weight)
                edges += star(0, 300, weight) + star(4, 40, weight)
                flags = ("--vertices", vertices, "--page-size", "4K", "--order", "natural")
                store = self.read(edges, *flags, keep=keep)
                table = store.read_table(store.manifest["orientations"]["out"])
                self.assertGreater(sum(entry["first_vertex"] == 0 for entry in table), 1, "a hub over several pages")
                self.assertIn(1, [entry["kind"] for entry in table])

    def test_ids(self):
        for kind, vertex in (("identity", lambda v: v), ("u32", lambda v: 7 * v + 1), ("u64", lambda v: v << 40)):
            with self.subTest(kind):
                edges = [(vertex(v), vertex((v * v + 1) % 50), None) for v in range(50)]
                store = self.read(edges, "--order", "natural")
                self.assertEqual(store.manifest["ids"]["type"], kind)

    def test_the_least_graphs(self):
        # An empty file is an error, unless another one says that there is no vertex.
        self.assertEqual(self.read([], "--vertices", self.write("none.txt", "")).vertices, 0)
        self.assertEqual(self.read([(5, 5, None)]).vertices, 1)
        self.read([(0, 1, None)])
        store = Store(self.import_text("3 3 8\n3 3 9\n", "--force", "--weighted", "--self-loops", "keep"))
        self.assertEqual(store.edges("out"), [(3, 3, 8)])
        self.assertEqual(store.manifest["self_loops"], 1)

    def test_a_name_that_needs_escapes(self):
        edges = self.write('say "\\é\t\x01\x7f".txt', "0 1\n")
        self.millrace("import", edges, "-o", self.path("named.store"))
        self.assertEqual(Store(self.path("named.store")).manifest["source"], edges.name)

    def test_generated_stores(self):
        for kind, flags in (("rmat", {"weights": "0.5:1"}), ("uniform", {"page_size": "4K"}), ("grid", {})):
            with self.subTest(kind):
                store = Store(self.generate(f"{kind}.store", kind, scale=9, **flags))
                self.assertEqual(store.edges("out"), store.edges("in"))

    def test_blocked_stores(self):
        for kind, segment, *flags in (
            ("uniform", 256, "--scale=12", "--edge-factor=4"),
            ("rmat", 1024, "--scale=12", "--edge-factor=4", "--undirected", "--weights=1:999", "--page-size=4K"),
            ("grid", 64, "--scale=9", "--weights=0.5:1"),
            ("uniform", 64, "--scale=7", "--edge-factor=40", "--duplicates=keep", "--self-loops=keep"),
        ):
            with self.subTest(kind, segment=segment):
                command = ("generate", kind, *flags, "--force", "-o")
                self.millrace(*command, self.path("plain.store"), "--segments=none")
                self.millrace(*command, self.path("blocked.store"), "--segments", segment)
                plain, blocked = Store(self.path("plain.store")), Store(self.path("blocked.store"))
                self.assertNotIn("segment", plain.manifest)
                self.assertEqual(blocked.manifest["segment"], segment)
                self.assertEqual(list(blocked.rows), list(plain.rows))
                for orientation, pages in blocked.manifest["orientations"].items():
                    self.assertTrue(blocked.edges(orientation) == plain.edges(orientation))
                    found = {neighbour // segment for row in blocked.rows[orientation].values() for neighbour, _ in row}
                    self.assertEqual({entry["segment"] for entry in blocked.read_table(pages)}, found)
                    self.assertGreater(len(found), 1)

    def test_hubs_wider_than_a_page_in_each_segment(self):
        rng = random.Random(6)
        vertices = self.write("vertices.txt", "".join(f"{v}\n" for v in range(10000)))
        # The last segment has fewer vertices, and no hub.
        targets = [*range(0, 4096, 2), *range(4096, 8192, 6)] * 2
        edges = [(hub, v, rng.random()) for hub in (5, 9000) for v in targets]
        edges += [(v, 9999 - v, rng.random()) for v in range(0, 10000, 7)]
        flags = ("--vertices", vertices, "--page-size", "4K", "--order", "natural", "--segments", "4K")
        for keep in (False, True):
            with self.subTest(keep=keep):
                store = self.read(edges, *flags, keep=keep)
                large = collections.Counter()
                for entry in store.read_table(store.manifest["orientations"]["out"]):
                    large[entry["segment"], entry["first_vertex"]] += entry["kind"]
                for hub in (5, 9000):
                    self.assertGreater(large[0, hub], 1, "a hub over several pages of a segment")
                    self.assertGreater(large[1, hub], 1)
                self.assertEqual(sum(count for (segment, _), count in large.items() if segment == 2), 0)

    def test_damage_is_found(self):
        path = self.import_text("".join(f"{v} {v * 7 % 100} {v}\n" for v in range(100)), "--weighted")
        for file in sorted(path.iterdir()):
            whole = file.read_bytes()
            for place in (0, len(whole) // 3, len(whole) - 2):
                harness.flip_byte(file, place)
                with self.subTest(file.name, place=place), self.assertRaises((Damaged, ValueError, KeyError)):
                    Store(path)
                file.write_bytes(whole)
        Store(path)


class WorkedExample(harness.CliTest):
    """The bytes printed in docs/format.md are those that the program writes."""

    def dumps(self, text):
        for block in re.findall(r"```\n(00000000 .*?)\n```", text, re.DOTALL):
            data = bytearray()
            for line in block.splitlines():
                if line == "*":
                    continue
                offset, *values = line.split()
                data += bytes(int(offset, 16) - len(data)) + bytes.fromhex("".join(values))
            yield bytes(data)

    def test_is_what_the_program_writes(self):
        example = DOCUMENT.read_text("utf-8").split("## Worked example")[1]
        edges = re.search(r"\$ cat tiny.txt\n(.*?)\$ millrace", example, re.DOTALL).group(1)
        path = self.path("tiny.store")
        self.millrace("import", self.write("tiny.txt", edges), "--weighted", "-o", path)
        files = ("ids", "out.degrees", "out.pages", "out.table")
        self.assertEqual(list(self.dumps(example)), [(path / file).read_bytes() for file in files])
        self.assertEqual(len(Store(path).edges("out")), 5)

        text = re.search(r"```\n(\{.*?)\n```", example, re.DOTALL).group(1).replace("\n", "")
        self.assertIn(f"these {len(text)} bytes", example)
        self.assertIn(f"It is {crc32c(text.encode())}.", example)
        written = json.loads((path / "manifest.json").read_text("utf-8"))
        del written["checksum"]
        shown = json.loads(text)
        self.assertEqual({**shown, "written_by": written["written_by"]}, written)

    def test_checksum_of_the_document(self):
        self.assertEqual(crc32c(b"123456789"), 0xE3069283)
        self.assertEqual(crc32c(b""), 0)


if __name__ == "__main__":
    unittest.main()
