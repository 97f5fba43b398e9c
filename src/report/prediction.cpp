#include "millrace/report/prediction.h"

#include <fmt/format.h>

#include <algorithm>

#include "millrace/core/text.h"
#include "millrace/report/prediction_json.h"

namespace millrace {
namespace {

std::uint64_t whole(double number) { return static_cast<std::uint64_t>(std::max(0.0, number)); }

}  // namespace

std::string Prediction::bound() const {
  std::string name = "computing";
  double longest = compute;
  for (const auto& [other, seconds] : {std::pair("link", link), {"disk", disk}, {"exchange", exchange}})
    if (seconds > longest) name = other, longest = seconds;
  return name;
}

bool Prediction::says_enough(double beside) const {
  return std::min(seconds, beside) >= least_seconds && seconds >= supersteps * least_superstep;
}

std::string Prediction::text(const std::string& of) const {
  if (says_enough()) return fmt::format("{}{}, bound by {}", format_seconds(seconds), of, bound());
  if (const double starts = supersteps * least_superstep; seconds < starts && starts >= least_seconds)
    return fmt::format("nothing: starting {} supersteps takes most of the time", format_count(whole(supersteps + 0.5)));
  return fmt::format("less than {}{}", format_seconds(least_seconds), of);
}

std::string ratio_text(const Prediction& predicted, double measured, const char* words) {
  if (!predicted.says_enough(measured)) return "";
  return fmt::format(" ({:.2f} {})", predicted.seconds / measured, words);
}

nlohmann::ordered_json prediction_json(const Prediction& p) {
  return {{"seconds", p.seconds},
          {"supersteps", p.supersteps},
          {"bound", p.bound()},
          {"phases", {{"compute", p.compute}, {"copy", p.link}, {"disk", p.disk}, {"exchange", p.exchange}}},
          {"link_bytes", whole(p.link_bytes)},
          {"disk_bytes", whole(p.disk_bytes)},
          {"first_pass", {{"seconds", p.first_seconds}, {"disk_bytes", whole(p.first_bytes)}}},
          {"helped_bytes", whole(p.helped_bytes)},
          {"exchanged_bytes", whole(p.exchanged_bytes)},
          {"beyond_samples", p.beyond}};
}

}  // namespace millrace
