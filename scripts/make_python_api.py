#!/usr/bin/env python3
"""Writes docs/python-api.md from the sources and stubs of the Python package; --check only compares.

Reads signatures and docstrings as texts: the package need not be built, and every Python gives the same page."""

import ast
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python" / "millrace"
PAGE = ROOT / "docs" / "python-api.md"
HEAD = """# The Python package: reference

Every function, class and algorithm of the package `millrace`, from its signatures and docstrings;
[python.md](python.md) explains it by examples. Made by `scripts/make_python_api.py`: change the docstrings in
`python/millrace`, or the descriptions of algorithms in `src/catalogue`, not this file.
"""
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


@functools.cache
class Module:
    """The definitions of a source file, by name."""

    def __init__(self, name):
        stub = PACKAGE / f"{name}.pyi"
        self.text = (stub if stub.exists() else PACKAGE / f"{name}.py").read_text("utf-8")
        self.tree = ast.parse(self.text)
        self.defined = {}
        for node in self.tree.body:
            if isinstance(node, (*FUNCTION, ast.ClassDef)):
                self.defined[node.name] = node
            elif isinstance(node, ast.Assign):
                self.defined.update({target.id: node for target in node.targets if isinstance(target, ast.Name)})

    def source(self, node):
        """The text of an expression as it is written, in one line."""
        return re.sub(r"\s+", " ", ast.get_source_segment(self.text, node)).replace("( ", "(").replace(", )", ")")

    def imported(self):
        """{name: (module, name there)} of what comes from other modules of the package."""
        found = {}
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
                found.update({one.asname or one.name: (node.module, one.name) for one in node.names})
        return found


# Markdown


