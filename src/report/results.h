// Writing vertex results: by original id, ascending, as text (`id value` a line), CSV or NumPy arrays. Where ids stand
// for names, text has these, and a tab for the blank: a name may hold blanks. Arrays stay numbers.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "millrace/store/store.h"

namespace millrace {

// One of several values that every vertex has.
struct ResultColumn {
  const char* name;
  std::function<std::uint64_t(VertexId)> value;
};

// Where results go: a file (".npy", ".csv" by extension), or "-" for text on stdout. A file is written aside and
// renamed.
class ResultWriter {
 public:
  // `order` from ids.ascending(); `names` of the store, if it has some. All must outlive the writer.
  ResultWriter(const IdMap& ids, std::span<const VertexId> order, const Names* names = nullptr);

  // Vertices in ascending order of original ids; empty where that is the order of vertices.
  std::span<const VertexId> order() const { return order_; }

  // Numbers, with enough digits to be read back exactly; "infinity" in text, as in Graphalytics.
  void write(const std::filesystem::path& path, std::span<const float> values) const;
  void write(const std::filesystem::path& path, std::span<const double> values) const;
  // Counts.
  void write(const std::filesystem::path& path, std::span<const std::uint32_t> values) const;
  void write(const std::filesystem::path& path, std::span<const std::uint64_t> values) const;
  // Levels: unreached is 9223372036854775807 in text, as in Graphalytics, and -1 in arrays.
  void write_levels(const std::filesystem::path& path, std::span<const std::uint32_t> levels) const;
  // Distances in whole numbers: the largest stands for infinity, which arrays have as floating point.
  void write_distances(const std::filesystem::path& path, std::span<const std::uint32_t> distances) const;
  // Real ones have the shortest text that is read back as the same f64.
  void write_distances(const std::filesystem::path& path, std::span<const double> distances) const;
  // Vertices, such as parents or members that stand for their group, as original ids; -1 where there is none, and
  // nothing where it would be a name. Arrays are signed, unless there are ids of 2^63 and more, which leave no number
  // for none: a vertex without one is a UsageError then.
  void write_vertices(const std::filesystem::path& path, std::span<const VertexId> vertices) const;

  // Several counts a vertex: `id a b` lines, or an array of as many columns.
  void write_columns(const std::filesystem::path& path, std::span<const ResultColumn> columns) const;

 private:
  template <class T>
  void write_numbers(const std::filesystem::path& path, const char* dtype, const char* format,
                     std::span<const T> values) const;
  // Text needs append(buffer, vertex); arrays need element(vertex). Ids go beside an array as NAME.ids.npy where they
  // are not simply 0..n-1.
  template <class Append, class Element>
  void write_values(const std::filesystem::path& path, const char* dtype, Append append, Element element) const;

  // Beside an array, where ids are not simply 0..n-1.
  void write_ids(const std::filesystem::path& array) const;
  void append_id(fmt::memory_buffer& buffer, VertexId vertex, bool quoted) const;
  VertexId vertex_at(std::uint64_t place) const {
    return order_.empty() ? static_cast<VertexId>(place) : order_[place];
  }
  const IdMap& ids_;
  std::span<const VertexId> order_;
  const Names* names_;  // or null
};

// Throws UsageError where `path` is an array, and ids of 2^63 and more leave no number that says "no vertex".
void require_room_for_no_vertex(const std::filesystem::path& path, const IdMap& ids);

// Given for each vertex a member that stands for its group, puts the one with the lowest original id in its place;
// `order` as above. Takes 4 bytes a vertex meanwhile.
void name_by_lowest_id(std::span<VertexId> group, std::span<const VertexId> order, Budget& budget);

}  // namespace millrace
