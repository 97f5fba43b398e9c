#include "millrace/report/results.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/core/file_kind.h"
#include "millrace/core/npy.h"
#include "millrace/core/output_file.h"
#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

constexpr std::uint64_t block_vertices = 1u << 16;

// Fills blocks of results in parallel and writes them in order.
template <class Fill>
void write_blocks(OutputFile& output, std::uint64_t count, Fill fill) {
  Progress progress("write results", count);
  const std::uint64_t blocks = (count + block_vertices - 1) / block_vertices;
  const auto group = 2 * static_cast<std::uint64_t>(omp_get_max_threads());  // blocks in memory at once
  for (std::uint64_t first = 0; first < blocks; first += group) {
    const std::uint64_t here = std::min(group, blocks - first);
    std::vector<fmt::memory_buffer> text(here);
    parallel_for_each(here, [&](std::uint64_t b) {
      const std::uint64_t start = (first + b) * block_vertices;
      for (std::uint64_t i = start; i < std::min(count, start + block_vertices); ++i) fill(text[b], i);
    });
    for (const auto& block : text) output.write(block.data(), block.size());
    progress.add(here * block_vertices);
  }
}

template <class T>
void append_bytes(fmt::memory_buffer& buffer, T value) {
  const char* bytes = reinterpret_cast<const char*>(&value);
  buffer.append(bytes, bytes + sizeof(T));
}

template <class Element>
void write_array(const std::filesystem::path& path, const char* dtype, std::uint64_t count, Element element) {
  OutputFile output(path);
  const std::string header = npy_header(dtype, fmt::format("({},)", count));
  output.write(header.data(), header.size());
  write_blocks(output, count, [&](fmt::memory_buffer& buffer, std::uint64_t i) { append_bytes(buffer, element(i)); });
  output.close();
}

bool exceeds_i64(OriginalId id) { return id >> 63 != 0; }

}  // namespace

std::filesystem::path ids_beside(const std::filesystem::path& array) {
  return std::filesystem::path(array).replace_extension(".ids.npy");
}

ResultWriter::ResultWriter(const IdMap& ids, std::span<const VertexId> order, const Names* names)
    : ids_(ids), order_(order), names_(names && names->size() > 0 ? names : nullptr) {
  if (names_ && names_->size() <= ids_.original(vertex_at(ids_.size() - 1)))
    throw BadInputError("{} names, but a vertex has the id {}; the store is damaged", names_->size(),
                        ids_.original(vertex_at(ids_.size() - 1)));
}

void ResultWriter::append_id(fmt::memory_buffer& buffer, VertexId vertex, bool quoted) const {
  const OriginalId id = ids_.original(vertex);
  if (!names_) {
    fmt::format_to(std::back_inserter(buffer), "{}", id);
  } else if (quoted && (*names_)[id].find_first_of(",\"\n\r") != std::string_view::npos) {
    buffer.push_back('"');
    for (const char c : (*names_)[id]) {
      if (c == '"') buffer.push_back('"');
      buffer.push_back(c);
    }
    buffer.push_back('"');
  } else {
    buffer.append((*names_)[id]);
  }
}

template <class Append, class Element>
void ResultWriter::write_values(const std::filesystem::path& path, const char* dtype, Append append,
                                Element element) const {
  const std::uint64_t n = ids_.size();
  if (path.extension() != ".npy") {
    const bool csv = path.extension() == ".csv";
    const char between = csv ? ',' : names_ ? '\t' : ' ';
    OutputFile output(path);
    if (csv) output.write("id,value\n", 9);
    write_blocks(output, n, [&](fmt::memory_buffer& buffer, std::uint64_t i) {
      const VertexId v = vertex_at(i);
      append_id(buffer, v, csv);
      buffer.push_back(between);
      append(buffer, v);
      buffer.push_back('\n');
    });
    output.close();
    return;
  }
  write_array(path, dtype, n, [&](std::uint64_t i) { return element(vertex_at(i)); });
  write_ids(path);
}

void ResultWriter::write_ids(const std::filesystem::path& array) const {
  const std::uint64_t n = ids_.size();
  if (n > 0 && ids_.original(vertex_at(n - 1)) != n - 1) {
    write_array(ids_beside(array), "<u8", n, [&](std::uint64_t i) { return ids_.original(vertex_at(i)); });
  }
}

template <class T>
void ResultWriter::write_numbers(const std::filesystem::path& path, const char* dtype, const char* format,
                                 std::span<const T> values) const {
  write_values(
      path, dtype,
      [&](fmt::memory_buffer& out, VertexId v) {
        if constexpr (std::is_floating_point_v<T>) {
          if (std::isinf(values[v])) return out.append(std::string_view(values[v] > 0 ? "infinity" : "-infinity"));
          if (std::isnan(values[v])) return out.append(std::string_view("nan"));  // of any sign
        }
        fmt::format_to(std::back_inserter(out), fmt::runtime(format), values[v]);
      },
      [&](VertexId v) { return values[v]; });
}

void ResultWriter::write(const std::filesystem::path& path, std::span<const float> values) const {
  write_numbers(path, "<f4", "{:.8e}", values);
}
void ResultWriter::write(const std::filesystem::path& path, std::span<const double> values) const {
  write_numbers(path, "<f8", "{:.16e}", values);
}
void ResultWriter::write(const std::filesystem::path& path, std::span<const std::uint32_t> values) const {
  write_numbers(path, "<u4", "{}", values);
}
void ResultWriter::write(const std::filesystem::path& path, std::span<const std::uint64_t> values) const {
  write_numbers(path, "<u8", "{}", values);
}

