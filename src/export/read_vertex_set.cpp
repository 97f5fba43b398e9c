#include "millrace/export/read_vertex_set.h"

#include <optional>
#include <string>
#include <vector>

#include "millrace/build/name_table.h"
#include "millrace/core/error.h"
#include "millrace/read/parse_line.h"
#include "millrace/read/read_edge_list.h"

namespace millrace {
namespace {

constexpr std::uint64_t block = 4096;  // how many vertices are looked up at a time

// Inserts the vertices whose key(v) is in the table. If an entry of the table is no vertex's key, returns its number.
template <class Key, class Table, class KeyOf>
std::optional<VertexId> find_all(const Table& table, VertexSet& set, Budget& budget, KeyOf key) {
  VertexSet met(table.size(), budget);
  std::vector<Key> keys;
  VertexId numbers[block];
  const std::uint64_t n = set.num_vertices();
  for (std::uint64_t first = 0; first < n; first += block) {
    keys.clear();
    for (std::uint64_t v = first; v < std::min(n, first + block); ++v) keys.push_back(key(static_cast<VertexId>(v)));
    table.find(keys, numbers);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (numbers[i] == no_vertex) continue;
      set.insert(static_cast<VertexId>(first + i));
      met.insert(numbers[i]);
    }
  }
  for (VertexId number = 0; number < table.size(); ++number)
    if (!met.contains(number)) return number;
  return std::nullopt;
}

NameTable read_names(const std::filesystem::path& file) {
  TextSource source(file);
  NameTable names;
  for (std::string line; source.read_line(line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    const std::string_view name = line;
    VertexId number;
    names.add({&name, 1}, &number);
  }
  return names;
}

}  // namespace

std::uint64_t vertex_set_memory(const Store& store) {
  return 2 * VertexSet::memory(store.num_vertices()) + store.id_memory() + store.name_memory();
}

VertexSet read_vertex_set(const Store& store, const std::filesystem::path& file, Budget& budget) {
  VertexSet set(store.num_vertices(), budget);
  const IdMap ids = store.load_ids(budget);
  const auto complain = [&](const auto& vertex) {
    throw BadInputError("{}: the graph has no vertex with {} {}", file.string(), store.has_names() ? "name" : "id",
                        vertex);
  };
  if (store.has_names()) {
    const CountedNames names = store.load_names(budget);
    NameTable wanted = read_names(file);
    const auto name_of = [&](VertexId v) { return names[ids.original(v)]; };
    if (const auto missing = find_all<std::string_view>(wanted, set, budget, name_of))
      complain(printable(wanted.take_names()[*missing]));
  } else {
    const KnownVertices wanted = read_vertices(file, std::size_t{1} << 20);
    const auto id_of = [&](VertexId v) { return ids.original(v); };
    if (const auto missing = find_all<OriginalId>(*wanted.index, set, budget, id_of)) {
      const Array<OriginalId> listed = wanted.index->take_ids();
      complain(listed.empty() ? *missing : listed[*missing]);
    }
  }
  return set;
}

}  // namespace millrace
