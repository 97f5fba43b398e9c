#include "millrace/checks/verify_store.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "millrace/checks/check_parts.h"
#include "millrace/checks/verify_pages.h"
#include "millrace/core/error.h"
#include "millrace/core/parallel_sort.h"

namespace millrace {
namespace {

constexpr std::size_t most_problems = 10;

// Different vertices have different ids. If there are names, there is one for each id 0..n-1.
void check_ids(const Store& store, Budget& budget, StoreVerdict& verdict) try {
  const IdFacts ids = store.id_facts(budget);
  if (ids.shared) verdict.problems.push_back(fmt::format("two vertices have the original id {}", *ids.shared));
  if (store.has_names() && store.num_vertices() > 0 && ids.highest >= store.num_vertices())
    verdict.problems.push_back(
        fmt::format("the original id {} has no name: there are {}", ids.highest, store.num_vertices()));
} catch (const BadInputError& error) {
  verdict.problems.push_back(error.marked());
}

// No name occurs twice.
void check_names(const Store& store, Budget& budget, StoreVerdict& verdict) try {
  const CountedNames names = store.load_names(budget);
  Array<std::uint32_t> sorted(names.size(), budget, "the order of names");
  std::iota(sorted.begin(), sorted.end(), 0u);
  parallel_sort(std::span<std::uint32_t>(sorted),
                [&](std::uint32_t a, std::uint32_t b) { return names[a] < names[b]; });
  const auto* const twin = std::adjacent_find(sorted.begin(), sorted.end(),
                                              [&](std::uint32_t a, std::uint32_t b) { return names[a] == names[b]; });
  if (twin != sorted.end())
    verdict.problems.push_back(fmt::format("the ids {} and {} have the same name '{}'", *twin, twin[1], names[*twin]));
} catch (const BadInputError& error) {
  verdict.problems.push_back(error.marked());
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

StoreVerdict verify_store(const Store& store, Verify what, Budget& budget) {
  StoreVerdict verdict;
  const Manifest& manifest = store.manifest();
  verdict.edges = store.num_edges();
  if (what == Verify::everything) {
    check_manifest(store, verdict);
    note_other_files(store, verdict);
  }
  std::mutex mutex;
  const auto complain = [&](const std::string& problem) {
    const std::lock_guard lock(mutex);
    if (verdict.problems.size() < most_problems) verdict.problems.push_back(problem);
  };
  std::array<std::optional<EdgeSums>, 2> sums;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!manifest.orientations[static_cast<std::size_t>(o)]) continue;
    sums[static_cast<std::size_t>(o)] = verify_pages(store, o, budget, complain);
    verdict.pages += store.table(o).size();
    verdict.bytes += store.table(o).page_bytes();
  }
  check_ids(store, budget, verdict);
  if (what == Verify::everything) check_names(store, budget, verdict);
  if (const auto problem = check_part_pages(store)) verdict.problems.push_back(*problem);
  if (!verdict.problems.empty()) return verdict;
  if (what == Verify::everything)
    if (const auto problem = check_part_figures(store, budget)) verdict.problems.push_back(*problem);
  const auto& [out, in] = sums;
  if (out && in && out->forward != in->forward) verdict.problems.push_back("out and in pages hold different edges");
  if (!manifest.directed && out->forward != out->backward)
    verdict.problems.push_back("the graph is called undirected, but some edge lacks its mirror image");
  if ((out ? out : in)->self_loops != manifest.self_loops)
    verdict.problems.push_back(
        fmt::format("{} self-loops, but the manifest says {}", (out ? out : in)->self_loops, manifest.self_loops));
  return verdict;
}

}  // namespace millrace
