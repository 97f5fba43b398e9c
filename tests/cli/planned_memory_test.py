"""What a run takes beside its pages is what was planned: never more, and not much less; and a store stays as it is."""

import json
import os
import unittest

import harness

ALGORITHMS = {
    "bc": ["--samples=1"],
    "bfs": ["--source=0"],
    "closeness": ["--samples=64"],
    "eigenvector": ["--iterations=2"],
    "hits": ["--iterations=2"],
    "katz": ["--iterations=2", "--tolerance=0"],
    "kcore": [],
    "mis": [],
    "neighbourhood": ["--source=0", "--hops=3"],
    "pagerank": ["--iterations=2"],
    "ppr": ["--seeds=0", "--iterations=2"],
    "radius": [],
    "scc": [],
    "spmv": ["--x=x.npy"],
    "sssp": ["--source=0"],
    "wcc": [],
}
SOME = ("bfs", "kcore", "pagerank", "sssp")
LISTS = {"cdlp", "lcc", "triangles"}  # their plan is all the room that there is for lists


class PlannedMemory(harness.CliTest):
    def check(self, store, device, *how, most=1.25, names=ALGORITHMS):
        wrong = []
        for name in names:
            options = ALGORITHMS[name]
            command = ["run", name, store, *options, "--device", device, *how, "--json"]
            memory = json.loads(self.millrace(*command).stdout)["attribute_memory"]
            planned, taken = memory["planned"], memory["taken"]
            if not taken <= planned <= most * taken:
                wrong.append(f"{name}: {planned} planned, {taken} taken ({planned / taken:.2f})")
        self.assertEqual(wrong, [])

    @unittest.skipIf(harness.is_sanitized(), "it would take minutes")
    def test_it_is_what_is_taken(self):
        for kind in ([], ["--undirected"]):
            store = self.path("undirected.store" if kind else "directed.store")
            self.millrace("generate", "rmat", "--scale=18", "--weights=1:255", "-o", store, *kind)
            self.millrace("run", "pagerank", store, "--iterations=1", "--device=cpu", "-o", "x.npy")
            files = {path.name: path.stat().st_mtime_ns for path in store.iterdir()}
            for device in ["cpu", *harness.gpus()[:1]]:
                with self.subTest(device=device, kind=kind):
                    self.check(store, device)
            self.assertEqual({path.name: path.stat().st_mtime_ns for path in store.iterdir()}, files)

    @unittest.skipIf(harness.is_sanitized(), "it would take minutes")
    def test_it_is_what_several_devices_and_segments_take(self):
        self.millrace("generate", "rmat", "--scale=16", "--weights=1:255", "-o", "plain.store")
        self.millrace("generate", "rmat", "--scale=16", "--weights=1:255", "--segments=16384", "-o", "blocked.store")
        self.millrace("run", "pagerank", "plain.store", "--iterations=1", "--device=cpu", "-o", "x.npy")
        for store in ("plain.store", "blocked.store"):
            for device, *how in (("cpu", "--host-memory=8M"), ("cpu,cpu", "--strategy=performance"),
                                 ("cpu,cpu", "--strategy=partitioned"), ("cpu,cpu", "--strategy=scalability"),
                                 ("cpu", "--strategy=chunked"), ("cpu",)):
                # Each kind of attributes on every plan, all algorithms on two.
                names = ALGORITHMS if how in (["--host-memory=8M"], ["--strategy=performance"]) else SOME
                with self.subTest(store=store, device=device, how=how):
                    self.check(store, device, *how, most=1.6, names=names)

    def test_a_read_only_store_is_enough(self):
        store = self.path("g.store")
        self.millrace("generate", "rmat", "--scale=8", "-o", store)
        self.millrace("run", "pagerank", store, "--iterations=1", "--device=cpu", "-o", "x.npy")
        for path in [*store.iterdir(), store]:
            os.chmod(path, 0o555 if path.is_dir() else 0o444)
        for name in [*ALGORITHMS, *LISTS]:
            self.millrace("run", name, store, *ALGORITHMS.get(name, []), "--device=cpu")
        os.chmod(store, 0o755)


if __name__ == "__main__":
    unittest.main()
