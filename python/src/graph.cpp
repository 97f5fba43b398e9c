#include "graph.h"

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.h"
#include "errors.h"
#include "jobs.h"
#include "millrace/build/generate.h"
#include "millrace/catalogue/find_vertices.h"
#include "millrace/core/error.h"
#include "millrace/pages/crc32c.h"
#include "millrace/report/describe.h"
#include "millrace/run/graph_argument.h"
#include "millrace/run/named_paths.h"
#include "options.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

namespace fs = std::filesystem;

// A store, or the store of a graph file in the cache.
OpenStore open_graph_or_store(const fs::path& path, const Given& options, const std::string& memory, int threads) {
  GraphArgument graph;
  std::vector<Option> all = graph.options();
  for (Option& option : all)
    if (option.argument) assign(option, path.string()), option.required = false;
  assign_all(all, options, "open");
  const auto work = [&] {
    std::vector<NamedPath> paths = paths_given(all, options);
    if (std::ranges::any_of(paths, [](const NamedPath& one) { return one.used.use == PathUse::store; })) {
      for (const UsedPath& one : files_of_input(path)) paths.push_back({"path", one});
      demand_apart(paths);
    }
    return OpenStore{.store = graph.open(memory), .of_file = !fs::is_directory(path)};
  };
  try {
    return run_for(work, threads);
  } catch (const BadInputError& error) {
    if (std::error_code unknown; fs::status(path, unknown).type() == fs::file_type::not_found)
      throw MissingFileError(error);
    throw;
  }
}

void import_to(const fs::path& file, const fs::path& store, const Given& options, int threads, bool temporary) {
  ImportOptions import;
  std::vector<Option> all = read_options(import);
  for (Option& option : layout_of_store(import)) all.push_back(std::move(option));
  assign_all(all, options, "import_file");
  import.file = file;
  import.output = store;
  run_job(
      [&] {
        std::vector<NamedPath> paths = paths_given(all, options);
        for (const UsedPath& one : files_of_input(file)) paths.push_back({"file", one});
        demand_store_apart(store, std::move(paths), temporary);
        const auto fleeting = make_fleeting(temporary);
        import_file(import);
      },
      threads);
}

void generate_to(const fs::path& store, const std::string& kind, const Given& graph, const Given& layout, int threads,
                 bool temporary) {
  static const std::map<std::string, GenerateOptions::Kind> kinds{{"rmat", GenerateOptions::Kind::rmat},
                                                                  {"uniform", GenerateOptions::Kind::uniform},
                                                                  {"grid", GenerateOptions::Kind::grid}};
  GenerateOptions made;
  StoreOptions options;
  std::string weights;
  assign(choice("kind", made.kind, kinds, ""), kind);
  assign_all(
      {{.name = "scale", .field = &made.scale, .value = {}, .help = {}, .range = std::pair(0.0, 31.0)},
       {.name = "edge-factor", .field = &made.edge_factor, .value = {}, .help = {}, .range = std::pair(0.0, 1e6)},
       {.name = "seed", .field = &made.seed, .value = {}, .help = {}},
       {.name = "weights", .field = &weights, .value = {}, .help = {}}},
      graph, "generate");
  const std::vector<Option> all = layout_of_store(options);
  assign_all(all, layout, "generate");
  options.output = store;
  if (!weights.empty()) made.weights = parse_weight_range(weights);
  options.build.source =
      fmt::format("{} scale {} edge factor {} seed {}", kind, made.scale, made.edge_factor, made.seed);
  run_job(
      [&] {
        demand_store_apart(store, paths_given(all, layout), temporary);
        const auto fleeting = make_fleeting(temporary);
        check_store_options(options);
        generate_store(made, options.output, options.build);
      },
      threads);
}

// By vertex; None if every vertex is its own id.
nb::object ids_of(const OpenStore& open) {
  const Store& store = *open.store;
  if (store.manifest().ids == IdColumn::identity) return nb::none();
  return array_taking(run_for([&] {
    const IdMap ids = store.load_ids(unlimited_budget());
    Array<OriginalId> all(ids.size(), unlimited_budget(), "ids");
    for (std::uint64_t v = 0; v < all.size(); ++v) all[v] = ids.original(static_cast<VertexId>(v));
    return all;
  }));
}

