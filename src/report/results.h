// Writing vertex results: by original id, ascending, as text (`id value` a line) or NumPy arrays. Where ids stand for
// names, text has these, and a tab for the blank: a name may hold blanks. Arrays stay numbers.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <span>
#include <string>

#include "millrace/store/store.h"

namespace millrace {

// Where results go: a file (".npy" by extension), or "-" for text on stdout. A file is written aside and renamed.
class ResultWriter {
 public:
  // `order` from ids.ascending(); `names` of the store, if it has some. All must outlive the writer.
  ResultWriter(const IdMap& ids, std::span<const VertexId> order, const Names* names = nullptr);

  // Ranks, with enough digits to be read back exactly.
  void write(const std::filesystem::path& path, std::span<const float> values) const;
  void write(const std::filesystem::path& path, std::span<const double> values) const;
  // Levels: unreached is 9223372036854775807 in text, as in Graphalytics, and -1 in arrays.
  void write_levels(const std::filesystem::path& path, std::span<const std::uint32_t> levels) const;
  // Parents, as original ids; -1 where there is none, and nothing where it would be a name.
  void write_parents(const std::filesystem::path& path, std::span<const VertexId> parents) const;

 private:
  // Text needs append(buffer, vertex); arrays need element(vertex). Ids go beside an array as NAME.ids.npy where they
  // are not simply 0..n-1.
  template <class Append, class Element>
  void write_values(const std::filesystem::path& path, const char* dtype, Append append, Element element) const;

  void append_id(fmt::memory_buffer& buffer, VertexId vertex) const;
  VertexId vertex_at(std::uint64_t place) const {
    return order_.empty() ? static_cast<VertexId>(place) : order_[place];
  }
  const IdMap& ids_;
  std::span<const VertexId> order_;
  const Names* names_;  // or null
};

}  // namespace millrace
