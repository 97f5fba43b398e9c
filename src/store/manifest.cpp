#include "millrace/store/manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "millrace/core/error.h"
#include "millrace/pages/crc32c.h"
#include "millrace/store/files.h"
#include "millrace/version.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* id_column_names[] = {"identity", "u32", "u64"};

// File names may hold any bytes; JSON takes UTF-8 alone, so others become U+FFFD.
std::string to_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// The checksum covers the manifest without its checksum member.
std::uint32_t checksum(const Json& manifest) {
  Json content = manifest;
  content.erase("checksum");
  const std::string text = to_text(content);
  return crc32c(std::as_bytes(std::span(text)));
}

Json to_json(const PageFiles& pages) {
  return {{"files", pages.files},
          {"table", pages.table},
          {"pages", pages.pages},
          {"bytes", pages.bytes},
          {"table_bytes", pages.table_bytes}};
}

PageFiles page_files_from(const Json& json) {
  return {.files = json.at("files"),
          .table = json.at("table"),
          .pages = json.at("pages"),
          .bytes = json.at("bytes"),
          .table_bytes = json.at("table_bytes")};
}

Json to_json(const Column& column) { return {{"file", column.file}, {"crc32c", column.crc}}; }
Column column_from(const Json& json) { return {.file = json.at("file"), .crc = json.at("crc32c")}; }

Json to_json(const Parts& parts) {
  return {{"method", parts.method},
          {"first_vertex", parts.first_vertex},
          {"cut_edges", parts.cut_edges},
          {"replicas", parts.replicas}};
}

Parts parts_from(const Json& json, std::uint64_t num_vertices) {
  Parts parts{.method = json.at("method"),
              .first_vertex = json.at("first_vertex"),
              .cut_edges = json.at("cut_edges"),
              .replicas = json.at("replicas")};
  const std::vector<VertexId>& first = parts.first_vertex;
  if (first.empty() || first.front() != 0 || first.back() > num_vertices || !std::is_sorted(first.begin(), first.end()))
    throw std::runtime_error("parts that are not ranges of the vertices, one after another");
  return parts;
}

IdColumn id_column_from(const std::string& name) {
  for (int i = 0; i < 3; ++i)
    if (name == id_column_names[i]) return static_cast<IdColumn>(i);
  throw std::runtime_error("unknown ids '" + name + "'");
}

// A file name from a manifest stays inside the store,
void demand_plain_name(const std::string& name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
    throw std::runtime_error("'" + name + "' is not a plain file name");
}

// unless pages lie on other disks.
void demand_page_file(const std::string& name) {
  const std::filesystem::path path(name);
  demand_plain_name(path.is_absolute() ? path.filename().string() : name);
}

Manifest from_json(const Json& json) {
  Manifest manifest;
  manifest.num_vertices = json.at("vertices");
  manifest.num_edges = json.at("edges");
  manifest.directed = json.at("directed");
  manifest.keeps_parallel_edges = json.at("parallel_edges");
  manifest.self_loops = json.at("self_loops");
  const auto weights = weight_type_from_name(json.at("weights").get<std::string>());
  if (!weights) throw std::runtime_error("unknown weights");
  manifest.weight_type = *weights;
  manifest.order = json.at("order");
  manifest.source = json.at("source");
  manifest.page_bytes = json.at("page_bytes");
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    const auto i = static_cast<std::size_t>(o);
    if (json.at("orientations").contains(orientation_name(o)))
      manifest.orientations[i] = page_files_from(json.at("orientations").at(orientation_name(o)));
    if (json.at("degrees").contains(orientation_name(o)))
      manifest.degrees[i] = column_from(json.at("degrees").at(orientation_name(o)));
  }
  manifest.ids = id_column_from(json.at("ids").at("type"));
  if (manifest.ids != IdColumn::identity) manifest.id_column = column_from(json.at("ids"));
  if (json.contains("names")) manifest.names = column_from(json.at("names"));
  if (json.contains("parts")) manifest.parts = parts_from(json.at("parts"), manifest.num_vertices);

  if (manifest.num_vertices > max_vertices) throw std::runtime_error("too many vertices");
  if (!manifest.orientations[0] && !manifest.orientations[1]) throw std::runtime_error("no pages in any orientation");
  if (!manifest.directed && !manifest.orientations[0]) throw std::runtime_error("undirected without out pages");
  for (const auto& pages : manifest.orientations) {
    if (!pages) continue;
    if (pages->files.empty()) throw std::runtime_error("an orientation without page files");
    demand_plain_name(pages->table);
    for (const std::string& file : pages->files) demand_page_file(file);
  }
  for (const auto& column : {manifest.degrees[0], manifest.degrees[1], manifest.id_column, manifest.names})
    if (column) demand_plain_name(column->file);
  return manifest;
}

}  // namespace

const PageFiles* Manifest::pages(Orientation orientation) const {
  const auto& own = orientations[static_cast<std::size_t>(directed ? orientation : Orientation::out)];
  return own ? &*own : nullptr;
}

void Manifest::save(const std::filesystem::path& file) const {
  Json json{{"format", "millrace-store"},
            {"version", store_version},
            {"written_by", "millrace " MILLRACE_VERSION},
            {"source", source},
            {"vertices", num_vertices},
            {"edges", num_edges},
            {"directed", directed},
            {"parallel_edges", keeps_parallel_edges},
            {"self_loops", self_loops},
            {"weights", weight_type_name(weight_type)},
            {"order", order},
            {"page_bytes", page_bytes},
            {"orientations", Json::object()},
            {"degrees", Json::object()},
            {"ids", {{"type", id_column_names[static_cast<int>(ids)]}}}};
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    const auto i = static_cast<std::size_t>(o);
    if (orientations[i]) json["orientations"][orientation_name(o)] = to_json(*orientations[i]);
    if (degrees[i]) json["degrees"][orientation_name(o)] = to_json(*degrees[i]);
  }
  if (id_column) json["ids"].update(to_json(*id_column));
  if (names) json["names"] = to_json(*names);
  if (parts) json["parts"] = to_json(*parts);
  json["checksum"] = checksum(json);
  const std::string text = to_text(json, 2) + "\n";
  write_file(file, std::as_bytes(std::span(text)));
}

Manifest Manifest::load(const std::filesystem::path& file) {
  const std::vector<std::byte> bytes = read_file(file);
  try {
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    const Json json = Json::parse(text, text + bytes.size());
    if (json.at("format") != "millrace-store") throw std::runtime_error("not the manifest of a store");
    if (const int version = json.at("version"); version != store_version)
      throw std::runtime_error(fmt::format("store version {}; this program reads version {}: import the graph again",
                                           version, store_version));
    if (json.at("checksum") != checksum(json))
      throw std::runtime_error("checksum mismatch: the manifest was changed or damaged");
    return from_json(json);
  } catch (const std::exception& problem) {
    throw BadInputError("{}: {}", file.string(), problem.what());
  }
}

}  // namespace millrace
