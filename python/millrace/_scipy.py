"""Graphs from sparse matrices of SciPy and back: the matrix of a graph is the one that it was made from."""

import numpy as np

from ._options import flag_of
from .errors import UsageError, counted

WIDE = {"b": np.int64, "i": np.int64, "u": np.uint64, "f": np.float64}  # by kind of numbers, to add them up in


def _checked(matrix):
    """The entries of a square matrix of real numbers, as SciPy's COO."""
    if len(matrix.shape) != 2:
        raise UsageError(f"the matrix has {counted(len(matrix.shape), 'dimension')}; it needs two")
    if matrix.shape[0] != matrix.shape[1]:
        rows, columns = counted(matrix.shape[0], "row"), counted(matrix.shape[1], "column")
        raise UsageError(f"the matrix has {rows} and {columns}; a graph is square")
    if matrix.dtype.kind not in WIDE:
        raise UsageError(f"the matrix has values of type {matrix.dtype}; weights are real numbers")
    return matrix.tocoo()


def _may_repeat(matrix):
    """Whether an entry may be there several times, as SciPy adds up."""
    if matrix.format in ("csr", "csc"):
        return not matrix.has_canonical_format
    return matrix.format in ("coo", "bsr")


def _summed(entries):
    """Entries of the same place added up. In products SciPy adds them up in the type of the result, not in their own."""
    kind = entries.data.dtype.kind
    data = entries.data if entries.data.dtype.itemsize > 8 else entries.data.astype(WIDE[kind])
    return type(entries)((data, (entries.row, entries.col)), entries.shape).tocsr().tocoo()


def _one_triangle(entries):
    """Of a symmetric matrix the upper triangle; one triangle as it is."""
    upper, lower = entries.row < entries.col, entries.row > entries.col
    if not upper.any() or not lower.any():
        return entries
    rows = entries.tocsr()
    if (rows != rows.T).nnz:
        raise UsageError(
            "the matrix is not symmetric: directed=False takes a symmetric one, or one triangle (scipy.sparse.triu)"
        )
    return type(entries)((entries.data[~lower], (entries.row[~lower], entries.col[~lower])), entries.shape)


def from_scipy(cls, matrix, directed, weighted, path, memory, layout):
    directed, weighted = flag_of("directed", directed), flag_of("weighted", weighted)
    entries = _checked(matrix)
    if "duplicates" not in layout and _may_repeat(matrix):
        entries = _summed(entries)
    if not directed:
        entries = _one_triangle(entries)
    weight = None
    if weighted:
        weight = entries.data.view(np.uint8) if entries.data.dtype.kind == "b" else entries.data
    layout = {"vertices": matrix.shape[0], "self_loops": "keep", "order": "natural", **layout}
    return cls.from_edges(entries.row, entries.col, weight, directed, path, memory=memory, **layout)


def to_scipy(graph):
    import scipy.sparse

    row, column, weight = graph.edges()
    n = graph.num_vertices
    if n < 2**31:
        row, column = row.view(np.int32), column.view(np.int32)
    values = np.ones(len(row), np.float64) if weight is None else weight
    return scipy.sparse.coo_array((values, (row, column)), shape=(n, n)).tocsr()
