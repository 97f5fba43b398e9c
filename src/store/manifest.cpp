#include "millrace/store/manifest.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/pages/crc32c.h"
#include "millrace/store/json_file.h"
#include "millrace/version.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* id_column_names[] = {"identity", "u32", "u64"};
constexpr std::uint32_t most_u32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_files = 1u << 16;  // entries of page tables have 16 bits for the number of their file

// File names may hold any bytes; JSON allows only UTF-8, so other bytes become U+FFFD.
std::string to_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// The text of the manifest file.
std::string to_file_text(const Json& json) { return to_text(json, 2) + "\n"; }

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
  PageFiles pages{.files = texts_of(json, "files"),
                  .table = text_of(json, "table"),
                  .pages = number_of(json, "pages", most_u32),
                  .bytes = number_of(json, "bytes"),
                  .table_bytes = number_of(json, "table_bytes")};
  if (pages.files.empty() || pages.files.size() > most_files)
    throw BadInputError("an orientation of {} page files, where 1 to {} can be", pages.files.size(), most_files);
  return pages;
}

Json to_json(const Column& column) { return {{"file", column.file}, {"crc32c", column.crc}}; }
Column column_from(const Json& json) {
  return {.file = text_of(json, "file"), .crc = static_cast<std::uint32_t>(number_of(json, "crc32c", most_u32))};
}

Json to_json(const Parts& parts) {
  return {{"method", parts.method},
          {"first_vertex", parts.first_vertex},
          {"cut_edges", parts.cut_edges},
          {"replicas", parts.replicas}};
}

Parts parts_from(const Json& json, std::uint64_t num_vertices) {
  Parts parts{.method = text_of(json, "method"),
              .first_vertex = numbers_of(json, "first_vertex", most_u32),
              .cut_edges = number_of(json, "cut_edges"),
              .replicas = number_of(json, "replicas")};
  const std::vector<VertexId>& first = parts.first_vertex;
  if (first.empty() || first.front() != 0 || first.back() > num_vertices || !std::is_sorted(first.begin(), first.end()))
    throw BadInputError("parts that are not ranges of the vertices, one after another");
  return parts;
}

IdColumn id_column_from(const std::string& name) {
  for (int i = 0; i < 3; ++i)
    if (name == id_column_names[i]) return static_cast<IdColumn>(i);
  throw BadInputError("unknown ids '{}'", name);
}

// A file name in a manifest must not lead out of the store.
void demand_plain_name(const std::string& name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
      name.find('\0') != std::string::npos)
    throw BadInputError("not a plain file name: '{}'", name);
}

// Page files may also be absolute paths on other disks.
void demand_page_file(const std::string& name) {
  const std::filesystem::path path(name);
  demand_plain_name(path.is_absolute() ? path.filename().string() : name);
}

void demand_file_names(const Manifest& manifest) {
  for (const auto& pages : manifest.orientations) {
    if (!pages) continue;
    demand_plain_name(pages->table);
    for (const std::string& file : pages->files) demand_page_file(file);
  }
  for (const auto& column : {manifest.degrees[0], manifest.degrees[1], manifest.id_column, manifest.names})
    if (column) demand_plain_name(column->file);
}

WeightType weight_type_from(const std::string& name) {
  const auto type = weight_type_from_name(name);
  if (!type) throw BadInputError("unknown weights '{}'", name);
  return *type;
}

std::uint32_t page_bytes_from(const Json& json) {
  const std::uint64_t bytes = number_of(json, "page_bytes", max_page_bytes);
  if (bytes < min_page_bytes) throw BadInputError("'page_bytes' is {}, below {}", bytes, min_page_bytes);
  return static_cast<std::uint32_t>(bytes);
}

std::uint64_t segment_from(const Json& json, std::uint64_t num_vertices) {
  if (!json.contains("segment")) return 0;
  const std::uint64_t segment = number_of(json, "segment");
  if (!std::has_single_bit(segment) || segment < min_segment || segment >= num_vertices)
    throw BadInputError("'segment' is {}, where a power of two from {} on, below the number of vertices, can be",
                        segment, min_segment);
  return segment;
}

