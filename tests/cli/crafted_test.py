"""Stores that somebody crafted, with every checksum right: a command refuses them, or ends as it would on any store."""

import os
import random
import shutil
import struct
import subprocess
import unittest

import harness
import store_surgery as surgery

CRAFTED = int(os.environ.get("MILLRACE_CRAFTED", 3))  # changes of each kind to each store
EDGE_NUMBERS = (0, 1, 2, 63, 64, 255, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1)
# Every way to read pages and columns that a command has.
COMMANDS = [
    *(
        ["run", *options.split(), "-o", "{out}.txt"]
        for options in (
            "bfs --source {id}", "bfs --source {id} --direction push", "bfs --source {id} --direction pull",
            "sssp --source {id}", "sssp --source {id} --parents {out}.parents", "ppr --seeds {id}",
            "neighbourhood --source {id} --hops 2", "egonet --source {id}",
            "pagerank", "pagerank --direction push", "pagerank --strategy chunked", "pagerank --host-memory 700K",
            "wcc", "wcc --host-memory 700K", "scc", "triangles", "lcc", "cdlp", "kcore", "hits", "radius", "degrees",
            "bc --samples 2", "closeness --samples 2", "wcc --device=cpu,cpu", "pagerank --check",
        )
    ),
    ["export", "-o", "{out}.npz"], ["export", "-o", "{out}.txt", "--vertices", "{out}.ids"],
    ["partition", "--parts", "3", "-o", "{out}.store"], ["info"], ["explain", "pagerank"],
]  # fmt: skip


def rmat(rng, n, m):
    return [(min(int(n * rng.random() ** 3), n - 1), min(int(n * rng.random() ** 2), n - 1)) for _ in range(m)]


def graphs():
    """(name, edges, options of import)"""
    rng = random.Random(5)
    skewed = rmat(rng, 150, 900)
    star = [(0, v) for v in range(1, 700)] + [(v, (v * 7) % 700) for v in range(1, 300)]
    wide = [(0, rng.randrange(1 << 20)) for _ in range(4000)] + rmat(rng, 300, 500)
    yield "plain", skewed, []
    yield "undirected", skewed, ["--undirected", "--order=degree"]
    yield "weighted", [(*edge, rng.randrange(99)) for edge in skewed], ["--weighted"]
    yield "real weights", [(*edge, rng.random()) for edge in skewed], ["--weighted"]
    yield "segments", [(v % 400, (v * 13) % 400) for v in range(1500)], ["--segments=64"]
    yield "hub", star, ["--order=degree"]
    yield "large pages", wide, ["--page-size=4K"]
    yield "parallel edges", skewed + skewed[:300], ["--duplicates=keep", "--self-loops=keep"]
    yield "parts", skewed, ["--page-size=4K"]  # partitioned below
    yield "out alone", skewed, ["--orientation=out", "--page-size=4K"]
    yield "in alone", [(*edge, rng.random()) for edge in skewed], ["--orientation=in", "--weighted"]
    yield "names", [(f"n{a}", f"n{b}") for a, b in skewed], ["--ids=string"]


def changed_number(rng, value, bits):
    new = rng.choice((value ^ 1 << rng.randrange(bits), value + 1, value - 1, *EDGE_NUMBERS, rng.randrange(1 << bits)))
    return new % (1 << bits)


def change_word(rng, data, at):
    (value,) = struct.unpack_from("<I", data, at)
    struct.pack_into("<I", data, at, changed_number(rng, value, 32))


def change_byte(rng, data, at):
    data[at] = changed_number(rng, data[at], 8)


def change_number(rng, data, first, size):
    """Changes a byte, or a number of four bytes; returns where."""
    at = first + rng.randrange(size)
    change_byte(rng, data, at) if rng.random() < 0.5 else change_word(rng, data, at - (at - first) % 4)
    return at


# What can be changed: each takes a generator of random numbers and a store, changes it and says where.


def page_of(rng, store):
    orientation = rng.choice([o for o in ("out", "in") if (store / f"{o}.table").exists()])
    files = surgery.OrientationFiles(store, orientation)
    return files, rng.randrange(files.count)


def page_header(rng, store):
    files, page = page_of(rng, store)
    at = change_number(rng, files.pages, files.entry(page)["offset"], 64)
    if rng.random() < 0.7:
        files.repeat_header(page)
    files.save()
    return f"{files.orientation} page {page}: header, byte {at}"


def slice_header(rng, store):
    files, page = page_of(rng, store)
    slices = files.header(page)["slices"]
    at = change_number(rng, files.pages, files.entry(page)["offset"] + 64, 16 * slices)
    files.save()
    return f"{files.orientation} page {page}: slice headers, byte {at}"


def topology(rng, store):
    """Widths, slots, lengths, gaps, and the zeros after them; widths of the first slice more often than others."""
    files, page = page_of(rng, store)
    header = files.header(page)
    first = 64 + 16 * header["slices"]
    size = header["topology_bytes"] - first
    at = first + rng.choice((rng.randrange(size), rng.randrange(min(size, 64))))
    change_byte(rng, files.pages, files.entry(page)["offset"] + at)
    files.save()
    return f"{files.orientation} page {page}: topology, byte {at}"


