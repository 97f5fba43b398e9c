// Stores built through temporary files under a tiny budget are the same, byte for byte, as those built in memory.
#include <gtest/gtest.h>
#include <omp.h>

#include <random>

#include "millrace/build/generate.h"
#include "millrace/build/store_builder.h"
#include "millrace/checks/verify_store.h"
#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "store/store_fixture.h"
#include "support/multigraph.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

class ExternalBuild : public DirectoryTest {
 protected:
  BuildSummary build(const Multigraph& graph, const BuildOptions& options, const fs::path& path, std::uint64_t memory) {
    Budget budget(memory, setting("memory"));
    StoreWriter writer(path, {.replace = options.replace, .stripes = options.stripes}, budget);
    MultigraphReader reader(graph);
    BuildSummary summary = build_from(reader, options, writer, budget);
    EXPECT_LE(budget.peak(), memory);
    return summary;
  }

  // Compares two builds.
  void compare(const Multigraph& graph, BuildOptions options) {
    options.page_bytes = 4096;
    const BuildSummary inside = build(graph, options, directory_ / "inside", Budget::unlimited);
    const BuildSummary outside = build(graph, options, directory_ / "outside", 3 << 20);
    EXPECT_EQ(inside.temporary_bytes, 0u);
    EXPECT_GT(outside.temporary_bytes, 96'000u * 4);
    EXPECT_EQ(inside.merged_edges, outside.merged_edges);
    EXPECT_EQ(inside.dropped_self_loops, outside.dropped_self_loops);
    EXPECT_TRUE(contents(directory_ / "inside") == contents(directory_ / "outside"));
    EXPECT_FALSE(fs::exists(directory_ / "outside.partial"));
    EXPECT_FALSE(fs::exists(directory_ / "outside.lock"));
    EXPECT_TRUE(verify_store(Store::open(directory_ / "outside")).problems.empty());
    fs::remove_all(directory_ / "inside");
    fs::remove_all(directory_ / "outside");
  }
};

TEST_F(ExternalBuild, GivesTheSameStore) {
  for (const bool weighted : {false, true})
    for (const bool undirected : {false, true})
      for (const Order order : {Order::natural, Order::degree, Order::automatic})
        compare({.weighted = weighted}, {.undirected = undirected, .order = order});
}

TEST_F(ExternalBuild, GivesTheSameBlockedStore) {
  for (const bool weighted : {false, true})
    for (const std::uint64_t segment : {64u, 512u})
      compare({.weighted = weighted}, {.undirected = segment == 64,
                                       .order = weighted ? Order::degree : Order::natural,
                                       .segments = {.vertices = segment}});
  compare({.weighted = true}, {.duplicates = Duplicates::keep, .keep_self_loops = true, .segments = {.vertices = 256}});
  compare({.sparse_ids = true}, {.orientations = Orientations::in, .segments = {.vertices = 1024}});
}

TEST_F(ExternalBuild, MergesParallelEdgesTheSameWay) {
  for (const Duplicates duplicates :
       {Duplicates::first, Duplicates::min, Duplicates::max, Duplicates::sum, Duplicates::keep})
    compare({.weighted = true}, {.duplicates = duplicates, .keep_self_loops = true});
}

// Sums of u32 and f32 that exceed their type, and sums that are rounded.
TEST_F(ExternalBuild, AddsUpWeightsTheSameWay) {
  for (const auto& [unit, read] :
       {std::pair{0x1p29, WeightType::u32}, std::pair{1 + 0x1p-20, WeightType::f32}, std::pair{0.1, WeightType::f64}}) {
    MultigraphReader reader({.weighted = true, .unit = unit});
    EXPECT_EQ(collect(reader).weight_type, read);
    for (const bool undirected : {false, true})
      compare({.weighted = true, .unit = unit}, {.undirected = undirected, .duplicates = Duplicates::sum});
    const BuildOptions options{.duplicates = Duplicates::sum, .page_bytes = 4096};
    EXPECT_EQ(build({.weighted = true, .unit = unit}, options, directory_ / "sums", 3 << 20).weight_type,
              WeightType::f64);
    fs::remove_all(directory_ / "sums");
  }
}

TEST_F(ExternalBuild, NumbersSparseIds) { compare({.weighted = true, .sparse_ids = true}, {}); }

TEST_F(ExternalBuild, KeepsVerticesThatAreKnownBeforehand) {
  compare({.vertices = std::make_shared<IdIndex>(5000)}, {.order = Order::natural});
}

TEST_F(ExternalBuild, StoresOneOrientation) {
  build({}, {.page_bytes = 4096}, directory_ / "both", Budget::unlimited);
  const Store both = Store::open(directory_ / "both");
  for (const Orientations kept : {Orientations::in, Orientations::out}) {
    compare({}, {.orientations = kept});
    build({}, {.orientations = kept, .page_bytes = 4096}, directory_ / "one", Budget::unlimited);
    const Store one = Store::open(directory_ / "one");
    const bool in = kept == Orientations::in;
    EXPECT_EQ(one.has(Orientation::in), in);
    EXPECT_EQ(one.has(Orientation::out), !in);
    EXPECT_EQ(one.num_edges(), both.num_edges());
    const char* pages = in ? "in.pages" : "out.pages";
    EXPECT_TRUE(read_file(directory_ / "one" / pages) == read_file(directory_ / "both" / pages));
    // Degrees of both orientations are stored: PageRank divides by them.
    for (const Orientation o : {Orientation::out, Orientation::in})
      EXPECT_TRUE(
          std::ranges::equal(one.load_degrees(o, unlimited_budget()), both.load_degrees(o, unlimited_budget())));
    fs::remove_all(directory_ / "one");
  }
}

TEST_F(ExternalBuild, SpreadsPagesOverStripes) {
  build({}, {.page_bytes = 4096}, directory_ / "whole", Budget::unlimited);
  const BuildOptions striped{.page_bytes = 4096, .stripes = {directory_ / "a", directory_ / "b", directory_ / "c"}};
  build({}, striped, directory_ / "striped", 3 << 20);
  const Store whole = Store::open(directory_ / "whole"), store = Store::open(directory_ / "striped");
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    const PageTable& table = store.table(o);
    ASSERT_EQ(table.size(), whole.table(o).size());
    for (std::uint32_t p = 0; p < table.size(); ++p) {
      EXPECT_EQ(table[p].file, p % 3);
      EXPECT_EQ(table[p].topology_crc, whole.table(o)[p].topology_crc);
    }
  }
  EXPECT_TRUE(verify_store(store).problems.empty());
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_ / "a"), {}), 1);

  // A copy does not own the stripes: replacing it leaves the pages to the original.
  fs::copy(directory_ / "striped", directory_ / "copy", fs::copy_options::recursive);
  build({}, {.page_bytes = 4096, .replace = true}, directory_ / "copy", Budget::unlimited);
  EXPECT_TRUE(verify_store(Store::open(directory_ / "striped")).problems.empty());

  // When a store is replaced, its stripes are removed; if a stripe is missing, the error names it.
  build({}, {.page_bytes = 4096, .replace = true, .stripes = {directory_ / "b"}}, directory_ / "striped",
        Budget::unlimited);
  EXPECT_TRUE(fs::is_empty(directory_ / "a"));
  EXPECT_TRUE(fs::is_empty(directory_ / "c"));
  fs::remove_all(directory_ / "b");
  try {
    Store::open(directory_ / "striped");
    FAIL() << "a missing stripe went unnoticed";
  } catch (const BadInputError& error) {
    EXPECT_NE(std::string(error.what()).find((directory_ / "b").string()), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("stripe"), std::string::npos) << error.what();
  }
}