// By original id. Bytes that are no UTF-8 become surrogates, as in the names of files.
nb::list names_of(const OpenStore& open) {
  const CountedNames names = run_for([&] { return open.store->load_names(unlimited_budget()); });
  nb::list all;
  for (std::uint64_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    all.append(nb::steal(PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "surrogateescape")));
  }
  return all;
}

nb::object degrees_of(const OpenStore& open, bool out) {
  return array_taking(run_for([&] {
    return open.store->load_degrees(out || !open.store->manifest().directed ? Orientation::out : Orientation::in,
                                    unlimited_budget());
  }));
}

// What tells a store from others, and from what was there before it was made again: its contents, by their checksums.
// Of a graph file every machine makes a store of its own, with pages by segments for its cache: of these the columns of
// vertices count, which are the same everywhere.
std::string identity_of(const OpenStore& open) {
  const Manifest& manifest = open.store->manifest();
  std::uint32_t checksum = 0;
  const auto add = [&](std::span<const std::byte> bytes) { checksum = crc32c(bytes, checksum); };
  if (!open.of_file)
    for (const Orientation orientation : {Orientation::out, Orientation::in})
      if (open.store->has(orientation)) add(open.store->table(orientation).serialise());
  for (const std::optional<Column>& column :
       {manifest.degrees[0], manifest.degrees[1], manifest.id_column, manifest.names})
    if (column) add(std::as_bytes(std::span(&column->crc, 1)));
  return fmt::format("{} vertices, {} edges, weights {}, checksum {:08x}", manifest.num_vertices, manifest.num_edges,
                     weight_type_name(manifest.weight_type), checksum);
}

}  // namespace

void demand_store_apart(const fs::path& store, std::vector<NamedPath> others, bool temporary) {
  if (!temporary)  // in a folder that was made for it
    for (NamedPath& path :
         paths_of({.name = "path", .field = {}, .value = {}, .help = {}, .use = PathUse::store}, "path", store))
      others.push_back(std::move(path));
  demand_apart(others);
}

void bind_graph(nb::module_& module) {
  nb::class_<OpenStore>(module, "Store")
      .def_prop_ro("num_vertices", [](const OpenStore& open) { return open.store->num_vertices(); })
      .def_prop_ro("num_edges", [](const OpenStore& open) { return open.store->num_edges(); })
      .def_prop_ro("directed", [](const OpenStore& open) { return open.store->manifest().directed; })
      .def_prop_ro("self_loops", [](const OpenStore& open) { return open.store->manifest().self_loops; })
      .def_prop_ro("keeps_parallel_edges",
                   [](const OpenStore& open) { return open.store->manifest().keeps_parallel_edges; })
      .def_prop_ro(
          "weight_type",
          [](const OpenStore& open) { return std::string(weight_type_name(open.store->manifest().weight_type)); })
      .def_prop_ro("weighted",
                   [](const OpenStore& open) { return open.store->manifest().weight_type != WeightType::none; })
      .def_prop_ro("has_names", [](const OpenStore& open) { return open.store->has_names(); })
      .def_prop_ro("path", [](const OpenStore& open) { return open.store->path(); })
      .def_prop_ro("identity", identity_of)
      .def_prop_ro("disk_bytes", [](const OpenStore& open) { return open.store->disk_bytes(); })
      .def("describe",
           [](const OpenStore& open, bool json) {
             return run_for([&] { return json ? describe_json(*open.store) : describe_text(*open.store); });
           })
      .def("ids", ids_of)
      .def("names", names_of)
      .def("degrees", degrees_of)
      .def("find", [](const OpenStore& open, const std::string& option, const std::vector<std::string>& texts) {
        const std::vector<VertexId> found = run_for([&] { return find_vertices(*open.store, option, texts); });
        return std::vector<std::uint64_t>(found.begin(), found.end());
      });
  module.def("open", open_graph_or_store);
  module.def("import_file", import_to);
  module.def("generate", generate_to);
}

}  // namespace millrace::python
