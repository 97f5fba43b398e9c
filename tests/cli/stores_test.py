"""info and verify, on intact stores and damaged ones; and the check of stores that were not made here."""

import json
import shutil
import unittest

import harness
import store_surgery


class Info(harness.CliTest):
    def test_has_the_promised_fields(self):
        store = self.generate(scale=10, order="degree", weights="1:9")
        done = self.millrace("info", store, "--json")
        self.assertEqual(done.stderr, "")
        info = json.loads(done.stdout)
        self.assertEqual(info["schema_version"], 1)
        self.assertEqual(info["vertices"], 1024)
        self.assertGreater(info["edges"], 8000)
        self.assertEqual(info["weights"], "u8")
        self.assertEqual(info["order"], "degree")
        self.assertEqual(info["id_bytes_per_vertex"], 4)
        self.assertEqual(set(info["bytes_per_edge"]), {"out", "in"})
        for orientation in ("out", "in"):
            size = sum((store / f"{orientation}.{part}").stat().st_size for part in ("pages", "table"))
            self.assertAlmostEqual(info["bytes_per_edge"][orientation], size / info["edges"])
            self.assertGreaterEqual(info["pages"][orientation], 1)
            self.assertEqual(
                set(info["orientations"][orientation]["degree"]), {"min", "mean", "median", "p99", "max", "zero"}
            )
        self.assertEqual(info["bytes"], sum(file.stat().st_size for file in store.iterdir()))

    def test_tells_people_too(self):
        text = self.millrace("info", self.generate()).stdout
        for words in ("vertices", "1,024", "out pages", "bytes an edge", "on disk"):
            self.assertIn(words, text)

    def test_refuses_what_is_not_a_store(self):
        self.path("folder").mkdir()
        for command in ("info", "verify"):
            self.fails(3, command, self.path("folder"), says="not a store")
            self.fails(3, command, self.path("missing"), says="not a store")
            self.fails(2, command, says="STORE")

    def test_refuses_a_store_of_another_version(self):
        store = self.generate()
        manifest = json.loads((store / "manifest.json").read_text())
        manifest["version"] = 99
        (store / "manifest.json").write_text(json.dumps(manifest))
        self.fails(3, "info", store, says=["version 99", "import the graph again"])


