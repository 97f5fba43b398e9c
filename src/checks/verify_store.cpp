#include "millrace/checks/verify_store.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <utility>

#include "millrace/checks/check_parts.h"
#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/core/parallel.h"
#include "millrace/core/parallel_sort.h"
#include "millrace/core/progress.h"
#include "millrace/pages/check.h"

namespace millrace {
namespace {

constexpr std::size_t most_problems = 10;

// A fingerprint of a set of edges that does not depend on their order: equal sets have equal sums.
struct Fingerprint {
  std::uint64_t forward = 0;   // over (source, target, weight)
  std::uint64_t backward = 0;  // over (target, source, weight)
  std::uint64_t self_loops = 0;
};

std::uint64_t fingerprint(VertexId a, VertexId b, std::uint64_t weight) {
  return mix(mix(std::uint64_t{a} << 32 | b) + weight);
}

class OrientationVerifier {
 public:
  OrientationVerifier(const Store& store, Orientation orientation, StoreVerdict& verdict)
      : store_(store), orientation_(orientation), verdict_(verdict), degree_(store.num_vertices()) {
    if (checks_other_degrees()) other_degree_ = std::vector<std::atomic<std::uint32_t>>(store.num_vertices());
  }

  Fingerprint run() {
    const PageTable& table = store_.table(orientation_);
    Progress progress(fmt::format("verify {}", orientation_name(orientation_)), table.page_bytes(),
                      Progress::Unit::bytes);
    Fingerprint sum;
    const std::vector<std::uint64_t> ends = ends_before(table);
    parallel_for_each(table.size(), [&](std::uint64_t p) {
      const auto page = static_cast<std::uint32_t>(p);
      check_gap(page, ends[p]);
      const std::vector<std::byte> bytes = store_.read_page(orientation_, page);
      if (const auto problem = check_page(bytes, table[page], store_.num_vertices())) {
        complain(fmt::format("{} page {}: {}", orientation_name(orientation_), p, *problem));
      } else if (const WeightType type = PageView(bytes.data()).header().weight_type;
                 type != store_.manifest().weight_type) {
        complain(fmt::format("{} page {} has weights of type {}, but the manifest says {}",
                             orientation_name(orientation_), p, weight_type_name(type),
                             weight_type_name(store_.manifest().weight_type)));
      } else {
        const Fingerprint mine = read(PageView(bytes.data()));
        const std::lock_guard lock(mutex_);
        sum.forward += mine.forward, sum.backward += mine.backward, sum.self_loops += mine.self_loops;
      }
      progress.advance(bytes.size());
    });
    verdict_.pages += table.size();
    verdict_.bytes += table.page_bytes();
    check_header_agreement(table);
    check_degrees(orientation_, degree_);
    if (checks_other_degrees()) check_degrees(other_orientation(), other_degree_);
    return sum;
  }

 private:
  Orientation other_orientation() const {
    return orientation_ == Orientation::out ? Orientation::in : Orientation::out;
  }
  // Whether there are degrees of an orientation without pages.
  bool checks_other_degrees() const {
    const auto other = static_cast<std::size_t>(other_orientation());
    return store_.manifest().directed && store_.manifest().degrees[other] && !store_.manifest().orientations[other];
  }

  void complain(const std::string& problem) {
    const std::lock_guard lock(mutex_);
    if (verdict_.problems.size() < most_problems) verdict_.problems.push_back(problem);
  }

  // For each page, where the previous page in its file ends.
  static std::vector<std::uint64_t> ends_before(const PageTable& table) {
    std::vector<std::uint64_t> ends(table.size()), by_file;
    for (std::uint32_t p = 0; p < table.size(); ++p) {
      if (by_file.size() <= table[p].file) by_file.resize(table[p].file + std::size_t{1});
      ends[p] = std::exchange(by_file[table[p].file], table[p].offset + table[p].bytes);
    }
    return ends;
  }

  // There are less than page_alignment bytes between two pages.
  void check_gap(std::uint32_t page, std::uint64_t begin) {
    const PageEntry& entry = store_.table(orientation_)[page];
    std::vector<std::byte> gap(entry.offset - begin);
    store_.page_files(orientation_)[entry.file].read(gap, begin);
    if (std::ranges::any_of(gap, [](std::byte byte) { return byte != std::byte{0}; }))
      complain(fmt::format("{} page {}: the bytes before it, from {} on, are not zeros", orientation_name(orientation_),
                           page, begin));
  }

