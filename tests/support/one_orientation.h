// Directed stores with the pages of one orientation, and the degrees of both.
#pragma once

#include "millrace/store/manifest.h"
#include "support/graphs.h"

namespace millrace::test {

// Removes an orientation from a store that has both.
inline void drop_orientation(const std::filesystem::path& store, Orientation orientation) {
  Manifest manifest = Manifest::load(store / "manifest.json");
  auto& pages = manifest.orientations[static_cast<std::size_t>(orientation)];
  for (const std::string& file : pages->files) std::filesystem::remove(store / file);
  std::filesystem::remove(store / pages->table);
  pages.reset();
  manifest.save(store / "manifest.json");
}

class OneOrientation {
 public:
  OneOrientation(const Shape& shape, const Layout& layout, Orientation kept) : stored_(shape, layout) {
    drop_orientation(stored_.path(), kept == Orientation::out ? Orientation::in : Orientation::out);
    store_ = std::make_unique<Store>(Store::open(stored_.path()));
  }
  const Store& store() const { return *store_; }
  const StoredGraph& whole() const { return stored_; }  // for its adjacency; its own store has lost files

 private:
  StoredGraph stored_;
  std::unique_ptr<Store> store_;
};

}  // namespace millrace::test
