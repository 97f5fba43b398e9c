"""Columns of edges, from whatever holds them: NumPy, pandas, Polars, PyArrow, DuckDB, PyTorch, lists.

Nothing is imported but NumPy. A column is handed over as it is in memory wherever its numbers can be read there.
"""

import os
from collections.abc import Mapping
from decimal import Decimal

import numpy as np

from . import _core
from ._lists import unmasked
from ._roles import places_of, taken
from .errors import UsageError, counted


def _native(name, array):
    """An array of numbers in the order of this machine's bytes."""
    if array.ndim != 1:
        raise UsageError(f"{name} has {array.ndim} dimensions; a column has one")
    if array.dtype.kind in "iuf":
        if array.dtype.itemsize > 8 or array.dtype == np.float16:
            real = array.astype(np.float64)
            if (real != array).any():
                raise UsageError(f"{name} has values of type {array.dtype} that no f64 equals")
            return real
        if not array.dtype.isnative:
            return array.astype(array.dtype.newbyteorder("="))
        # Fields of records may lie where their type cannot be read.
        whole = array.flags.aligned and (len(array) == 0 or array.strides[0] % array.itemsize == 0)
        return array if whole else np.ascontiguousarray(array)
    raise UsageError(f"{name} has values of type {array.dtype}; ids are whole numbers or texts, weights are numbers")


def _from_array(name, array):
    array = unmasked(name, array)
    if array.dtype.kind == "O" or array.dtype.kind in "UT":
        return name, "objects", array.tolist()
    return name, "array", _native(name, array)


def _read_arrow(given):
    stream = hasattr(given, "__arrow_c_stream__")
    return _core.read_arrow(given.__arrow_c_stream__() if stream else given.__arrow_c_array__())


def _from_arrow(name, given):
    read = _read_arrow(given)
    if read.names is not None:
        raise UsageError(f"{name} is a table of {counted(len(read.names), 'column')}; give one column of it")
    return name, "arrow", (read, 0)


def _is_pandas(given):
    return type(given).__module__.split(".")[0] == "pandas"


def column(name, given):
    """(name, kind, object) for the extension."""
    if isinstance(given, (list, tuple)):
        return name, "objects", given
    if isinstance(given, (str, bytes, Mapping)):  # its letters, numbers or keys are no column
        raise _no_column(name, given)
    if isinstance(given, np.ndarray):
        return _from_array(name, given)
    arrow = hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__")
    if arrow and not _is_pandas(given):
        return _from_arrow(name, given)
    if _is_pandas(given):
        return _from_pandas(name, given, arrow)
    if hasattr(given, "__array__") or _has_buffer(given):
        try:
            return _from_array(name, np.asarray(given))
        except TypeError as error:  # of a tensor on a GPU
            raise UsageError(f"{name} cannot be read as an array: {error}") from error
    if hasattr(given, "__dlpack__"):
        return _from_array(name, np.from_dlpack(given))
    if hasattr(given, "__iter__"):
        return name, "objects", list(given)
    raise _no_column(name, given)


def _no_column(name, given):
    if hasattr(given, "collect"):  # of Polars
        return UsageError(f"{name} is of type {type(given).__name__}, which has no values yet: call .collect()")
    return UsageError(f"{name} is of type {type(given).__name__}, which is no array, no column and no list")


def _from_pandas(name, given, arrow):
    """Numbers are where NumPy finds them; texts may be there for Arrow, which needs PyArrow."""
    dtype = getattr(given, "dtype", None)
    if not isinstance(dtype, np.dtype) and arrow:
        try:
            return _from_arrow(name, given)
        except ImportError:
            pass
    if getattr(given, "hasnans", False) or (hasattr(given, "isna") and given.isna().any()):
        raise UsageError(f"{name} has missing values: leave these rows out")
    if not isinstance(dtype, np.dtype) and getattr(dtype, "kind", "O") in "iuf":
        return _from_array(name, given.to_numpy(dtype.numpy_dtype if hasattr(dtype, "numpy_dtype") else None))
    return _from_array(name, np.asarray(given))


def _has_buffer(given):
    try:
        memoryview(given)
        return True
    except TypeError:
        return False