def weights(rng, store):
    files, page = page_of(rng, store)
    header = files.header(page)
    if header["topology_bytes"] == header["bytes"]:
        return topology(rng, store)
    at = rng.randrange(header["topology_bytes"], header["bytes"])
    change_byte(rng, files.pages, files.entry(page)["offset"] + at)
    files.save()
    return f"{files.orientation} page {page}: weights, byte {at}"


def table_entry(rng, store):
    files, page = page_of(rng, store)
    at = change_number(rng, files.table, surgery.TABLE_HEADER + 64 * page, 64)
    if rng.random() < 0.7:
        files.repeat_entry(page)
    files.save()
    return f"{files.orientation} page {page}: entry, byte {at}"


def column(rng, store):
    """Degrees, ids or names."""
    name = rng.choice([name for name in ("out.degrees", "in.degrees", "ids", "names") if (store / name).exists()])
    places = []

    def change(data):
        places.append(change_number(rng, data, 0, rng.choice((len(data) // 4 * 4, 24))))

    surgery.change_column(store, name, change)
    return f"{name}, byte {places[0]}"


def two_ids(rng, store):
    if not (store / "ids").exists():
        return column(rng, store)

    def change(data):
        a, b = (4 * rng.randrange(len(data) // 4) for _ in range(2))
        data[a : a + 4] = data[b : b + 4]

    surgery.change_column(store, "ids", change)
    return "two ids"


def manifest(rng, store):
    places = []

    def change(json_object):
        def walk(node, place):
            for key, value in node.items() if isinstance(node, dict) else enumerate(node):
                if isinstance(value, (dict, list)):
                    walk(value, (*place, key))
                elif isinstance(value, (int, bool)):
                    numbers.append((node, key, (*place, key)))

        numbers = []
        walk(json_object, ())
        node, key, place = rng.choice(numbers)
        node[key] = not node[key] if isinstance(node[key], bool) else changed_number(rng, node[key], 33)
        places.append((place, node[key]))

    surgery.change_manifest(store, change)
    return f"manifest {places}"


# Two equal names, and the figures of parts, are wrong only for verify: nobody computes with them.
ONLY_FOR_VERIFY = ("names, ", "cut_edges", "replicas")
KINDS = (page_header, slice_header, topology, weights, table_entry, column, two_ids, manifest)


class Crafted(harness.CliTest):
    """Made by nobody here, a store is checked before a command reads it."""

    def make(self, name, edges, flags):
        text = "".join(" ".join(map(str, edge)) + "\n" for edge in edges)
        self.import_text(text, *flags, name="good")
        if name == "parts":
            self.millrace("partition", "good", "--parts=3", "-o", "parts.store")
            shutil.rmtree(self.path("good"))
            self.path("parts.store").rename(self.path("good"))
        self.vertex = "n0" if name == "names" else "0"

    def code_of(self, command):
        """Runs a command on the crafted store; its exit code has to be a documented one, and none of our own bugs."""
        for old in self.directory.glob("result.*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        words = [word.format(out="result", id=self.vertex) for word in command]
        words.insert(2 if words[0] in ("run", "explain") else 1, "crafted")
        options = {"env": harness.ENVIRONMENT, "cwd": self.directory, "capture_output": True, "text": True}
        done = subprocess.run([harness.MILLRACE, *words], **options)
        self.assertIn(done.returncode, (0, 2, 3, 4), f"{' '.join(words)}\n{done.stdout}{done.stderr}")
        return done.returncode

    def examine(self, kind, rng, all_of_them):
        """Crafts the store, and runs a command on it; if verify finds nothing, some of them or all. Returns whether it
        does."""
        where = kind(rng, self.path("crafted"))
        with self.subTest(where=where):
            sound = self.code_of(["verify"]) == 0
            commands = [rng.choice(COMMANDS)] if not sound else COMMANDS if all_of_them else rng.sample(COMMANDS, 6)
            for command in commands:
                code = self.code_of(command)
                if not sound and command[0] != "info" and not any(part in where for part in ONLY_FOR_VERIFY):
                    self.assertEqual(code, 3, command)
            return sound

    def test_stores_are_refused_or_read_to_the_end(self):
        sound = refused = 0
        for name, edges, flags in graphs():
            self.make(name, edges, flags)
            for kind in KINDS:
                found = False  # a sound store: all commands read the first one of the graph and kind
                for number in range(CRAFTED):
                    with self.subTest(name, kind=kind.__name__, number=number):
                        shutil.copytree(self.path("good"), self.path("crafted"))
                        is_sound = self.examine(kind, random.Random(f"{name} {kind.__name__} {number}"), not found)
                        sound, refused, found = sound + is_sound, refused + (not is_sound), found or is_sound
                    shutil.rmtree(self.path("crafted"))
            shutil.rmtree(self.path("good"))
        # Both happen: some other ids, weights and sizes of pages are as good as those before.
        self.assertGreater(sound, 0)
        self.assertGreater(refused, sound)


if __name__ == "__main__":
    unittest.main()
