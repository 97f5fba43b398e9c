"""From arguments of Python to options of the library, which are texts."""

import os
import re
import tempfile
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from . import _core
from ._lists import is_list, is_table, list_of
from .errors import BadInputError, UsageError

CATALOGUE = {one["method"]: one for one in _core.catalogue()}
SETTINGS = {one["name"]: one for one in _core.run_settings()}
IMPORTS = _core.import_options()
LAYOUT = _core.store_options()
PATHS = (str, bytes, os.PathLike)


def _plain(value):
    """An array of no dimension is the value that it has."""
    return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value


def text_of(name, value):
    """A number, a text or a path as the library reads it. Raises UsageError for others."""
    value = _plain(value)
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
    raise UsageError(f"{name} is of type {type(value).__name__}, which is neither a number, a text nor a path")


def flag_of(name, value):
    """A flag as a bool. Raises UsageError for others: every text is true in Python, also "no"."""
    value = _plain(value)
    if is_list(value) or is_table(value):
        raise UsageError(f"{name} takes one value, and was given a list")
    if not isinstance(value, (bool, np.bool_)):
        raise UsageError(f"{name}={value!r}: it is True or False")
    return bool(value)


def threads_of(threads):
    """How many threads to use, for the library: 0 for all cores. Raises UsageError."""
    if threads is None:
        return 0
    if not isinstance(threads, (int, np.integer)) or isinstance(threads, bool) or not 1 <= threads <= 4096:
        raise UsageError(f"threads={threads!r}: a number from 1 to 4096, or None for all cores")
    return int(threads)


def texts_of(options, described=()):
    """(name, text) of each option that is given; of a list its name several times, or one text with commas. None: it is
    not given. `described`: what the library says of the options. Raises UsageError for a list where one value is
    taken."""
    known = {one["name"]: one for one in described}
    given = []
    for name, value in options.items():
        if value is None:
            continue
        option = known.get(name)
        takes_one = option and not (option.get("list") or option["commas"])
        if takes_one and is_table(value):
            raise UsageError(f"{name} takes one value, and was given a table")
        if not is_list(value) and not is_table(value):
            given.append((name, _text_for(option or {}, name, value)))
            continue
        texts = [text_of(name, one) for one in list_of(name, value)]
        if takes_one:
            raise UsageError(f"{name} takes one value, and was given a list of {len(texts)}")
        if option and not texts:
            raise UsageError(f"{name} is an empty list")
        if option and not option.get("list"):
            texts = [",".join(map(_with_quotes, texts))]
        given += [(name, text) for text in texts]
    return given


def _text_for(option, name, value):
    """The text of one value, of the type that the library says of the option."""
    if option.get("type") == "bool":
        value = flag_of(name, value)
    elif option.get("commas") and option["value"].startswith("ID") and "," in text_of(name, value):
        raise UsageError(f"{name}={value!r} may be one name or several: give a list")
    elif option.get("type") == "path" and not isinstance(_plain(value), PATHS):
        raise UsageError(f"{name} is a path, and was given a value of type {type(value).__name__}")
    return text_of(name, value)


def _with_quotes(text):
    """A text of a list with commas: in double quotes where it would be read as several."""
    return '"' + text.replace('"', '""') + '"' if "," in text or text.startswith('"') else text


class Files:
    """Lists of vertices given for an option that is a file: they are written to temporary files."""

    def __init__(self, described, store):
        self._described = described
        self._files = {one["name"] for one in described if one["value"] == "FILE" and not one["output"]}
        self._names = store.has_names
        self._paths = {}  # the option of each

    def texts(self, options):
        """(name, text) of each option that is given."""
        given = dict(options)
        for name, value in options.items():
            if name in self._files and value is not None and not isinstance(_plain(value), PATHS):
                given[name] = self._write(name, value)
        return texts_of(given, self._described)

    def _write(self, name, values):
        found = list_of(name, values)
        whole = all(type(one) is int for one in found)
        texts = list(map(str, found)) if whole else [text_of(name, one) for one in found]
        for text in texts:  # in a file it would be a comment, or something else than one line
            if not text or "\n" in text if self._names else not text.isdecimal():
                kind = "a name" if self._names else "a vertex id, a number from 0 to 18446744073709551615"
                raise UsageError(f"{name} {text} is not {kind}")
        handle, path = tempfile.mkstemp(prefix="millrace-", suffix=".txt")
        self._paths[path] = name
        with open(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines(f"{text}\n" for text in texts)
        return path

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        for path in self._paths:
            os.unlink(path)
        for path, name in self._paths.items():
            if isinstance(error, BadInputError) and path in str(error):  # nobody knows of the file
                raise UsageError(str(error).replace(path, name)) from None


def settings_named(text):
    """A text of the command with settings as Python names them: --host-memory is host_memory."""
    for name in SETTINGS:
        text = re.sub(rf"--{name.replace('_', '-')}\b(?!-)", name, text)
    return text


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
    flags = [flag_of(flag, getattr(common, flag)) for flag in ("check", "record", "keep_on_device")]
    own = {one["name"] for one in found["options"]}
    given = {k: v for k, v in options.items() if k in own or not settings or k not in SETTINGS}
    return _core.Asked(
        found["name"],
        files.texts(given),
        texts_of({k: v for k, v in options.items() if k not in given}, SETTINGS.values()),
        columns_of(found, common.columns),
        *flags,
        threads_of(common.threads),
        x,
    )
