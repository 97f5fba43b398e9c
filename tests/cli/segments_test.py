"""Blocked pages: stores whose pages are grouped by segments of neighbours have the same graphs and results."""

import filecmp
import json
import random
import shutil
import struct
import unittest

import format_page
import format_reader as reader
import harness
import store_surgery

ENTRY = "<Q11IHBBII"


def read_table(store, orientation):
    """The entries of a page table, as dictionaries."""
    read = reader.Store(store)
    return read.read_table(read.manifest["orientations"][orientation])


class Segments(harness.CliTest):
    def make(self, name, segments, *flags):
        self.millrace("generate", *flags, "--segments", segments, "-o", self.path(name))
        return self.path(name)

    def both(self, *flags, segments="256"):
        """The same graph, blocked and not, with the vertices in the same order."""
        flags = flags if any("--order" in flag for flag in flags) else (*flags, "--order=natural")
        return self.make("blocked.store", segments, *flags), self.make("plain.store", "none", *flags)

    def manifest(self, store):
        return json.loads((store / "manifest.json").read_text("utf-8"))

    def assert_same_files(self, one, other):
        names = sorted(file.name for file in one.iterdir())
        self.assertEqual(names, sorted(file.name for file in other.iterdir()))
        self.assertEqual(filecmp.cmpfiles(one, other, names, shallow=False), (names, [], []))


class Builds(Segments):
    def test_make_whole_stores(self):
        for number, flags in enumerate(
            (
                ("uniform", "--scale=12"),
                ("rmat", "--scale=12", "--undirected", "--weights=1:100", "--page-size=4K"),
                ("rmat", "--scale=11", "--orientation=in", "--duplicates=keep"),
                ("grid", "--scale=11", "--weights=0.5:1"),
            )
        ):
            with self.subTest(flags):
                store = self.make(f"{number}.store", "1K", *flags)
                self.assertEqual(self.manifest(store)["segment"], 1024)
                self.assertIn("whole", self.millrace("verify", store).stdout)
                self.assertEqual(self.info(store)["vertices"], 2048 if "--scale=11" in flags else 4096)
                self.assertIn("vertices", self.millrace("info", store).stdout)

    def test_of_files_have_segments_too(self):
        rng = random.Random(8)
        text = "".join(f"{rng.randrange(999)} {rng.randrange(999) ** 2} {rng.randrange(99)}\n" for _ in range(3000))
        blocked = reader.Store(self.import_text(text, "--weighted", "--segments=128", name="blocked.store"))
        plain = reader.Store(self.import_text(text, "--weighted", "--segments=none", name="plain.store"))
        self.assertEqual(blocked.manifest["segment"], 128)
        self.assertGreater(max(entry["segment"] for entry in read_table(blocked.path, "out")), 8)
        for orientation in ("out", "in"):
            self.assertEqual(blocked.edges(orientation), plain.edges(orientation))
        self.millrace("verify", blocked.path)

    def test_are_the_same_whatever_the_threads(self):
        flags = ("rmat", "--scale=12", "--weights=1:100", "--page-size=4K")
        one = self.make("one.store", "256", *flags, "--threads=1")
        self.assert_same_files(one, self.make("two.store", "256", *flags, "--threads=2"))

    def test_within_little_memory_give_the_same_store(self):
        flags = ("uniform", "--scale=14", "--edge-factor=256", "--weights=1:200", "--orientation=out")
        inside = self.make("inside.store", "1K", *flags)
        limits = ("--memory=128M", "--temp", self.path("scratch"))
        done = self.millrace("generate", *flags, "--segments=1K", *limits, "-o", self.path("outside.store"))
        self.assertIn("went through temporary files", done.stderr)
        self.assert_same_files(inside, self.path("outside.store"))

    def test_of_graphs_within_one_segment_are_not_blocked(self):
        plain = self.make("plain.store", "none", "rmat", "--scale=10")
        for segments in ("1K", "4K", "2G"):
            store = self.make(f"{segments}.store", segments, "rmat", "--scale=10")
            self.assertNotIn("segment", self.manifest(store))
            self.assert_same_files(store, plain)
        self.assertEqual(self.manifest(self.make("two.store", "512", "rmat", "--scale=10"))["segment"], 512)

    def test_refuse_other_sizes(self):
        edges = self.write("edges.txt", "0 1\n")
        for command in (("generate", "rmat", "--scale=10"), ("import", edges)):
            for size in ("3", "100", "1", "0", "32", "1.5K", "8G"):
                says = f"--segments {size} is no power of two"
                self.fails(2, *command, "-o", "g.store", f"--segments={size}", says=says)
            for size in ("-1", "12x", "many"):
                self.fails(2, *command, "-o", "g.store", f"--segments={size}", says=f"'{size}' is not a size")
        self.assertEqual(self.files(), ["edges.txt"])


