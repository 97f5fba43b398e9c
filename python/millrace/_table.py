"""Results as tables: columns with missing values, ids instead of vertices."""

import numpy as np

NO_VERTEX = 2**32 - 1  # No vertex, such as the parent of a vertex that a search did not reach.
UNREACHED = 2**32 - 1  # The level, or whole distance, of a vertex that a search did not reach.


def missing_in(kind, values):
    """Where a column has no value: not reached, or no vertex. None: nowhere."""
    if kind == "numbers":
        return None
    absent = np.isinf(values) if values.dtype.kind == "f" else values == values.dtype.type(NO_VERTEX)
    return absent if absent.any() else None


def with_ids(graph, values, absent):
    """Vertices as original ids, or names; where they are absent, anything."""
    present = values if absent is None else np.where(absent, 0, values)
    if graph.num_vertices == 0:
        return present
    ids = graph.ids
    if isinstance(ids, np.ndarray):
        return ids[present]
    return [ids[i] for i in present]


def with_mask(values, absent):
    """The values, as a masked array where some are missing; filled() has what the column has there."""
    if absent is None:
        return values
    return np.ma.MaskedArray(values, absent, fill_value=values[absent][0])


def as_ids(graph, kind, values, absent):
    """The values as tables have them: vertices as ids, or names; where they are absent, the largest number."""
    if kind != "vertices":
        return values
    ids = with_ids(graph, values, absent)
    if absent is not None and isinstance(ids, np.ndarray):
        ids[absent] = np.iinfo(ids.dtype).max
    return ids


def columns_of(result):
    """[(name, values or list of names, where they are missing)], the ids first."""
    graph = result.graph
    table = [("id", graph.ids if isinstance(graph.ids, np.ndarray) else list(graph.ids), None)]
    for name, (kind, values) in result._run.columns.items():
        absent = missing_in(kind, values)
        table.append((name, as_ids(graph, kind, values, absent), absent))
    return table


FORMATS = {"uint8": "C", "uint32": "I", "int64": "l", "uint64": "L", "float32": "f", "float64": "g"}


def for_arrow(name, values, absent):
    """The column as Arrow has it: name, format, buffers, number of missing values."""
    valid, count = None, 0
    if absent is not None:
        valid, count = np.packbits(~absent, bitorder="little"), int(absent.sum())
    if isinstance(values, np.ndarray):
        return name, FORMATS[values.dtype.name], [valid, np.ascontiguousarray(values)], count
    texts = [text.encode("utf-8", "replace") for text in values]
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in texts], out=offsets[1:])
    data = np.frombuffer(b"".join(texts) or b"\0", np.uint8)
    return name, "U", [valid, offsets, data], count


class Table:
    """What reads Arrow reads this: pyarrow.table(t), polars.DataFrame(t), pandas by PyArrow, DuckDB."""

    def __init__(self, columns, rows):
        self._columns, self._rows = columns, rows

    def __arrow_c_stream__(self, requested_schema=None):
        from . import _core

        return _core.arrow_stream([for_arrow(*column) for column in self._columns], self._rows)
