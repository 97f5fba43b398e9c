// The algorithms of `millrace run`: each adds itself, with its options.
#pragma once

#include <CLI/CLI.hpp>

namespace millrace {

void add_bc(CLI::App& run);
void add_bfs(CLI::App& run);
void add_cdlp(CLI::App& run);
void add_cross_edges(CLI::App& run);
void add_degrees(CLI::App& run);
void add_egonet(CLI::App& run);
void add_eigenvector(CLI::App& run);
void add_hits(CLI::App& run);
void add_katz(CLI::App& run);
void add_kcore(CLI::App& run);
void add_lcc(CLI::App& run);
void add_neighbourhood(CLI::App& run);
void add_pagerank(CLI::App& run);
void add_ppr(CLI::App& run);
void add_radius(CLI::App& run);
void add_scc(CLI::App& run);
void add_spmv(CLI::App& run);
void add_subgraph(CLI::App& run);
void add_triangles(CLI::App& run);
void add_wcc(CLI::App& run);

}  // namespace millrace