def _table(table):
    """(names or None, columns) of a table. Columns of Arrow are (ReadArrow, number)."""
    if isinstance(table, (str, bytes, os.PathLike)):
        raise UsageError(f"src is of type {type(table).__name__}, which is no table; millrace.open(path) opens files")
    if isinstance(table, np.ndarray):
        table = unmasked("the table", table)
        if table.dtype.names:
            return list(table.dtype.names), [table[name] for name in table.dtype.names]
        if table.ndim == 2:
            return None, [table[:, i] for i in range(table.shape[1])]
        raise UsageError("one array of edges has two dimensions, with a row for each edge")
    if _is_pandas(table) and hasattr(table, "iloc") and getattr(table, "ndim", 2) == 2:
        return list(table.columns), [table.iloc[:, i] for i in range(len(table.columns))]
    if hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        read = _read_arrow(table)
        if read.names is None:
            raise UsageError("src is one column, and dst is missing")
        return list(read.names), [(read, i) for i in range(len(read.names))]
    if isinstance(table, Mapping):
        return list(table), list(table.values())
    if isinstance(table, (list, tuple)):
        if len(table) and isinstance(table[0], Mapping):
            names = list(table[0])
            if any(row.keys() != table[0].keys() for row in table):
                raise UsageError("the rows of the table have different columns")
            return names, [[row[name] for row in table] for name in names]
        if any(isinstance(row, (str, bytes)) for row in table):
            raise UsageError("src is one column, and dst is missing")
        try:
            return None, [list(one) for one in zip(*table, strict=True)] if len(table) else [[], []]
        except ValueError:
            raise UsageError("the rows of the table have different lengths") from None
        except TypeError:
            raise UsageError("src is one column, and dst is missing") from None
    if hasattr(table, "collect"):
        raise _no_column("src", table)
    return _table(np.asarray(table))


def _column_of_table(name, given):
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], _core.ReadArrow):
        return name, "arrow", given
    return column(name, given)


def _chosen(table, columns):
    """The columns of a table that are edges, as (name for messages, column), and what was taken, for people."""
    names, found = _table(table)
    places = places_of(names, columns)
    if names is not None:
        return [(f"the column {names[i]!r}", found[i]) for i in places], taken(names, places)
    if not 2 <= len(found) <= 3:
        raise UsageError(f"the table has {counted(len(found), 'column')}; edges have two, or three with a weight")
    ordinals = ("the first column", "the second column", "the third column")
    return list(zip(ordinals, found)), None


def edge_columns(src, dst, weight, columns=None):
    """The columns of edges for the extension, from two or three columns or from one table; and, of a table, which
    columns were taken, for people."""
    if dst is not None:
        if columns is not None:
            raise UsageError("columns says which columns of a table to take; here src and dst are columns")
        chosen, said = [("src", src), ("dst", dst), ("weight", weight)][: 2 + (weight is not None)], None
    elif weight is not None:
        raise UsageError('a table has its weights in one of its columns: columns=["from", "to", "weight"] says which')
    else:
        chosen, said = _chosen(src, columns)
    given = [_column_of_table(name, one) for name, one in chosen]
    if len(given) == 3 and given[2][1] == "objects":
        given[2] = given[2][0], "array", _numbers(given[2][0], given[2][2])
    return given, said


def _numbers(name, values):
    """Numbers of Python as float64. Raises UsageError where these are others, unless a decimal has 15 digits at most."""
    try:
        numbers = np.asarray(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{name} has values that are not numbers") from None
    for position, (value, number) in enumerate(zip(values, numbers.tolist())):
        if isinstance(value, (int, np.integer)) and not -(2**53) <= value <= 2**53 and int(number) != value:
            raise UsageError(f"{name} has {value} at position {position}, which no f64 equals")
        if isinstance(value, Decimal) and len(value.as_tuple().digits) > 15 and Decimal(number) != value:
            raise UsageError(f"{name} has {value} at position {position}, which has too many digits for an f64")
    return numbers


def vertex_column(vertices):
    """The column of vertices for the extension, as a list: of none, or of one."""
    if vertices is None:
        return []
    if isinstance(vertices, (int, np.integer)):
        if vertices < 0:
            raise UsageError(f"vertices={vertices}: a number of vertices is 0 or more")
        vertices = np.arange(int(vertices), dtype=np.uint64)
    return [column("vertices", vertices)]