class Exports(Segments):
    def export(self, store, name, *flags):
        self.millrace("export", store, "-o", self.path(name), *flags)
        return self.path(name).read_bytes()

    def test_are_those_of_the_plain_store(self):
        for gap, *flags in (("g.sg", "--order=natural"), ("g.wsg", "--order=degree", "--undirected", "--weights=1:99")):
            with self.subTest(flags):
                blocked, plain = self.both("rmat", "--scale=11", "--page-size=4K", *flags)
                for name in ("g.npz", gap):
                    self.assertTrue(self.export(blocked, name) == self.export(plain, name), name)
                lines = [sorted(self.export(store, "g.txt").splitlines()) for store in (blocked, plain)]
                self.assertTrue(lines[0] == lines[1])
                shutil.rmtree(blocked)
                shutil.rmtree(plain)

    def test_of_one_orientation_are_the_same(self):
        blocked = self.make("blocked.store", "256", "rmat", "--scale=11", "--orientation=in")
        plain = self.make("plain.store", "none", "rmat", "--scale=11")
        for name in ("g.npz", "g.sg"):
            self.assertTrue(self.export(blocked, name) == self.export(plain, name), name)

    def test_subgraphs_are_those_of_the_plain_store(self):
        blocked, plain = self.both("rmat", "--scale=11")
        vertices = self.write("vertices.txt", "".join(f"{v}\n" for v in range(0, 2048, 3)))
        found = [
            sorted(self.millrace("run", "subgraph", store, "--vertices", vertices, "-o", "-").stdout.splitlines())
            for store in (blocked, plain)
        ]
        self.assertGreater(len(found[0]), 100)
        self.assertTrue(found[0] == found[1])


class Partitions(Segments):
    def test_are_those_of_the_plain_store(self):
        blocked, plain = self.both("uniform", "--scale=10", "--edge-factor=8", segments="64")
        for method in ("range", "random", "biased"):
            with self.subTest(method):
                parts = []
                for store in (blocked, plain):
                    path = self.path(f"{method}-{store.name}")
                    self.millrace("partition", store, "--parts=3", "--method", method, "-o", path)
                    self.millrace("verify", path)
                    parts.append(self.manifest(path)["parts"])
                    edges = reader.Store(path).edges("out")
                    self.assertTrue(edges == reader.Store(plain).edges("out"))
                self.assertEqual(*parts)


class Damage(Segments):
    """Tables and manifests that break a rule of segments, with checksums that match."""

    def setUp(self):
        super().setUp()
        self.store = self.make("whole.store", "256", "uniform", "--scale=10", "--page-size=4K", "--edge-factor=8")

    def damaged(self, change):
        """A copy of the store with another table of out pages; change(entries) gets them as dictionaries."""
        store = self.path("damaged.store")
        shutil.rmtree(store, ignore_errors=True)
        shutil.copytree(self.store, store)
        entries = read_table(self.store, "out")
        change(entries)
        data = struct.pack("<IIQ", 0x42544D4D, 2, len(entries))
        data += b"".join(struct.pack(ENTRY, *(entry[field] for field in reader.ENTRY)) for entry in entries)
        (store / "out.table").write_bytes(data + struct.pack("<I", format_page.crc32c(data)))
        return store

    def refuse(self, store, says):
        """Neither the command nor the second reader takes the store."""
        for command in (("verify",), ("info",), ("run", "bfs", "--source=0")):
            self.fails(3, *command, store, says=says)
        with self.assertRaises(format_page.Damaged):
            reader.Store(store)

    def test_of_the_segment_of_a_page_is_found(self):
        def set_segment(page, segment):
            return lambda entries: entries[page].update(segment=segment)

        last = len(read_table(self.store, "out")) - 1
        self.damaged(set_segment(last, 3))
        reader.Store(self.path("damaged.store"))
        for page, segment in ((0, 1), (last, 0), (last, 2), (last, 4), (last, (1 << 32) - 1)):
            self.refuse(self.damaged(set_segment(page, segment)), f"out.table: bad segment in entry {page}")

    def test_of_neighbours_in_two_segments_is_found(self):
        store = self.damaged(lambda entries: entries[0].update(max_neighbour=256))
        self.refuse(store, "out.table: bad segment in entry 0")

    def test_of_the_order_is_found(self):
        def by(key):
            """Puts the pages into another order, also in their file."""

            def change(entries):
                entries.sort(key=key)
                pages, at = (self.store / "out.pages").read_bytes(), 0
                moved = bytearray()
                for entry in entries:
                    at = (len(moved) + 4095) // 4096 * 4096
                    moved += bytes(at - len(moved)) + pages[entry["offset"] : entry["offset"] + entry["bytes"]]
                    entry["offset"] = at
                (self.path("damaged.store") / "out.pages").write_bytes(moved)

                def resize(manifest):
                    manifest["orientations"]["out"]["bytes"] = len(moved)

                store_surgery.change_manifest(self.path("damaged.store"), resize)

            return change

        self.millrace("verify", self.damaged(by(lambda entry: (entry["segment"], entry["first_vertex"]))))
        for key in (
            lambda entry: (entry["first_vertex"], entry["segment"]),
            lambda entry: (-entry["segment"], entry["first_vertex"]),
            lambda entry: (entry["segment"], -entry["first_vertex"]),
        ):
            self.refuse(self.damaged(by(key)), "out.table: bad order in entry")

    def test_of_the_manifest_is_found(self):
        def changed(change):
            store = self.damaged(lambda entries: None)
            store_surgery.change_manifest(store, change)
            return store

        for segment in (0, 1, 32, 100, 384, 1024, 1 << 40):
            self.refuse(changed(lambda manifest: manifest.update(segment=segment)), f"'segment' is {segment}")
        for segment in ("256", None, True, [256]):
            store = changed(lambda manifest: manifest.update(segment=segment))
            self.fails(3, "info", store, says="segment")
        for segment in (128, 512):
            self.refuse(changed(lambda manifest: manifest.update(segment=segment)), "out.table: bad segment")
        self.refuse(changed(lambda manifest: manifest.pop("segment")), "out.table: bad reserved bytes")


