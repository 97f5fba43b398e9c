"""From a graph file to an answer: direct runs, the cache of stores, what summaries show, and suggestions."""

import json
import os
import re
import subprocess
import unittest

import harness

EDGES = "# a b\n1 2\n1 3\n2 3\n3 1\n4 3\n4 5\n5 4\n7 8\n"


class FrontDoor(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.environment = {
            **harness.ENVIRONMENT,
            "XDG_CACHE_HOME": str(self.path("cache")),
            "LC_ALL": "C.UTF-8",
        }

    def cached(self):
        return json.loads(self.millrace("cache", "--json").stdout)["stores"]


class Files(FrontDoor):
    def test_are_imported_once(self):
        file = self.write("edges.txt", EDGES)
        first = self.millrace("run", "pagerank", file, "--device=cpu")
        self.assertRegex(first.stderr, r"^imported .*edges\.txt in .*: 7 vertices, 8 edges\n$")
        self.assertIn("pagerank on", first.stdout.splitlines()[0])
        self.assertIn("edges.txt", first.stdout.splitlines()[0], "the name that the user knows")
        again = self.millrace("run", "bfs", file, "--source=1", "--device=cpu")
        self.assertEqual(again.stderr, "")
        self.assertEqual(len(self.cached()), 1)

    def test_with_weights_that_nobody_uses_are_told_of_it(self):
        file = self.write("roads.txt", "1 2 5\n2 3 7\n")
        some = self.write("some.txt", "1\n2\n")
        unused = "does not use weights: its result is the same without them"
        for run in ("pagerank", "bfs --source=1", "degrees"):
            for flag in ("--weighted", "--weights=f64"):
                algorithm, *flags = run.split()
                done = self.millrace("run", algorithm, file, *flags, flag)
                self.assertIn(f"{algorithm} {unused}", done.stderr)
                self.assertNotIn(unused, self.millrace("run", algorithm, file, *flags).stderr)
        self.assertNotIn(unused, self.millrace("run", "sssp", file, "--source=1", "--weighted").stderr)
        self.assertNotIn(unused, self.millrace("run", "subgraph", file, "--vertices", some, "--weighted").stderr)

    def test_are_imported_again_with_other_options_or_content(self):
        file = self.write("edges.txt", EDGES)
        self.millrace("run", "wcc", file, "--device=cpu")
        done = self.millrace("run", "wcc", file, "--undirected", "--device=cpu")
        self.assertIn("imported", done.stderr)
        self.assertEqual({store["options"] for store in self.cached()}, {"", "--undirected"})
        self.write("edges.txt", EDGES + "8 9\n")
        self.assertIn("8 vertices, 9 edges", self.millrace("run", "wcc", file, "--device=cpu").stderr)
        self.assertEqual(len(self.cached()), 2)

    def test_of_any_format(self):
        self.write("trades.csv", "seller,buyer,price\nann,bob,3\nbob,cid,4\n")
        flags = ("--columns=seller,buyer,price", "--ids=string", "--weighted", "--device=cpu")
        done = self.millrace("run", "sssp", "trades.csv", "--source=ann", *flags, "-o", "-")
        self.assertEqual(done.stdout, "ann\t0\nbob\t3\ncid\t7\n")
        self.write("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n")
        self.assertIn("3 vertices", self.millrace("run", "degrees", "g.mtx").stderr)

    @staticmethod
    def rewrite(file, text, before):
        """Changes a file in place, but neither its size nor its time."""
        file.write_text(text)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    def test_that_keep_their_size_and_time_are_not_mistaken_for_what_they_were(self):
        file = self.write("edges.txt", "1 2\n2 3\n")
        other = self.write("other.txt", "1 2\n2 1\n")
        before = os.stat(file)
        os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
        levels = lambda: self.millrace("run", "bfs", file, "--source=1", "--device=cpu", "-o", "-").stdout
        first = levels()
        self.rewrite(file, "1 2\n3 2\n", before)
        second = levels()
        subprocess.run(["cp", "-p", other, file], check=True)
        third = levels()
        self.assertEqual(len({first, second, third}), 3)
        os.rename(other, file)
        self.assertEqual(levels(), third)
        for turn in range(10):  # changed as soon as it was read
            self.rewrite(file, f"1 2\n2 {turn}\n", before)
            self.assertEqual(levels().split()[::2], [str(v) for v in sorted({1, 2, turn})])

    def test_can_be_kept_elsewhere(self):
        file = self.write("edges.txt", EDGES)
        self.assertIn("imported", self.millrace("run", "wcc", file, "--store=mine.store", "--device=cpu").stderr)
        self.assertEqual(self.millrace("run", "wcc", file, "--store=mine.store", "--device=cpu").stderr, "")
        self.assertEqual(self.cached(), [])
        self.millrace("info", "mine.store")
        other = self.write("other.txt", "1 2\n")
        os.utime(other, (0, 0))
        before = os.stat(file)
        for change in (
            lambda: (file, "--undirected"),
            lambda: (other,),
            lambda: ("/dev/stdin",),
            lambda: self.rewrite(file, EDGES.replace("1", "7"), before) or (file,),
        ):
            done = self.millrace("run", "wcc", *change(), "--store=mine.store", "--device=cpu", exit_code=2)
            self.assertIn("exists already, and was made from another file", done.stderr)
        self.rewrite(file, EDGES, before)
        self.assertEqual(self.millrace("run", "wcc", file, "--store=mine.store", "--device=cpu").stderr, "")
        for _ in range(2):  # with the same options it is found again
            self.millrace("run", "wcc", file, "--store=both.store", "--undirected", "--device=cpu")

    def test_are_explained_too(self):
        file = self.write("edges.txt", EDGES)
        done = self.millrace("explain", "neighbourhood", file, "--source=1", "--hops=2", "--device=cpu")
        self.assertIn("7 vertices, 8 edges", done.stdout)

    def test_options_of_an_import_are_refused_for_a_store(self):
        store = self.generate()
        done = self.millrace("run", "wcc", store, "--undirected", "--device=cpu", exit_code=2)
        self.assertIn("is a store: --undirected is for graph files", done.stderr)

    def test_that_are_bad_leave_nothing(self):
        file = self.write("bad.txt", "1 2\n3 x\n")
        done = self.millrace("run", "wcc", file, "--device=cpu", exit_code=3)
        self.assertIn("bad.txt:2", done.stderr)
        self.assertEqual(self.cached(), [])
        left = [path.name for path in (self.path("cache") / "millrace" / "graphs").iterdir()]
        self.assertEqual(left, [])

    def test_that_are_no_files_are_refused(self):
        done = self.millrace("run", "wcc", "/dev/null", "--device=cpu", exit_code=2)
        self.assertIn("not a regular file", done.stderr)

    def test_that_exceed_the_limit_are_not_kept(self):
        self.millrace("cache", "--limit=1K")
        file = self.write("edges.txt", EDGES)
        done = self.millrace("run", "wcc", file, "--device=cpu")
        self.assertIn("larger than the limit of the cache", done.stderr)
        self.assertIn("components", done.stdout)
        self.assertEqual(self.cached(), [])

    def test_without_a_home_need_a_store(self):
        file = self.write("edges.txt", EDGES)
        done = self.millrace("run", "wcc", file, "--device=cpu", exit_code=2, env={**self.environment, "XDG_CACHE_HOME": "", "HOME": ""})
        self.assertIn("--store", done.stderr)


    def test_changes_of_the_graph_are_told(self):
        self.write("odd.txt", "1 1 0.1\n1 2 0.3\n1 2 0.3\n")
        said = self.millrace("run", "sssp", "odd.txt", "--source=1", "--weights=f32", "--device=cpu").stderr
        for words in ("dropped 1 self-loop", "merged 1 parallel edge", "weights: f32, off by at most"):
            self.assertIn(words, said)

    def test_a_cache_that_cannot_be_used_has_a_way_out(self):
        file = self.write("edges.txt", EDGES)
        self.write("cache", "a file in the way")
        self.assertIn("--store PATH", self.millrace("run", "wcc", file, "--device=cpu", exit_code=1).stderr)
        self.millrace("run", "wcc", file, "--store=mine.store", "--device=cpu")

    def test_that_are_missing_are_named(self):
        self.assertIn("there is no store or graph file zzzz", self.millrace("run", "wcc", "zzzz", exit_code=3).stderr)
        self.path("dangling.txt").symlink_to("nowhere")
        self.assertNotIn("did you mean dangling", self.millrace("run", "wcc", "dangling.txt", exit_code=3).stderr)


class Cache(FrontDoor):
    def test_clear_takes_no_other_option(self):
        self.millrace("run", "wcc", self.write("a.txt", EDGES), "--device=cpu")
        self.millrace("cache", "clear", "--limit=10G", exit_code=2)
        self.assertEqual(len(self.cached()), 1)
        self.path("link.txt").symlink_to("a.txt")
        self.assertIn("removed 1 store,", self.millrace("cache", "clear", "link.txt", "a.txt").stdout)

    def test_is_listed_and_cleared(self):
        for name in ("a.txt", "b.txt"):
            self.millrace("run", "wcc", self.write(name, EDGES), "--device=cpu")
        text = self.millrace("cache").stdout
        self.assertRegex(text, r"2 stores, .* of at most 64\.0 GiB")
        self.assertRegex(text, r"of .*/a\.txt, last used 20\d\d-")
        self.path("a.txt").write_text("1 2\n")
        self.assertIn("which has changed since", self.millrace("cache").stdout)
        self.assertIn("removed 1 store,", self.millrace("cache", "clear", "a.txt").stdout)
        self.assertIn("no store x.txt", self.millrace("cache", "clear", "x.txt", exit_code=2).stderr)
        self.assertIn("removed 1 store,", self.millrace("cache", "clear").stdout)
        self.assertEqual(self.cached(), [])
        self.assertTrue(self.path("b.txt").exists())


class Answers(FrontDoor):
    def answer(self, *arguments):
        return json.loads(self.millrace("run", *arguments, "--device=cpu", "--json").stdout)["answer"]

    def test_highest_values_come_first(self):
        store = self.generate(scale=9)
        ranks = self.values("pagerank", store, "--device=cpu", kind=float)
        best = sorted(ranks, key=lambda v: -ranks[v])[:10]
        top = self.answer("pagerank", store)["tops"][0]
        self.assertEqual(top["title"], "highest rank")
        self.assertEqual([ranks[int(row["name"])] for row in top["rows"]], [ranks[v] for v in best])
        lines = self.millrace("run", "pagerank", store, "--device=cpu", "--top=3").stdout.splitlines()
        self.assertEqual(lines[1], "  highest rank")
        self.assertRegex(lines[2], rf"^     1  {best[0]} +0\.\d+  █+$")
        self.assertRegex(lines[5], r"^  graph ")
        self.assertEqual(self.answer("pagerank", store, "--top=0")["tops"], [])
        self.assertEqual(len(self.answer("hits", store)["tops"]), 2)

    def test_levels_are_counted(self):
        store = self.generate(scale=9)
        levels = self.values("bfs", store, "--source=0", "--device=cpu")
        chart = self.answer("bfs", store, "--source=0")["charts"][0]
        counted = {row["name"]: row["number"] for row in chart["bars"]}
        expected = {}
        for level in levels.values():
            name = "not reached" if level == harness.UNREACHED else str(level)
            expected[name] = expected.get(name, 0) + 1
        self.assertEqual({name: count for name, count in counted.items() if count}, expected)

    def test_long_searches_are_counted_in_ranges(self):
        chain = "".join(f"{i} {i + 1}\n" for i in range(999))
        file = self.write("chain.txt", chain)
        bars = self.answer("bfs", file, "--source=0")["charts"][0]["bars"]
        self.assertLessEqual(len(bars), 20)
        self.assertEqual(sum(row["number"] for row in bars), 1000)
        self.assertEqual(bars[0]["name"], "0 to 49")

    def test_components_are_named_by_their_lowest_id(self):
        file = self.write("edges.txt", EDGES)
        top = self.answer("wcc", file)["tops"][0]
        self.assertEqual([(row["name"], row["number"]) for row in top["rows"]], [("1", 5), ("7", 2)])
        sizes = self.answer("wcc", file)["charts"][0]["bars"]
        self.assertEqual([(row["name"], row["number"]) for row in sizes], [("2 to 3", 1), ("4 to 7", 1)])

    def test_names_are_shown(self):
        file = self.write("names.txt", "ann bob\ncid bob\n")
        rows = self.answer("pagerank", file, "--ids=string")["tops"][0]["rows"]
        self.assertEqual(rows[0]["name"], "bob")

    def test_distances_and_coefficients_have_ranges(self):
        self.write("roads.txt", "0 1 0.5\n1 2 0.25\n2 3 9.5\n")
        bars = self.answer("sssp", "roads.txt", "--weighted", "--source=0")["charts"][0]["bars"]
        self.assertEqual((bars[0]["name"], bars[0]["number"]), ("0", 1))
        self.assertEqual(sum(row["number"] for row in bars), 4)
        self.assertEqual(bars[-1]["name"], "to 10.25")
        self.assertEqual(bars[-1]["number"], 1)

    def test_of_an_empty_graph(self):
        self.write("none.graph", "0 0\n")
        self.assertEqual(self.answer("pagerank", "none.graph"), {"tops": [], "charts": []})

    def test_internals_need_verbose(self):
        store = self.generate()
        short = self.millrace("run", "pagerank", store, "--device=cpu").stdout
        self.assertNotIn("topology read", short)
        self.assertIn("topology read", self.millrace("run", "pagerank", store, "--device=cpu", "--verbose").stdout)

    def test_bars_are_plain_where_the_locale_is(self):
        store = self.generate()
        plain = self.millrace("run", "pagerank", store, "--device=cpu", env={**self.environment, "LC_ALL": "C"}).stdout
        self.assertNotIn("█", plain)
        self.assertRegex(plain, r" 1  \S+ +0\.\d+  #{30}\n")


class Suggestions(FrontDoor):
    def test_for_commands_algorithms_options_and_files(self):
        self.write("edges.txt", EDGES)
        for arguments, question in (
            (("rnu",), "did you mean run?"),
            (("run", "pagernak", "edges.txt"), "did you mean pagerank?"),
            (("explain", "pagernak", "edges.txt"), "did you mean pagerank?"),
            (("run", "pagerank", "edges.txt", "--itertions=3"), "did you mean --iterations?"),
            (("import", "edges.txt", "--undirectd"), "did you mean --undirected?"),
            (("cache", "claer"), "did you mean clear?"),
        ):
            self.assertIn(question, self.millrace(*arguments, exit_code=2).stderr)
        self.assertIn("did you mean edges.txt?", self.millrace("run", "wcc", "edgse.txt", exit_code=3).stderr)

    def test_for_names_of_vertices(self):
        self.write("names.txt", "Amsterdam Berlin\nBerlin Copenhagen\n")
        done = self.millrace("run", "bfs", "names.txt", "--ids=string", "--source=Amsterdm", "--device=cpu", exit_code=2)
        self.assertIn("did you mean Amsterdam?", done.stderr)

    def test_none_where_nothing_is_near(self):
        self.assertNotIn("did you mean", self.millrace("zzzzzz", exit_code=2).stderr)

    def test_every_usage_error_has_one_form(self):
        for arguments in (("run",), ("run", "bfs"), ("run", "bfs", "x.store", "--direction=up"), ("import",)):
            text = self.millrace(*arguments, exit_code=2).stderr
            self.assertRegex(text, r"^millrace: .*\n$")
            self.assertEqual(len(re.findall("\n", text)), 1)


if __name__ == "__main__":
    unittest.main()