Manifest from_json(const Json& json) {
  Manifest manifest;
  text_of(json, "written_by");
  manifest.num_vertices = number_of(json, "vertices", max_vertices);
  manifest.num_edges = number_of(json, "edges");
  manifest.directed = flag_of(json, "directed");
  manifest.keeps_parallel_edges = flag_of(json, "parallel_edges");
  manifest.self_loops = number_of(json, "self_loops");
  manifest.weight_type = weight_type_from(text_of(json, "weights"));
  manifest.order = text_of(json, "order");
  manifest.source = text_of(json, "source");
  manifest.page_bytes = page_bytes_from(json);
  manifest.segment = segment_from(json, manifest.num_vertices);
  const Json& orientations = object_of(json, "orientations");
  const Json& degrees = object_of(json, "degrees");
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    const auto i = static_cast<std::size_t>(o);
    const char* const name = orientation_name(o);
    if (orientations.contains(name)) manifest.orientations[i] = page_files_from(object_of(orientations, name));
    if (degrees.contains(name)) manifest.degrees[i] = column_from(object_of(degrees, name));
  }
  const Json& ids = object_of(json, "ids");
  manifest.ids = id_column_from(text_of(ids, "type"));
  if (manifest.ids != IdColumn::identity) manifest.id_column = column_from(ids);
  if (json.contains("names")) manifest.names = column_from(object_of(json, "names"));
  if (json.contains("parts")) manifest.parts = parts_from(object_of(json, "parts"), manifest.num_vertices);

  if (!manifest.orientations[0] && !manifest.orientations[1]) throw BadInputError("no pages in any orientation");
  if (!manifest.directed && (!manifest.orientations[0] || manifest.orientations[1] || manifest.degrees[1]))
    throw BadInputError("not directed, which takes out pages, and neither in pages nor in degrees");
  demand_file_names(manifest);
  return manifest;
}

// Adds the members of `object` that are not in `known` to a list.
void note_unknown(const Json& object, const std::string& where, std::initializer_list<std::string_view> known,
                  std::vector<std::string>& unknown) {
  for (const auto& [name, value] : object.items())
    if (std::ranges::find(known, name) == known.end()) unknown.push_back(where + "/" + name);
}

}  // namespace

const PageFiles* Manifest::pages(Orientation orientation) const {
  const auto& own = orientations[static_cast<std::size_t>(directed ? orientation : Orientation::out)];
  return own ? &*own : nullptr;
}

std::vector<std::string> Manifest::file_names() const {
  std::vector<std::string> names{"manifest.json"};
  for (const auto& pages : orientations) {
    if (!pages) continue;
    names.push_back(pages->table);
    for (const std::string& file : pages->files)
      if (!std::filesystem::path(file).is_absolute()) names.push_back(file);
  }
  for (const auto& column : {degrees[0], degrees[1], id_column, this->names})
    if (column) names.push_back(column->file);
  return names;
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
  if (segment > 0) json["segment"] = segment;
  json["checksum"] = checksum(json);
  const std::string text = to_file_text(json);
  if (text.size() > most_json_bytes)
    throw DoesNotFitError("the manifest of {} would take {}, more than {}: give fewer stripes, or shorter paths",
                          file.parent_path().string(), format_size(text.size()), format_size(most_json_bytes));
  write_file(file, std::as_bytes(std::span(text)));
}

Manifest Manifest::load(const File& file) {
  const Json json = read_json_file(file);
  try {
    if (text_of(json, "format") != "millrace-store") throw BadInputError("not the manifest of a store");
    if (const std::uint64_t version = number_of(json, "version"); version != store_version)
      throw BadInputError("store version {}; this program reads version {}: import the graph again", version,
                          store_version);
    if (number_of(json, "checksum", most_u32) != checksum(json))
      throw BadInputError("checksum mismatch: the manifest was changed or damaged");
    return from_json(json);
  } catch (const BadInputError& problem) {
    throw BadInputError("{}: {}", file.path().string(), problem.marked());
  }
}

ManifestForm form_of_manifest(const File& file) {
  const Json json = read_json_file(file);
  const std::string text = to_file_text(json);
  ManifestForm form{.as_written = std::ranges::equal(read_file(file), std::as_bytes(std::span(text))), .unknown = {}};
  const auto note = [&](const std::string& place, std::initializer_list<std::string_view> known) {
    const Json::json_pointer pointer(place);
    if (json.contains(pointer)) note_unknown(json[pointer], place, known, form.unknown);
  };
  note("",
       {"format", "version", "written_by", "source", "vertices", "edges", "directed", "parallel_edges", "self_loops",
        "weights", "order", "page_bytes", "orientations", "degrees", "ids", "names", "parts", "segment", "checksum"});
  note("/orientations", {"out", "in"});
  note("/degrees", {"out", "in"});
  for (const std::string name : {"/out", "/in"}) {
    note("/orientations" + name, {"files", "table", "pages", "bytes", "table_bytes"});
    note("/degrees" + name, {"file", "crc32c"});
  }
  if (json["ids"]["type"] == id_column_names[0])
    note("/ids", {"type"});
  else
    note("/ids", {"type", "file", "crc32c"});
  note("/names", {"file", "crc32c"});
  note("/parts", {"method", "first_vertex", "cut_edges", "replicas"});
  return form;
}

}  // namespace millrace
