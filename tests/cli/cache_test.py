"""The cache: for its owner alone, never a way to the files of others, and damage in it is no dead end. And names out of
files, which never reach a terminal as they are."""

import json
import os
import shutil
import stat
import unittest

import harness
import store_surgery

EDGES = "".join(f"{v} {v * v % 61}\n{v} {v * 7 % 67}\n" for v in range(60))


class CacheTest(harness.CliTest):
    seconds = 120  # a command that waits for a pipe waits for ever

    def setUp(self):
        super().setUp()
        self.write("edges.txt", EDGES)
        self.write("precious", "years of work")
        self.cache = self.path("xdg") / "millrace"
        self.environment = {**harness.ENVIRONMENT, "XDG_CACHE_HOME": str(self.path("xdg"))}

    def run_graph(self, exit_code=0):
        return self.millrace("run", "pagerank", "edges.txt", "--device=cpu", "-o", "ranks.txt", exit_code=exit_code)

    def ranks(self):
        return self.path("ranks.txt").read_text()

    def store(self):
        return next(self.cache.glob("graphs/*.store"))


def put(path, kind):
    """Puts something of that kind in the place of a file or folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    if kind == "a folder":
        path.mkdir()
    elif kind == "a folder with a file":
        path.mkdir()
        (path / "thesis.tex").write_text("years of work")
    elif kind == "a link":
        path.symlink_to("../../../precious")
    elif kind == "a link to a folder":
        path.symlink_to("../../../folder")
    elif kind == "a link to nothing":
        path.symlink_to("../../../nothing")
    elif kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a socket":
        harness.make_socket(path)
    else:
        path.write_text({"an empty file": "", "no JSON": "{", "another file": '{"a": [1]}'}[kind])


KINDS = ["an empty file", "no JSON", "another file", "a folder", "a link", "a link to a folder", "a link to nothing",
         "a pipe", "a socket"]


class Damage(CacheTest):
    def setUp(self):
        super().setUp()
        self.path("folder").mkdir()
        self.write("folder/thesis.tex", "years of work")
        self.millrace("cache", "--limit=1G")
        self.assertIn("imported", self.run_graph().stderr)
        self.expected = self.ranks()

    def expect_sound(self, again):
        """A run gives what it gave; then the store is there again. Nothing outside of the cache has changed."""
        self.path("ranks.txt").unlink()
        done = self.run_graph()
        self.assertEqual(self.ranks(), self.expected)
        if again is not None:
            self.assertEqual("imported" in done.stderr, again, done.stderr)
        self.assertNotIn("imported", self.run_graph().stderr)
        self.assertEqual(self.path("precious").read_text(), "years of work")
        self.assertEqual(sorted(os.listdir(self.path("folder"))), ["thesis.tex"])
        self.assertFalse(self.path("nothing").exists())
        return done

    def test_things_in_place_of_what_belongs_to_a_store(self):
        for suffix, again in (("", True), (".json", True), (".making", False), (".lock", True), (".partial", True)):
            for kind in KINDS:
                with self.subTest(f"{kind} in place of {suffix or 'the store'}"):
                    store = self.store()
                    if suffix in (".lock", ".partial"):  # which matter to an import alone
                        (store / "manifest.json").unlink()
                    put(store.with_name(store.name + suffix), kind)
                    self.expect_sound(again)
                    left = {path.name for path in self.cache.joinpath("graphs").iterdir()}
                    self.assertEqual(left, {"limit", store.name, store.name + ".json"})

    def test_folders_with_files_of_others_are_named(self):
        for suffix in ("", ".json", ".making", ".lock", ".partial"):
            with self.subTest(suffix):
                store = self.store()
                (store / "manifest.json").unlink()
                place = store.with_name(store.name + suffix)
                put(place, "a folder with a file")
                said = self.run_graph(exit_code=1).stderr
                self.assertIn(str(place), said)
                self.assertIn("elsewhere", said)
                self.assertNotIn("--force", said)
                self.millrace("cache", "clear")
                self.assertEqual((place / "thesis.tex").read_text(), "years of work")
                shutil.rmtree(place)
                self.expect_sound(True)

    def test_damaged_files_of_the_store(self):
        for name in sorted(path.name for path in self.store().iterdir()):
            for kind in ("flipped", "cut", "gone", "a folder", "a link", "a pipe"):
                with self.subTest(f"{name} {kind}"):
                    file = self.store() / name
                    if kind == "flipped":
                        harness.flip_byte(file, file.stat().st_size // 2)
                    elif kind == "cut":
                        file.write_bytes(file.read_bytes()[:-1])
                    elif kind == "gone":
                        file.unlink()
                    else:
                        put(file, kind)
                    done = self.expect_sound(None)
                    if "imported" not in done.stderr:  # this algorithm does not read it
                        self.assertNotIn("damaged", done.stderr)
                        self.millrace("cache", "clear")
                        self.run_graph()

    def test_results_on_stdout_are_not_begun_twice(self):
        pages = self.store() / "in.pages"
        harness.flip_byte(pages, pages.stat().st_size // 2)
        run = ["run", "pagerank", "edges.txt", "--device=cpu", "-o", "-"]
        done = self.millrace(*run, "--trust", exit_code=3)  # without it, the damage is found before the run
        self.assertEqual(done.stdout, "")
        self.assertIn("is removed from it: run this again", done.stderr)
        self.assertEqual(self.millrace(*run).stdout, self.expected)

    def test_a_wrong_argument_does_not_cost_the_store(self):
        self.write("list.txt", "4711\n")
        self.millrace("run", "subgraph", "edges.txt", "--vertices", "list.txt", "-o", "x.txt", exit_code=3)
        self.assertNotIn("imported", self.run_graph().stderr)

    def test_things_in_place_of_the_last_report(self):
        report = self.cache / "last-run.json"
        for kind in [*KINDS, "a folder with a file"]:
            with self.subTest(kind):
                put(report, kind)
                before = os.readlink(report) if report.is_symlink() else None
                said = self.expect_sound(None).stderr
                if kind in ("an empty file", "no JSON", "another file"):
                    self.assertNotIn("not kept", said)
                    self.assertEqual(json.loads(report.read_text())["algorithm"], "pagerank")
                    continue
                self.assertIn(f"the report of this run is not kept: {report} is in the way", said)
                self.assertIn("millrace cache clear", said)
                self.assertIn("millrace cache clear", self.millrace("explain", "--after", exit_code=1).stderr)
                self.assertEqual(os.readlink(report) if report.is_symlink() else None, before)
                self.millrace("cache", "clear")
                self.assertEqual(os.path.lexists(report), kind == "a folder with a file")
                if report.is_dir():
                    shutil.rmtree(report)

    def test_a_damaged_report_says_what_helps(self):
        report = self.cache / "last-run.json"
        for text in ("", "{", "[]", '{"predicted": 1}'):
            report.write_text(text)
            self.assertIn("the next run replaces it", self.millrace("explain", "--after", exit_code=3).stderr)

    def test_things_in_place_of_the_limit(self):
        limit = self.cache / "graphs/limit"
        for kind in KINDS:
            with self.subTest(kind):
                put(limit, kind)
                self.expect_sound(None)
                self.assertEqual(json.loads(self.millrace("cache", "--json").stdout)["limit"], 64 << 30)
                if not limit.is_file() or limit.is_symlink():
                    said = self.millrace("cache", "--limit=2G", exit_code=1).stderr
                    self.assertIn("millrace cache clear", said)
                    self.millrace("cache", "clear")
                self.millrace("cache", "--limit=2G")
                self.run_graph()
        self.assertEqual(self.path("precious").read_text(), "years of work")

    def test_things_in_place_of_what_was_measured(self):
        # Its name depends on the machine.
        self.millrace("calibrate", "--quick", "--seconds=0.1", "--algorithms=wcc")
        machine = next(self.cache.glob("machine-*.json"))
        for kind in ("no JSON", "a link", "a pipe", "a folder"):
            with self.subTest(kind):
                put(machine, kind)
                self.expect_sound(None)
                if kind != "no JSON":
                    said = self.millrace("calibrate", "--quick", "--seconds=0.1", "--algorithms=wcc", exit_code=1).stderr
                    self.assertIn("millrace cache clear", said)
                    self.millrace("cache", "clear")
                    self.assertFalse(os.path.lexists(machine))
                    self.run_graph()

    def test_clear_leaves_nothing(self):
        store = self.store()
        for suffix in (".making", ".partial-0123456789abcdef", ".json", ".lock"):  # of killed imports, and of others
            self.write(store.with_name(f"killed.txt-0123456789abcdef.store{suffix}"), "")
        self.millrace("cache", "clear")
        left = [path.name for path in (self.cache / "graphs").iterdir()]
        self.assertEqual(left, ["killed.txt-0123456789abcdef.store.partial-0123456789abcdef", "limit"],
                         "what proves nothing stays")


class Private(CacheTest):
    def modes(self):
        wrong = []
        for path in [self.cache, *self.cache.rglob("*")]:
            status = path.lstat()
            if stat.S_IMODE(status.st_mode) != (0o700 if stat.S_ISDIR(status.st_mode) else 0o600):
                wrong.append((path.name, oct(status.st_mode)))
        return wrong

    def fill(self):
        self.run_graph()
        self.millrace("cache", "--limit=1G")
        self.millrace("calibrate", "--quick", "--seconds=0.1", "--algorithms=wcc")

    def test_whatever_the_umask(self):
        self.path("edges.txt").chmod(0o600)
        for umask in (0o000, 0o022, 0o077):
            self.addCleanup(os.umask, os.umask(umask))
            self.fill()
            self.assertEqual(self.modes(), [])
            shutil.rmtree(self.path("xdg"))

    def test_an_older_cache_becomes_private(self):
        self.fill()
        for path in [self.cache, *self.cache.rglob("*")]:
            path.chmod(0o777 if path.is_dir() else 0o666)
        self.path("outside").mkdir(mode=0o755)
        (self.cache / "graphs/link.store").symlink_to(self.path("outside"))
        self.assertNotIn("imported", self.run_graph().stderr)
        (self.cache / "graphs/link.store").unlink()
        self.assertEqual(self.modes(), [])
        self.assertEqual(stat.S_IMODE(self.path("outside").stat().st_mode), 0o755)

    def test_the_cache_of_somebody_else_is_not_used(self):
        if os.getuid() != 0:
            self.skipTest("only root can give a folder away")
        self.fill()
        os.chown(self.cache, 65534, 65534)
        before = (self.cache / "last-run.json").read_bytes()
        said = self.run_graph(exit_code=1).stderr
        for words in ("belongs to another user", "XDG_CACHE_HOME", "--store PATH"):
            self.assertIn(words, said)
        said = self.millrace("run", "pagerank", "edges.txt", "--store=own.store", "--device=cpu").stderr
        self.assertIn("the report of this run is not kept: the cache", said)
        self.assertEqual((self.cache / "last-run.json").read_bytes(), before)

    def test_a_cache_that_is_a_link_is_not_followed(self):
        self.path("real").mkdir()
        self.path("xdg").mkdir()
        self.cache.symlink_to(self.path("real"))
        self.assertIn("is a link", self.run_graph(exit_code=1).stderr)
        self.assertEqual(os.listdir(self.path("real")), [])


class Terminals(harness.CliTest):
    """Control characters in names: of one byte, and in UTF-8."""

    EVIL = "\033[2Ja\u009b31m\x7f\x07"

    def expect_harmless(self, *arguments, **options):
        done = self.millrace(*arguments, **options)
        for text in (done.stdout, done.stderr):
            self.assertFalse([c for c in text if c != "\n" and c != "\t" and (ord(c) < 32 or 127 <= ord(c) < 160)], text)
        return done

    def test_do_not_see_what_files_are_called(self):
        edges = self.write(self.EVIL + ".txt", "1 2\n2 3\n3 1\n")
        store = self.path(self.EVIL + ".store")
        self.expect_harmless("import", edges, "-o", store)
        done = self.expect_harmless("info", store)
        self.assertIn(r"\u001b[2Ja\u009b31m\u007f\u0007.txt", done.stdout)
        self.assertEqual(json.loads(self.expect_harmless("info", store, "--json").stdout)["source"], edges.name)
        for command in (["verify"], ["run", "bfs", "--source=1", "--device=cpu"], ["run", "degrees"],
                        ["export", "-o", self.path("x" + self.EVIL + ".txt")]):
            self.expect_harmless(*command, store)
        self.expect_harmless("partition", store, "--parts=2", "-o", self.path("p" + self.EVIL))
        for command in (["info"], ["run", "bfs", "--source=1"], ["export", "-o", "x.txt"]):
            self.expect_harmless(*command, self.path("no" + self.EVIL), exit_code=3)
        self.expect_harmless("run", "bfs", store, "--source=" + self.EVIL, exit_code=2)
        self.expect_harmless("import", edges, "-o", store, exit_code=2)

    def test_do_not_see_what_a_manifest_says(self):
        store = self.import_text("1 2\n")
        source = self.EVIL + "\nrow  value\r"
        store_surgery.change_manifest(store, lambda manifest: manifest.update(source=source, order=self.EVIL))
        done = self.expect_harmless("info", store)
        self.assertIn(r"\u000arow  value\u000d", done.stdout, "in one line")
        self.assertEqual(json.loads(self.expect_harmless("info", store, "--json").stdout)["source"], source)
        self.expect_harmless("verify", store, exit_code=3)
        store_surgery.change_manifest(store, lambda manifest: manifest.update({"order": "natural", self.EVIL: 1}))
        self.assertIn("note:", self.expect_harmless("verify", store).stdout)
        store_surgery.change_manifest(store, lambda manifest: manifest.update(weights=self.EVIL))
        self.expect_harmless("info", store, exit_code=3)

    def test_do_not_see_what_vertices_are_called(self):
        names = self.write("names.csv", f"source,target\n{self.EVIL},x\nx,y\n")
        self.millrace("import", names, "-o", self.path("n.store"), "--ids=string")
        for command in (["run", "pagerank"], ["run", "bfs", "--source=x"], ["run", "wcc", "--json"]):
            self.expect_harmless(*command, self.path("n.store"), "--device=cpu")
        # What is asked for is written as it is.
        self.assertIn(self.EVIL, self.millrace("run", "wcc", self.path("n.store"), "-o", "-").stdout)


if __name__ == "__main__":
    unittest.main()
