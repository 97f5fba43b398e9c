"""A second reader of pages, written from docs/format.md alone: it shares no code with the program."""

import struct

LANES = 32
WEIGHTS = ("none", "u8", "u16", "u32", "f32", "f64")
HEADER = (
    "magic version kind flags first_vertex vertex_count rows edges slices hub_slices min_neighbour max_neighbour "
    "words topology_bytes weight_words bytes weight_type reserved"
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
