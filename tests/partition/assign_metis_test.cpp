// Graphs that are not given to METIS.
#include "millrace/partition/assign_metis.h"

#include <gtest/gtest.h>

#include "millrace/core/error.h"
#include "partition/partitioned.h"

namespace millrace {
namespace {

using namespace test;

#if MILLRACE_WITH_METIS

TEST(Metis, RefusesGraphsThatItCannotCount) {
  Manifest manifest;
  manifest.num_vertices = 1000;
  manifest.num_edges = 1'000'000'000;
  EXPECT_GT(metis_memory(manifest), manifest.num_edges);
  manifest.num_edges = 1'100'000'000;  // 2^31 and more for both directions
  EXPECT_THROW(metis_memory(manifest), DoesNotFitError);
  manifest.directed = false;  // counts both directions already
  metis_memory(manifest);
  manifest.num_vertices = 2'000'000'000;
  EXPECT_THROW(metis_memory(manifest), DoesNotFitError);
}

TEST(Metis, KeepsToItsMemory) {
  const StoredGraph stored(rmat(17));
  const TempDir directory;
  const PartitionOptions options{.assign = {.method = PartMethod::metis, .parts = 4}, .memory = 160u << 20};
  try {
    partition_store(stored.store(), directory / "p.store", options);
    FAIL() << "METIS in so little memory";
  } catch (const DoesNotFitError& error) {
    EXPECT_NE(std::string(error.what()).find("memory allows"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

#else

TEST(Metis, IsRefusedWhereThereIsNone) {
  const StoredGraph stored(chain(5));
  const TempDir directory;
  EXPECT_THROW(
      partition_store(stored.store(), directory / "p.store", {.assign = {.method = PartMethod::metis, .parts = 2}}),
      UsageError);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

#endif

}  // namespace
}  // namespace millrace
