// What exports are compared with: the graph with vertices numbered by their place in ascending order of original ids.
#pragma once

#include <cstring>
#include <fstream>
#include <sstream>

#include "millrace/export/export.h"
#include "support/one_orientation.h"

namespace millrace::test {

inline std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The out-neighbours of every vertex of a shape, in its own numbers; these ascend with ids, so they are also places.
inline std::vector<std::vector<VertexId>> rows_of(const Shape& shape, bool inward = false) {
  std::vector<std::vector<VertexId>> rows(shape.num_vertices);
  for (const auto& [source, target] : shape.edges) {
    if (source == target && !shape.keep_self_loops) continue;
    if (!inward || shape.undirected) rows[source].push_back(target);
    if (inward || (shape.undirected && source != target)) rows[target].push_back(source);
  }
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    if (shape.duplicates != Duplicates::keep) row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return rows;
}

// Takes numbers from bytes, one after another.
class ByteReader {
 public:
  explicit ByteReader(std::string bytes) : bytes_(std::move(bytes)) {}
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, bytes_.substr(at_, sizeof(T)).data(), sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// Stores of a shape with all pages, or with those of one orientation, in natural order and in others.
template <class Body>
void for_each_store_of(const Shape& shape, Body body) {
  for (const Layout& layout : {Layout{Order::natural, 4096}, Layout{Order::degree, default_page_bytes}}) {
    SCOPED_TRACE(layout.name());
    const StoredGraph both(shape, layout);
    body(both.store());
    if (shape.undirected) continue;
    for (const Orientation kept : {Orientation::out, Orientation::in}) {
      SCOPED_TRACE(orientation_name(kept));
      body(OneOrientation(shape, layout, kept).store());
    }
  }
}

// The same, and a store with blocked pages.
template <class Body>
void for_each_store_and_blocked(const Shape& shape, Body body) {
  for_each_store_of(shape, body);
  if (shape.num_vertices <= min_segment) return;
  const Layout layout{Order::degree, 4096, true};
  SCOPED_TRACE(layout.name());
  body(StoredGraph(shape, layout).store());
}

}  // namespace millrace::test
