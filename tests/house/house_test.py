"""Keeps the source tree as docs/architecture.md and CONTRIBUTING.md describe it: includes between folders, type names
that are used once, the size of files, headers that compile alone, and messages that name settings instead of options.

CXX names the compiler; the default is g++."""

import collections
import concurrent.futures
import contextlib
import graphlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
MOST_LINES = 350


def sources():
    """The text of every source file, by its path below src/."""
    found = sorted(path for path in SOURCE.rglob("*") if path.suffix in (".h", ".cpp", ".cuh", ".cu"))
    return {path.relative_to(SOURCE).as_posix(): path.read_text() for path in found}


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
        if included == "millrace/version.h":
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


COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)"
    | "(?:\\.|[^"\\\n])*" | (?<!\w)'(?:\\.|[^'\\\n])+'""",
    re.S | re.X,
)
# The text before the brace of a definition: any words may come first, such as `template <class T>`.
TYPE = re.compile(
    r"(?:.*[\s>])?(?:struct|class|enum)\s+(?:alignas\([^()]*\)\s*|\[\[[^\]]*\]\]\s*)*"
    r"(\w+)\s*(?:final\s*)?(?::(?!:).*)?",
    re.S,
)


def types_in(text):
    """Full names of the types that a file defines in namespaces with names; without specialisations."""
    text = COMMENT_OR_LITERAL.sub(" ", text)
    text = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", "", text, flags=re.M)
    scopes = []  # names of namespaces; None for any other pair of braces
    names = []
    begin = 0
    for mark in re.finditer(r"[{};]", text):
        head = text[begin : mark.start()].strip()
        begin = mark.end()
        if mark[0] == "}":
            scopes.pop()
        elif mark[0] == "{":
            namespace = re.fullmatch(r"(?:inline\s+)?namespace\s*([\w:]*)", head)
            found = TYPE.fullmatch(head)
            if found and all(scopes):
                names.append("::".join([*scopes, found[1]]))
            scopes.append((namespace[1] or None) if namespace else None)
    if scopes:
        raise ValueError("braces do not match")
    return names


def types_named_twice(texts):
    places = collections.defaultdict(list)
    for file, text in texts.items():
        for name in types_in(text):
            places[name].append(f"src/{file}")
    return {name: files for name, files in places.items() if len(files) > 1}


def literals_in(text):
    """(line, literal) for each string, without those in comments."""
    for found in COMMENT_OR_LITERAL.finditer(text):
        if found[0][0] in '"R':
            yield text.count("\n", 0, found.start()) + 1, found[0]


def named_options(texts):
    """Strings of the library with an option of the command, or with an '@' that is not part of @name@."""
    wrong = []
    for file, text in texts.items():
        if file.startswith("cli/"):
            continue
        for line, literal in literals_in(text):
            if re.search(r"--(?:[A-Za-z]|\{)", literal) or "@" in re.sub(r"@[a-z0-9-]+@", "", literal):
                wrong.append(f"src/{file}:{line} {literal}")
    return wrong


# Where files are created: outputs and unfinished ones, those of a store, two that are temporary, and a lock.
CREATES_FILES = {
    "core/aside.cpp", "store/files.cpp", "core/memory.cpp", "core/temporary_folder.cpp", "run/graph_cache.cpp",
}  # fmt: skip


def other_writers(texts):
    """Places that create or rename a file in a way of their own."""
    wrong = []
    for file, text in texts.items():
        plain = COMMENT_OR_LITERAL.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        for found in re.finditer(
            r"\b(?:ofstream|(?:std::)?fstream|f(?:re)?open|O_CREAT|O_TRUNC|O_TMPFILE|mk\w*temp|creat|copy_file|output_file)\b"
            r"|\b(?:std|filesystem|fs)::rename\b", plain
        ):
            line = plain.count("\n", 0, found.start()) + 1
            include = plain.splitlines()[line - 1].lstrip().startswith("#")
            if file not in CREATES_FILES and not include:
                wrong.append(f"src/{file}:{line} {found[0]}")
    return wrong


def installed_headers(texts):
    """All headers except those in folders that cmake/install.cmake leaves out; .cuh are for nvcc."""
    left_out = re.findall(r'PATTERN "([\w-]+)" EXCLUDE', (ROOT / "cmake" / "install.cmake").read_text())
    return [file for file in texts if file.endswith(".h") and not set(file.split("/")[:-1]) & set(left_out)]


