"""A second reader of stores, written from docs/format.md alone, and what it finds in stores of known graphs.

It shares no code with the program: if the two disagree, one of them or the document is wrong."""

import collections
import json
import pathlib
import random
import re
import struct
import unittest

import harness

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "format.md"
LANES = 32
WEIGHTS = ("none", "u8", "u16", "u32", "f32", "f64")
ENTRY = (
    "offset bytes topology_bytes topology_crc weight_crc first_vertex vertex_count rows edges slices "
    "min_neighbour max_neighbour file kind flags segment hub_slices"
).split()
HEADER = (
    "magic version kind flags first_vertex vertex_count rows edges slices hub_slices min_neighbour max_neighbour "
    "words topology_bytes weight_words bytes weight_type reserved"
).split()
REPEATED = (
    "bytes topology_bytes first_vertex vertex_count rows edges slices hub_slices min_neighbour max_neighbour kind flags"
).split()


class Damaged(Exception):
    pass


def demand(holds, what):
    if not holds:
        raise Damaged(what)


def make_crc_table():
    for byte in range(256):
        for _ in range(8):
            byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
        yield byte


CRC_TABLE = tuple(make_crc_table())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ CRC_TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


class Words:
    """Takes columns one after another from a run of words."""

    def __init__(self, data, count):
        demand(4 * count <= len(data), "words past the end of the page")
        self.data, self.at, self.count = data, 0, count

    def take(self, count):
        demand(self.at + count <= self.count, "a column past the last word")
        self.at += count
        return self.data[4 * (self.at - count) : 4 * self.at]

    def widths(self, columns):
        data = self.take((columns + 3) // 4)
        demand(not any(data[columns:]), "width bytes past the last column")
        return data[:columns]

    def column(self, width):
        demand(width <= 32, "a column wider than 32 bits")
        number = int.from_bytes(self.take(width), "little")
        values = [number >> lane * width & (1 << width) - 1 for lane in range(LANES)]
        demand(max(values).bit_length() == width, "a column wider than its values")
        return values


class Page:
    def __init__(self, data, num_vertices):
        self.header = dict(zip(HEADER, struct.unpack("<IHBB12IB7s", data[:64])))
        self.__dict__.update(self.header)
        demand(self.magic == 0x47504D4D and self.version == 1, "not a page of version 1")
        demand(self.kind <= 1 and self.flags <= 1 and self.weight_type < 6 and not any(self.reserved), "the header")
        demand(self.bytes == len(data) and self.slices > 0 and self.hub_slices <= self.slices, "the counts")
        demand(self.kind == 0 or (self.vertex_count == 1 and self.hub_slices == self.slices), "a large page of many")
        self.num_vertices = num_vertices
        self.step = 0 if self.flags & 1 else 1
        words_at = 64 + 16 * self.slices
        self.check_zeros(data, words_at + 4 * self.words, self.topology_bytes)
        self.topology = Words(data[words_at:], self.words)
        self.slice_headers = [struct.unpack_from("<IIIHBB", data, 64 + 16 * s) for s in range(self.slices)]
        if self.weight_type:
            self.weight_table = struct.unpack_from(f"<{self.slices}I", data, self.topology_bytes)
            weights_at = self.topology_bytes + 4 * self.slices
            self.check_zeros(data, weights_at + 4 * self.weight_words, self.bytes)
            self.weights = Words(data[weights_at:], self.weight_words)
        else:
            demand(self.weight_words == 0 and self.bytes == self.topology_bytes, "weights in a page without")
        self.rows_read = {}  # vertex -> [(neighbour, weight)]
        order = []
        for s in range(self.slices):
            order += self.read_slice(s)
        demand(order == sorted(order), "rows out of order")
        demand(self.topology.at == self.words, "words after the last slice")
        self.check_totals()

    def check_zeros(self, data, used, end):
        demand(end == (used + 128 + 63) // 64 * 64 and not any(data[used:end]), "the zeros after a section")

    def read_slice(self, s):
        """Adds the rows of slice s, and returns (-length, vertex) of those that are not hubs."""
        word, first_slot, first_neighbour, columns, slot_bits, length_bits = self.slice_headers[s]
        demand(word == self.topology.at and 0 < columns <= 1024, "the place of a slice")
        widths = self.topology.widths(columns)
        slots = self.topology.column(slot_bits)
        lengths = [columns - value for value in self.topology.column(length_bits)]
        demand(lengths[0] == columns and lengths == sorted(lengths, reverse=True) and lengths[-1] >= 0, "lengths")
        used = sum(length > 0 for length in lengths)
        demand(min(slots[:used]) == 0 and not any(slots[used:]), "slots")
        demand(first_slot + max(slots) < self.vertex_count, "a vertex outside the page")
        lanes = self.read_neighbours(widths, lengths, first_neighbour)
        demand(min(lane[0] for lane in lanes[:used]) == first_neighbour, "first_neighbour")
        weights = self.read_weights(s, lengths)
        rows = [list(zip(lane, weight)) for lane, weight in zip(lanes, weights)]
        vertices = [self.first_vertex + first_slot + slot for slot in slots]
        if s >= self.hub_slices:
            demand(used == LANES or s + 1 == self.slices, "empty lanes before the last slice")
            for vertex, row in zip(vertices[:used], rows):
                demand(vertex not in self.rows_read, "two rows of one vertex")
                self.rows_read[vertex] = row
            return [(-lengths[lane], vertices[lane]) for lane in range(used)]
        demand(slot_bits == 0 and set(lengths[: used - 1]) <= {columns}, "a hub slice cut unevenly")
        demand(vertices[0] >= max(self.rows_read, default=0), "hubs out of order")
        hub = self.rows_read.setdefault(vertices[0], [])
        for row in rows[:used]:
            demand(not hub or row[0][0] >= hub[-1][0] + self.step, "the parts of a hub overlap")
            hub += row
        return []

    def read_neighbours(self, widths, lengths, first_neighbour):
        lanes = [[] for _ in range(LANES)]
        for j, width in enumerate(widths):
            for lane, gap in zip(range(LANES), self.topology.column(width)):
                if j >= lengths[lane]:
                    demand(gap == 0, "a gap past the end of a lane")
                    continue
                row = lanes[lane]
                row.append(row[-1] + gap + self.step if row else first_neighbour + gap)
                demand(row[-1] < self.num_vertices, "a neighbour outside the graph")
        return lanes

    def read_weights(self, s, lengths):
        if not self.weight_type:
            return [[None] * length for length in lengths]
        demand(self.weight_table[s] == self.weights.at, "the place of weights")
        kind = WEIGHTS[self.weight_type]
        parts = 2 if kind == "f64" else 1
        widths = self.weights.widths(lengths[0] * parts)
        demand(max(widths) <= {"u8": 8, "u16": 16}.get(kind, 32), "a weight too wide for its type")
        columns = [self.weights.column(width) for width in widths]
        for j, column in enumerate(columns):
            demand(not any(column[lane] for lane in range(LANES) if j // parts >= lengths[lane]), "weight past the end")
        number = {
            "f32": lambda low: struct.unpack("<f", struct.pack("<I", low))[0],
            "f64": lambda low, high: struct.unpack("<d", struct.pack("<II", low, high))[0],
        }.get(kind, lambda low: low)
        return [
            [number(*(columns[j * parts + part][lane] for part in range(parts))) for j in range(lengths[lane])]
            for lane in range(LANES)
        ]

    def check_totals(self):
        neighbours = [neighbour for row in self.rows_read.values() for neighbour, _ in row]
        demand(len(neighbours) == self.edges and len(self.rows_read) == self.rows, "edges or rows")
        demand((min(neighbours), max(neighbours)) == (self.min_neighbour, self.max_neighbour), "range of neighbours")


class Store:
    def __init__(self, path):
        self.path = path
        written = (path / "manifest.json").read_text("utf-8")
        self.manifest = json.loads(written)
        demand(written == json.dumps(self.manifest, indent=2, ensure_ascii=False) + "\n", "the form of the manifest")
        content = {name: value for name, value in self.manifest.items() if name != "checksum"}
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
        demand(crc32c(text.encode()) == self.manifest["checksum"], "checksum of the manifest")
        demand(self.manifest["format"] == "millrace-store" and self.manifest["version"] == 1, "the version")
        self.vertices = self.manifest["vertices"]
        self.segment = self.read_segment()
        self.ids = self.read_ids()
        self.names = self.read_names()
        self.rows = {o: self.read_orientation(o) for o in self.manifest["orientations"]}
        self.check_parts()

    def read_segment(self):
        """The vertices in a segment, or None if pages are not blocked."""
        if "segment" not in self.manifest:
            return None
        segment = self.manifest["segment"]
        demand(isinstance(segment, int) and 64 <= segment < self.vertices, "the size of a segment")
        demand(segment & (segment - 1) == 0, "a segment that is no power of two")
        return segment

    def segment_of(self, vertex):
        return vertex // self.segment if self.segment else 0

    def read_column(self, column, letter):
        data = (self.path / column["file"]).read_bytes()
        demand(crc32c(data) == column["crc32c"], f"checksum of {column['file']}")
        return struct.unpack(f"<{self.vertices}{letter}", data)

    def read_ids(self):
        ids = self.manifest["ids"]
        if ids["type"] == "identity":
            return range(self.vertices)
        return self.read_column(ids, {"u32": "I", "u64": "Q"}[ids["type"]])

    def read_names(self):
        """The string of each original id, or None."""
        if "names" not in self.manifest:
            return None
        column = self.manifest["names"]
        data = (self.path / column["file"]).read_bytes()
        demand(crc32c(data) == column["crc32c"], "checksum of the names")
        (count,) = struct.unpack_from("<Q", data)
        demand(count == self.vertices and sorted(self.ids) == list(range(count)), "a name for each id 0..n-1")
        ends = struct.unpack_from(f"<{count + 1}Q", data, 8)
        text = data[8 * (count + 2) :]
        demand(ends[0] == 0 and ends[-1] == len(text) and list(ends) == sorted(ends), "the places of names")
        names = [text[begin:end] for begin, end in zip(ends, ends[1:])]
        demand(all(name and not set(name) & set(b"\t\n\r\0") for name in names), "a name that breaks a line")
        demand(len(set(names)) == count, "two equal names")
        return [name.decode() for name in names]

    def check_parts(self):
        if "parts" not in self.manifest:
            return
        first = self.manifest["parts"]["first_vertex"]
        demand(first and first[0] == 0 and first == sorted(first) and first[-1] <= self.vertices, "ranges of parts")
        for pages in self.manifest["orientations"].values():
            for entry in self.read_table(pages):
                begin, end = entry["first_vertex"], entry["first_vertex"] + entry["vertex_count"]
                demand(not any(begin < border < end for border in first), "a page of two parts")

    def read_table(self, pages):
        data = (self.path / pages["table"]).read_bytes()
        magic, version, count = struct.unpack_from("<IIQ", data)
        demand(magic == 0x42544D4D and version == 2, "not a page table of version 2")
        demand(len(data) == 20 + 64 * count == pages["table_bytes"], "the size of the table")
        demand(count == pages["pages"], "the number of pages")
        demand(crc32c(data[:-4]) == struct.unpack("<I", data[-4:])[0], "checksum of the table")
        return [dict(zip(ENTRY, struct.unpack_from("<Q11IHBBII", data, 16 + 64 * i))) for i in range(count)]

    def may_follow(self, entry, before):
        """Whether an entry of the table may come after another."""
        if entry["segment"] != before["segment"]:
            return entry["segment"] > before["segment"]
        if before["kind"] == entry["kind"] == 1 and before["first_vertex"] == entry["first_vertex"]:
            return True
        return entry["first_vertex"] >= before["first_vertex"] + before["vertex_count"]

    def read_orientation(self, orientation):
        """{vertex: [(neighbour, weight)]}"""
        pages = self.manifest["orientations"][orientation]
        files = [(self.path / name).read_bytes() for name in pages["files"]]
        demand(sum(map(len, files)) == pages["bytes"], "size of the page files")
        rows, before, ends = {}, None, [0] * len(files)
        for entry in self.read_table(pages):
            begin, ends[entry["file"]] = ends[entry["file"]], entry["offset"] + entry["bytes"]
            demand(entry["offset"] == (begin + 4095) // 4096 * 4096, "the place of a page")
            segments = {self.segment_of(entry["min_neighbour"]), self.segment_of(entry["max_neighbour"])}
            demand(segments == {entry["segment"]}, "a neighbour in another segment")
            demand(not before or self.may_follow(entry, before), "pages out of order")
            before = entry
            demand(not any(files[entry["file"]][begin : entry["offset"]]), "the zeros between pages")
            data = files[entry["file"]][entry["offset"] : entry["offset"] + entry["bytes"]]
            topology, weights = data[: entry["topology_bytes"]], data[entry["topology_bytes"] :]
            demand(crc32c(topology) == entry["topology_crc"], "checksum of topology")
            demand(crc32c(weights) == entry["weight_crc"], "checksum of weights")
            page = Page(data, self.vertices)
            demand(all(page.header[field] == entry[field] for field in REPEATED), "header and entry differ")
            demand(page.bytes <= self.manifest["page_bytes"], "a page too large")
            demand(WEIGHTS[page.weight_type] == self.manifest["weights"], "the type of weights")
            demand(bool(page.flags & 1) == self.manifest["parallel_edges"], "parallel edges")
            for vertex, row in page.rows_read.items():
                whole = rows.setdefault(vertex, [])  # of the segments and large pages before
                demand(not whole or row[0][0] >= whole[-1][0] + page.step, "large pages overlap")
                whole += row
        demand(ends == [len(file) for file in files], "the end of a page file")
        degrees = self.read_column(self.manifest["degrees"][orientation], "I")
        demand(all(len(rows.get(v, ())) == degree for v, degree in enumerate(degrees)), "degrees")
        demand(sum(degrees) == self.manifest["edges"], "the number of edges")
        other = {"out": "in", "in": "out"}[orientation]
        if other in self.manifest["degrees"] and other not in self.manifest["orientations"]:
            counts = collections.Counter(neighbour for row in rows.values() for neighbour, _ in row)
            degrees = self.read_column(self.manifest["degrees"][other], "I")
            demand(all(counts[v] == degree for v, degree in enumerate(degrees)), "degrees without pages")
        return rows

    def edges(self, orientation):
        """(source, target, weight) by original ids, sorted by ids; parallel edges in the order of their row."""
        edges = []
        for vertex, row in self.rows[orientation].items():
            for neighbour, weight in row:
                ends = (vertex, neighbour) if orientation == "out" else (neighbour, vertex)
                edges.append((self.ids[ends[0]], self.ids[ends[1]], weight))
        return sorted(edges, key=lambda edge: edge[:2])


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
