"""Every algorithm of the catalogue as a method, with its options as keywords. scripts/make_stubs.py writes the stub."""

import inspect
import textwrap

from . import _core
from ._options import CATALOGUE, Common
from .errors import counted

TYPES = {"bool": "bool", "int": "int", "float": "float", "str": "str", "path": "str | os.PathLike[str]"}
# Options of every run, after those of the algorithm.
COMMON = {
    "columns": "Sequence[str] | str | None",
    "check": "bool",
    "record": "bool",
    "keep_on_device": "bool",
    "threads": "int | None",
}
COMMON_DEFAULTS = Common()._asdict()
COMMON_HELP = {
    "columns": 'Names of the columns to compute, or "all" (default: the main ones)',
    "check": "Verify the result by independent means",
    "record": "Record a timeline for Result.report",
    "keep_on_device": "Results stay in the memory of the GPU as well, for Result.on_device",
    "threads": "Threads of the host to use (default: all cores)",
}


def annotation(option):
    """The type of an option, as a stub has it."""
    if option["choices"]:
        return "Literal[" + ", ".join(f'"{choice}"' for choice in option["choices"]) + "]"
    kind = TYPES[option["type"]]
    if option["type"] == "str" and option["value"].startswith("ID"):
        kind = "int | str"  # a vertex, by id or by name
    if option.get("list") or option["commas"]:
        kind += " | Sequence[int | str]" if "int" in kind else " | Sequence[str]"
    if option["value"] == "FILE" and not option["output"]:
        kind += " | Sequence[int | str]"
    return kind


def settings_of(described):
    """The settings of a run that an algorithm takes: those that its own options leave."""
    own = {option["name"] for option in described["options"]}
    for option in _core.run_settings():
        wanted = ("device", "host_memory") if described["on_host"] else None
        if option["name"] in own or (wanted and option["name"] not in wanted):
            continue
        if option["name"] != "direction" or described["has_direction"]:
            yield option


def ordered(described):
    """The options, those that are required first."""
    return sorted(described["options"], key=lambda option: not option["required"])


def _may_be_given(option):
    """Whether the default is a value of the option. Others stand for "not given" in the library: samples 0, delta 0."""
    if option["choices"]:
        return False
    low, high = option.get("range", (-float("inf"), float("inf")))
    return low <= option["default"] <= high and not (option.get("above_zero") and option["default"] <= 0)


def parameters(described):
    """(name, annotation, default) of each argument of the method."""
    for option in [*ordered(described), *settings_of(described)]:
        kind = annotation(option)
        if option["required"]:
            yield option["name"], kind, inspect.Parameter.empty
        elif "default" in option and option["type"] in ("bool", "int", "float") and _may_be_given(option):
            yield option["name"], kind, option["default"]
        else:
            yield option["name"], f"{kind} | None", None
    for name, kind in COMMON.items():
        yield name, kind, COMMON_DEFAULTS[name]


def help_of(option):
    """The help of an option as sentences."""
    is_list = option["value"] == "FILE" and not option["output"]
    return option["help"] + "." + (" A list of them, or a file with one per line." if is_list else "")


def bound(value):
    """A number as people write it: 1000000 and not 1e+06."""
    return str(int(value)) if value == int(value) and abs(value) < 2**33 else f"{value:g}"


def docstring(described):
    """The help of the algorithm and of its options."""
    wrap = lambda text, indent: textwrap.fill(text, 110, initial_indent=indent, subsequent_indent=indent)  # noqa: E731
    lines = [textwrap.fill(described["help"] + ".", 110), ""]
    columns = ", ".join(column["name"] + ("" if column["main"] else " (if asked)") for column in described["columns"])
    if columns:
        lines += [f"Columns: {columns}.", ""]
    for option in [*ordered(described), *settings_of(described)]:
        lines += [option["name"], wrap(help_of(option), "    ")]
        if "range" in option and option["range"][1] < 1e18:
            lines.append("    From {} to {}.".format(*map(bound, option["range"])))
    for name, text in COMMON_HELP.items():
        lines += [name, wrap(text + ".", "    ")]
    return "\n".join(lines)


def method_of(name, described):
    """The method, with a signature for help() and completion."""
    changed = {n: default for n, _, default in parameters(described) if n not in COMMON}

    def method(self, *args, **options):
        if len(args) > len(required):
            takes = counted(len(required) + 1, "positional argument")  # with self, as Python counts them
            raise TypeError(f"{name}() takes {takes} but {len(args) + 1} were given")
        for key, value in zip(required, args):
            if key in options:
                raise TypeError(f"{name}() got multiple values for argument {key!r}")
            options[key] = value
        # What is left at its default is left to the library.
        given = {k: v for k, v in options.items() if k not in changed or v is not changed[k] or k in required}
        return self.run(name, **given)

    required = [option["name"] for option in described["options"] if option["required"]]
    kinds = inspect.Parameter
    method.__name__ = method.__qualname__ = name
    method.__doc__ = docstring(described)
    method.__signature__ = inspect.Signature(
        [kinds("self", kinds.POSITIONAL_OR_KEYWORD)]
        + [
            kinds(n, kinds.POSITIONAL_OR_KEYWORD if n in required else kinds.KEYWORD_ONLY, default=default)
            for n, _, default in parameters(described)
        ]
    )
    return method


WRITTEN_BY_HAND = {"spmv"}  # it takes a vector in memory


class Algorithms:
    """A method for each algorithm. Those of sessions take no settings of the run: the session has them."""


for _name, _described in CATALOGUE.items():
    if _name not in WRITTEN_BY_HAND:
        setattr(Algorithms, _name, method_of(_name, _described))
