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

// How original ids are stored: not at all if each vertex is its own id, else a column of 4 or 8 bytes per vertex.
enum class IdColumn { identity, u32, u64 };

// The pages of one orientation.
struct PageFiles {
  std::vector<std::string> files;  // relative to the store, or absolute paths of stripes on other disks
  std::string table;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  // size of the page files, alignment included
  std::uint64_t table_bytes = 0;
};

struct Column {
  std::string file;
  std::uint32_t crc = 0;
};

// Vertices split into parts: each is a range of vertices and, since no page has vertices of two parts, a range of
// pages.
struct Parts {
  std::string method;                  // how the part of each vertex was chosen; for people to read
  std::vector<VertexId> first_vertex;  // of each part; it ends where the next begins, and may be empty
  std::uint64_t cut_edges = 0;         // edges between two parts, counted like num_edges
  // Summed over all vertices: the number of parts in which the vertex or a neighbour of it lies.
  std::uint64_t replicas = 0;

  // One past the last vertex of a part.
  std::uint64_t end(std::size_t part, std::uint64_t num_vertices) const {
    return part + 1 < first_vertex.size() ? first_vertex[part + 1] : num_vertices;
  }
};

struct Manifest {
  std::uint64_t num_vertices = 0;
  std::uint64_t num_edges = 0;  // directed edges: an undirected edge counts twice, a self-loop once
  bool directed = true;
  bool keeps_parallel_edges = false;
  std::uint64_t self_loops = 0;
  WeightType weight_type = WeightType::none;
  std::string order;   // "natural", "degree" or "parts"
  std::string source;  // where the graph came from; for people to read
  std::uint32_t page_bytes = default_page_bytes;
  std::uint64_t segment = 0;  // vertices in a segment of neighbours, a power of two; 0: pages are not blocked
  std::array<std::optional<PageFiles>, 2> orientations;  // by Orientation
  std::array<std::optional<Column>, 2> degrees;          // by Orientation; an undirected graph has only out
  IdColumn ids = IdColumn::identity;
  std::optional<Column> id_column;
  std::optional<Column> names = {};  // only if ids stand for strings
  std::optional<Parts> parts = {};

  // An undirected store has one set of pages, which serves both orientations.
  const PageFiles* pages(Orientation orientation) const;

  // The names of all files in the store's directory: the manifest, and the files that it names.
  std::vector<std::string> file_names() const;

  void save(const std::filesystem::path& file) const;
  // Throws BadInputError if the file is not a manifest that this version reads.
  static Manifest load(const File& file);
  static Manifest load(const std::filesystem::path& file) { return load(File::open(file)); }
};

// Properties that load() ignores and verify reports.
struct ManifestForm {
  bool as_written = false;           // byte for byte as save() would write it
  std::vector<std::string> unknown;  // members that the format does not know
};
// For a manifest that load() accepts.
ManifestForm form_of_manifest(const File& file);

}  // namespace millrace
