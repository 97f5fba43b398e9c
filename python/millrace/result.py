"""What a run found."""

import json
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import _html, _table
from ._options import flag_of
from .errors import UsageError


def _outside():
    """The stacklevel of the caller's first frame outside of the package."""
    package, level, frame = os.path.dirname(__file__), 1, sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == package:
        level, frame = level + 1, frame.f_back
    return level


class OnDevice:
    """Values in the memory of a GPU, for libraries that take them over by DLPack."""

    def __init__(self, run, column):
        self._run, self._column = run, column
        self._gpu = run.on_device(column)[0]

    def __dlpack_device__(self):
        return 2, self._gpu  # kDLCUDA

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("the values are handed over where they are, without a copy")
        return self._run.on_device(self._column)[1]  # they are complete: no stream has to be waited for


class Result:
    """The result of a run: columns with a value for each vertex, and what is known of the run.

    Columns are in the order of vertices: value ``i`` is that of the vertex with the id ``graph.ids[i]``. They are
    NumPy arrays that refer to the memory of the result, without a copy, and cannot be written to. A level, a whole
    distance or a vertex that is missing is 4294967295 (``millrace.UNREACHED``, ``millrace.NO_VERTEX``); a real
    distance is infinite. Values of columns that name vertices (parents, components) are vertices: ``graph.ids`` has
    their ids. ``by_id``, ``by_node``, ``top``, ``to_pandas`` and ``to_arrow`` have ids instead, and missing values.
    """

    def __init__(self, graph, run, call):
        self.graph = graph
        self._run = run
        self._call = call
        self._report = None
        self._columns = {name: values for name, (_, values) in run.columns.items()}
        for remark in run.remarks:
            warnings.warn(remark, stacklevel=_outside())

    # Columns

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"no column {name!r}; the result has: {', '.join(self._columns) or 'none'}") from None

    def __getattr__(self, name: str) -> np.ndarray:
        columns = self.__dict__.get("_columns", {})
        if name in columns:
            return columns[name]
        if "_run" not in self.__dict__:  # while it is copied
            raise AttributeError(name)
        raise AttributeError(f"a result of {self.__dict__['_run'].algorithm} has no {name}")

    def __dir__(self):
        return [*super().__dir__(), *self._columns]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return self.graph.num_vertices

    def kind(self, name: str) -> str:
        """What the values of a column are: numbers, levels, distances or vertices."""
        self[name]
        return self._run.columns[name][0]

    def on_device(self, column: str | None = None) -> Any:
        """The values of a column in the memory of the GPU that computed them, without a copy, for
        ``torch.from_dlpack`` and ``cupy.from_dlpack``. The run has to be told to keep them: ``keep_on_device=True``.
        They take memory of the GPU until the result and all that was made from it are gone."""
        return OnDevice(self._run, self._main(column))

    def _main(self, column):
        if column is None:
            if not self._columns:
                raise UsageError(f"{self._run.algorithm} has no columns")
            return next(iter(self._columns))
        self[column]
        return column

    # What is known of the run

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
        return self._run.algorithm

    @property
    def details(self) -> dict[str, Any]:
        """All that is known of the run, as ``millrace run --json`` prints it."""
        if self._report is None:
            self._report = json.loads(self.graph._named(self._run.json()))
        return self._report

    @property
    def results(self) -> dict[str, Any]:
        """What was found beside the columns: the number of components, iterations, ..."""
        return self.details.get("results", {})

    @property
    def iterations(self) -> int:
        """Iterations of an iterative algorithm, supersteps of others."""
        return self.results.get("iterations", self._run.supersteps)

    @property
    def supersteps(self) -> int:
        """Supersteps of the run; known without the report."""
        return self._run.supersteps

    @property
    def seconds(self) -> float:
        """How long the algorithm took, without loading."""
        return self.details.get("seconds", self._run.seconds)

    @property
    def plan(self) -> str:
        """Where it was computed and where the pages were, in one line."""
        return self._run.plan

    # As others want it

    def by_id(self, column: str | None = None) -> Any:
        """(ids, values) in ascending order of ids; of names, a dict in their order. Where values are missing, as of
        vertices that a search did not reach, they are a masked array, and None in the dict."""
        kind, values = self._run.columns[self._main(column)]
        absent, ids = _table.missing_in(kind, values), self.graph.ids
        values = _table.as_ids(self.graph, kind, values, absent)
        if isinstance(ids, np.ndarray):
            order = np.argsort(ids, kind="stable")
            return ids[order], _table.with_mask(values, absent)[order]
        values = values.tolist() if isinstance(values, np.ndarray) else list(values)
        if absent is not None:
            values = [None if none else value for none, value in zip(absent.tolist(), values)]
        return dict(sorted(zip(ids, values)))

    def by_node(self, column: str | None = None) -> dict[Any, Any]:
        """Values by the nodes of the NetworkX graph that this one was made from (``Graph.nodes``), in the order of
        vertices: numbers of Python; None where a vertex was not reached; nodes where a column names vertices."""
        name = self._main(column)
        kind, values = self._run.columns[name]
        nodes, absent = self.graph.nodes, _table.missing_in(kind, values)
        found = values.tolist() if absent is None else np.where(absent, None, values.astype(object)).tolist()
        if kind == "vertices":
            found = [None if one is None else nodes[one] for one in found]
        return dict(zip(nodes, found))

    def top(self, n: int = 10, column: str | None = None) -> list[tuple[int | str, float]]:
        """[(id, value)] of the ``n`` vertices of the highest values; among equal ones those of the lowest vertices. Of
        columns that name vertices, such as components, values are ids, or names in alphabetical order."""
        kind, values = self._run.columns[self._main(column)]
        absent = _table.missing_in(kind, values)
        values = _table.as_ids(self.graph, kind, values, absent)
        if isinstance(values, list):
            return self._last_names(int(n), values, absent)
        candidates = np.arange(len(values)) if absent is None else np.flatnonzero(~absent)
        n = min(int(n), len(candidates))
        if n <= 0:
            return []
        some = values[candidates]
        if n < len(some):
            least = np.partition(some, len(some) - n)[len(some) - n]
            candidates, some = candidates[some >= least], some[some >= least]
        falling = some.max() - some if some.dtype.kind == "u" else -some.astype(np.float64)
        ids = self.graph.ids
        order = np.lexsort((candidates, falling))[:n]
        return [(ids[i] if isinstance(ids, tuple) else ids[i].item(), values[i].item()) for i in candidates[order]]

    def _last_names(self, n, names, absent):
        there = range(len(names)) if absent is None else np.flatnonzero(~absent).tolist()
        last = sorted(there, key=names.__getitem__, reverse=True)[: max(n, 0)]  # equal ones keep their order
        return [(self.graph.ids[i], names[i]) for i in last]

    def to_arrow(self) -> Any:
        """A ``pyarrow.Table`` of ids and columns; needs PyArrow. Polars, DuckDB and others read the result itself."""
        import pyarrow

        return pyarrow.table(self)

    def __arrow_c_stream__(self, requested_schema=None):
        """Arrow's C stream interface: ids and columns, a row for each vertex."""
        table = _table.columns_of(self)
        return _table.Table(table, self.graph.num_vertices).__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` whose index is the ids; needs pandas. Whole numbers with missing ones are Int64."""
        import pandas

        (_, ids, _), *columns = _table.columns_of(self)
        data = {}
        for name, values, absent in columns:
            series = pandas.Series(values, copy=False)
            if absent is not None:
                if series.dtype.kind in "iu":
                    series = series.astype("UInt64" if series.dtype == np.uint64 else "Int64")
                series = series.mask(absent)
            data[name] = series.array if absent is not None else values
        return pandas.DataFrame(data, index=pandas.Index(ids, name="id"), copy=False)

    def write(self, path: str | os.PathLike[str], column: str | None = None) -> None:
        """Writes a column by id, as the command does: text, CSV (.csv) or an array (.npy). Missing values are those of
        the command: -1, in text 9223372036854775807 of levels, and infinity of distances. For other formats there are
        ``to_pandas`` and ``to_arrow``."""
        name = self._main(column)
        if not os.fspath(path):
            raise UsageError("the path to write to is empty")
        self._run.write(name, path)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes a page to look at in a browser. With ``record=True`` in the call of the run it has a timeline."""
        self._run.write_page(path, self._call, self.graph.name)

    # To look at

    def summary(self, top: int = 10, verbose: bool = False) -> str:
        """The text that ``millrace run`` prints."""
        head, rest = self._run.table(top, flag_of("verbose", verbose)).split("\n", 1)
        return f"{self.graph._named(head)}\n{rest}"

    def __copy__(self):
        return self  # it cannot change

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise TypeError("a result cannot be pickled: pickle by_id(), to_pandas() or np.array(result[column]) instead")

    def __repr__(self):
        return self.summary().rstrip("\n")

    def _repr_html_(self):
        return _html.result_html(self)
