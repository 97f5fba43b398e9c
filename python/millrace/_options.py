"""From arguments of Python to options of the library, which are texts."""

import os
import tempfile
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from . import _core
from .errors import UsageError

CATALOGUE = {one["method"]: one for one in _core.catalogue()}
SETTINGS = {one["name"] for one in _core.run_settings()}


def text_of(value):
    """A number, a text or a path as the library reads it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, bytes):
        return os.fsdecode(value)
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    raise TypeError(f"{value!r} is neither a number, a text nor a path")


def threads_of(threads):
    """How many threads to use, for the library: 0 for all cores. Raises UsageError."""
    if threads is None:
        return 0
    if not isinstance(threads, (int, np.integer)) or isinstance(threads, bool) or not 1 <= threads <= 4096:
        raise UsageError(f"threads={threads!r}: a number from 1 to 4096, or None for all cores")
    return int(threads)


def is_list(value):
    return isinstance(value, (list, tuple, set, frozenset, range, np.ndarray)) or (
        hasattr(value, "__array__") and getattr(value, "ndim", 0) == 1
    )


def texts_of(options):
    """(name, text) of each option that is given; a list has its name several times. None: it is not given."""
    given = []
    for name, value in options.items():
        if value is None:
            continue
        given += [(name, text_of(one)) for one in (value if is_list(value) else [value])]
    return given


class Files:
    """Lists of vertices given for an option that is a file: they are written to temporary files."""

    def __init__(self, described):
        self._by_name = {one["name"]: one for one in described}
        self._paths = []

    def texts(self, options):
        """(name, text) of each option that is given."""
        given = {}
        for name, value in options.items():
            option = self._by_name.get(name, {})
            if is_list(value) and option.get("type") == "path":
                value = self._write(value)
            elif is_list(value) and option.get("commas") and not option.get("list"):
                value = ",".join(text_of(one) for one in value)
            given[name] = value
        return texts_of(given)

    def _write(self, values):
        handle, path = tempfile.mkstemp(prefix="millrace-", suffix=".txt")
        self._paths.append(path)
        with open(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
            for value in values:
                file.write(f"{text_of(value)}\n")
        return path

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for path in self._paths:
            os.unlink(path)


def find_algorithm(name):
    """What the catalogue says of an algorithm. Raises UsageError."""
    found = CATALOGUE.get(name.replace("-", "_"))
    if found is None:
        import difflib

        near = difflib.get_close_matches(name, CATALOGUE, 1)
        question = f"; did you mean {near[0]}?" if near else ""
        raise UsageError(f"there is no algorithm {name}{question}")
    return found


def columns_of(found, columns):
    """The names of the columns to compute: by default the main ones."""
    if columns is None:
        return [one["name"] for one in found["columns"] if one["main"]]
    if columns == "all":
        return [one["name"] for one in found["columns"]]
    return [columns] if isinstance(columns, str) else list(columns)


class Common(NamedTuple):
    """What every run can be told."""

    columns: Sequence[str] | str | None = None
    check: bool = False
    record: bool = False
    keep_on_device: bool = False
    threads: int | None = None


def ask(files, name, common, options, x=None, settings=True):
    """What is asked of the library. `settings`: whether options of the run are allowed too."""
    found = find_algorithm(name)
    own = {one["name"] for one in found["options"]}
    given = {k: v for k, v in options.items() if k in own or not settings or k not in SETTINGS}
    return _core.Asked(
        found["name"],
        files.texts(given),
        texts_of({k: v for k, v in options.items() if k not in given}),
        columns_of(found, common.columns),
        bool(common.check),
        bool(common.record),
        bool(common.keep_on_device),
        threads_of(common.threads),
        x,
    )