def is_first_somewhere(header, texts):
    """Whether the build proves that a header compiles alone: the source of the same name includes it first."""
    source = texts.get(header.removesuffix(".h") + ".cpp", "")
    included = re.findall(r"^#include .*", source, re.M)
    return bool(included) and included[0] == f'#include "millrace/{header}"'


def lay_out_headers(folder):
    """Fills FOLDER/millrace/ like the include directory after `make install`, without CUDA."""
    (folder / "millrace").mkdir()
    for entry in SOURCE.iterdir():
        if entry.is_dir():
            (folder / "millrace" / entry.name).symlink_to(entry)
    version = (ROOT / "cmake" / "version.h.in").read_text()
    version = version.replace("@PROJECT_VERSION@", "0").replace("@MILLRACE_WITH_CUDA@", "0")
    (folder / "millrace" / "version.h").write_text(version)


@contextlib.contextmanager
def folder_to_compile_in():
    """A folder with all headers. That of the build (MILLRACE_HOUSE_FOLDER) has the same path each time, so that ccache
    finds what has not changed."""
    fixed = os.environ.get("MILLRACE_HOUSE_FOLDER")
    with contextlib.nullcontext(fixed) if fixed else tempfile.TemporaryDirectory() as folder:
        shutil.rmtree(folder, ignore_errors=True)
        pathlib.Path(folder).mkdir(parents=True)
        lay_out_headers(pathlib.Path(folder))
        yield folder


def complaint_about(header, include_folder):
    """The compiler's error for a file that includes only this header; "" if it compiles."""
    file = pathlib.Path(include_folder) / (header.replace("/", "_") + ".cpp")
    file.write_text(f'#include "millrace/{header}"\n')
    command = [os.environ.get("CXX") or "g++", "-std=c++20", "-fopenmp", "-w", f"-I{include_folder}", file]
    ccache = shutil.which("ccache")
    command = [ccache, *command, "-c", "-o", file.with_suffix(".o")] if ccache else [*command, "-fsyntax-only"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    return next((line for line in done.stderr.splitlines() if "error" in line), f"status {done.returncode}")


class House(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.texts = sources()
        cls.table = folder_table((ROOT / "docs" / "architecture.md").read_text())

    def complain(self, complaints, remedy):
        if complaints:
            self.fail("\n  ".join([f"{remedy}:", *complaints]))

    def test_folders_are_those_of_the_table(self):
        self.assertEqual({file.split("/")[0] for file in self.texts}, set(self.table))

    def test_includes_are_in_the_table(self):
        self.complain(broken_includes(self.texts, self.table), 'not in the table under "Folders" of docs/architecture.md')

    def test_no_folder_looks_back(self):
        cycle = folder_cycle(self.texts, self.table)
        self.complain([" -> ".join(cycle)] if cycle else [], "folders include each other")

    def test_a_name_is_that_of_one_type(self):
        twice = types_named_twice(self.texts)
        self.complain([f"{name}: {', '.join(files)}" for name, files in twice.items()], "two types of one name")

    def test_messages_of_the_library_name_settings(self):
        self.complain(named_options(self.texts), "for the command to say: write @name@ (core/error.h)")

    def test_files_are_written_in_one_way(self):
        self.complain(other_writers(self.texts), "write files by core/output_file.h, those of a store by store/files.h")

    def test_who_asks_for_cuda_includes_the_answer(self):
        silent = [f"src/{file}" for file, text in self.texts.items()
                  if "MILLRACE_WITH_CUDA" in text and '#include "millrace/version.h"' not in text]  # fmt: skip
        self.complain(silent, "MILLRACE_WITH_CUDA would be 0 here: include millrace/version.h")

    def test_loops_run_on_threads_of_our_own(self):
        texts = {f"src/{file}": text for file, text in self.texts.items()}
        texts |= {f"python/src/{path.name}": path.read_text() for path in (ROOT / "python/src").iterdir()}
        loops = [file for file, text in texts.items() if re.search(r"#pragma omp (parallel|for|critical)", text)]
        self.complain(loops, "threads of OpenMP spin, abort and cannot be stopped: use core/parallel.h")

    def test_files_are_short(self):
        lines = {file: len(text.splitlines()) for file, text in self.texts.items()}
        long = [f"src/{file}: {count} lines of {MOST_LINES}" for file, count in lines.items() if count > MOST_LINES]
        for path in [*(ROOT / "python").rglob("*.py"), *(ROOT / "python/src").iterdir()]:
            count = len(path.read_text().splitlines())
            if count > MOST_LINES:
                long.append(f"{path.relative_to(ROOT)}: {count} lines of {MOST_LINES}")
        self.complain(long, "look for the second idea in these files")

    def test_headers_compile_alone(self):
        headers = [header for header in installed_headers(self.texts) if not is_first_somewhere(header, self.texts)]
        headers = [header for header in headers if "#include <cuda" not in self.texts[header]]  # for builds with CUDA
        start = time.monotonic()
        with folder_to_compile_in() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda header: complaint_about(header, folder), headers))
        print(f"{len(headers)} headers compiled in {time.monotonic() - start:.0f} s")
        wrong = [f"src/{header}: {text}" for header, text in zip(headers, found) if text]
        self.complain(wrong, "headers that need another one before them")


