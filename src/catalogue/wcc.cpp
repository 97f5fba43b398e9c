#include "millrace/algorithms/wcc.h"

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/components.h"
#include "millrace/checks/check_components.h"

namespace millrace {

std::unique_ptr<Described> make_wcc() {
  return std::make_unique<Components>(
      AlgorithmInfo{
          .name = "wcc",
          .help =
              "Weakly connected components: for each vertex the lowest id that edges of any direction connect it to",
          .finds = "weakly connected components",
          .supersteps = "few",
          .examples = {"g.store -o components.txt"}},
      Components::Parts{.needs = wcc_needs, .compute = wcc, .check = check_wcc});
}

}  // namespace millrace
