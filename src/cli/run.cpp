// millrace run: an algorithm on a store.
#include "millrace/cli/commands.h"
#include "millrace/cli/run_commands.h"

namespace millrace {

void add_run_command(CLI::App& app) {
  CLI::App* run = app.add_subcommand("run", "Run an algorithm on a store");
  run->require_subcommand(1);
  add_pagerank(*run);
  add_ppr(*run);
  add_hits(*run);
  add_katz(*run);
  add_eigenvector(*run);
  add_bc(*run);
  add_bfs(*run);
  add_wcc(*run);
  add_scc(*run);
  add_kcore(*run);
  add_cdlp(*run);
  add_lcc(*run);
  add_triangles(*run);
  add_radius(*run);
  add_degrees(*run);
  add_spmv(*run);
  add_neighbourhood(*run);
  add_egonet(*run);
  add_subgraph(*run);
  add_cross_edges(*run);
}

}  // namespace millrace
