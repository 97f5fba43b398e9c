#include "millrace/report/part_figures.h"

#include <algorithm>

#include "millrace/core/text.h"

namespace millrace {
namespace {

constexpr std::size_t most_rows = 64;  // parts listed in the table

}  // namespace

PartFigures part_figures(const Store& store) {
  const Parts& parts = *store.manifest().parts;
  const std::uint64_t n = store.num_vertices();
  PartFigures figures{.method = parts.method,
                      .parts = std::vector<PartFigures::Part>(parts.first_vertex.size()),
                      .edges = edges_of(store),
                      .cut_edges = parts.cut_edges};
  for (std::size_t p = 0; p < figures.parts.size(); ++p) {
    figures.parts[p].first_vertex = parts.first_vertex[p];
    figures.parts[p].vertices = parts.end(p, n) - parts.first_vertex[p];
  }
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!store.manifest().orientations[static_cast<std::size_t>(o)]) continue;
    for (const PageEntry& page : store.table(o)) {
      const auto next = std::upper_bound(parts.first_vertex.begin(), parts.first_vertex.end(), page.first_vertex);
      const auto p = static_cast<std::size_t>(next - parts.first_vertex.begin()) - 1;
      figures.parts[p].edges += page.edges;
      ++figures.parts[p].pages;
    }
  }
  std::uint64_t most = 0, all = 0;
  for (const PartFigures::Part& part : figures.parts) most = std::max(most, part.edges), all += part.edges;
  if (all > 0) {
    figures.cut = static_cast<double>(parts.cut_edges) / static_cast<double>(store.num_edges());
    figures.balance = static_cast<double>(most) * static_cast<double>(figures.parts.size()) / static_cast<double>(all);
  }
  if (n > 0) figures.replication = static_cast<double>(parts.replicas) / static_cast<double>(n);
  return figures;
}

void add_rows(SummaryTable& table, const PartFigures& figures) {
  table.row("parts", "{} ({})", figures.parts.size(), figures.method);
  const CountedEdges cut{.listed = figures.cut_edges, .directed = figures.edges.directed};
  const auto all = static_cast<double>(std::max<std::uint64_t>(figures.edges.once(), 1));
  table.row("edge cut", "{} of {} ({:.2f}%)", format_count(cut.once()), figures.edges.text(),
            100 * static_cast<double>(cut.once()) / all);
  table.row("balance", "{:.3f} (the most entries of a part over the mean)", figures.balance);
  table.row("replication", "{:.3f} parts a vertex", figures.replication);
  for (std::size_t p = 0; p < figures.parts.size() && figures.parts.size() <= most_rows; ++p) {
    const PartFigures::Part& part = figures.parts[p];
    table.row(fmt::format("part {}", p), "{}, {} in {}", format_counted(part.vertices, "vertex"),
              format_counted(part.edges, "entry"), format_counted(part.pages, "page"));
  }
}

}  // namespace millrace
