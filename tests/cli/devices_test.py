"""Devices: what is listed, what is refused, and that a GPU gives the results of the cpu."""

import json
import os
import unittest

import harness

GPUS = harness.gpus()
needs_gpu = unittest.skipUnless(GPUS, "there is no GPU here")


class Devices(harness.CliTest):
    def devices(self, *flags):
        return json.loads(self.millrace("devices", "--json", *flags).stdout)["devices"]

    def test_lists_the_cpu_first(self):
        for flags in ([], ["--quick"]):
            cpu = self.devices(*flags)[0]
            self.assertEqual(cpu["name"], "cpu")
            for name in ("cores", "memory"):
                self.assertGreater(cpu[name], 0, name)

    def test_measures_unless_it_is_to_be_quick(self):
        cpu = self.devices("--threads=2")[0]
        self.assertGreater(cpu["read_bandwidth"], 0)
        self.assertGreater(cpu["random_reads"][0]["rate"], 0)
        self.assertNotIn("read_bandwidth", self.devices("--quick")[0])

    def test_tells_people_the_same(self):
        text = self.millrace("devices").stdout
        for words in ("cpu: ", "cores", "memory", "GB/s", "random reads", "G/s"):
            self.assertIn(words, text)

    @unittest.skipIf(GPUS, "there is a GPU here")
    def test_says_so_where_there_is_no_gpu(self):
        self.assertEqual(len(self.devices("--quick")), 1)
        self.assertIn("There is no GPU", self.millrace("devices", "--quick").stdout)

    @needs_gpu
    def test_measures_every_gpu(self):
        gpus = self.devices()[1:]
        self.assertEqual([gpu["name"] for gpu in gpus], GPUS)
        for gpu in gpus:
            self.assertNotIn("error", gpu)
            for name in ("memory", "free_memory", "multiprocessors", "l2", "to_device", "to_host", "copy"):
                self.assertGreater(gpu[name], 0, name)
            self.assertEqual(len(gpu["random_reads"]), 3)
            self.assertLess(gpu["launch_seconds"], 0.1)  # other tests may use it too


