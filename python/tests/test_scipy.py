"""Sparse matrices of SciPy: the matrix of a graph is the one that it was made from."""

import millrace
import numpy as np
import pytest
from millrace import UsageError

sparse = pytest.importorskip("scipy.sparse")
FORMATS = ["coo", "csr", "csc", "bsr", "dia", "dok", "lil"]
EPS = np.finfo(np.float64).eps


def random_matrix(seed, kind, array=True):
    """With a diagonal, explicit zeros, and entries of the same place."""
    rng = np.random.default_rng(seed)
    n, count = int(rng.integers(1, 40)), int(rng.integers(0, 200))
    row, column = rng.integers(0, n, (2, count))
    row[: count // 5] = column[: count // 5]
    if kind == bool:
        data = rng.random(count) < 0.8
    elif np.dtype(kind).kind in "iu":
        data = rng.integers(0 if np.dtype(kind).kind == "u" else -50, 50, count).astype(kind)
    else:
        data = (rng.standard_normal(count) * 10.0 ** rng.integers(-3, 4, count)).astype(kind)
    data[count // 2 : count // 2 + 3] = 0
    make = sparse.coo_array if array else sparse.coo_matrix
    return make((data, (row, column)), shape=(n, n))


def require_product(graph, matrix, rng):
    """y is the product up to rounding, in both directions."""
    exact = matrix.tocoo()
    values = exact.data.astype(np.float64)
    absolute = sparse.coo_array((np.abs(values), (exact.row, exact.col)), exact.shape).tocsr()
    signed = sparse.coo_array((values, (exact.row, exact.col)), exact.shape).tocsr()
    x = rng.standard_normal(matrix.shape[0])
    for transpose in (False, True):
        a, size = (signed.T, absolute.T) if transpose else (signed, absolute)
        assert np.all(np.abs(graph.spmv(x, transpose=transpose).y - a @ x) <= 4 * EPS * (size @ np.abs(x)))


@pytest.mark.parametrize("array", [True, False], ids=["array", "matrix"])
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64, np.int8, np.uint16, bool])
@pytest.mark.parametrize("form", FORMATS)
def test_the_matrix_is_the_matrix(form, kind, array):
    for seed in range(4):
        duplicated = random_matrix(seed, kind, array)
        matrix = duplicated if form == "coo" else duplicated.asformat(form)
        before = matrix.copy()
        graph = millrace.from_scipy(matrix)
        assert graph.ids.tolist() == list(range(matrix.shape[0]))
        require_product(graph, matrix, np.random.default_rng(seed))
        same = matrix.tocoo().astype(np.float64).tocsr()
        assert (graph.to_scipy() != same).nnz == 0 and graph.to_scipy().shape == same.shape
        assert (matrix != before).nnz == 0 and matrix.nnz == before.nnz, "the given matrix has changed"
        if form in ("csr", "csc", "coo"):
            assert graph.to_scipy().nnz == same.nnz, "explicit zeros are entries"


def test_entries_of_the_same_place_add_up():
    matrix = sparse.coo_array(([1.0, 2.0**-40, 3.0, 4.0], ([0, 0, 1, 1], [1, 1, 1, 1])), shape=(2, 2))
    assert millrace.from_scipy(matrix).to_scipy().toarray().tolist() == [[0, 1 + 2.0**-40], [0, 7]]
    small = sparse.coo_array((np.full(3, 100, np.int8), ([0, 0, 0], [1, 1, 1])), shape=(2, 2))
    assert millrace.from_scipy(small).spmv([1.0, 1]).y.tolist() == [300, 0]
    rows = sparse.csr_array(([1.0, 2.0], [1, 1], [0, 2, 2]), shape=(2, 2))  # not in canonical form
    assert millrace.from_scipy(rows).to_scipy().toarray().tolist() == [[0, 3], [0, 0]]
    assert millrace.from_scipy(matrix, duplicates="max").to_scipy().toarray().tolist() == [[0, 1], [0, 4]]
    kept = millrace.from_scipy(matrix, duplicates="keep")
    assert kept.num_edges == 4 and kept.to_scipy().toarray().tolist() == [[0, 1 + 2.0**-40], [0, 7]]


def test_options_change_it_on_request():
    matrix = sparse.csr_array(np.array([[1.0, 2], [0, 3]]))
    assert millrace.from_scipy(matrix, self_loops="drop").to_scipy().toarray().tolist() == [[0, 2], [0, 0]]
    assert millrace.from_scipy(matrix, weighted=False).to_scipy().toarray().tolist() == [[1, 1], [0, 1]]


def test_undirected():
    full = sparse.csr_array(np.array([[5.0, 2, 0], [2, 0, 3], [0, 3, 1]]))
    for matrix in (full, sparse.triu(full), sparse.tril(full), full.tocoo()):
        graph = millrace.from_scipy(matrix, directed=False)
        assert not graph.directed and graph.to_scipy().toarray().tolist() == full.toarray().tolist()
    with pytest.raises(UsageError, match="not symmetric.*directed=False"):
        millrace.from_scipy(sparse.csr_array(np.array([[0.0, 1], [2, 0]])), directed=False)


@pytest.mark.parametrize("matrix, text", [
    (lambda: sparse.csr_array(np.ones((2, 3))), "2 rows and 3 columns"),
    (lambda: sparse.csr_array(np.array([[0, 1j], [0, 0]])), "complex"),
    (lambda: sparse.csr_array(np.array([[0, np.nan], [0, 0]])), "finite"),
    (lambda: sparse.csr_array(np.array([[0, 2**53 + 1], [0, 0]])), "no f64 equals"),
    (lambda: sparse.coo_array(np.ones(4)), "1 dimension"),
])  # fmt: skip
def test_what_cannot_be_a_graph_is_refused(matrix, text):
    with pytest.raises(UsageError, match=text):
        millrace.from_scipy(matrix())


def test_algorithms_that_need_simple_graphs_say_so_of_the_diagonal():
    matrix = sparse.csr_array(np.ones((3, 3)))
    with pytest.raises(millrace.Error, match="self-loop"):
        millrace.from_scipy(matrix, directed=False).kcore()
    assert millrace.from_scipy(matrix, directed=False, self_loops="drop").kcore().core.tolist() == [2, 2, 2]
