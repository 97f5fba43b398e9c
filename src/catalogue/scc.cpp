#include "millrace/algorithms/scc.h"

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/components.h"
#include "millrace/checks/check_components.h"

namespace millrace {

std::unique_ptr<Described> make_scc() {
  return std::make_unique<Components>(
      AlgorithmInfo{
          .name = "scc",
          .help = "Strongly connected components: for each vertex the lowest id that it has a path to and from",
          .finds = "strongly connected components",
          .supersteps = "some searches",
          .examples = {"g.store -o components.txt @check@"}},
      Components::Parts{.needs = scc_needs, .compute = scc, .check = check_scc});
}

}  // namespace millrace
