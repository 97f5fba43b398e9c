// A store whose pages lie in several files, round robin.
#pragma once

#include <fmt/core.h>

#include "millrace/store/store.h"

namespace millrace::test {

// Distributes the pages of each orientation of the store at `path` over `count` files.
inline void stripe_store(const std::filesystem::path& path, std::uint16_t count) {
  const Store store = Store::open(path);
  Manifest manifest = store.manifest();
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    auto& pages = manifest.orientations[static_cast<std::size_t>(o)];
    if (!pages) continue;
    const std::string old = pages->files.at(0);
    std::vector<std::vector<std::byte>> stripes(count);
    std::vector<PageEntry> entries;
    for (std::uint32_t p = 0; p < store.table(o).size(); ++p) {
      PageEntry entry = store.table(o)[p];
      entry.file = static_cast<std::uint16_t>(p % count);
      std::vector<std::byte>& stripe = stripes[entry.file];
      stripe.resize(align_page(stripe.size()));
      const std::vector<std::byte> page = store.read_page(o, p);
      entry.offset = stripe.size();
      stripe.insert(stripe.end(), page.begin(), page.end());
      entries.push_back(entry);
    }
    pages->files.clear();
    pages->bytes = 0;
    for (std::uint16_t i = 0; i < count; ++i) {
      pages->files.push_back(fmt::format("{}.{}", old, i));
      write_file(path / pages->files.back(), stripes[i]);
      pages->bytes += stripes[i].size();
    }
    const std::vector<std::byte> table = PageTable(entries).serialise();
    write_file(path / pages->table, table);
    std::filesystem::remove(path / old);
  }
  manifest.save(path / "manifest.json");
}

}  // namespace millrace::test