  Fingerprint read(const PageView& page) {
    Fingerprint sum;
    const bool weighted = page.header().weight_type != WeightType::none;
    std::vector<VertexId> neighbours(max_slice_columns);
    std::vector<std::uint64_t> weights(std::size_t{max_slice_columns} * lanes);
    Slice slice;
    for (std::uint32_t s = 0; s < page.header().slices; ++s) {
      open_slice(page, s, chosen_decoder(), slice);
      if (weighted) decode_weights(page, s, chosen_decoder(), weights.data());
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t length = decode_lane(page, s, lane, neighbours.data());
        if (length == 0) continue;
        const VertexId row = slice.vertex[lane];
        degree_[row].fetch_add(length, std::memory_order_relaxed);
        if (!other_degree_.empty())
          for (std::uint32_t j = 0; j < length; ++j)
            other_degree_[neighbours[j]].fetch_add(1, std::memory_order_relaxed);
        for (std::uint32_t j = 0; j < length; ++j) {
          const std::uint64_t weight = weighted ? weights[std::size_t{j} * lanes + lane] : 0;
          const bool out = orientation_ == Orientation::out;
          const VertexId source = out ? row : neighbours[j], target = out ? neighbours[j] : row;
          sum.forward += fingerprint(source, target, weight);
          sum.backward += fingerprint(target, source, weight);
          sum.self_loops += source == target;
        }
      }
    }
    return sum;
  }

  void check_header_agreement(const PageTable& table) {
    const Manifest& manifest = store_.manifest();
    for (std::uint32_t p = 0; p < table.size(); ++p) {
      if (((table[p].flags & page_flag_parallel) != 0) != manifest.keeps_parallel_edges)
        return complain(
            fmt::format("{} page {} and the manifest disagree on parallel edges", orientation_name(orientation_), p));
      if (table[p].bytes > manifest.page_bytes)
        return complain(fmt::format("{} page {} takes {} bytes, more than the {} of the manifest",
                                    orientation_name(orientation_), p, table[p].bytes, manifest.page_bytes));
      // If a vertex has several pages, each continues its row after the previous one.
      const std::uint64_t step = manifest.keeps_parallel_edges ? 0 : 1;
      if (table.goes_on(p) && table[p].min_neighbour < table[p - 1].max_neighbour + step)
        return complain(fmt::format("{} pages {} and {} of vertex {} overlap", orientation_name(orientation_), p - 1, p,
                                    table[p].first_vertex));
    }
  }

  void check_degrees(Orientation orientation, const std::vector<std::atomic<std::uint32_t>>& counted) {
    try {
      const Array<std::uint32_t> stored = store_.load_degrees(orientation, unlimited_budget());
      for (std::uint64_t v = 0; v < stored.size(); ++v)
        if (stored[v] != counted[v])
          return complain(fmt::format("{} degree of vertex {} is {} in the store, {} in its pages",
                                      orientation_name(orientation), v, stored[v], counted[v].load()));
    } catch (const BadInputError& error) {
      complain(error.marked());
    }
  }