class Verify(harness.CliTest):
    def test_passes_whole_stores(self):
        for number, flags in enumerate(({}, {"page_size": "4K"}, {"weights": "0.5:1"}, {"order": "degree"})):
            store = self.generate(f"{number}.store", scale=9, **flags)
            self.assertIn("whole", self.millrace("verify", store).stdout)

    def test_finds_damage_in_every_file(self):
        store = self.generate(scale=9, weights="1:9", page_size="4K", order="degree")
        for file in sorted(store.iterdir()):
            with self.subTest(file.name):
                harness.flip_byte(file, file.stat().st_size // 3)
                self.fails(3, "verify", store, says=str(store))
                harness.flip_byte(file, file.stat().st_size // 3)
        self.millrace("verify", store)

    def test_finds_missing_and_short_files(self):
        store = self.generate(scale=9, order="degree")
        for file in sorted(store.iterdir()):
            content = file.read_bytes()
            with self.subTest(f"{file.name} cut"):
                file.write_bytes(content[: len(content) // 2])
                self.fails(3, "verify", store)
            with self.subTest(f"{file.name} gone"):
                file.unlink()
                self.fails(3, "verify", store, says=str(store))
            file.write_bytes(content)
        self.millrace("verify", store)


class RunOnDamage(harness.CliTest):
    """A run checks what it reads: an error instead of a wrong answer."""

    def test_refuses_a_damaged_page(self):
        store = self.generate(scale=9)
        for orientation, direction in (("in", "pull"), ("out", "push")):
            pages = store / f"{orientation}.pages"
            harness.flip_byte(pages, 200)
            for algorithm in (["pagerank"], ["bfs", "--source=0"]):
                self.fails(
                    3, "run", *algorithm, store, "--direction", direction, "-o", self.path("out.txt"), "--trust",
                    says=[f"{orientation}.pages: checksum mismatch in page 0"],
                )
            harness.flip_byte(pages, 200)
        self.assertEqual(self.files(), ["graph.store"])

    def test_refuses_damaged_degrees_and_ids(self):
        store = self.generate(scale=9, order="degree")
        for name in ("out.degrees", "ids"):
            harness.flip_byte(store / name, 17)
            self.fails(3, "run", "bfs", store, "--source=0", "--trust", says=f"{name}: checksum mismatch")
            harness.flip_byte(store / name, 17)


class FromElsewhere(harness.CliTest):
    """A store that was not made here is checked before it is read for the first time."""

    COMMANDS = (
        ["run", "pagerank", "{}"],
        ["run", "degrees", "{}"],
        ["run", "egonet", "{}", "--source=0", "-o", "net.txt"],
        ["explain", "pagerank", "{}"],
        ["bench", "{}", "--repeats=1", "--iterations=1", "--algorithms=pagerank"],
        ["export", "{}", "-o", "graph.mtx"],
        ["partition", "{}", "--parts=2", "-o", "parts.store", "--force"],
    )

    def setUp(self):
        super().setUp()
        self.made = self.generate("made.store", scale=8, order="degree", weights="1:9")

    def copy(self, number=0):
        return shutil.copytree(self.made, self.path(f"copy{number}.store"))

    def wrong(self):
        """A copy whose degrees are not those of its pages, with right checksums."""
        store = self.copy("wrong")
        store_surgery.change_column(store, "out.degrees", lambda data: data.__setitem__(0, data[0] ^ 1))
        return store

    def test_is_checked_once_by_every_command_that_reads_pages(self):
        for number, command in enumerate(self.COMMANDS):
            store = self.copy(number)
            words = [word.format(store) for word in command]
            with self.subTest(command):
                self.assertIn(f"checked {store}: ", self.millrace(*words).stderr)
                self.assertNotIn("checked", self.millrace(*words).stderr)
                self.assertNotIn("checked", self.millrace("run", "wcc", store).stderr)

    def test_is_checked_by_graphalytics_too(self):
        about = {"vertex-file": "g.v", "edge-file": "g.e", "directed": "true", "meta.vertices": 2, "meta.edges": 1}
        self.write("g.properties", "".join(f"graph.g.{key} = {value}\n" for key, value in about.items()))
        self.write("g.v", "1\n2\n")
        self.write("g.e", "1 2\n")
        command = ["graphalytics", ".", "g", "--algorithms=wcc", "--store"]
        for _ in range(2):
            self.assertNotIn("checked", self.millrace(*command, "made").stderr)
        shutil.copytree(self.path("made"), self.path("copy"))
        self.assertIn("checked copy: ", self.millrace(*command, "copy").stderr)

    def test_is_not_what_was_made_or_moved_here(self):
        moved = self.made.rename(self.path("moved.store"))
        file = self.write("edges.txt", "1 2\n2 3\n")
        for graph in (moved, file, file):
            self.assertNotIn("checked", self.millrace("run", "wcc", graph).stderr)
        self.millrace("partition", moved, "--parts=2", "-o", "parts.store")
        self.assertNotIn("checked", self.millrace("run", "wcc", "parts.store").stderr)

    def test_is_no_matter_for_info(self):
        self.assertEqual(self.millrace("info", self.wrong()).stderr, "")

    def test_was_checked_by_verify(self):
        store = self.copy()
        self.millrace("verify", store)
        self.assertNotIn("checked", self.millrace("run", "wcc", store).stderr)

    def test_is_refused_by_every_command_if_it_is_wrong(self):
        store = self.wrong()
        files = self.files()
        for command in self.COMMANDS:
            words = [word.format(store) for word in command]
            self.fails(3, *words, says=[f"{store} is damaged:", "out degrees are not those of the out pages"])
        self.assertEqual(self.files(), files)

    def test_is_read_without_a_check_if_it_is_trusted(self):
        store = self.wrong()
        for command in self.COMMANDS[:-1]:  # the last one notices the contradiction itself
            words = [word.format(store) for word in command]
            self.assertNotIn("checked", self.millrace(*words, "--trust").stderr)
        self.fails(3, "run", "degrees", store)
        self.addCleanup(harness.ENVIRONMENT.pop, "MILLRACE_TRUST", None)
        for value, code in (("1", 0), ("0", 3), ("", 3), ("yes", 2)):
            harness.ENVIRONMENT["MILLRACE_TRUST"] = value
            self.millrace("run", "degrees", store, exit_code=code)

    def test_is_refused_where_memory_does_not_suffice_for_the_check(self):
        store = self.copy()
        says = ["not known to be made here", "--host-memory allows 8.0 KiB", "millrace verify", "--trust"]
        self.fails(4, "export", store, "-o", "graph.txt", "--host-memory=8K", says=says)
        self.millrace("verify", store)
        self.assertNotIn("checked", self.millrace("export", store, "-o", "graph.txt").stderr)

    def test_is_checked_every_time_where_that_cannot_be_remembered(self):
        store = self.copy()
        self.addCleanup(harness.ENVIRONMENT.update, {"XDG_CACHE_HOME": harness.ENVIRONMENT.get("XDG_CACHE_HOME", "")})
        harness.ENVIRONMENT["XDG_CACHE_HOME"] = "/proc/none"
        for _ in range(2):
            self.assertIn("is checked every time: /proc/none", self.millrace("run", "degrees", store).stderr)


if __name__ == "__main__":
    unittest.main()
