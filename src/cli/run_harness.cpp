#include "millrace/cli/run_harness.h"

#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "millrace/cli/commands.h"
#include "millrace/core/parallel.h"

namespace millrace {

void add_run_options(CLI::App& command, RunOptions& options, Directions directions) {
  add_plan_options(command, options, directions);
  command
      .add_option(
          "-o,--output", options.output,
          "Write 'id value' lines in ascending order of ids (a tab between where ids are names), CSV if it ends in "
          ".csv, or an array if it ends in .npy; - is stdout")
      ->type_name("FILE");
}

void add_plan_options(CLI::App& command, RunOptions& options, Directions directions) {
  add_store_argument(command, options.store);
  command.add_flag("--json", options.json, "Print one JSON object on stdout instead of a table");
  command.add_flag("--check", options.check, "Verify the result by independent means");
  add_device_options(command, options, true);
  add_strategy_option(command, options.strategy);
  if (directions == Directions::none) return;
  static const std::map<std::string, Direction> names{
      {"auto", Direction::automatic}, {"push", Direction::push}, {"pull", Direction::pull}};
  add_choice(command, "--direction", options.direction, names, "Force a direction (default auto)");
}

void add_device_options(CLI::App& command, DeviceOptions& options, bool several) {
  if (several)
    add_device_option(command, options.device, devices_help);
  else
    add_device_option(command, options.device);
  command
      .add_option("--device-memory", options.device_memory,
                  "The most memory of the GPU to use, for everything (default: what is free); pages that find no room "
                  "are streamed from the host")
      ->type_name("SIZE");
  command
      .add_option("--host-memory", options.host_memory,
                  "The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages "
                  "that find "
                  "no room are read from disk")
      ->type_name("SIZE");
  add_threads_option(command);
}

std::string json_string(const std::string& text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

// As import reads them: decimal, nothing else.
OriginalId parse_id(const std::string& option, const std::string& text) {
  OriginalId id = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, id);
  if (status != std::errc() || rest != end)
    throw UsageError("{} {} is not a vertex id, a number from 0 to 18446744073709551615", option, text);
  return id;
}

}  // namespace

VertexId find_vertex(const Store& store, const std::string& option, const std::string& text) {
  return find_vertices(store, option, {text}).front();
}

// Not counted: gone before the run starts, and mostly smaller than what the run itself needs per vertex.
std::vector<VertexId> find_vertices(const Store& store, const std::string& option,
                                    const std::vector<std::string>& texts) {
  std::unordered_map<std::string_view, std::optional<OriginalId>> id_of;
  for (const std::string& text : texts)
    id_of.try_emplace(text, store.has_names() ? std::nullopt : std::optional(parse_id(option, text)));
  const CountedNames names = store.load_names(unlimited_budget());
  for (OriginalId id = 0; id < names.size(); ++id)
    if (const auto asked = id_of.find(names[id]); asked != id_of.end()) asked->second = id;
  std::unordered_map<OriginalId, std::optional<VertexId>> vertex_of;
  for (const auto& [text, id] : id_of) {
    if (!id) throw UsageError("{} {}: no vertex of {} has that name", option, text, store.path().string());
    vertex_of.try_emplace(*id);
  }
  const IdMap ids = store.load_ids(unlimited_budget());
  if (constexpr std::size_t few = 8; vertex_of.size() <= few) {
    for (auto& [id, vertex] : vertex_of) vertex = ids.find(id);
  } else {
    // Ids are distinct: no two write to one entry.
#pragma omp parallel for schedule(static) if (ids.size() >= small_loop)
    for (std::uint64_t v = 0; v < ids.size(); ++v)
      if (const auto asked = vertex_of.find(ids.original(static_cast<VertexId>(v))); asked != vertex_of.end())
        asked->second = static_cast<VertexId>(v);
  }
  std::vector<VertexId> vertices;
  for (const std::string& text : texts) {
    const std::optional<VertexId> vertex = vertex_of.at(*id_of.at(text));
    if (!vertex) throw UsageError("{} {}: no vertex of {} has that id", option, text, store.path().string());
    vertices.push_back(*vertex);
  }
  return vertices;
}

std::string vertex_json(const Store& store, const std::string& text) {
  return store.has_names() ? json_string(text) : fmt::format("{}", parse_id("the id", text));
}

std::string note_on(const Store& store, Direction direction, bool visits_all, Along along) {
  if (direction != Direction::automatic) return {};
  constexpr const char* remedy = "(made with --orientation both)";
  const std::string_view pushed = orientation_name(along), pulled = orientation_name(opposite(along));
  if (!store.has(opposite(along)))
    return fmt::format(
        "the store has {} pages alone, so every superstep pushes; with {} pages as well {} {} would pull", pushed,
        pulled, remedy, visits_all ? "all of them" : "those with large frontiers");
  if (!store.has(along) && !visits_all)
    return fmt::format(
        "the store has {} pages alone, so every superstep pulls; with {} pages as well {} those with small frontiers "
        "would push",
        pulled, pushed, remedy);
  return {};
}

std::string note_on_both_ways(const Store& store, Direction direction) {
  const bool out = store.has(Orientation::out);
  if (direction != Direction::automatic || (out && store.has(Orientation::in))) return {};
  return fmt::format(
      "the store has {} pages alone, so supersteps along out-edges {} and those along in-edges {}; with {} pages as "
      "well "
      "(made with --orientation both) each would choose",
      out ? "out" : "in", out ? "push" : "pull", out ? "pull" : "push", out ? "in" : "out");
}

}  // namespace millrace
