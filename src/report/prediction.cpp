#include "millrace/report/prediction.h"

#include <algorithm>

#include "millrace/report/prediction_json.h"

namespace millrace {

std::string Prediction::bound() const {
  std::string name = "computing";
  double longest = compute;
  for (const auto& [other, seconds] : {std::pair("link", link), {"disk", disk}, {"exchange", exchange}})
    if (seconds > longest) name = other, longest = seconds;
  return name;
}

nlohmann::ordered_json prediction_json(const Prediction& p) {
  const auto whole = [](double number) { return static_cast<std::uint64_t>(std::max(0.0, number)); };
  return {{"seconds", p.seconds},
          {"supersteps", p.supersteps},
          {"bound", p.bound()},
          {"phases", {{"compute", p.compute}, {"copy", p.link}, {"disk", p.disk}, {"exchange", p.exchange}}},
          {"link_bytes", whole(p.link_bytes)},
          {"disk_bytes", whole(p.disk_bytes)},
          {"helped_bytes", whole(p.helped_bytes)},
          {"exchanged_bytes", whole(p.exchanged_bytes)},
          {"beyond_samples", p.beyond}};
}

}  // namespace millrace