void ResultWriter::write_distances(const std::filesystem::path& path, std::span<const std::uint32_t> distances) const {
  constexpr std::uint32_t unreached = ~0u;
  write_values(
      path, "<f8",
      [&](fmt::memory_buffer& out, VertexId v) {
        if (distances[v] == unreached) return out.append(std::string_view("infinity"));
        fmt::format_to(std::back_inserter(out), "{}", distances[v]);
      },
      [&](VertexId v) { return distances[v] == unreached ? HUGE_VAL : static_cast<double>(distances[v]); });
}

void ResultWriter::write_distances(const std::filesystem::path& path, std::span<const double> distances) const {
  write_numbers(path, "<f8", "{}", distances);
}

void ResultWriter::write_levels(const std::filesystem::path& path, std::span<const std::uint32_t> levels) const {
  constexpr std::uint32_t unreached = ~0u;
  write_values(
      path, "<i8",
      [&](fmt::memory_buffer& out, VertexId v) {
        fmt::format_to(std::back_inserter(out), "{}", levels[v] == unreached ? INT64_MAX : std::int64_t{levels[v]});
      },
      [&](VertexId v) { return levels[v] == unreached ? std::int64_t{-1} : std::int64_t{levels[v]}; });
}

void ResultWriter::write_columns(const std::filesystem::path& path, std::span<const ResultColumn> columns) const {
  const bool csv = path.extension() == ".csv", array = path.extension() == ".npy";
  const char between = csv ? ',' : names_ ? '\t' : ' ';
  std::string head;
  if (array) head = npy_header("<u8", fmt::format("({}, {})", ids_.size(), columns.size()));
  if (csv) {
    head = "id";
    for (const ResultColumn& column : columns) head += fmt::format(",{}", column.name);
    head += '\n';
  }
  OutputFile output(path);
  output.write(head.data(), head.size());
  write_blocks(output, ids_.size(), [&](fmt::memory_buffer& buffer, std::uint64_t i) {
    const VertexId v = vertex_at(i);
    if (!array) append_id(buffer, v, csv);
    for (const ResultColumn& column : columns) {
      if (array)
        append_bytes(buffer, column.value(v));
      else
        fmt::format_to(std::back_inserter(buffer), "{}{}", between, column.value(v));
    }
    if (!array) buffer.push_back('\n');
  });
  output.close();
  if (array) write_ids(path);
}

void ResultWriter::write_vertices(const std::filesystem::path& path, std::span<const VertexId> vertices) const {
  const bool large = ids_.size() > 0 && exceeds_i64(ids_.original(vertex_at(ids_.size() - 1)));
  if (std::find(vertices.begin(), vertices.end(), no_vertex) != vertices.end()) require_room_for_no_vertex(path, ids_);
  write_values(
      path, large ? "<u8" : "<i8",  // both have the same bytes
      [&](fmt::memory_buffer& out, VertexId v) {
        if (vertices[v] != no_vertex)
          append_id(out, vertices[v], path.extension() == ".csv");
        else if (!names_)  // a name might be "-1", but no name is empty
          out.append(std::string_view("-1"));
      },
      [&](VertexId v) {
        return vertices[v] == no_vertex ? std::int64_t{-1} : static_cast<std::int64_t>(ids_.original(vertices[v]));
      });
}

void require_result_name(const std::filesystem::path& path) {
  constexpr const char* written = "results are written as text (.txt), CSV (.csv) or an array (.npy)";
  require_own_ending(path, {".npy", ".csv"}, Compressed::never, written);
  const std::string ending = path.extension().string();
  for (const char* const own : {".npy", ".csv"})
    if (ending != own && equal_letters(ending, own))
      throw UsageError("{}: the ending {} has capital letters; {}", path.string(), ending, written);
}

void require_table_name(const std::filesystem::path& path) {
  require_own_ending(path, {".csv"}, Compressed::never, "this is written as CSV (.csv or .txt)");
}

void require_edges_name(const std::filesystem::path& path) {
  require_own_ending(
      path, {".el", ".wel", ".e"}, Compressed::by_name,
      "this is written as a store (.store) or as lines of edges (.txt, .el, .wel), compressed if it ends in "
      ".gz or .zst");
}

void require_ids_name(const std::filesystem::path& path) {
  require_own_ending(path, {".v"}, Compressed::by_name,
                     "this is written as text, an id in each line (.txt), compressed if it ends in .gz or .zst");
}

void require_room_for_no_vertex(const std::filesystem::path& path, const IdMap& ids) {
  if (path.extension() != ".npy") return;
  for (std::uint64_t v = 0; v < ids.size(); ++v)
    if (const OriginalId id = ids.original(static_cast<VertexId>(v)); exceeds_i64(id))
      throw UsageError(
          "{}: with ids of 2^63 and more, such as {}, an array has no number left for \"none\"; write text "
          "or .csv",
          path.string(), id);
}

void name_by_lowest_id(std::span<VertexId> group, std::span<const VertexId> order, Budget& budget) {
  Array<VertexId> lowest(group.size(), budget, "names of groups");
  std::fill(lowest.begin(), lowest.end(), no_vertex);
  for (std::uint64_t i = 0; i < group.size(); ++i) {
    const VertexId v = order.empty() ? static_cast<VertexId>(i) : order[i];
    if (lowest[group[v]] == no_vertex) lowest[group[v]] = v;
  }
  for (VertexId& member : group) member = lowest[member];
}

}  // namespace millrace