class Runs(Segments):
    def test_pass_their_checks(self):
        stores = (
            self.make("directed.store", "256", "uniform", "--scale=11", "--weights=1:99", "--page-size=16K"),
            self.make("both.store", "256", "rmat", "--scale=11", "--undirected", "--weights=1:99", "--page-size=4K"),
        )
        for store in stores:
            for algorithm in (
                ("pagerank",), ("bfs", "--source=1"), ("sssp", "--source=1"), ("wcc",), ("bc", "--source=1"), ("cdlp",),
                ("triangles",), ("lcc",), ("scc",), ("kcore",),
            ):  # fmt: skip
                with self.subTest(f"{algorithm[0]} on {store.name}"):
                    done = self.millrace("run", *algorithm, store, "--check", "--json")
                    self.assertEqual(json.loads(done.stdout)["check"], "passed")

    def test_find_what_they_find_in_the_plain_store(self):
        blocked, plain = self.both("rmat", "--scale=11", "--edge-factor=4", "--page-size=4K", "--order=degree")
        for algorithm in (["bfs", "--source=1"], ["wcc"], ["cdlp"], ["triangles"]):
            name, *flags = algorithm
            expected = self.values(name, plain, *flags)
            directions = ("push", "pull") if name in ("bfs", "wcc") else ()
            for more in ([], *(["--direction", direction] for direction in directions)):
                with self.subTest(name, more=more):
                    self.assertTrue(self.values(name, blocked, *flags, *more) == expected)

    def test_of_several_devices_find_the_same(self):
        blocked, plain = self.both("uniform", "--scale=11", "--edge-factor=4", "--page-size=4K")
        expected = self.values("bfs", plain, "--source=1")
        for strategy in ("performance", "partitioned", "scalability", "chunked"):
            with self.subTest(strategy):
                flags = ("--source=1", "--device=cpu,cpu", "--strategy", strategy)
                self.assertTrue(self.values("bfs", blocked, *flags) == expected)

    def test_of_pagerank_are_the_same_to_the_bit(self):
        store = self.make("blocked.store", "1K", "rmat", "--scale=13", "--page-size=4K")
        command = ("run", "pagerank", store, "--device=cpu", "--direction=pull", "--iterations=5")
        ranks = [self.millrace(*command, "-o", "-", "--threads", threads).stdout for threads in (1, 2)]
        self.assertTrue(ranks[0] == ranks[1])

        report = json.loads(self.millrace(*command, "--json", "--threads=2").stdout)
        limit = report["peak_memory"] - report["plan"]["page_bytes"] * 3 // 4
        limited = (*command, "--threads=2", f"--host-memory={limit}")
        self.assertEqual(json.loads(self.millrace(*limited, "--json").stdout)["plan"]["pages"], "streamed")
        self.assertTrue(self.millrace(*limited, "-o", "-").stdout == ranks[0])


if __name__ == "__main__":
    unittest.main()
