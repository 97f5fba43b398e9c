"""Communities by label propagation, named by the original ids or names of vertices."""

import json
import resource
import unittest

import harness

# Two triangles and an edge between them; the ids do not fit 32 bits.
TRIANGLES = [(1, 2), (2, 3), (3, 1), (3, 10**12), (10**12, 10**12 + 1), (10**12 + 1, 10**12 + 2), (10**12 + 2, 10**12)]


def reference(edges, iterations):
    neighbours = {}
    for a, b in edges:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    label = {vertex: vertex for vertex in neighbours}
    for _ in range(iterations):
        heard = {vertex: [label[other] for other in others] for vertex, others in neighbours.items()}
        label = {vertex: min(labels, key=lambda one: (-labels.count(one), one)) for vertex, labels in heard.items()}
    return label


class Communities(harness.CliTest):
    def test_have_original_ids_in_any_order_of_vertices(self):
        text = "".join(f"{a} {b}\n" for a, b in TRIANGLES)
        for order in ("natural", "degree"):
            for direction in ([], ["--undirected"]):
                store = self.import_text(text, f"--order={order}", *direction, "--force")
                for iterations in (0, 1, 2, 10):
                    labels = self.values("cdlp", store, "--iterations", iterations, "--check")
                    self.assertEqual(labels, reference(TRIANGLES, iterations))

    def test_are_counted(self):
        store = self.import_text("".join(f"{a} {b}\n" for a, b in TRIANGLES), "--undirected")
        report = json.loads(self.millrace("run", "cdlp", store, "--json").stdout)
        self.assertEqual(report["options"]["iterations"], 10)
        self.assertEqual(report["results"]["communities"], len(set(reference(TRIANGLES, 10).values())))

    def test_have_names(self):
        store = self.import_text("zoe\tadam\nadam\teve\neve\tzoe\n", "--ids=string", "--undirected")
        # Ids number the names in order of appearance: zoe, adam, eve.
        printed = self.millrace("run", "cdlp", store, "--iterations=1", "-o", "-").stdout
        self.assertEqual(printed, "zoe\tadam\nadam\tzoe\neve\tzoe\n")

    def test_pass_their_check_with_little_memory(self):
        for name, flags in (("directed.store", []), ("undirected.store", ["--undirected"])):
            store = self.path(name)
            self.millrace("generate", "rmat", "-o", store, "--scale=12", "--page-size=4K", "--order=degree", *flags)
            reports = [
                json.loads(self.millrace("run", "cdlp", store, "--check", "--json", "-t", 2, *memory).stdout)
                for memory in ([], ["--device=cpu", "--host-memory=1M"])
            ]
            self.assertEqual([report["check"] for report in reports], ["passed", "passed"])
            self.assertEqual(reports[0]["results"], reports[1]["results"])

    def test_are_measured(self):
        for flags in ([], ["--undirected"]):
            store = self.path("graph.store")
            self.millrace("generate", "rmat", "-o", store, "--scale=8", "--force", *flags)
            edges = self.info(store)["edges"]
            figures = self.path("figures.json")
            self.millrace("bench", store, "--algorithms=cdlp", "--repeats=2", "--check", "--json", figures)
            (result,) = json.loads(figures.read_text())["results"]
            self.assertEqual(result["algorithm"], "cdlp")
            self.assertGreater(result["checked_results"], 0)
            self.assertEqual(result["edges"], edges * (1 if flags else 2))

    def test_have_no_direction_to_choose(self):
        store = self.import_text("1 2\n2 3\n")
        for algorithm in ("cdlp", "lcc", "triangles"):
            self.fails(2, "run", algorithm, store, "--direction", "push", says="--direction")

    @unittest.skipIf(harness.is_sanitized(), "takes time of its own")
    def test_of_hubs_are_checked_in_little_time(self):
        """Reading the hub once for each of its neighbours would take 15 seconds of processor time."""
        processor_time = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        leaves = 200_000
        rim = "".join(f"{i} {i + 1}\n" for i in range(leaves - 1))
        for hub, edges in ((0, ""), (leaves, rim)):
            spokes = "".join(f"{hub} {i}\n" for i in range(leaves))
            store = self.import_text(spokes + edges, "--order=natural", "--force")
            for algorithm in ("triangles", "lcc"):
                before = processor_time()
                report = json.loads(self.millrace("run", algorithm, store, "--threads=2", "--check", "--json").stdout)
                self.assertEqual(report["results"]["triangles"], leaves - 1 if edges else 0)
                self.assertLess(processor_time() - before, 8)

    def test_need_both_orientations_of_a_directed_graph(self):
        store = self.import_text("1 2\n2 3\n", "--orientation=in")
        self.assertIn("--orientation both", self.fails(2, "run", "cdlp", store))


if __name__ == "__main__":
    unittest.main()
