#include "millrace/catalogue/find_vertices.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/core/nearest.h"
#include "millrace/core/parallel.h"
#include "millrace/read/scan_names.h"

namespace millrace {

std::string json_string(const std::string& text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

// Ids have the form that import reads: decimal digits only.
OriginalId parse_id(const std::string& what, const std::string& text) {
  OriginalId id = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, id);
  if (status != std::errc() || rest != end)
    throw UsageError("{} {} is not a vertex id, a number from 0 to 18446744073709551615", what, text);
  return id;
}

// Long names are compared with the misspelt one only if they have about its length.
std::string nearest_name(const Store& store, std::string_view misspelt) {
  Nearest nearest(misspelt);
  scan_names(store, [&](OriginalId, std::string_view name) { nearest.show(name); });
  return nearest.question();
}

}  // namespace

VertexId find_vertex(const Store& store, const std::string& option, const std::string& text) {
  return find_vertices(store, option, {text}).front();
}

// The memory of the ids is not counted: it is freed before the run starts, and mostly smaller than what the run needs
// per vertex.
std::vector<VertexId> find_vertices(const Store& store, const std::string& option,
                                    const std::vector<std::string>& texts) {
  const std::string given_to = setting(option);
  std::unordered_map<std::string_view, std::optional<OriginalId>> id_of;
  for (const std::string& text : texts)
    id_of.try_emplace(text, store.has_names() ? std::nullopt : std::optional(parse_id(given_to, text)));
  scan_names(store, [&](OriginalId id, std::string_view name) {
    if (const auto asked = id_of.find(name); asked != id_of.end()) asked->second = id;
  });
  std::unordered_map<OriginalId, std::optional<VertexId>> vertex_of;
  for (const auto& [text, id] : id_of) {
    if (!id) throw UsageError("{}: the graph has no vertex with name {}{}", given_to, text, nearest_name(store, text));
    vertex_of.try_emplace(*id);
  }
  const IdMap ids = store.load_ids(unlimited_budget());
  if (constexpr std::size_t few = 8; vertex_of.size() <= few) {
    for (auto& [id, vertex] : vertex_of) vertex = ids.find(id);
  } else {
    // Ids are distinct: no two iterations write to the same entry.
    parallel_for(ids.size(), [&](std::uint64_t v) {
      if (const auto asked = vertex_of.find(ids.original(static_cast<VertexId>(v))); asked != vertex_of.end())
        asked->second = static_cast<VertexId>(v);
    });
  }
  std::vector<VertexId> vertices;
  for (const std::string& text : texts) {
    const std::optional<VertexId> vertex = vertex_of.at(*id_of.at(text));
    if (!vertex) throw UsageError("{}: the graph has no vertex with id {}", given_to, text);
    vertices.push_back(*vertex);
  }
  return vertices;
}

std::string vertex_json(const Store& store, const std::string& text) {
  return store.has_names() ? json_string(text) : fmt::format("{}", parse_id("the id", text));
}

std::vector<VertexId> random_sources(std::span<const std::uint32_t> degree, std::size_t count) {
  std::vector<VertexId> sources;
  if (std::ranges::all_of(degree, [](std::uint32_t d) { return d == 0; })) return sources;
  for (std::uint64_t i = 0; sources.size() < count; ++i)
    if (const auto v = static_cast<VertexId>(mix(i) % degree.size()); degree[v] > 0) sources.push_back(v);
  return sources;
}

}  // namespace millrace
