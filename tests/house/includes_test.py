"""Keeps the includes of the source tree as docs/architecture.md describes them: between folders, and in no cycle."""

import collections
import graphlib
import re
import unittest

from source_tree import ROOT, SourceTest


def folder_table(document):
    """What the table of folders allows: folder -> folders or single headers; None: all of them."""
    section = re.search(r"^## Folders\n(.*?)(?=^## |\Z)", document, re.M | re.S)[1]
    table = {}
    for folder, includes in re.findall(r"^\| `(\w+)/` \|.*\|([^|\n]*)\|$", section, re.M):
        includes = includes.strip()
        table[folder] = None if includes == "all of them" else {x.strip() for x in includes.split(",") if x.strip()}
    return table


def includes_of(texts):
    """(file, line, included) for each include of our own headers, and each include in quotes."""
    for file, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            found = re.match(r'\s*#\s*include\s*(?:"([^"]*)"|<(millrace/[^>]*)>)', line)
            if found:
                yield file, number, found[1] or found[2]


def broken_includes(texts, table):
    """Includes that the table does not allow."""
    broken = []
    for file, line, included in includes_of(texts):
        if included in ("millrace/version.h", "millrace/interface.h"):  # made when it is built
            continue
        folder = file.split("/")[0]
        allowed = table.get(folder, set())
        _, to, header = included.split("/", 2) if re.match(r"millrace/\w+/", included) else ("", "", included)
        if to and (to == folder or allowed is None or to in allowed or f"{to}/{header}" in allowed):
            continue
        broken.append(f"src/{file}:{line} includes {included}")
    return broken


def folder_cycle(texts, table):
    """A cycle of folders, the first again at the end; two may include each other if each is in the other's row."""

    def lists(folder, other):
        allowed = table.get(folder, set())
        return allowed is None or any(entry.split("/")[0] == other for entry in allowed)

    graph = collections.defaultdict(set)
    for file, _, included in includes_of(texts):
        folder, parts = file.split("/")[0], included.split("/")
        if len(parts) > 2 and parts[1] != folder:
            graph[folder].add(parts[1])
    agreed = [(a, b) for a in graph for b in graph[a] if a in graph.get(b, ()) and lists(a, b) and lists(b, a)]
    for a, b in agreed:
        graph[a].discard(b)
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1][::-1]  # it has each before the one that includes it
    return []


class Includes(SourceTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = folder_table((ROOT / "docs" / "architecture.md").read_text())

    def test_folders_are_those_of_the_table(self):
        self.assertEqual({file.split("/")[0] for file in self.texts}, set(self.table))

    def test_includes_are_in_the_table(self):
        self.complain(broken_includes(self.texts, self.table), 'not in the table under "Folders" of docs/architecture.md')

    def test_no_folder_looks_back(self):
        cycle = folder_cycle(self.texts, self.table)
        self.complain([" -> ".join(cycle)] if cycle else [], "folders include each other")

    def test_who_asks_for_cuda_includes_the_answer(self):
        silent = [f"src/{file}" for file, text in self.texts.items()
                  if "MILLRACE_WITH_CUDA" in text and '#include "millrace/version.h"' not in text]  # fmt: skip
        self.complain(silent, "MILLRACE_WITH_CUDA would be 0 here: include millrace/version.h")


class PlantedFaults(unittest.TestCase):
    """The checks find planted faults."""

    table = folder_table(
        "## Folders\n| folder | does | includes |\n| --- | --- | --- |\n| `low/` | a | |\n| `high/` | b, c | low |\n"
        "| `top/` | d | high, low/one.h |\n| `door/` | e | all of them |\n## Next\n| `none/` | f | |\n"
    )

    def broken(self, file, included):
        return len(broken_includes({file: f"#include {included}\n"}, self.table))

    def test_table(self):
        self.assertEqual(self.table, {"low": set(), "high": {"low"}, "top": {"high", "low/one.h"}, "door": None})

    def test_includes(self):
        for file, included in [
            ("low/a.h", '"millrace/low/b.h"'),
            ("low/a.h", '"millrace/version.h"'),
            ("low/a.h", "<vector>"),
            ("high/a.h", '"millrace/low/b.h"'),
            ("top/a.h", '"millrace/low/one.h"'),
            ("door/a.h", '"millrace/top/a.h"'),
        ]:
            self.assertEqual(self.broken(file, included), 0, (file, included))
        for file, included in [
            ("low/a.h", '"millrace/high/b.h"'),
            ("low/a.h", "<millrace/high/b.h>"),
            ("high/a.h", '"b.h"'),
            ("top/a.h", '"millrace/low/b.h"'),
            ("new/a.h", '"millrace/low/b.h"'),
        ]:
            self.assertEqual(self.broken(file, included), 1, (file, included))

    def test_cycles(self):
        texts = {"a/x.h": '#include "millrace/b/y.h"\n', "b/y.h": '#include "millrace/c/z.h"\n'}
        self.assertEqual(folder_cycle(texts, {}), [])
        self.assertEqual(len(folder_cycle({**texts, "c/z.h": '#include "millrace/a/x.h"\n'}, {})), 4)
        two = {**texts, "c/z.h": '#include "millrace/b/y.h"\n'}
        self.assertEqual(sorted(set(folder_cycle(two, {"b": {"c"}, "c": set()}))), ["b", "c"])
        self.assertEqual(folder_cycle(two, {"b": {"c"}, "c": {"b/y.h"}}), [])


if __name__ == "__main__":
    unittest.main()
