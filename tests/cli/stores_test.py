"""info and verify, on intact stores and damaged ones."""

import json
import unittest

import harness


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
                    3, "run", *algorithm, store, "--direction", direction, "-o", self.path("out.txt"),
                    says=[f"{orientation}.pages: checksum mismatch in page 0"],
                )
            harness.flip_byte(pages, 200)
        self.assertEqual(self.files(), ["graph.store"])

    def test_refuses_damaged_degrees_and_ids(self):
        store = self.generate(scale=9, order="degree")
        for name in ("out.degrees", "ids"):
            harness.flip_byte(store / name, 17)
            self.fails(3, "run", "bfs", store, "--source=0", says=f"{name}: checksum mismatch")
            harness.flip_byte(store / name, 17)


if __name__ == "__main__":
    unittest.main()
