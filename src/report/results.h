// Writes results by original id, ascending, as text (lines `id value`), CSV or NumPy arrays. If ids stand for names,
// text has the names, and a tab instead of the blank, since names may contain blanks. Arrays stay numbers.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "millrace/store/store.h"

namespace millrace {

// Where the ids are written that belong to an array NAME.npy: NAME.ids.npy.
std::filesystem::path ids_beside(const std::filesystem::path& array);

// One of several values per vertex.
struct ResultColumn {
  const char* name;
  std::function<std::uint64_t(VertexId)> value;
};

// Writes to a file (format by extension: ".npy", ".csv", else text), or to "-", which is text on stdout. A file is
// written under another name and renamed.
class ResultWriter {
 public:
  // `order` from ids.ascending(); `names` of the store, if it has names. All must outlive the writer.
  ResultWriter(const IdMap& ids, std::span<const VertexId> order, const Names* names = nullptr);

  // Vertices in ascending order of original ids; empty if that is the order of vertices.
  std::span<const VertexId> order() const { return order_; }

  // Numbers, with enough digits to be read back exactly; "infinity" in text, as in Graphalytics.
  void write(const std::filesystem::path& path, std::span<const float> values) const;
  void write(const std::filesystem::path& path, std::span<const double> values) const;
  // Counts.
  void write(const std::filesystem::path& path, std::span<const std::uint32_t> values) const;
  void write(const std::filesystem::path& path, std::span<const std::uint64_t> values) const;
  // Levels: unreached is 9223372036854775807 in text, as in Graphalytics, and -1 in arrays.
  void write_levels(const std::filesystem::path& path, std::span<const std::uint32_t> levels) const;
  // Distances as whole numbers: the largest value means infinity; arrays have floating-point numbers.
  void write_distances(const std::filesystem::path& path, std::span<const std::uint32_t> distances) const;
  // Distances as real numbers, with the shortest text that is read back as the same f64.
  void write_distances(const std::filesystem::path& path, std::span<const double> distances) const;
  // Vertices, such as parents or representatives of groups, as original ids. For no vertex: -1, or nothing if ids stand
  // for names. Arrays are signed, unless there are ids of 2^63 and more; these leave no number for "no vertex", which
  // is a UsageError then.
  void write_vertices(const std::filesystem::path& path, std::span<const VertexId> vertices) const;

  // Several counts per vertex: lines `id a b`, or an array with as many columns.
  void write_columns(const std::filesystem::path& path, std::span<const ResultColumn> columns) const;

 private:
  template <class T>
  void write_numbers(const std::filesystem::path& path, const char* dtype, const char* format,
                     std::span<const T> values) const;
  // Text is written by append(buffer, vertex), arrays by element(vertex). Ids are written beside an array as
  // NAME.ids.npy, unless they are 0..n-1.
  template <class Append, class Element>
  void write_values(const std::filesystem::path& path, const char* dtype, Append append, Element element) const;

  // Writes NAME.ids.npy beside an array, unless ids are 0..n-1.
  void write_ids(const std::filesystem::path& array) const;
  void append_id(fmt::memory_buffer& buffer, VertexId vertex, bool quoted) const;
  VertexId vertex_at(std::uint64_t place) const {
    return order_.empty() ? static_cast<VertexId>(place) : order_[place];
  }
  const IdMap& ids_;
  std::span<const VertexId> order_;
  const Names* names_;  // or null
};

// Throws UsageError if the name of a file says a format that results are not written in: t.parquet, t.mtx, t.txt.gz.
void require_result_name(const std::filesystem::path& path);
// The same for tables, which are always CSV; and for lines of edges or of ids, which may be compressed.
void require_table_name(const std::filesystem::path& path);
void require_edges_name(const std::filesystem::path& path);
void require_ids_name(const std::filesystem::path& path);

// Throws UsageError if `path` is an array and ids of 2^63 and more leave no number for "no vertex".
void require_room_for_no_vertex(const std::filesystem::path& path, const IdMap& ids);

// `group` has for each vertex a member of its group; replaces it by the member with the lowest original id. `order` as
// above. Takes 4 bytes a vertex meanwhile.
void name_by_lowest_id(std::span<VertexId> group, std::span<const VertexId> order, Budget& budget);

}  // namespace millrace
