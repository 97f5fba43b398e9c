"""Columns of edges, from whatever holds them: NumPy, pandas, Polars, PyArrow, DuckDB, PyTorch, lists.

Nothing is imported but NumPy. A column is handed over as it is in memory wherever its numbers can be read there.
"""

import numpy as np

from .errors import UsageError


def _native(name, array):
    """An array of numbers in the order of this machine's bytes."""
    if array.ndim != 1:
        raise UsageError(f"{name} has {array.ndim} dimensions; a column has one")
    if array.dtype.kind in "iuf":
        if array.dtype.itemsize > 8 or array.dtype == np.float16:
            return array.astype(np.float64)
        if not array.dtype.isnative:
            return array.astype(array.dtype.newbyteorder("="))
        # Fields of records may lie where their type cannot be read.
        whole = array.flags.aligned and (len(array) == 0 or array.strides[0] % array.itemsize == 0)
        return array if whole else np.ascontiguousarray(array)
    raise UsageError(f"{name} has values of type {array.dtype}; ids are whole numbers or texts, weights are numbers")


def _from_array(name, array):
    if array.dtype.kind == "O" or array.dtype.kind in "UT":
        return name, "objects", array.tolist()
    return name, "array", _native(name, array)


def _from_arrow(name, given):
    if hasattr(given, "__arrow_c_stream__"):
        return name, "arrow", given.__arrow_c_stream__()
    return name, "arrow", given.__arrow_c_array__()


def _is_pandas(given):
    return type(given).__module__.split(".")[0] == "pandas"


def column(name, given):
    """(name, kind, object) for the extension."""
    if isinstance(given, (list, tuple)):
        return name, "objects", given
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
    raise UsageError(f"{name} is a {type(given).__name__}: no array, no column and no list")


def _from_pandas(name, given, arrow):
    """Numbers are where NumPy finds them; texts may be there for Arrow, which needs PyArrow."""
    dtype = getattr(given, "dtype", None)
    if not isinstance(dtype, np.dtype) and arrow:
        try:
            return _from_arrow(name, given)
        except ImportError:
            pass
    if getattr(given, "hasnans", False):
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


def _columns_of_table(table):
    """The columns of a table, or None where it can only be read as a stream of Arrow."""
    if isinstance(table, np.ndarray):
        if table.dtype.names:
            return [table[name] for name in table.dtype.names]
        if table.ndim == 2:
            return [table[:, i] for i in range(table.shape[1])]
        raise UsageError("one array of edges has two dimensions, with a row for each edge")
    if _is_pandas(table):
        return [table[name] for name in table.columns]
    if hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        return None
    if isinstance(table, dict):
        return list(table.values())
    if isinstance(table, (list, tuple)):
        try:
            return [list(one) for one in zip(*table, strict=True)] if len(table) else [[], []]
        except ValueError:
            raise UsageError("the rows of the table have different lengths") from None
    return _columns_of_table(np.asarray(table))


def edge_columns(src, dst, weight):
    """The columns of edges for the extension, from two or three columns or from one table."""
    if dst is None:
        if weight is not None:
            raise UsageError("a table has its weights in the third column")
        columns = _columns_of_table(src)
        if columns is None:
            return [_from_arrow("the table", src)]
        if not 2 <= len(columns) <= 3:
            raise UsageError(f"the table has {len(columns)} columns; edges have two, or three with a weight")
        src, dst, weight = [*columns, None][:3]
    given = [column("src", src), column("dst", dst)]
    if weight is not None:
        name, kind, values = column("weight", weight)
        if kind == "objects":
            try:
                kind, values = "array", np.asarray(values, np.float64)
            except (TypeError, ValueError):
                raise UsageError("weight has values that are no numbers") from None
        given.append((name, kind, values))
    return given


def vertex_column(vertices):
    """The column of vertices for the extension, as a list: of none, or of one."""
    if vertices is None:
        return []
    if isinstance(vertices, (int, np.integer)):
        if vertices < 0:
            raise UsageError(f"vertices={vertices}: a number of vertices is 0 or more")
        vertices = np.arange(int(vertices), dtype=np.uint64)
    return [column("vertices", vertices)]