class DeviceOption(harness.CliTest):
    def run_on(self, device, *flags):
        return ["run", "pagerank", self.path("graph.store"), f"--device={device}", *flags]

    def setUp(self):
        super().setUp()
        self.generate(scale=6)

    def test_names_what_it_accepts(self):
        for name in ("gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "CUDA", "cpu:", "cpu:0x", "cuda:99999999999"):
            with self.subTest(name):
                self.fails(2, *self.run_on(name), says=[name, "cpu, cpu:N, cuda and cuda:N"])

    def test_takes_memory_of_gpus_alone(self):
        words = "--device-memory is for GPUs; on cpu use --host-memory"
        self.fails(2, *self.run_on("cpu", "--device-memory=1G"), says=words)
        self.fails(2, "bench", self.path("graph.store"), "--device=cpu", "--device-memory=1G", says=words)

    def test_takes_the_cpu(self):
        report = json.loads(self.millrace(*self.run_on("cpu", "--json")).stdout)
        self.assertEqual(report["plan"]["device"], "cpu")

    @unittest.skipIf(GPUS, "there is a GPU here")
    def test_without_a_gpu_is_the_cpu_unless_told_otherwise(self):
        report = json.loads(self.millrace("run", "pagerank", self.path("graph.store"), "--json").stdout)
        self.assertEqual(report["plan"]["device"], "cpu")
        for name in ("cuda", "cuda:0", "cuda:7"):
            self.fails(5, *self.run_on(name), says=["cuda:", "--device cpu"])
            self.fails(5, "bench", self.path("graph.store"), "--device", name, says=["cuda:", "--device cpu"])
        words = ["--device-memory is for GPUs", "no GPU was found"]
        self.fails(2, "run", "pagerank", self.path("graph.store"), "--device-memory=1G", says=words)

    def test_is_for_imports_too(self):
        text = self.write("edges.txt", "0 1\n1 2\n")
        imported = ["import", text, "-o", self.path("imported.store")]
        self.fails(2, *imported, "--device=tpu", says=["tpu", "cpu, cpu:N, cuda and cuda:N"])
        self.fails(5, *imported, f"--device=cuda:{len(GPUS)}", says="cuda:")
        self.assertNotIn("sorted and encoded on", self.millrace(*imported, "--device=cpu").stderr)
        self.assertNotIn("sorted and encoded on", self.millrace(*imported, "--force").stderr)  # it is small

    @needs_gpu
    def test_of_an_import_makes_the_same_store(self):
        text = self.write("edges.txt", "".join(f"{i * i % 977} {i * 7 % 1009} {i % 9}\n" for i in range(20000)))
        for name in ("cpu", "cuda"):
            self.millrace("import", text, "-o", self.path(f"{name}.store"), f"--device={name}")
        for file in os.listdir(self.path("cpu.store")):
            with open(self.path(f"cpu.store/{file}"), "rb") as a, open(self.path(f"cuda.store/{file}"), "rb") as b:
                self.assertEqual(a.read(), b.read(), file)
        weighted = ["import", text, "-o", self.path("weighted.store"), "--device=cuda", "--weighted"]
        self.fails(2, *weighted, says=["--device cuda", "on the cpu alone"])

    @needs_gpu
    def test_with_a_gpu_is_the_gpu_unless_told_otherwise(self):
        report = json.loads(self.millrace("run", "pagerank", self.path("graph.store"), "--json").stdout)
        self.assertEqual(report["plan"]["device"], "cuda:0")
        self.fails(5, *self.run_on(f"cuda:{len(GPUS)}"), says=f"this machine has {len(GPUS)} GPU")
        self.fails(2, *self.run_on("cuda", "--device-memory=lots"), says="'lots' is not a size")
        self.fails(2, *self.run_on("cuda", "--device-memory=0"), says="--device-memory 0")

    @needs_gpu
    def test_refuses_a_run_that_does_not_fit_before_it_starts(self):
        self.fails(4, *self.run_on("cuda", "--device-memory=4K"), says="--device-memory")


@needs_gpu
class OnTheGpu(harness.CliTest):
    """Every result is that of the cpu: with all pages resident, and with less and less memory for them."""

    # The share of the pages that fits beside the attributes; None: no limit.
    BUDGETS = (None, 0.5, 0.1)

    def setUp(self):
        super().setUp()
        self.stores = [
            self.generate("rmat.store", scale=18, order="degree", page_size="64K"),
            self.generate("grid.store", "grid", scale=20, page_size="16K"),
        ]
        both = self.path("both.store")
        self.millrace("generate", "rmat", "-o", both, "--scale=17", "--undirected", "--page-size=64K")
        self.stores.append(both)

    def budgets(self, run):
        """Memory sizes to try: what the resident run took, with a share of its pages."""
        report = json.loads(self.millrace(*run, "--device=cuda", "--json").stdout)
        self.assertEqual(report["plan"]["pages"], "resident")
        peak, pages = report["device_memory"]["peak"], report["plan"]["page_bytes"]
        for share in self.BUDGETS:
            yield [] if share is None else ["--device-memory", int(peak - pages + share * pages) + (1 << 20)]

    def compare(self, algorithm, kind, same):
        for store in self.stores:
            expected = self.values(*algorithm[:1], store, *algorithm[1:], "--device=cpu", kind=kind)
            run = ["run", algorithm[0], store, *algorithm[1:]]
            for budget in self.budgets(run):
                with self.subTest(f"{store.name} {algorithm} {budget}"):
                    flags = ["--device=cuda", *budget]
                    report = json.loads(self.millrace(*run, *flags, "--check", "--json").stdout)
                    self.assertEqual(report["check"], "passed")
                    self.assertLessEqual(report["device_memory"]["peak"], report["device_memory"]["limit"])
                    if budget:
                        self.assertEqual(report["device_memory"]["limit"], budget[1])
                    self.check_traffic(report)
                    found = self.values(*algorithm[:1], store, *algorithm[1:], *flags, kind=kind)
                    self.assertEqual(found.keys(), expected.keys())
                    for vertex, value in found.items():
                        if not same(value, expected[vertex]):
                            self.fail(f"vertex {vertex}: {value} on the GPU, {expected[vertex]} on the cpu")

    def check_traffic(self, report):
        """A resident graph copies nothing; the figures of a streamed one must add up."""
        self.assertEqual(report["link_bytes"], sum(step["loaded_bytes"] for step in report["trace"]))
        for step in report["trace"]:
            phases = step["phases"]
            self.assertAlmostEqual(phases["compute"] + phases["wait"], step["seconds"], places=6)
            self.assertEqual(phases["copy"] > 0, step["loaded_bytes"] > 0)
            self.assertLessEqual(phases["copy"], 1.01 * step["seconds"])  # by the clock of the GPU
        if report["plan"]["pages"] == "resident":
            self.assertEqual(report["link_bytes"], 0)
        else:
            plan = report["plan"]
            self.assertLess(plan["cache_bytes"], plan["page_bytes"])
            self.assertEqual(plan["cache_bytes"], plan["slots"] * plan["slot_bytes"])
            self.assertGreater(report["link_bytes"], 0)
            self.assertLess(report["cache_hit_rate"], 1)

    def test_levels_are_the_cpus(self):
        self.compare(["bfs", "--source=0"], int, lambda a, b: a == b)

    def test_ranks_are_the_cpus(self):
        self.compare(["pagerank"], float, lambda a, b: abs(a - b) <= 1e-4 * b)

    def test_benchmarks_share_the_memory(self):
        self.millrace("calibrate", "--quick", "--algorithms=pagerank")
        self.millrace(
            *("bench", self.stores[0], "--device=cuda", "--device-memory=all,0%,50%", "--algorithms=pagerank"),
            *("--repeats=2", "--iterations=2", "--check", "--json", self.path("bench.json")),
        )
        resident, none, half = json.loads(self.path("bench.json").read_text())["results"]
        self.assertEqual([r["pages"] for r in (resident, none, half)], ["resident", "streamed", "streamed"])
        self.assertLess(none["cache_hit_rate"], half["cache_hit_rate"])
        self.assertGreater(half["predicted_seconds"], 0)
        for result in (resident, none, half):
            self.assertEqual(result["checked_results"], 1 if result["algorithm"] == "pagerank" else 3)
            self.assertGreater(result["link_bandwidth"], 1e9)


if __name__ == "__main__":
    unittest.main()