  const Store& store_;
  Orientation orientation_;
  StoreVerdict& verdict_;
  std::mutex mutex_;  // of the problems, and of what threads add up
  std::vector<std::atomic<std::uint32_t>> degree_;
  std::vector<std::atomic<std::uint32_t>> other_degree_;  // in the orientation without pages, if checked
};

void check_ids(const Store& store, StoreVerdict& verdict) {
  try {
    const IdMap ids = store.load_ids(unlimited_budget());
    if (ids.identity()) return;
    std::vector<OriginalId> sorted(ids.size());
    for (std::uint64_t v = 0; v < ids.size(); ++v) sorted[v] = ids.original(static_cast<VertexId>(v));
    std::sort(sorted.begin(), sorted.end());
    const auto twin = std::adjacent_find(sorted.begin(), sorted.end());
    if (twin != sorted.end()) verdict.problems.push_back(fmt::format("two vertices have the original id {}", *twin));
  } catch (const BadInputError& error) {
    verdict.problems.push_back(error.marked());
  }
}

// There must be a name for each id 0..n-1, and no name twice.
void check_names(const Store& store, StoreVerdict& verdict) {
  try {
    const CountedNames names = store.load_names(unlimited_budget());
    if (names.size() == 0) return;
    const IdMap ids = store.load_ids(unlimited_budget());
    for (std::uint64_t v = 0; v < ids.size(); ++v)
      if (const OriginalId id = ids.original(static_cast<VertexId>(v)); id >= names.size()) {
        verdict.problems.push_back(fmt::format("the original id {} has no name: there are {}", id, names.size()));
        return;
      }
    std::vector<std::uint32_t> sorted(names.size());
    std::iota(sorted.begin(), sorted.end(), 0u);
    parallel_sort(std::span(sorted), [&](std::uint32_t a, std::uint32_t b) { return names[a] < names[b]; });
    const auto twin = std::adjacent_find(sorted.begin(), sorted.end(),
                                         [&](std::uint32_t a, std::uint32_t b) { return names[a] == names[b]; });
    if (twin != sorted.end())
      verdict.problems.push_back(
          fmt::format("the ids {} and {} have the same name '{}'", *twin, twin[1], names[*twin]));
  } catch (const BadInputError& error) {
    verdict.problems.push_back(error.marked());
  }
}

// Checks what opening a store ignores: the exact bytes of the manifest, and values for people to read.
void check_manifest(const Store& store, StoreVerdict& verdict) {
  const ManifestForm form = form_of_manifest(store.manifest_file());
  if (!form.as_written)
    verdict.problems.push_back(
        "manifest.json has other bytes than a writer gives it: blanks, escapes or members twice");
  const std::string& order = store.manifest().order;
  if (order != "natural" && order != "degree" && (order != "parts" || !store.manifest().parts))
    verdict.problems.push_back(
        fmt::format("the manifest says that vertices are in the order '{}', which they cannot be", order));
  for (const std::string& name : form.unknown)
    verdict.notes.push_back(fmt::format("manifest.json has a member that this version does not know: {}", name));
}

// An additional file is no damage, since no program reads it.
void note_other_files(const Store& store, StoreVerdict& verdict) {
  std::vector<std::string> known = store.manifest().file_names();
  known.insert(known.end(), {"learned.json", "elsewhere"});
  std::vector<std::string> others;
  std::error_code failed;
  for (std::filesystem::directory_iterator file(store.path(), failed), end; !failed && file != end;
       file.increment(failed))
    if (const std::string name = file->path().filename().string(); std::ranges::find(known, name) == known.end())
      others.push_back(name);
  if (failed) verdict.notes.push_back(fmt::format("{} cannot be listed: {}", store.path().string(), failed.message()));
  std::sort(others.begin(), others.end());
  for (std::size_t i = 0; i < others.size() && i < most_problems; ++i)
    verdict.notes.push_back(fmt::format("{} is no part of the store", others[i]));
  if (others.size() > most_problems)
    verdict.notes.push_back(fmt::format("nor are {} more files", others.size() - most_problems));
}

}  // namespace

StoreVerdict verify_store(const Store& store) {
  StoreVerdict verdict;
  const Manifest& manifest = store.manifest();
  verdict.edges = store.num_edges();
  check_manifest(store, verdict);
  note_other_files(store, verdict);
  std::array<std::optional<Fingerprint>, 2> prints;
  for (const Orientation o : {Orientation::out, Orientation::in})
    if (manifest.orientations[static_cast<std::size_t>(o)])
      prints[static_cast<std::size_t>(o)] = OrientationVerifier(store, o, verdict).run();
  check_ids(store, verdict);
  check_names(store, verdict);
  if (!verdict.problems.empty()) return verdict;
  if (const auto problem = check_parts(store)) verdict.problems.push_back(*problem);
  const auto& [out, in] = prints;
  if (out && in && out->forward != in->forward) verdict.problems.push_back("out and in pages hold different edges");
  if (!manifest.directed && out->forward != out->backward)
    verdict.problems.push_back("the graph is called undirected, but some edge lacks its mirror image");
  if ((out ? out : in)->self_loops != manifest.self_loops)
    verdict.problems.push_back(
        fmt::format("{} self-loops, but the manifest says {}", (out ? out : in)->self_loops, manifest.self_loops));
  return verdict;
}

}  // namespace millrace
