#include "millrace/cli/report_build.h"

#include <fmt/format.h>

#include "millrace/cli/print.h"
#include "millrace/core/text.h"
#include "millrace/run/store_options.h"

namespace millrace {
namespace {

std::string merged_text(const BuildSummary& summary) {
  std::string text;
  if (summary.dropped_self_loops > 0)
    text += fmt::format("dropped {} (--self-loops keep keeps them)\n",
                        format_counted(summary.dropped_self_loops, "self-loop"));
  if (summary.merged_edges > 0)
    text += fmt::format("merged {} (--duplicates says how)\n", format_counted(summary.merged_edges, "parallel edge"));
  return text;
}

}  // namespace

std::string segments_line(const ChosenOrder& order) {
  if (order.segment == 0) return {};
  return fmt::format("segments: {} vertices (a sample took {:.2f} bytes an edge with them, {:.2f} without)\n",
                     format_count(order.segment), order.blocked.bytes_per_edge, order.plain().bytes_per_edge);
}

void report_build(const std::filesystem::path& path, const BuildSummary& summary) {
  const ChosenOrder& order = summary.order;
  std::string sample;
  if (order.natural.bytes_per_edge > 0 && order.degree.bytes_per_edge > 0)
    sample = fmt::format(" (a sample took {:.2f} bytes an edge in natural order, {:.2f} by degree)",
                         order.natural.bytes_per_edge, order.degree.bytes_per_edge);
  say("order: {}{}\n", order.order == Order::degree ? "degree" : "natural", sample);
  say("{}", segments_line(order));
  say_text(merged_text(summary) + weights_text(summary, true));
  if (summary.device != "cpu") say("sorted and encoded on {}\n", summary.device);
  if (summary.temporary_bytes > 0)
    say("{} went through temporary files (--memory allows more to stay in memory)\n",
        format_size(summary.temporary_bytes));
  say("{}: {}, {}, built in {}\n", path.string(), format_counted(summary.num_vertices, "vertex"),
      summary.edges().text(), format_seconds(summary.seconds));
}

}  // namespace millrace
