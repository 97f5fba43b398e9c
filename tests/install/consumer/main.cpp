#include <algorithm>
#include <cstdio>

#include "millrace/catalogue/catalogue.h"
#include "millrace/core/error.h"
#include "millrace/run/ready_run.h"

using namespace millrace;

int main(int argc, char** argv) try {
  if (argc != 2) throw UsageError("usage: top_ranks GRAPH");
  const auto pagerank = make_algorithm("pagerank", {{"iterations", "30"}});
  const RunSettings settings{.on = {.device = "cpu", .host_memory = "1G"}};  // never more than 1 GiB
  const ReadyRun ready = ready_run(argv[1], *pagerank, {.columns = {"rank"}}, settings);
  const Outcome outcome = ready.run();

  const auto rank = outcome.values<float>("rank");
  const auto top = std::max_element(rank.begin(), rank.end()) - rank.begin();
  const IdMap ids = ready.session->store().load_ids(ready.session->host_memory());
  std::printf("vertex %llu has rank %g\n", static_cast<unsigned long long>(ids.original(static_cast<VertexId>(top))),
              rank[top]);
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.code());
}
