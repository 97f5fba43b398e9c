"""Runs of algorithms, on a graph or in a session."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._algorithms import Algorithms
from ._lists import complete
from ._options import Common, Files, ask, find_algorithm
from .errors import UsageError
from .result import Result


class Runs(Algorithms):
    """What graphs and sessions have in common: every algorithm as a method, and all of them by name."""

    def run(
        self,
        algorithm: str,
        /,
        *,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
        **options: Any,
    ) -> Result:
        """Runs an algorithm by its name; the methods of the algorithms say which options there are.

        ``columns``: the names of the columns to compute, or "all"; by default the main ones. ``check``: verify the
        result by independent means. ``record``: record a timeline for ``Result.report``. ``keep_on_device``:
        results stay in the memory of the GPU as well, for ``Result.on_device``. ``threads``: how many threads of the
        host to use.
        """
        common = Common(columns, check, record, keep_on_device, threads)
        if find_algorithm(algorithm)["name"] == "spmv":
            x = options.pop("x", None)
            if x is not None and not isinstance(x, (str, os.PathLike)):
                return self.spmv(x, **common._asdict(), **options)
            options["x"] = x
        with Files(find_algorithm(algorithm)["options"], self._store) as files:
            return self._run(self._ask(files, algorithm, common, options), algorithm, options)

    def spmv(
        self,
        x: Any,
        *,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
        **options: Any,
    ) -> Result:
        """The product of the adjacency matrix with a vector by vertex: each vertex adds up the values of its
        out-neighbours, times the weights of edges where there are some.

        ``x`` has a value for each vertex, in the order of ``ids``; float32 is computed in float32, everything else in
        float64. ``transpose``: add up in-neighbours instead. ``unweighted``: count every edge as 1. The column of the
        result is ``y``.
        """
        common = Common(columns, check, record, keep_on_device, threads)
        if isinstance(x, (str, os.PathLike)):
            return self.run("spmv", x=x, **common._asdict(), **options)
        values = np.asarray(complete("x", x))
        if values.dtype.kind not in "biuf":
            raise UsageError(f"x has values of type {values.dtype}; they are real numbers")
        values = np.ascontiguousarray(values, np.float32 if values.dtype == np.float32 else np.float64)
        if values.ndim != 1:
            raise UsageError(f"x has {values.ndim} dimensions; a vector has one")
        with Files(find_algorithm("spmv")["options"], self._store) as files:
            return self._run(self._ask(files, "spmv", common, options, values), "spmv", options)


class Session(Runs):
    """A graph on devices, with pages that stay loaded between runs. Use it as a context: ``with g.session() as s:``."""

    def __init__(self, graph, settings, threads):
        self.graph = graph
        self._store = graph._store
        self._session = _core.Session(graph._store, settings, threads)

    def _ask(self, files, name, common, options, x=None):
        if common.threads is not None:
            raise UsageError("threads are given to the session, once")
        return ask(files, name, common, options, x, settings=False)

    def _run(self, asked, name, options):
        call = f"session.{name}({', '.join(f'{k}={v!r}' for k, v in options.items() if v is not None)})"
        with self.graph._errors_named():
            return Result(self.graph, self._session.run(asked), call)

    def __reduce__(self):
        raise TypeError("a session cannot be pickled, as its pages are in this process: make one in each process")

    def close(self) -> None:
        """Frees the pages. The session cannot be used afterwards."""
        self._session.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
