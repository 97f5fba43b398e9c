"""Lists of values, from whatever holds them."""

import os
from collections.abc import Mapping

import numpy as np

from .errors import UsageError


def unmasked(name, array):
    """The array without its mask. Raises UsageError where values are masked."""
    if not isinstance(array, np.ma.MaskedArray):
        return array
    masked = np.ma.getmaskarray(array)
    fields = [masked[field] for field in masked.dtype.names] if masked.dtype.names else [masked]
    count = sum(int(field.sum()) for field in fields)
    if count:
        raise UsageError(f"{name} has {count} masked value{'s' * (count != 1)}: leave these rows out")
    return array.data


def is_list(value):
    """Whether a value is several ones: an array, a column, a list, a generator, ..."""
    if isinstance(value, (str, bytes, os.PathLike, Mapping)) or getattr(value, "ndim", 1) == 0:
        return False
    return hasattr(value, "__iter__") or hasattr(value, "__array__") or hasattr(value, "__arrow_c_array__")


def list_of(name, values):
    """The values as a list of numbers and texts of Python. Raises UsageError where some are missing, and for tables."""
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
        if value is None or type(value).__name__ == "NAType" or value != value:
            raise UsageError(f"{name} has a missing value at position {position}")
    return found
