# Made by scripts/make_stubs.py from the catalogue.
import os
from collections.abc import Sequence
from typing import Literal

from .result import Result

class Algorithms:
    def pagerank(
        self,
        *,
        iterations: int | None = None,
        tolerance: float | None = None,
        precision: Literal["f32", "f64"] | None = None,
        damping: float = 0.85,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """PageRank; the rank of vertices without out-edges is shared by all.

        Columns: rank.

        iterations
            Iterations (default 20; 1000 with tolerance).
            From 0 to 1073741824.
        tolerance
            Stop once ranks change by less, summed over vertices (default: never).
        precision
            Compute in f32, with about 7 digits (default), or in f64, with about 16.
        damping
            Damping factor (default 0.85).
            From 0 to 1.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def ppr(
        self,
        *,
        seeds: int | str | Sequence[int | str] | None = None,
        seeds_file: str | os.PathLike[str] | Sequence[int | str] | None = None,
        iterations: int | None = None,
        tolerance: float | None = None,
        precision: Literal["f32", "f64"] | None = None,
        damping: float = 0.85,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Personalised PageRank (random walk with restart): how often a random walk is at each vertex if it restarts at
        a random seed, with probability 1 - damping and always at vertices without out-edges.

        Columns: rank.

        seeds
            Where the walk starts: ids, or names where ids are names.
        seeds_file
            The same from a file. A list of them, or a file with one per line.
        iterations
            The most iterations (default 1000).
            From 0 to 1073741824.
        tolerance
            Stop once ranks change by less, summed over vertices (default 1e-6).
        precision
            Compute in f32, with about 7 digits (default), or in f64, with about 16.
        damping
            Probability to continue the walk (default 0.85).
            From 0 to 1.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def hits(
        self,
        *,
        iterations: int | None = None,
        tolerance: float | None = None,
        precision: Literal["f32", "f64"] | None = None,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Hubs and authorities (HITS), each summing to 1; output gets the authorities, hubs the hubs.

        Columns: authority, hub (if asked).

        iterations
            The most iterations (default 100).
            From 0 to 1073741824.
        tolerance
            Stop once hub values change by less, summed over vertices (default 1e-6; 1e-8 in f64).
        precision
            Compute in f32, with about 7 digits (default), or in f64, with about 16.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def katz(
        self,
        *,
        alpha: float = 0.1,
        beta: float = 1.0,
        iterations: int | None = None,
        tolerance: float | None = None,
        precision: Literal["f32", "f64"] | None = None,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Katz centrality: alpha times the sum over in-neighbours, plus beta; scaled so that squares sum to 1.

        Columns: centrality.

        alpha
            Factor of each edge (default 0.1); must be below 1 / the largest eigenvalue to converge.
            From 0 to 1e+10.
        beta
            Constant added to every vertex, above 0 (default 1).
            From 1e-10 to 1e+10.
        iterations
            The most iterations (default 1000).
            From 0 to 1073741824.
        tolerance
            Stop once values change by less on average, before scaling (default 1e-6).
        precision
            Compute in f32, with about 7 digits (default), or in f64, with about 16.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def eigenvector(
        self,
        *,
        iterations: int | None = None,
        tolerance: float | None = None,
        precision: Literal["f32", "f64"] | None = None,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Eigenvector centrality, proportional to the sum over in-neighbours; squares sum to 1.

        Columns: centrality.

        iterations
            The most iterations (default 100).
            From 0 to 1073741824.
        tolerance
            Stop once values change by less on average (default 1e-6).
        precision
            Compute in f32, with about 7 digits (default), or in f64, with about 16.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def bc(
        self,
        *,
        source: int | str | None = None,
        samples: int | None = None,
        seed: int = 1,
        endpoints: bool = False,
        normalized: bool = False,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Betweenness centrality: for each vertex, the sum over all pairs of other vertices of the share of their
        shortest paths that pass through it; exact unless source or samples is given.

        Columns: centrality.

        source
            Only paths from this vertex, not scaled: an id, or a name if ids are names.
        samples
            Paths from K random vertices, scaled to estimate the result of all (default: all vertices).
            From 1 to 4294967280.
        seed
            Seed for drawing the vertices (default 1).
        endpoints
            Also count a path for its two ends.
        normalized
            Divide by the number of pairs, as normalized=True of NetworkX; without it as normalized=False.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def closeness(
        self,
        *,
        samples: int | None = None,
        seed: int = 1,
        unscaled: bool = False,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Closeness centrality: 1 / the mean distance to a vertex from the vertices that reach it; harmonic also writes
        harmonic centrality, the sum of 1 / these distances; in hops, exact unless samples is given.

        Columns: closeness, harmonic (if asked).

        samples
            Distances from K random vertices, scaled to estimate the result of all (default: all vertices).
            From 1 to 4294967280.
        seed
            Seed for drawing the vertices (default 1).
        unscaled
            Closeness only among the vertices that reach a vertex (NetworkX: wf_improved=False); the default also
            multiplies by the share of other vertices that reach it.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def bfs(
        self,
        source: int | str,
        *,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Breadth-first search: levels, and parents if asked.

        Columns: level, parent (if asked).

        source
            The source: an id, or a name if ids are names.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def sssp(
        self,
        source: int | str,
        *,
        delta: float | None = None,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Shortest paths by weight: distances, and parents if asked.

        Columns: distance, parent (if asked).

        source
            The source: an id, or a name if ids are names.
        delta
            Width of the distance buckets (default: adapted during the search).
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def wcc(
        self,
        *,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Weakly connected components: for each vertex the lowest id that edges of any direction connect it to.

        Columns: component.

        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def scc(
        self,
        *,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Strongly connected components: for each vertex the lowest id that it has a path to and from.

        Columns: component.

        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def kcore(
        self,
        *,
        k: int | None = None,
        edges: str | os.PathLike[str] | None = None,
        store: str | os.PathLike[str] | None = None,
        force: bool = False,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Core numbers: the highest k for which a vertex is in the k-core, the largest subgraph in which every vertex
        has k neighbours or more; in directed graphs in-edges and out-edges both count. Stores with parallel edges or
        self-loops are refused.

        Columns: core.

        k
            Also find the K-core itself, and its size.
        edges
            Write the K-core as 'source target [weight]' lines, compressed if it ends in .gz or .zst.
        store
            Make a store of the K-core, with its ids, names and weights.
        force
            Replace the store if it exists.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def mis(
        self,
        *,
        seed: int = 1,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """A maximal independent set: no two of its vertices are neighbours, and every other vertex has a neighbour in
        it. Vertices are taken in by rising degree, those of equal degree in a random order; edges of any direction
        count.

        Columns: member.

        seed
            Seed of the order of vertices of equal degree (default 1).
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def cdlp(
        self,
        *,
        iterations: int = 10,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Communities by label propagation; a community is named by the id of a vertex.

        Columns: community.

        iterations
            Iterations (default 10).
            From 0 to 1073741824.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def lcc(
        self,
        *,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Local clustering coefficient: the share of the possible edges between the neighbours of a vertex that exist.

        Columns: coefficient.

        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def triangles(
        self,
        *,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Triangles, edges taken as undirected: all of them, and those of each vertex if written.

        Columns: triangles.

        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def radius(
        self,
        *,
        registers: int = 64,
        seed: int = 1,
        hops: int | None = None,
        undirected: bool = False,
        neighbourhood: str | os.PathLike[str] | None = None,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Estimates distances by HyperLogLog sketches: the neighbourhood function (the number of pairs at most h hops
        apart along out-edges), the effective diameter (the hops within which nine tenths of the pairs are), and to
        output the radius of every vertex: the last hop at which it reaches a new vertex.

        Columns: radius.

        registers
            Registers of a sketch, each a byte for every vertex: a power of two from 16 to 1024 (default 64); how many
            a vertex reaches is estimated with a standard error of 1.04/sqrt(registers).
        seed
            Seed of the hash function of the sketches (default 1).
        hops
            The most hops (default: until no vertex reaches a new one).
            From 0 to 4294967294.
        undirected
            Follow edges in both directions.
        neighbourhood
            Write the neighbourhood function as CSV, hops and pairs.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def degrees(
        self,
        *,
        output: str | os.PathLike[str] | None = None,
        vertices: str | os.PathLike[str] | None = None,
        device: str | None = None,
        host_memory: str | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """Degree distribution: how many vertices have each out-degree, in-degree and sum of both. In an undirected graph
        all three are the degree. Reads no edges.

        output
            Write the distribution as CSV: degree,out,in,total; the last three count vertices.
        vertices
            Write 'id out in total' lines in ascending order of ids (tabs between where ids are names), CSV if it ends
            in .csv, or an array of three columns if it ends in .npy.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def neighbourhood(
        self,
        source: int | str | Sequence[int | str],
        *,
        hops: int = 1,
        along: Literal["both", "in", "out"] | None = None,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """The vertices within some hops of one or several sources: how many, and which at each hop.

        Columns: level.

        source
            The sources: ids, or names where ids are names.
        hops
            The most hops from the nearest source (default 1).
            From 0 to 4294967294.
        along
            The edges to go along: out (default) from source to target, in from target to source, or both.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def egonet(
        self,
        source: int | str | Sequence[int | str],
        *,
        output: str | os.PathLike[str] | None = None,
        store: str | os.PathLike[str] | None = None,
        force: bool = False,
        hops: int = 1,
        along: Literal["both", "in", "out"] | None = None,
        device: str | None = None,
        device_memory: str | None = None,
        host_memory: str | None = None,
        cpu_share: str | None = None,
        cpu_pages: str | None = None,
        strategy: Literal["auto", "chunked", "partitioned", "performance", "scalability"] | None = None,
        direction: Literal["auto", "pull", "push"] | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """The subgraph induced by a neighbourhood: its vertices, and every edge between two of them.

        source
            The sources: ids, or names where ids are names.
        output
            Write 'source target [weight]' lines (tabs between where ids are names), compressed if it ends in .gz or
            .zst, or a store if it ends in .store. Without it edges are only counted.
        store
            Write the selected part as a store, with its ids, names and weights.
        force
            Replace the store if it exists.
        hops
            The most hops from the nearest source (default 1).
            From 0 to 4294967294.
        along
            The edges to go along: out (default) from source to target, in from target to source, or both.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        device_memory
            The most memory of the GPU to use, for everything (default: what is free); pages that do not fit are
            streamed from the host.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        cpu_share
            With device cpu,cuda: the share of the pages to load that the cpu computes on instead, such as 20%
            (default: whoever is free takes the next page).
        cpu_pages
            With device cpu,cuda: which pages the cpu takes first: those of the rows of highest degree (default), of
            lowest, or any; for stores whose vertices are in order of degree.
        strategy
            How several devices share a graph: pages spread over all devices (performance), or a range of vertices on
            each (partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in
            TMPDIR), every device gets every page and has the messages of a range of vertices, all at once
            (scalability) or in chunks (chunked, also on one device). Default auto: performance or, for a run that
            fits in no other way and names no device, chunked.
        direction
            Force a direction (default auto).
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def subgraph(
        self,
        vertices: str | os.PathLike[str] | Sequence[int | str],
        *,
        output: str | os.PathLike[str] | None = None,
        store: str | os.PathLike[str] | None = None,
        force: bool = False,
        device: str | None = None,
        host_memory: str | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """The subgraph induced by a list of vertices: every edge between two of them.

        vertices
            The vertices: ids, or names where ids are names. A list of them, or a file with one per line.
        output
            Write 'source target [weight]' lines (tabs between where ids are names), compressed if it ends in .gz or
            .zst, or a store if it ends in .store. Without it edges are only counted.
        store
            Write the selected part as a store, with its ids, names and weights.
        force
            Replace the store if it exists.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """

    def cross_edges(
        self,
        from_: str | os.PathLike[str] | Sequence[int | str],
        to: str | os.PathLike[str] | Sequence[int | str],
        *,
        output: str | os.PathLike[str] | None = None,
        store: str | os.PathLike[str] | None = None,
        force: bool = False,
        device: str | None = None,
        host_memory: str | None = None,
        columns: Sequence[str] | str | None = None,
        check: bool = False,
        record: bool = False,
        keep_on_device: bool = False,
        threads: int | None = None,
    ) -> Result:
        """The edges from one list of vertices to another; in an undirected graph the edges between them.

        from_
            The vertices where edges start: ids, or names where ids are names. A list of them, or a file with one per
            line.
        to
            The vertices where they end. A list of them, or a file with one per line.
        output
            Write 'source target [weight]' lines (tabs between where ids are names), compressed if it ends in .gz or
            .zst, or a store if it ends in .store. Without it edges are only counted.
        store
            Write the selected part as a store, with its ids, names and weights.
        force
            Replace the store if it exists.
        device
            Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named
            more than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to
            be fastest (explain tells), by a calibration of this machine; without one, a GPU if there is one.
        host_memory
            The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages that do
            not fit are read from disk.
        columns
            Names of the columns to compute, or "all" (default: the main ones).
        check
            Verify the result by independent means.
        record
            Record a timeline for Result.report.
        keep_on_device
            Results stay in the memory of the GPU as well, for Result.on_device.
        threads
            Threads of the host to use (default: all cores).
        """
