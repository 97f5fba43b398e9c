"""Generating graphs: reproducible, and complete or not at all."""

import signal
import unittest

import harness


class Generate(harness.CliTest):
    def test_makes_every_kind(self):
        for kind, edges in (("rmat", None), ("uniform", None), ("grid", 2 * 32 * 31)):
            with self.subTest(kind):
                store = self.generate(f"{kind}.store", kind)
                info = self.info(store)
                self.assertEqual(info["vertices"], 1024)
                if edges:
                    self.assertEqual(info["edges"], edges)
                self.millrace("verify", store)

    def test_is_the_same_whatever_the_threads(self):
        for flags in (("rmat", "--weights=1:100"), ("uniform", "--undirected"), ("rmat", "--order=degree")):
            stores = []
            for threads in (1, 2, 4):
                store = self.path(f"{threads}.store")
                self.millrace("generate", *flags, "-o", store, "--scale=13", "--seed=5", "--force", "-t", threads)
                stores.append({file.name: file.read_bytes() for file in store.iterdir()})
            self.assertEqual(stores[0].keys(), stores[1].keys())
            for name in stores[0]:
                for other in stores[1:]:
                    self.assertTrue(stores[0][name] == other[name], f"{name} differs with {flags}")

    def test_differs_by_seed(self):
        one, two = self.generate("1.store", seed=1), self.generate("2.store", seed=2)
        self.assertNotEqual((one / "out.pages").read_bytes(), (two / "out.pages").read_bytes())

    def test_has_weights_of_the_type_they_need(self):
        for weights, kind in (("1:255", "u8"), ("0:256", "u16"), ("0:70000", "u32"), ("0.5:1", "f32")):
            store = self.generate(f"{kind}.store", scale=6, weights=weights)
            self.assertEqual(self.info(store)["weights"], kind)
            self.millrace("verify", store)

    def test_makes_graphs_of_one_vertex(self):
        store = self.generate(scale=0)
        self.assertEqual(self.info(store)["vertices"], 1)
        self.assertEqual(self.values("bfs", store, "--source", 0), {0: 0})

    def test_says_nothing_on_stdout(self):
        self.assertEqual(self.millrace("generate", "rmat", "-o", self.path("g.store"), "--scale=8").stdout, "")


class GenerateRefuses(harness.CliTest):
    def test_what_makes_no_sense(self):
        refused = {
            "--scale=40": "40",
            "--scale=-1": "-1",
            "--threads=0": "0",
            "--weights=5:1": "'5:1' is not a range of weights",
            "--weights=a:b": "'a:b'",
            "--weights=1:2:3": "'1:2:3'",
            "--weights=-1:5": "'-1:5'",
            "--weights=0:4294967296": "'0:4294967296'",
            "--page-size=1X": "'1X' is not a size",
            "--page-size=1K": "4.0 KiB to 64.0 MiB",
            "--page-size=1G": "4.0 KiB to 64.0 MiB",
            "--order=best": "best",
            "--frobnicate": "frobnicate",
        }
        for flag, words in refused.items():
            with self.subTest(flag):
                self.fails(2, "generate", "rmat", "-o", self.path("g.store"), flag, says=words)
        self.fails(2, "generate", "blob", "-o", self.path("g.store"), says="blob")
        self.fails(2, "generate", "rmat", says="--output")
        self.assertEqual(self.files(), [])

    def test_to_overwrite_unless_told_to(self):
        store = self.generate(scale=5)
        self.fails(2, "generate", "rmat", "-o", store, "--scale=6", says=["exists already", "--force"])
        self.assertEqual(self.info(store)["vertices"], 32)
        self.millrace("generate", "rmat", "-o", store, "--scale=6", "--force")
        self.assertEqual(self.info(store)["vertices"], 64)
        self.assertEqual(self.files(), ["graph.store"])

    def test_to_replace_what_is_not_a_store(self):
        self.path("precious").mkdir()
        self.write("precious/thesis.txt", "years of work")
        self.fails(2, "generate", "rmat", "-o", self.path("precious"), "--scale=5", "--force", says="not a store")
        self.assertEqual(self.path("precious/thesis.txt").read_text(), "years of work")

    def test_places_that_cannot_be_written(self):
        file = self.write("file", "")
        self.fails(1, "generate", "rmat", "-o", file / "g.store", "--scale=5", says="cannot create")


class Interrupted(harness.CliTest):
    """A graph that takes a second or more, interrupted."""

    def large(self):
        return harness.running("generate", "rmat", "-o", self.path("g.store"), "--scale=20", "-t", 2)

    def writing(self):
        return self.path("g.store.partial").exists()

    def expect_to_stop(self, process):
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, stderr)
        self.assertEqual(stdout, "")
        self.assertIn("interrupted", stderr)
        self.assertEqual(self.files(), [])

    def test_while_generating_leaves_nothing(self):
        with self.large() as process:
            harness.wait_for(lambda: harness.catches(signal.SIGINT, process), process)
            self.expect_to_stop(process)

    def test_while_writing_leaves_nothing(self):
        with self.large() as process:
            harness.wait_for(self.writing, process)
            self.expect_to_stop(process)

    def test_while_encoding_leaves_nothing(self):
        with self.large() as process:
            harness.wait_for(self.path("g.store.partial/out.pages").exists, process)
            self.expect_to_stop(process)

    def test_is_in_nobodys_way_after_a_kill(self):
        with self.large() as process:
            harness.wait_for(self.path("g.store.partial/out.pages").exists, process)
            process.kill()
            process.wait()
        self.fails(3, "info", self.path("g.store"), says="not a store")
        self.generate("g.store", scale=8)
        self.millrace("verify", self.path("g.store"))
        self.assertEqual(self.files(), ["g.store"])

    def test_is_alone_at_its_store(self):
        with self.large() as process:
            harness.wait_for(self.writing, process)
            self.fails(2, "generate", "rmat", "-o", self.path("g.store"), "--scale=5", says="another process")
            self.expect_to_stop(process)


if __name__ == "__main__":
    unittest.main()
