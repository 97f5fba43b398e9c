#include "millrace/build/build.h"

#include <memory>

#include "millrace/build/build_bounds.h"
#include "millrace/build/edge_spool.h"
#include "millrace/build/items.h"
#include "millrace/build/name_table.h"
#include "millrace/build/store_builder.h"
#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/text.h"
#include "millrace/pages/encode.h"

namespace millrace {
namespace {

// The most bytes of edges as read with which building in memory will also fit: then each edge is in memory once more,
// as an item for each row that it is in. Half of the budget is left for vertices.
std::uint64_t most_in_memory(std::uint64_t budget, bool weighted, bool undirected) {
  if (budget == Budget::unlimited) return budget;
  const std::uint64_t read = weighted ? 24 : 16, item = weighted ? 16 : 8, listed = weighted ? 16 : 8;
  const std::uint64_t needed = std::max(read, listed + item * (undirected ? 2 : 1));
  return budget / 2 / needed * read;
}

// A build with its writer and its budget. The writer is made first, so that a path that cannot be written fails at
// once.
template <class Edges>
BuildSummary build(Edges&& edges, const std::filesystem::path& path, const BuildOptions& options) {
  const Stopwatch watch;
  PageEncoder({.page_bytes = options.page_bytes});  // throws for a bad page size before any thread is started
  Budget budget(memory_for_buffers(options.memory, options.memory_option), option_for_buffers(options.memory_option));
  StoreWriter writer(path, {.replace = options.replace, .stripes = options.stripes}, budget);
  BuildSummary summary = build_from(edges, options, writer, budget);
  summary.seconds = watch.seconds();
  return summary;
}

}  // namespace

BuildOptions options_like(const Manifest& manifest) {
  const bool in = manifest.pages(Orientation::in), out = manifest.pages(Orientation::out);
  return {.undirected = !manifest.directed,
          .orientations = in && out ? Orientations::both
                          : in      ? Orientations::in
                                    : Orientations::out,
          .order = Order::natural,
          .duplicates = manifest.keeps_parallel_edges ? Duplicates::keep : Duplicates::first,
          .keep_self_loops = true,
          .page_bytes = manifest.page_bytes,
          .segments = {.vertices = manifest.segment},
          .source = manifest.source};
}

void throw_not_countable() {
  throw UsageError("@duplicates@ count: the edges have weights, which numbers of edges would replace; leave them out");
}

std::uint64_t default_build_memory() { return available_memory() / 8 * 7; }

LimitOption option_for_buffers(const LimitOption& option) {
  return {option.name, option.shares, option.value(process_overhead)};
}

std::uint64_t memory_for_buffers(std::uint64_t memory, const LimitOption& option) {
  if (memory == Budget::unlimited) return memory;
  if (memory < 2 * process_overhead)
    throw DoesNotFitError("{} allows {}; no store is built with less than {}, and a large graph may take more",
                          option.name, format_size_at_most(option.value(memory)),
                          format_size_at_least(option.value(2 * process_overhead)));
  return memory - process_overhead;
}

namespace {

std::shared_ptr<IdIndex> index_ids(const EdgeSpool& spool, Budget& budget) {
  const auto pieces = [&](const auto& piece) { spool.replay([&](const EdgeBatch& batch) { piece(batch.endpoints); }); };
  return std::make_shared<IdIndex>(pieces, 2 * spool.num_edges(), spool.largest_id(), budget);
}

// What reading takes if the edges and all that is kept of them take `kept`: with more memory, a reader takes more.
std::uint64_t while_reading(std::uint64_t kept, const GraphShape& shape) {
  return kept + std::max(shape.reader_bytes, reader_room(kept / 7 * 8 + 4096));
}

// The memory of a build whose names did not fit. Nothing is known of degrees: no row has more than an eighth of the
// edges in most graphs.
BuildFacts count_with_names(const NamesOverBudget& found, const EdgeSpool& spool, const BuildOptions& options,
                            const GraphShape& shape) {
  KnownSizes sizes{.vertices = found.names, .edges = spool.num_edges() + found.edges, .weighted = shape.weighted};
  sizes.longest_row = sizes.edges / 8;
  BuildFacts facts = most_facts(sizes, options);
  facts.before = while_reading(NameTable::least_memory(found.names) + EdgeSpool::most_adding_memory(), shape);
  return facts;
}

// What is enough is known only from degrees, which need the numbers of names: more than that is certain to be enough.
[[noreturn]] void refuse_names(const NamesOverBudget& found, const Budget& budget, const BuildFacts& facts) {
  const LimitOption& option = budget.option();
  const std::uint64_t enough = std::max(least_build_memory(facts), budget.limit() + 1);
  throw DoesNotFitError(
      "the names of {} vertices do not fit the {} that {} allows; building the store is certain to fit with {}",
      format_count(found.names), format_size_at_most(option.given(budget.limit())), option.name,
      format_size_at_least(option.value(enough)));
}

// Whether edges in memory can stay there until the end; the index is freed once they are numbered.
bool would_fit_listed(const EdgeSpool& spool, const IdIndex& index, const BuildOptions& options, bool weighted,
                      std::uint64_t before_index, const Budget& budget) {
  const BuildFacts facts{.vertices = index.size(),
                         .edges = spool.num_edges(),
                         .item_bytes = weighted ? sizeof(WeightedItem) : sizeof(PlainItem),
                         .undirected = options.undirected,
                         .one_of_two = !options.undirected && options.orientations != Orientations::both,
                         .by_degree = options.order != Order::natural,
                         .ids = index.identity() ? 0 : buffer_memory(8 * index.size()),
                         .page_files = std::max<std::uint64_t>(options.stripes.size(), 1)};
  if (budget.limit() == Budget::unlimited) return true;
  return budget.has_room(list_memory(facts) + facts.ids) && fits_in_memory(facts, budget.limit() - before_index);
}

// Counts the memory of a build whose index of ids did not fit: the index is made in a file.
BuildFacts count_with_index(EdgeSpool& spool, WeightType weight_type, const BuildOptions& options,
                            const StoreWriter& writer, std::uint64_t reading) {
  if (!spool.on_disk()) spool.go_to_disk();
  spool.stop_counting();
  Budget aside(Budget::unlimited, "the disk", Keep::in_file);
  const std::shared_ptr<IdIndex> index = index_ids(spool, aside);
  SpoolSupply edges(spool, *index, weight_type);
  return count_build_memory(edges, options, writer, aside.used(),
                            std::max(reading, aside.peak() + spool.replay_memory()));
}

}  // namespace

BuildSummary build_from(EdgeReader& reader, BuildOptions options, StoreWriter& writer, Budget& budget) {
  GraphShape shape = reader.shape();
  options.undirected |= shape.undirected;
  options.weight_type = shape.weight_type;
  const auto make_directory = [&] { return writer.make_scratch(options.temporary); };
  EdgeSpool spool(most_in_memory(budget.limit(), shape.weighted, options.undirected), make_directory, budget);
  try {
    const Charge kept_by_reader(shape.reader_bytes, budget, "what reads the edges");
    if (shape.named) reader.keep_names_within({&budget, make_directory, [&] { spool.leave_memory(); }});
    while (auto batch = reader.next()) spool.add(std::move(*batch));
  } catch (const NamesOverBudget& found) {
    refuse_names(found, budget, count_with_names(found, spool, options, shape));
  }
  spool.finish();
  reader.write_names(writer);

  const WeightType weight_type = chosen_type(shape, spool.weight_choice());
  const std::uint64_t before_index = budget.used();
  const bool own_index = !shape.vertices;
  const auto make_index = [&] {
    try {
      shape.vertices = index_ids(spool, budget);
    } catch (const OverBudgetError& found) {
      refuse_build(found, budget, "building the store", [&] {
        return count_with_index(spool, weight_type, options, writer,
                                while_reading(spool.adding_memory(budget.limit()), shape));
      });
    }
  };
  if (own_index) make_index();
  const bool sorts_weights = shape.weighted || options.duplicates == Duplicates::count;
  if (!spool.on_disk() && !would_fit_listed(spool, *shape.vertices, options, sorts_weights, before_index, budget)) {
    if (own_index) shape.vertices = nullptr;  // going to disk takes memory too: the index is made again later
    spool.go_to_disk();
    if (own_index) make_index();
  }
  if (!spool.on_disk()) {
    ListSupply edges(number_batches(spool.take(), shape, weight_type, budget));
    shape.vertices = nullptr;
    BuildSummary summary = build_from(edges, options, writer, budget);
    summary.weights = spool.weight_choice();
    return summary;
  }
  SpoolSupply edges(spool, *shape.vertices, weight_type);
  BuildSummary summary = build_from(edges, options, writer, budget);
  summary.weights = spool.weight_choice();
  summary.temporary_bytes += spool.disk_bytes();
  return summary;
}

BuildSummary build_store(EdgeList list, const std::filesystem::path& path, const BuildOptions& options) {
  return build(ListSupply(std::move(list)), path, options);
}

BuildSummary build_store(EdgeReader& reader, const std::filesystem::path& path, const BuildOptions& options) {
  return build(reader, path, options);
}

}  // namespace millrace
