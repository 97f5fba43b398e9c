"""Graphs from NetworkX and back. The backend of NetworkX is in millrace_networkx, and has the conversion."""

import numpy as np

from .errors import UsageError


def from_networkx(cls, graph, weight, path, memory, layout):
    from millrace_networkx.conversion import Shape
    from millrace_networkx.rows import read_weights
    from millrace_networkx.stores import edge_columns

    layout.setdefault("duplicates", "sum")
    values = None
    try:
        shape = Shape(graph)
        read = None if weight is None else read_weights(graph, shape, weight, 1)
    except NotImplementedError as error:
        raise UsageError(str(error)) from error
    if weight is not None:
        values = np.ones(len(shape.rows.indices)) if read is None else _of_parallel(read, layout["duplicates"])
    columns = edge_columns(shape, values, shape.directed)
    layout = {"vertices": len(shape.nodes), **layout}
    made = cls.from_edges(*columns, directed=shape.directed, path=path, memory=memory, **layout)
    made._nodes = [shape.nodes[i] for i in made.ids.tolist()]
    return made


def _of_parallel(weights, duplicates):
    if not weights.mutual:
        raise UsageError("edges of the view have other weights from their other ends: copy it to a graph (copy())")
    if duplicates not in ("sum", "min"):
        raise UsageError(f"duplicates is {duplicates}; of weights of NetworkX it may be sum or min")
    return weights.total if duplicates == "sum" else weights.least


def to_networkx(graph):
    import networkx

    kinds = {(0, 0): "Graph", (1, 0): "DiGraph", (0, 1): "MultiGraph", (1, 1): "MultiDiGraph"}
    made = getattr(networkx, kinds[graph.directed, graph._store.keeps_parallel_edges])()
    nodes = graph.nodes
    made.add_nodes_from(nodes)
    sources, targets, weights = graph.edges()
    if not graph.directed:
        once = sources <= targets
        sources, targets = sources[once], targets[once]
        weights = None if weights is None else weights[once]
    ends = ([nodes[i] for i in column.tolist()] for column in (sources, targets))
    if weights is None:
        made.add_edges_from(zip(*ends))
    else:
        made.add_weighted_edges_from(zip(*ends, weights.tolist()))
    return made
