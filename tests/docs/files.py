"""Files that documents name: published graphs, and small ones in the formats of which documents show commands."""

import gzip
import struct

SMALL_EDGES = [(v, (v * v + step) % 64) for v in range(64) for step in (1, 5, 12)]


def text(lines):
    return "".join(f"{line}\n" for line in lines).encode()


def zstd(data):
    """A frame of one raw block; the program for it is not everywhere."""
    assert len(data) < 256
    return b"\x28\xb5\x2f\xfd\x20" + bytes([len(data)]) + (len(data) << 3 | 1).to_bytes(3, "little") + data


def properties(name):
    lines = (f"vertex-file = {name}.v", f"edge-file = {name}.e", "directed = true", "algorithms = bfs",
             "bfs.source-vertex = 0")  # fmt: skip
    return text(f"graph.{name}.{line}" for line in lines)


def small(name):
    """The content of a small file; None if it is not one of them."""
    edges = text(f"{a} {b}" for a, b in SMALL_EDGES)
    weighted = [f"{a} {b} {1 + (a + b) % 9}" for a, b in SMALL_EDGES]
    made = {
        "contacts.txt": lambda: edges,
        "edges.txt": lambda: edges,
        "links.txt": lambda: edges,
        "roads.txt": lambda: text(weighted),
        "trades.csv": lambda: b"seller,buyer,price\n1,2,3.5\n2,3,2\n3,1,1\n",
        "log.txt.zst": lambda: zstd(b"09:00 GET home news\n09:01 GET news about\n"),
        "road.gr": lambda: b"p sp 3 2\na 1 2 7\na 2 3 4\n",
        "pairs.bin": lambda: struct.pack("<6q", 0, 1, 1, 2, 2, 0),
        "datagen-7_5-fb.properties": lambda: properties("datagen-7_5-fb"),
        "datagen-7_5-fb.v": lambda: text(range(64)),
        "datagen-7_5-fb.e": lambda: edges,
    }
    return made[name]() if name in made else None


# With one of these go others.
BESIDE = {"datagen-7_5-fb.properties": ("datagen-7_5-fb.v", "datagen-7_5-fb.e")}
PUBLISHED = ("wiki-Vote.txt", "email-Eu-core.csv", "netscience.mtx", "power.graph", "astro-ph.graph")
COMPRESSED = {f"{name}.gz": name for name in PUBLISHED}


def prepare(folder, names, shared_data):
    """Puts the files with these names, as far as they are known here, into a folder."""
    for name in names:
        if name in COMPRESSED:
            (folder / name).write_bytes(gzip.compress(shared_data(COMPRESSED[name]).read_bytes()))
        elif name in PUBLISHED:
            (folder / name).write_bytes(shared_data(name).read_bytes())
        else:
            for each in (name, *BESIDE.get(name, ())):
                content = small(each)
                if content is not None:
                    (folder / each).write_bytes(content)
