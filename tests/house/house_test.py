"""Keeps the sources as CONTRIBUTING.md describes them: type names that are used once, messages that name settings instead
of options, one way to write files and one to run loops, the size of files; and examples of documents as they are tested."""

import collections
import re
import unittest

from source_tree import COMMENT_OR_LITERAL, ROOT, SourceTest

MOST_LINES = 350
LANGUAGES = (".h", ".cpp", ".cuh", ".cu", ".c", ".py", ".js", ".sh")

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


def lines_too_many(texts):
    """Files that are longer than a file may be."""
    counts = {file: len(text.splitlines()) for file, text in texts.items()}
    return [f"{file}: {count} lines of {MOST_LINES}" for file, count in counts.items() if count > MOST_LINES]


def all_files():
    """The text of every file that people write in a programming language, also of tests, by its path below the root."""
    files = [path for folder in ("src", "python", "tests", "bench") for path in sorted((ROOT / folder).rglob("*"))]
    written = [path for path in files if path.suffix in LANGUAGES]
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in written}


class House(SourceTest):
    def test_a_name_is_that_of_one_type(self):
        twice = types_named_twice(self.texts)
        self.complain([f"{name}: {', '.join(files)}" for name, files in twice.items()], "two types of one name")

    def test_messages_of_the_library_name_settings(self):
        self.complain(named_options(self.texts), "for the command to say: write @name@ (core/error.h)")

    def test_files_are_written_in_one_way(self):
        self.complain(other_writers(self.texts), "write files by core/output_file.h, those of a store by store/files.h")

    def test_loops_run_on_threads_of_our_own(self):
        texts = {f"src/{file}": text for file, text in self.texts.items()}
        texts |= {f"python/src/{path.name}": path.read_text() for path in (ROOT / "python/src").iterdir()}
        loops = [file for file, text in texts.items() if re.search(r"#pragma omp (parallel|for|critical)", text)]
        self.complain(loops, "threads of OpenMP spin, abort and cannot be stopped: use core/parallel.h")

    def test_files_are_short(self):
        self.complain(lines_too_many(all_files()), "look for the second idea in these files")


class PlantedFaults(unittest.TestCase):
    """The checks find planted faults."""

    def test_other_writers(self):
        for text in ("std::ofstream(path) << 1;", 'fopen("x", "w")', "open(path, O_WRONLY | O_CREAT, 0666)",
                     "std::filesystem::rename(a, b);", "fs::rename(a, b);"):  # fmt: skip
            self.assertEqual(len(other_writers({"low/a.cpp": text})), 1, text)
        for text in ("std::ifstream(path) >> x;", "// an ofstream\n", '"fopen(x)"', "fdopen(1)", "#include <fstream>\n"):
            self.assertEqual(other_writers({"low/a.cpp": text}), [], text)
        self.assertEqual(other_writers({"core/aside.cpp": "O_CREAT"}), [])

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

    def test_long_files(self):
        self.assertEqual(lines_too_many({"a.py": "\n" * 350, "b.cu": "x\n" * 351}), ["b.cu: 351 lines of 350"])
        files = all_files()
        for file in ("src/core/error.h", "python/src/options.cpp", "tests/house/house_test.py", "bench/compare.sh"):
            self.assertIn(file, files)


class Examples(unittest.TestCase):
    def test_the_library_example_of_the_documents_is_the_one_that_is_tested(self):
        example = (ROOT / "tests/install/consumer/main.cpp").read_text()
        self.assertIn(example, (ROOT / "docs/library.md").read_text())

    def test_the_tutorial_has_the_program_that_is_tested(self):
        tutorial = (ROOT / "docs/own-programs.md").read_text()
        blocks = re.findall(r"^```cpp\n(.*?)^```$", tutorial, re.M | re.S)
        self.assertEqual("\n".join(blocks), (ROOT / "tests/install/own_programs/nearest.cpp").read_text())


if __name__ == "__main__":
    unittest.main()
