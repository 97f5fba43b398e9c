// Graphs from graphs: a store whose vertices are those of another one, joined by labels, chosen, or as they are; with
// parallel edges combined. Built on the host from the pages of the store, within a budget of memory.
//
//   contract      number_by_label(): vertices with one label become one
//   induced       number_chosen(): the chosen vertices, and the edges between them
//   symmetrised   DeriveOptions::symmetrised: edges lose their direction
//   reversed      Store::reversed(), which builds nothing
#pragma once

#include "millrace/build/build.h"
#include "millrace/derive/numbering.h"
#include "millrace/store/store.h"

namespace millrace {

struct DeriveOptions {
  // Of edges that become parallel. The sum of edges without weights is their number. An undirected edge counts once,
  // also where it becomes a self-loop.
  Duplicates duplicates = Duplicates::sum;
  bool keep_self_loops = true;
  bool symmetrised = false;
  Orientations orientations = Orientations::both;  // of a directed graph
  Order order = Order::natural;
  std::uint32_t page_bytes = default_page_bytes;
  SegmentOptions segments = {};
  // Vertices get the original ids of those that they were made of, which differ: no two have become one. Otherwise
  // their ids are 0, 1, ..., before another order gives them other numbers.
  bool keep_ids = false;
  bool replace = false;
  std::filesystem::path folder = {};     // of temporary files and hidden stores; empty: beside the pages, or TMPDIR
  std::string source = "another graph";  // for the manifest
};

// Builds the store at `path`.
BuildSummary derive_store(const Store& from, const Numbering& numbering, const std::filesystem::path& path,
                          const DeriveOptions& options, Budget& budget);
// A store that nobody sees, in `options.folder`. When it is there, its files have no names any more: they are gone with
// the last copy of the store, however the process ends. What a process leaves that is killed before, the next one
// removes (hidden_folder.h).
Store derive_hidden_store(const Store& from, const Numbering& numbering, const DeriveOptions& options, Budget& budget);

}  // namespace millrace
