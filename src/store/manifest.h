// The manifest: what a store holds, in a versioned JSON file that people can read.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "millrace/pages/format.h"
#include "millrace/store/files.h"

namespace millrace {

inline constexpr int store_version = 1;

// How original ids are kept: every vertex its own id, or a column of 4 or 8 bytes a vertex.
enum class IdColumn { identity, u32, u64 };

// One orientation's pages.
struct PageFiles {
  std::vector<std::string> files;  // relative to the store, or absolute paths of stripes on other disks
  std::string table;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  // pages as they lie in their files, alignment included
  std::uint64_t table_bytes = 0;
};

struct Column {
  std::string file;
  std::uint32_t crc = 0;
};

// Vertices split into parts: each is a consecutive range and, since no page has vertices of two, a range of pages.
struct Parts {
  std::string method;                  // that chose the part of each vertex, for people
  std::vector<VertexId> first_vertex;  // of each part, which ends where the next begins; some may be empty
  std::uint64_t cut_edges = 0;         // between two parts, counted as num_edges is
  // Summed over all vertices: the parts that a vertex would be known in, its own and those of its neighbours.
  std::uint64_t replicas = 0;

  // One past the last vertex of a part.
  std::uint64_t end(std::size_t part, std::uint64_t num_vertices) const {
    return part + 1 < first_vertex.size() ? first_vertex[part + 1] : num_vertices;
  }
};

struct Manifest {
  std::uint64_t num_vertices = 0;
  std::uint64_t num_edges = 0;  // directed: an undirected edge counts twice, a self-loop once
  bool directed = true;
  bool keeps_parallel_edges = false;
  std::uint64_t self_loops = 0;
  WeightType weight_type = WeightType::none;
  std::string order;   // "natural", "degree" or "parts"
  std::string source;  // where the graph came from, for people
  std::uint32_t page_bytes = default_page_bytes;
  std::array<std::optional<PageFiles>, 2> orientations;  // by Orientation
  std::array<std::optional<Column>, 2> degrees;          // by Orientation; an undirected graph has out alone
  IdColumn ids = IdColumn::identity;
  std::optional<Column> id_column;
  std::optional<Column> names = {};  // where ids stand for strings
  std::optional<Parts> parts = {};

  // An undirected store answers for both orientations with one set of pages.
  const PageFiles* pages(Orientation orientation) const;

  // The names of all files that lie in the store's directory: the manifest, and those that it names.
  std::vector<std::string> file_names() const;

  void save(const std::filesystem::path& file) const;
  // Throws BadInputError where the file is not a manifest that this version reads.
  static Manifest load(const File& file);
  static Manifest load(const std::filesystem::path& file) { return load(File::open(file)); }
};

// What load() passes over, and verify does not.
struct ManifestForm {
  bool as_written = false;           // byte for byte as save() writes what is in it
  std::vector<std::string> unknown;  // members that the format does not know
};
// Of a manifest that load() takes.
ManifestForm form_of_manifest(const File& file);

}  // namespace millrace
