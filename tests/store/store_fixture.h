// Stores written piece by piece, so that a test can write a wrong store with right checksums.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "millrace/store/store.h"
#include "millrace/store/writer.h"
#include "support/pages.h"

namespace millrace::test {

// In memory if possible: writers sync, and hundreds of small stores would wait for the disk.
inline std::filesystem::path scratch_directory() {
  const char* memory = "/dev/shm";
  return access(memory, W_OK) == 0 ? std::filesystem::path(memory) : std::filesystem::temp_directory_path();
}

// Gives each test its own directory.
class DirectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ranges::replace(name, '/', '_');
    directory_ = scratch_directory() / ("millrace_" + name + "_" + std::to_string(getpid()));
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::vector<std::string> names_in_directory() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) names.push_back(entry.path().filename());
    return names;
  }

  std::filesystem::path directory_;
};

// The transposed graph: the same edges in the rows of their other end. Rows stay ascending.
inline Csr transpose(const Csr& csr) {
  std::vector<std::vector<std::pair<VertexId, std::uint64_t>>> rows(csr.vertex_count());
  for (VertexId v = 0; v < csr.vertex_count(); ++v)
    for (std::uint64_t i = csr.offsets[v]; i < csr.offsets[v + 1]; ++i)
      rows[csr.neighbours[i]].emplace_back(v, csr.weights.empty() ? 0 : csr.weights[i]);
  Csr turned;
  for (const auto& row : rows) {
    for (const auto& [neighbour, weight] : row) {
      turned.neighbours.push_back(neighbour);
      if (!csr.weights.empty()) turned.weights.push_back(weight);
    }
    turned.offsets.push_back(turned.neighbours.size());
  }
  return turned;
}

inline std::vector<std::uint32_t> degrees_of(const Csr& csr) {
  std::vector<std::uint32_t> degrees(csr.vertex_count());
  for (VertexId v = 0; v < csr.vertex_count(); ++v)
    degrees[v] = static_cast<std::uint32_t>(csr.offsets[v + 1] - csr.offsets[v]);
  return degrees;
}

inline std::uint64_t self_loops_of(const Csr& csr) {
  std::uint64_t loops = 0;
  for (VertexId v = 0; v < csr.vertex_count(); ++v)
    for (std::uint64_t i = csr.offsets[v]; i < csr.offsets[v + 1]; ++i) loops += csr.neighbours[i] == v;
  return loops;
}

// All parts of a store. A test can change members so that they no longer agree.
struct StoreParts {
  Csr out, in;
  std::vector<std::uint32_t> out_degrees, in_degrees;
  std::vector<OriginalId> ids;
  PageOptions pages;
  Manifest manifest;
};

inline StoreParts parts_of(Csr csr, const PageOptions& options, bool directed = true) {
  StoreParts parts;
  parts.out = std::move(csr);
  add_weights(parts.out, options.weight_type, 77);
  parts.in = transpose(parts.out);
  parts.out_degrees = degrees_of(parts.out);
  parts.in_degrees = degrees_of(parts.in);
  for (VertexId v = 0; v < parts.out.vertex_count(); ++v) parts.ids.push_back(1000 - v);
  parts.pages = options;
  parts.manifest.num_vertices = parts.out.vertex_count();
  parts.manifest.num_edges = parts.out.num_edges();
  parts.manifest.directed = directed;
  parts.manifest.keeps_parallel_edges = options.keep_parallel_edges;
  parts.manifest.self_loops = self_loops_of(parts.out);
  parts.manifest.weight_type = options.weight_type;
  parts.manifest.order = "natural";
  parts.manifest.source = "a test";
  parts.manifest.page_bytes = options.page_bytes;
  return parts;
}

// A directed, weighted graph of several pages with an id map: it has every file that a store can have.
inline StoreParts example_parts(std::uint64_t seed = 1) {
  return parts_of(random_csr(150, seed), {.page_bytes = min_page_bytes, .weight_type = WeightType::u16});
}

inline void write_into(StoreWriter& writer, const StoreParts& parts) {
  for (EncodedPage& page : encode_pages(parts.out, parts.pages)) writer.append_page(Orientation::out, std::move(page));
  writer.write_degrees(Orientation::out, parts.out_degrees);
  if (parts.manifest.directed) {
    for (EncodedPage& page : encode_pages(parts.in, parts.pages)) writer.append_page(Orientation::in, std::move(page));
    writer.write_degrees(Orientation::in, parts.in_degrees);
  }
  writer.write_ids(parts.ids);
}

inline void write_store(const std::filesystem::path& path, const StoreParts& parts, bool replace = false) {
  StoreWriter writer(path, replace);
  write_into(writer, parts);
  writer.commit(parts.manifest);
}

inline Csr decode_pages(const PageSet& pages, std::uint64_t num_vertices, bool with_weights) {
  std::vector<PageParts> parts;
  for (std::uint32_t p = 0; p < pages.table().size(); ++p)
    parts.push_back(decode_by_columns(pages.page(p), chosen_decoder(), with_weights));
  return assemble(parts, 0, static_cast<std::uint32_t>(num_vertices));
}

inline Csr load_csr(const Store& store, Orientation orientation) {
  const bool weighted = store.manifest().weight_type != WeightType::none;
  const auto with = weighted ? Store::With::weights : Store::With::topology;
  return decode_pages(store.load_pages(orientation, with, unlimited_budget()), store.num_vertices(), weighted);
}

// Changes one byte of a file.
inline void flip_byte(const std::filesystem::path& file, std::uint64_t offset, std::uint8_t bits = 1) {
  std::vector<std::byte> bytes = read_file(file);
  bytes.at(offset) ^= static_cast<std::byte>(bits);
  write_file(file, bytes);
}

}  // namespace millrace::test