class PlantedFaults(unittest.TestCase):
    """The checks find planted faults."""

    table = folder_table(
        "## Folders\n| folder | does | includes |\n| --- | --- | --- |\n| `low/` | a | |\n| `high/` | b, c | low |\n"
        "| `top/` | d | high, low/one.h |\n| `door/` | e | all of them |\n## Next\n| `none/` | f | |\n"
    )

    def broken(self, file, included):
        return len(broken_includes({file: f"#include {included}\n"}, self.table))

    def test_other_writers(self):
        for text in ("std::ofstream(path) << 1;", 'fopen("x", "w")', "open(path, O_WRONLY | O_CREAT, 0666)",
                     "std::filesystem::rename(a, b);", "fs::rename(a, b);"):  # fmt: skip
            self.assertEqual(len(other_writers({"low/a.cpp": text})), 1, text)
        for text in ("std::ifstream(path) >> x;", "// an ofstream\n", '"fopen(x)"', "fdopen(1)", "#include <fstream>\n"):
            self.assertEqual(other_writers({"low/a.cpp": text}), [], text)
        self.assertEqual(other_writers({"core/aside.cpp": "O_CREAT"}), [])

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

    def test_types(self):
        text = """
        namespace outer { struct Declared; template <class T> struct alignas(64) One : Base<T> { struct Within {}; };
        enum class Two : unsigned char { a = '{', b }; template <> struct One<int> {}; // struct Three {
        template <class T> void function() { struct Local {}; } namespace { struct Hidden {}; }
        namespace inner { class Four final { const char* text = "{ struct Five {"; }; } }"""
        self.assertEqual(types_in(text), ["outer::One", "outer::Two", "outer::inner::Four"])
        twice = types_named_twice({"a.h": "struct A {};", "b.h": "enum A {};", "c.h": "class B {};"})
        self.assertEqual(twice, {"A": ["src/a.h", "src/b.h"]})

    def test_options_in_messages(self):
        fine = """// use "--force"
        throw UsageError("@force@ {} -- or @host-memory@{}", '"', a--b); /* "--force" */ auto c = "x"[--i];"""
        for text, count in (
            (fine, 0),
            ('throw UsageError("@force@ or "\n  "--force {}", x);', 1),
            ('UsageError("with --{} {}", name, x), f("--X")', 2),
            ('auto a = R"(say\n"--force")";', 1),
            ('UsageError("@host-"\n "memory@"), f("a@b"), f("@host_memory@")', 4),
        ):
            found = named_options({"run/a.cpp": text, "cli/a.cpp": text})
            self.assertEqual(len(found), count, found)
        self.assertEqual(named_options({"run/a.cpp": '\n\nf("--x")'}), ['src/run/a.cpp:3 "--x"'])

    def test_headers(self):
        with tempfile.TemporaryDirectory() as folder:
            lay_out_headers(pathlib.Path(folder))
            for name, text in ("alone.h", "#include <cstddef>\n"), ("needy.h", ""):
                (pathlib.Path(folder) / "millrace" / name).write_text(f"{text}inline std::size_t number;\n")
            self.assertEqual(complaint_about("alone.h", folder), "")
            self.assertIn("std", complaint_about("needy.h", folder))


class Examples(unittest.TestCase):
    def test_the_library_example_of_the_documents_is_the_one_that_is_tested(self):
        example = (ROOT / "tests/install/consumer/main.cpp").read_text()
        self.assertIn(example, (ROOT / "docs/library.md").read_text())


if __name__ == "__main__":
    unittest.main()
