#include "millrace/report/describe.h"

#include <nlohmann/json.hpp>

#include "millrace/core/text.h"
#include "millrace/report/degree_distribution.h"
#include "millrace/report/part_figures.h"
#include "millrace/report/table.h"
#include "millrace/store/counted_edges.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

double per_edge(std::uint64_t bytes, const Store& store) {
  return store.num_edges() == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(store.num_edges());
}

std::uint64_t id_bytes(const Store& store) {
  const IdColumn ids = store.manifest().ids;
  return ids == IdColumn::identity ? 0 : ids == IdColumn::u32 ? 4 : 8;
}

// Each page file, with its pages and bytes.
Json page_files_of(const Store& store, const PageFiles& files, const PageTable& table) {
  std::vector<std::uint64_t> pages(files.files.size()), bytes(files.files.size());
  for (const PageEntry& entry : table) ++pages[entry.file], bytes[entry.file] += entry.bytes;
  Json list = Json::array();
  for (std::size_t i = 0; i < files.files.size(); ++i)
    list.push_back({{"path", (store.path() / files.files[i]).string()}, {"pages", pages[i]}, {"bytes", bytes[i]}});
  return list;
}

Json to_json(const DegreeDistribution& degrees) {
  return {{"min", degrees.min()},          {"mean", degrees.mean()}, {"median", degrees.quantile(0.5)},
          {"p99", degrees.quantile(0.99)}, {"max", degrees.max()},   {"zero", degrees.between(0, 0)}};
}

Json to_json(const PartFigures& figures) {
  Json json{{"method", figures.method},   {"cut_edges", figures.cut_edges},     {"cut", figures.cut},
            {"balance", figures.balance}, {"replication", figures.replication}, {"parts", Json::array()}};
  for (const PartFigures::Part& part : figures.parts)
    json["parts"].push_back({{"first_vertex", part.first_vertex},
                             {"vertices", part.vertices},
                             {"edges", part.edges},
                             {"pages", part.pages}});
  return json;
}

Json figures_of(const Store& store) {
  const Manifest& manifest = store.manifest();
  Json json{{"schema_version", 1},        {"path", store.path().string()},
            {"source", manifest.source},  {"vertices", store.num_vertices()},
            {"edges", store.num_edges()}, {"directed", manifest.directed}};
  if (!manifest.directed) json["undirected_edges"] = edges_of(store).once();
  json["self_loops"] = manifest.self_loops;
  json["parallel_edges"] = manifest.keeps_parallel_edges;
  json["weights"] = weight_type_name(manifest.weight_type);
  json["order"] = manifest.order;
  json["page_size"] = manifest.page_bytes;
  if (manifest.segment > 0) json["segment"] = manifest.segment;
  json["pages"] = Json::object();
  json["bytes_per_edge"] = Json::object();
  json["orientations"] = Json::object();
  json["degrees"] = Json::object();  // may also have an orientation without pages
  Budget available(available_memory(), LimitOption("the available memory"));  // a small store may claim many vertices
  std::uint64_t pages = 0;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (manifest.degrees[static_cast<std::size_t>(o)])
      json["degrees"][orientation_name(o)] = to_json(count_degrees(store.load_degrees(o, available)));
    const auto& files = manifest.orientations[static_cast<std::size_t>(o)];
    if (!files) continue;
    const PageTable& table = store.table(o);
    const auto large =
        std::count_if(table.begin(), table.end(), [](const auto& e) { return e.kind == PageKind::large; });
    const std::uint64_t disk = files->bytes + files->table_bytes;
    pages += table.size();
    json["pages"][orientation_name(o)] = table.size();
    json["bytes_per_edge"][orientation_name(o)] = per_edge(disk, store);
    json["orientations"][orientation_name(o)] = {{"pages", table.size()},
                                                 {"large_pages", large},
                                                 {"page_bytes", files->bytes},
                                                 {"table_bytes", files->table_bytes},
                                                 {"files", page_files_of(store, *files, table)},
                                                 {"bytes_per_edge", per_edge(disk, store)},
                                                 {"degree", json["degrees"].value(orientation_name(o), Json())}};
  }
  json["pages"]["total"] = pages;
  json["id_bytes_per_vertex"] = id_bytes(store);
  json["names"] = store.has_names();
  json["name_bytes"] = store.name_memory();
  if (manifest.parts) json["parts"] = to_json(part_figures(store));
  json["bytes"] = store.disk_bytes();
  return json;
}

}  // namespace

std::string describe_json(const Store& store) {
  return figures_of(store).dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string describe_text(const Store& store) {
  const Json json = figures_of(store);
  const Manifest& manifest = store.manifest();
  SummaryTable table(store.path().string());
  if (!manifest.source.empty()) table.row("source", "{}", manifest.source);
  table.row("vertices", "{}", format_count(store.num_vertices()));
  if (manifest.directed)
    table.row("edges", "{} (directed)", format_count(store.num_edges()));
  else
    table.row("edges", "{} (undirected; listed from both ends, which makes {} entries)",
              format_count(edges_of(store).once()), format_count(store.num_edges()));
  table.row("weights", "{}", weight_type_name(manifest.weight_type));
  table.row("self-loops", "{}", format_count(manifest.self_loops));
  table.row("parallel edges", "{}", manifest.keeps_parallel_edges ? "kept" : "merged");
  table.row("vertex order", "{}", manifest.order);
  if (manifest.segment > 0)
    table.row("segments", "{}, of {} vertices", (manifest.num_vertices - 1) / manifest.segment + 1,
              format_count(manifest.segment));
  table.row("original ids", "{}",
            id_bytes(store) == 0 ? "the vertex numbers themselves" : fmt::format("{} bytes a vertex", id_bytes(store)));
  if (store.has_names())
    table.row("names", "a string for each id, {} in all", format_size(json["name_bytes"].get<std::uint64_t>()));
  for (const Orientation orientation : {Orientation::out, Orientation::in}) {
    const std::string name = orientation_name(orientation);
    if (json["orientations"].contains(name)) {
      const Json& o = json["orientations"][name];
      table.row(name + " pages", "{} ({} large), {}, {:.3f} bytes an {} with the page table", o["pages"].get<int>(),
                o["large_pages"].get<int>(), format_size(o["page_bytes"].get<std::uint64_t>()),
                o["bytes_per_edge"].get<double>(), manifest.directed ? "edge" : "entry");
      if (o["files"].size() > 1)
        for (const Json& file : o["files"])
          table.row(name + " stripe", "{}: {}, {}", file["path"].get<std::string>(),
                    format_counted(file["pages"].get<std::uint64_t>(), "page"),
                    format_size(file["bytes"].get<std::uint64_t>()));
    } else if (manifest.directed) {
      table.row(name + " pages", "none: runs can only {}", orientation == Orientation::in ? "push" : "pull");
    }
    if (!json["degrees"].contains(name)) continue;
    const Json& degree = json["degrees"][name];
    table.row(name + "-degree", "mean {:.2f}, median {}, 99% {}, max {}; {} none", degree["mean"].get<double>(),
              degree["median"].get<int>(), degree["p99"].get<int>(), format_count(degree["max"].get<std::uint64_t>()),
              format_counted(degree["zero"].get<std::uint64_t>(), "vertex") +
                  (degree["zero"].get<std::uint64_t>() == 1 ? " has" : " have"));
  }
  if (manifest.parts) add_rows(table, part_figures(store));
  table.row("on disk", "{}", format_size(json["bytes"].get<std::uint64_t>()));
  return table.text();
}

}  // namespace millrace