TEST_F(ExternalBuild, TemporaryFilesGoWhereTheyAreSent) {
  build({}, {.page_bytes = 4096, .temporary = directory_ / "elsewhere"}, directory_ / "store", 3 << 20);
  EXPECT_TRUE(fs::is_empty(directory_ / "elsewhere"));
  // A build that fails leaves nothing either.
  EXPECT_THROW(build({}, {.temporary = directory_ / "elsewhere"}, directory_ / "other", 300 << 10), DoesNotFitError);
  EXPECT_TRUE(fs::is_empty(directory_ / "elsewhere"));
  EXPECT_EQ(names_in_directory().size(), 2u);
}

TEST_F(ExternalBuild, WhatDoesNotFitIsSaid) {
  try {
    build({}, {.page_bytes = 4096}, directory_ / "store", 400 << 10);
    FAIL() << "it fitted";
  } catch (const DoesNotFitError& error) {
    EXPECT_NE(std::string(error.what()).find("memory allows"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(names_in_directory().empty());
}

// The amount that a refusal asks for, or 0 if there was none.
template <class Build>
std::uint64_t asked_for(const Build& build) {
  try {
    build();
    return 0;
  } catch (const DoesNotFitError& error) {
    const std::string text = error.what(), words = "allow at least ";
    const std::size_t at = text.find(words);
    EXPECT_NE(at, std::string::npos) << text;
    return at == std::string::npos ? 0 : parse_size(text.substr(at + words.size()));  // the last occurrence
  }
}

// A build that gets what it asked for is not refused again. It does not ask for much more than needed, except where
// edges that all stay in memory take less than edges that go through files, a page at a time.
TEST_F(ExternalBuild, AsksForWhatIsEnough) {
  int refused = 0, half_would_do = 0;
  std::mt19937 random(3);
  for (int i = 0; i < 20; ++i) {
    const Multigraph graph{.weighted = random() % 2 == 0, .sparse_ids = random() % 2 == 0};
    const Orientations orientations[] = {Orientations::both, Orientations::in, Orientations::out};
    const Order orders[] = {Order::natural, Order::degree, Order::automatic};
    const BuildOptions options{
        .undirected = random() % 3 == 0,
        .orientations = orientations[random() % 3],
        .order = orders[random() % 3],
        .page_bytes = 4096u << random() % 7,
        .replace = true,
        .stripes = random() % 4 == 0 ? std::vector{directory_ / "a", directory_ / "b"} : std::vector<fs::path>{}};
    omp_set_num_threads(1 << random() % 3);
    const std::uint64_t first = 280 * 1024 + random() % (1 << 20);
    const auto within = [&](std::uint64_t memory) {
      return asked_for([&] { build(graph, options, directory_ / "store", memory); });
    };
    const std::uint64_t figure = within(first);
    if (figure == 0) continue;
    ++refused;
    EXPECT_GT(figure, first);
    EXPECT_EQ(within(figure), 0u) << figure << " bytes, after " << first << ", run " << i;
    half_would_do += within(figure / 2) == 0;
  }
  EXPECT_GT(refused, 10);
  EXPECT_LT(half_would_do, refused / 4);
  omp_set_num_threads(omp_get_num_procs());
}

TEST_F(ExternalBuild, AsksForWhatIsEnoughForBlockedPages) {
  const BuildOptions options{
      .order = Order::degree, .page_bytes = 4096, .segments = {.vertices = 256}, .replace = true};
  const auto within = [&](std::uint64_t memory) {
    return asked_for([&] { build({.weighted = true}, options, directory_ / "store", memory); });
  };
  const std::uint64_t figure = within(300 << 10);
  EXPECT_GT(figure, 300u << 10);
  EXPECT_EQ(within(figure), 0u) << figure << " bytes";
}

// Generated in batches or at once, the edges and weights are the same.
TEST_F(ExternalBuild, GeneratesTheSameInBatches) {
  for (const auto kind : {GenerateOptions::Kind::rmat, GenerateOptions::Kind::uniform, GenerateOptions::Kind::grid}) {
    const GenerateOptions options{.kind = kind, .scale = 11, .weights = WeightRange{1, 300, true}};
    build_store(generate(options), directory_ / "list", {});
    const auto reader = generate_in_batches(options);
    build_store(*reader, directory_ / "batches", {});
    EXPECT_TRUE(contents(directory_ / "list") == contents(directory_ / "batches"));
    fs::remove_all(directory_ / "list");
    fs::remove_all(directory_ / "batches");
  }
}

}  // namespace
}  // namespace millrace::test
