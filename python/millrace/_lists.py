"""Lists of values, from whatever holds them."""

import os
from collections.abc import Mapping

import numpy as np

from .errors import UsageError, counted


def _require_none(name, count, kind):
    if count:
        these = "this row" if count == 1 else "these rows"
        raise UsageError(f"{name} has {counted(count, kind + ' value')}: leave {these} out")


def unmasked(name, array):
    """The array without its mask. Raises UsageError where values are masked."""
    if not isinstance(array, np.ma.MaskedArray):
        return array
    masked = np.ma.getmaskarray(array)
    fields = [masked[field] for field in masked.dtype.names] if masked.dtype.names else [masked]
    _require_none(name, sum(int(field.sum()) for field in fields), "masked")
    return array.data


def complete(name, values):
    """An array or a column without missing values, which would become NaN. Raises UsageError where it has some."""
    if not is_table(values):
        count = getattr(values, "null_count", 0)  # of PyArrow a number, of Polars a method
        missing = values.isna().sum() if hasattr(values, "isna") else count() if callable(count) else count
        _require_none(name, int(missing), "missing")
    return unmasked(name, values)


def is_list(value):
    """Whether a value is several ones: an array, a column, a list, a generator, ..."""
    if isinstance(value, (str, bytes, os.PathLike, Mapping)) or getattr(value, "ndim", 1) == 0:
        return False
    return hasattr(value, "__iter__") or hasattr(value, "__array__") or hasattr(value, "__arrow_c_array__")


def is_table(value):
    """Whether a value has columns: a table of pandas, Polars, PyArrow or DuckDB."""
    return hasattr(type(value), "columns")


def _require_list(name, values):
    """Raises UsageError for tables, single values, and what is neither."""
    wanted = "give a list, a Series or an array"
    if is_table(values):
        raise UsageError(f"{name} is a table, of type {type(values).__name__}: {wanted}, such as one column of it")
    if is_list(values):
        return
    one = values.item() if hasattr(values, "item") else values
    if isinstance(one, (int, float, str, bytes)):
        raise UsageError(f"{name} takes a list, and was given one value: write [{one!r}]")
    raise UsageError(f"{name} is of type {type(values).__name__}: {wanted}")


def list_of(name, values):
    """The values as a list of numbers and texts of Python. Raises UsageError where some are missing or are lists
    themselves, and for what is no list."""
    _require_list(name, values)
    if getattr(values, "ndim", 1) > 1:
        raise UsageError(f"{name} has {values.ndim} dimensions; a list has one")
    values = unmasked(name, values)
    for method in ("to_pylist", "tolist", "to_list"):  # of PyArrow, NumPy and pandas, Polars
        if hasattr(values, method):
            found = getattr(values, method)()
            break
    else:
        found = list(values if hasattr(values, "__iter__") else np.asarray(values).tolist())
    for position, value in enumerate(found):
        if type(value) in (int, str):
            continue
        if is_list(value) or isinstance(value, Mapping):
            kind = type(value).__name__
            raise UsageError(f"{name} has a value of type {kind} at position {position}: it takes numbers and texts")
        if value is None or type(value).__name__ == "NAType" or value != value:
            raise UsageError(f"{name} has a missing value at position {position}")
    return found
