"""A second reader of stores, written from docs/format.md alone.

It shares no code with the program: if the two disagree, one of them or the document is wrong."""

import collections
import json
import struct

from format_page import WEIGHTS, Page, crc32c, demand

ENTRY = (
    "offset bytes topology_bytes topology_crc weight_crc first_vertex vertex_count rows edges slices "
    "min_neighbour max_neighbour file kind flags segment hub_slices"
).split()
REPEATED = (
    "bytes topology_bytes first_vertex vertex_count rows edges slices hub_slices min_neighbour max_neighbour kind flags"
).split()


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
