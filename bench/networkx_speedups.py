#!/usr/bin/env python3
"""Times NetworkX against its backend Millrace on an R-MAT graph, with conversion and with the graph converted before.

Usage: bench/networkx_speedups.py [--scale 16] [--edge-factor 16] [--repeat 5] [--only pagerank,...]
Prints a table in Markdown. Run it on an idle machine; the seconds are the best of --repeat (NetworkX: of at most 3, and
of one if that takes more than 20 s).
"""

import argparse
import gc
import os
import time

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import millrace  # noqa: E402
import networkx as nx  # noqa: E402


def make(scale, edge_factor, directed):
    """A graph of NetworkX without attributes, whose nodes are whole numbers."""
    made = millrace.generate("rmat", scale, edge_factor=edge_factor)
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(2**scale))
    sources, targets, _ = made.edges()
    graph.add_edges_from(zip(made.ids[sources].tolist(), made.ids[targets].tolist()))
    return graph


def weighted(graph):
    """Weights from 1 to 9 that look random, for shortest paths."""
    for source, target, data in graph.edges(data=True):
        data["weight"] = 1 + (source * 2654435761 + target * 40503) % 9
    return graph


CALLS = {
    "pagerank": ("directed", lambda g, **b: nx.pagerank(g, **b)),
    "connected_components": ("undirected", lambda g, **b: list(nx.connected_components(g, **b))),
    "weakly_connected_components": ("directed", lambda g, **b: list(nx.weakly_connected_components(g, **b))),
    "strongly_connected_components": ("directed", lambda g, **b: list(nx.strongly_connected_components(g, **b))),
    "betweenness_centrality, k=32": ("directed", lambda g, **b: nx.betweenness_centrality(g, k=32, seed=1, **b)),
    "hits": ("directed", lambda g, **b: nx.hits(g, **b)),
    "katz_centrality": ("directed", lambda g, **b: nx.katz_centrality(g, alpha=0.001, **b)),
    "eigenvector_centrality": ("directed", lambda g, **b: nx.eigenvector_centrality(g, **b)),
    "core_number": ("undirected", lambda g, **b: nx.core_number(g, **b)),
    "triangles": ("undirected", lambda g, **b: nx.triangles(g, **b)),
    "single_source_shortest_path_length": (
        "directed",
        lambda g, **b: nx.single_source_shortest_path_length(g, first(g), **b),
    ),
    "single_source_dijkstra_path_length": (
        "weighted",
        lambda g, **b: nx.single_source_dijkstra_path_length(g, first(g), **b),
    ),
    "harmonic_centrality, 32 nodes": (
        "directed",
        lambda g, **b: nx.harmonic_centrality(g, nbunch=range(32), **b),
    ),
}


def first(graph):
    """The node of most out-edges, from which much is reached."""
    if "first" not in graph.graph:
        graph.graph["first"] = max(graph, key=graph.degree)
    return graph.graph["first"]


def best(call, repeat, limit=20.0):
    seconds = []
    gc.collect()
    while len(seconds) < repeat and sum(seconds) < limit:
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def measure(graph, call, repeat):
    """(NetworkX, Millrace with conversion, Millrace with the graph converted), in seconds."""
    plain = best(lambda: call(graph), min(repeat, 3))

    def with_conversion():
        graph.__networkx_cache__.clear()
        call(graph, backend="millrace")

    first_time = best(with_conversion, repeat)
    return plain, first_time, best(lambda: call(graph, backend="millrace"), repeat)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=16)
    parser.add_argument("--edge-factor", type=int, default=16)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", default="", help="names of functions, separated by commas")
    given = parser.parse_args()
    nx.config.warnings_to_ignore.add("cache")
    millrace.show_progress(False)
    only = [name for name in given.only.split(",") if name]
    directed = make(given.scale, given.edge_factor, True)
    graphs = {"directed": directed, "undirected": make(given.scale, given.edge_factor, False)}
    graphs["weighted"] = weighted(directed.copy())
    edges = [f"{graphs[kind].number_of_edges():,} {kind}" for kind in ("directed", "undirected")]
    print(f"R-MAT, {len(directed):,} nodes, {' or '.join(edges)} edges; seconds\n")
    print("| function | NetworkX | Millrace, with conversion | times | converted before | times |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, (kind, call) in CALLS.items():
        if only and not any(name.startswith(one) for one in only):
            continue
        plain, first_time, again = measure(graphs[kind], call, given.repeat)
        ratios = plain / first_time, plain / again
        row = f"{plain:.3g} | {first_time:.3g} | {ratios[0]:.1f} | {again:.3g} | {ratios[1]:.1f} |"
        print(f"| {name} | {row}", flush=True)


if __name__ == "__main__":
    main()