def slug(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def prose(text, in_table=False):
    """A docstring as Markdown: ``code`` is code, everything else is plain."""
    parts = re.split(r"``(.+?)``", text, flags=re.S)
    for i, part in enumerate(parts):
        parts[i] = f"`{part}`" if i % 2 else re.sub(r"([\\*_<\[\]])", r"\\\1", part)
    text = "".join(parts)
    return re.sub(r"\s+", " ", text.replace("|", "\\|")).strip() if in_table else text


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def code(text):
    return "`" + text.replace("|", "\\|") + "`" if text else ""


# Signatures


def arguments(module, function):
    """[(name, annotation, default or None, kind)] without self and cls; kind: "", "*" (by keyword), "**" or "/"."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(positional) - len(given.defaults)) + given.defaults
    found = []
    for one, default in zip(positional, defaults):
        found.append((one, default, "/" if one in given.posonlyargs else ""))
    found += [(one, default, "*") for one, default in zip(given.kwonlyargs, given.kw_defaults)]
    found += [(given.kwarg, None, "**")] if given.kwarg else []
    text = lambda node: module.source(node) if node is not None else ""  # noqa: E731
    return [(one.arg, text(one.annotation), default and text(default), kind)
            for one, default, kind in found if one.arg not in ("self", "cls")]  # fmt: skip


def signature(module, function, name):
    """The call, as a block: in one line if it fits."""
    parts, before = [], ""
    for one, kind, default, how in arguments(module, function):
        if before == "/" and how != "/":
            parts.append("/")
        if how == "*" and before != "*":
            parts.append("*")
        before = how
        typed = f"{one}: {kind}" if kind else one
        parts.append(("**" if how == "**" else "") + typed + (f" = {default}" if default is not None else ""))
    returns = f" -> {module.source(function.returns)}".replace('"', "") if function.returns else ""
    line = f"{name}({', '.join(parts)}){returns}"
    if len(line) > 100:
        line = f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){returns}"
    return f"```python\n{line}\n```"


def doc(node):
    text = ast.get_docstring(node)
    assert text, f"{node.name} has no docstring"
    return prose(text)


# Algorithms


def options_in(docstring, names):
    """(what comes before, {option: meaning}) of the docstring of an algorithm: names at the margin, texts indented."""
    before, meanings, current = [], {}, None
    for line in docstring.split("\n"):
        if line in names:
            current = meanings.setdefault(line, [])
        elif current is not None and line.startswith("    "):
            current.append(line.strip())
        elif line.strip():
            assert current is None, f"neither an option nor its text: {line}"
            before.append(line)
        elif current is None:
            before.append("")
    return "\n".join(before).strip(), {name: " ".join(lines) for name, lines in meanings.items()}


def option_row(name, kind, default, meaning):
    kind = re.sub(r" \| None$", "", kind)
    choices = re.fullmatch(r"Literal\[(.*)\]", kind)
    shown = ", ".join(code(one) for one in choices[1].split(", ")) if choices else code(kind)
    value = "required" if default is None else "" if default == "None" else code(default)
    return code(name), shown, value, prose(meaning, in_table=True)


OPTION_HEAD = ("option", "type", "default", "meaning")


class Algorithm:
    def __init__(self, module, function):
        self.name = function.name
        given = arguments(module, function)
        docstring = ast.get_docstring(function)
        self.about, meanings = options_in(docstring, {one[0] for one in given})
        missing = [one[0] for one in given if one[0] not in meanings]
        assert not missing, f"{self.name}: its docstring does not explain {missing}"
        self.rows = [option_row(name, kind, default, meanings[name]) for name, kind, default, _ in given]
        self.positional = [one[0] for one in given if not one[3]]

    def text(self, common):
        own = [row for row in self.rows if row not in common]
        shared = [row[0] for row in common if row in self.rows]
        call = ", ".join([*self.positional, "..."] if len(self.rows) > len(self.positional) else self.positional)
        parts = [f"### `{self.name}`", f"`g.{self.name}({call})`", prose(self.about)]
        parts += [table(OPTION_HEAD, own)] if own else []
        if len(shared) < len(common):
            parts.append(f"[Settings of a run](#settings-of-a-run): only {', '.join(shared)}.")
        return "\n\n".join(parts)


def algorithm_parts(runs):
    module = Module("_algorithms")
    found = [Algorithm(module, one) for one in module.defined["Algorithms"].body if isinstance(one, FUNCTION)]
    counts = {}
    for one in found:
        for row in one.rows:
            counts[row] = counts.get(row, 0) + 1
    common = [row for row, count in counts.items() if count > len(found) / 2]
    summary = lambda text: re.split(r"(?<=[.;:]) ", re.sub(r"\s+", " ", text))[0].rstrip(".;:")  # noqa: E731
    rows = [(f"[`{one.name}`](#{slug(one.name)})", prose(summary(one.about), in_table=True)) for one in found]
    spmv = next(node for node in runs.defined["Runs"].body if getattr(node, "name", "") == "spmv")
    rows.append(("[`spmv`](#spmv)", prose(summary(ast.get_docstring(spmv)), in_table=True)))
    yield f"## Algorithms\n\nMethods of [`Graph`](#graph) and [`Session`](#session): {len(rows)} algorithms."
    yield table(("method", "what it finds"), rows)
    yield "### Settings of a run\n\nFor every algorithm, unless its section names those that it has."
    yield table(OPTION_HEAD, common)
    yield from (one.text(common) for one in found)
    yield f"### `spmv`\n\n{signature(runs, spmv, 'g.spmv')}\n\n{doc(spmv)}"


# Classes and functions


def decorators(node):
    return {one.id for one in node.decorator_list if isinstance(one, ast.Name)}


def class_parts(module, node, called, elsewhere):
    """A class: its docstring, its properties as a table, and its methods, except those that are described elsewhere.
    `called`: how examples call an object of it."""
    yield f"## {node.name}\n\n{doc(node)}"
    public = [one for one in node.body if isinstance(one, FUNCTION) and not one.name.startswith("_")]
    properties = [one for one in public if "property" in decorators(one)]
    if properties:
        rows = [(code(o.name), code(module.source(o.returns)), prose(ast.get_docstring(o), True)) for o in properties]
        yield table(("property", "type", ""), rows)
    for one in public:
        if one not in properties and one not in elsewhere:
            yield f"### `{node.name}.{one.name}`\n\n{signature(module, one, f'{called}.{one.name}')}\n\n{doc(one)}"


def find(name):
    """(module, definition) of a public name; that of an alias of a method is the method."""
    package = Module("__init__")
    module, node = package, package.defined.get(name)
    if node is None:
        where, name = package.imported()[name]
        module = Module(where)
        node = module.defined.get(name)
    value = getattr(node, "value", None)
    if isinstance(value, ast.Attribute) and value.value.id in package.imported():
        owner_module, owner = find(value.value.id)
        return owner_module, next(one for one in owner.body if getattr(one, "name", None) == value.attr)
    return module, node


def constant_row(name, module, node):
    """The comment after the assignment says what it is."""
    line = module.text.splitlines()[node.lineno - 1]
    value = "" if isinstance(node.value, ast.Attribute) else code(module.source(node.value))
    return code(f"millrace.{name}"), value, prose(line.partition("  # ")[2], True)


def sections():
    package = Module("__init__")
    public = {name: find(name) for name in ast.literal_eval(package.defined["__all__"].value)}
    runs = Module("runs")
    functions = {name: found for name, found in public.items() if isinstance(found[1], FUNCTION)}
    first = ["open", "from_edges", "from_scipy", "import_file", "generate"]
    functions = {name: functions[name] for name in [*first, *sorted(functions.keys() - first)]}
    yield "## Functions"
    for name, (module, node) in functions.items():
        yield f"### `millrace.{name}`\n\n{signature(module, node, f'millrace.{name}')}\n\n{doc(node)}"
    described = [node for _, node in functions.values()]
    yield from class_parts(*public["Graph"], "g", described)
    run = next(node for node in runs.defined["Runs"].body if getattr(node, "name", "") == "run")
    yield f"### `Graph.run`\n\n{signature(runs, run, 'g.run')}\n\n{doc(run)}"
    yield from algorithm_parts(runs)
    yield from class_parts(*public["Session"], "session", [])
    yield from class_parts(*public["Result"], "result", [])
    errors = [
        (code(name), ", ".join(code(base.id) for base in node.bases), prose(ast.get_docstring(node), True))
        for name, (_, node) in public.items()
        if isinstance(node, ast.ClassDef) and name.endswith("Error")
    ]
    yield "## Exceptions\n\n" + table(("exception", "is also", ""), sorted(errors, key=lambda row: row[0] != "`Error`"))
    constants = [(name, *found) for name, found in public.items() if isinstance(found[1], ast.Assign)]
    yield "## Constants\n\n" + table(("name", "value", ""), [constant_row(*one) for one in constants])


def contents(parts):
    """A list of the sections; those of the second level in one line each."""
    lines = []
    for heading in re.findall(r"^(##+) (.+)$", "\n".join(parts), re.M):
        level, name = heading
        link = f"[{re.sub(r'`[A-Za-z]+[.]', '`', name)}](#{slug(name)})"
        if level == "##":
            lines.append(f"- {link}")
        else:
            lines[-1] += (", " if ": " in lines[-1] else ": ") + link
    return "\n".join(lines)


def main():
    parts = list(sections())
    text = "\n\n".join(part.strip() for part in [HEAD, contents(parts), *parts]) + "\n"
    if "--check" not in sys.argv:
        PAGE.write_text(text, "utf-8")
    elif PAGE.read_text("utf-8") != text:
        sys.exit(f"{PAGE.relative_to(ROOT)} is not what the package says: run scripts/make_python_api.py")


if __name__ == "__main__":
    main()
