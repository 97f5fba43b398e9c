"""What NetworkX asks for whenever it is imported: neither NumPy nor the extension is loaded here."""

# Functions by the module that has them. backend.py takes them from here.
MODULES = {
    "link_analysis": "pagerank hits katz_centrality eigenvector_centrality",
    "centrality": "betweenness_centrality closeness_centrality harmonic_centrality degree_centrality "
    "in_degree_centrality out_degree_centrality",
    "components": "connected_components number_connected_components is_connected node_connected_component "
    "weakly_connected_components number_weakly_connected_components is_weakly_connected "
    "strongly_connected_components number_strongly_connected_components is_strongly_connected",
    "cores": "core_number k_core k_shell triangles clustering average_clustering transitivity is_isolate isolates "
    "number_of_isolates",
    "searches": "bfs_edges bfs_tree bfs_layers bfs_successors descendants_at_distance descendants "
    "ancestors has_path ego_graph",
    "hops": "single_source_shortest_path single_source_shortest_path_length single_target_shortest_path "
    "single_target_shortest_path_length all_pairs_shortest_path all_pairs_shortest_path_length",
    "weighted": "dijkstra_path dijkstra_path_length single_source_dijkstra single_source_dijkstra_path "
    "single_source_dijkstra_path_length multi_source_dijkstra multi_source_dijkstra_path "
    "multi_source_dijkstra_path_length all_pairs_dijkstra all_pairs_dijkstra_path all_pairs_dijkstra_path_length "
    "bellman_ford_path_length single_source_bellman_ford_path_length all_pairs_bellman_ford_path_length",
    "distances": "shortest_path shortest_path_length average_shortest_path_length eccentricity diameter radius center "
    "periphery",
}

# Settings, for nx.config.backends.millrace.
DEFAULTS = {
    "device": "auto",  # cpu, cuda, cuda:N, or what is fastest
    "memory": None,  # the most memory of a run, such as "4G"
    "threads": None,  # threads of the host
    "min_edges": 20_000,  # graphs with fewer edges are left to NetworkX
}

NOTES = {
    "pagerank": "Unweighted graphs without self-loops take the engine's PageRank, others a loop over sparse products.",
    "hits": "Only the power iteration, which NetworkX has from 3.7 on.",
    "betweenness_centrality": "In hops. The engine runs all sources, or the k sampled ones.",
    "closeness_centrality": "In hops.",
    "harmonic_centrality": "In hops.",
    "clustering": "Undirected graphs without weights.",
}


def get_info():
    """The entry point `networkx.backend_info`."""
    names = [name for text in MODULES.values() for name in text.split()]
    return {
        "backend_name": "millrace",
        "project": "Millrace",
        "package": "millrace_networkx",
        "short_summary": "A graph engine for CPUs and NVIDIA GPUs, also for graphs larger than memory.",
        "functions": {name: {"additional_docs": NOTES[name]} if name in NOTES else {} for name in names},
        "default_config": dict(DEFAULTS),
    }
