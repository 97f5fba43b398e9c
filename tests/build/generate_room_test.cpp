// What a generated graph needs, known before it is made.
#include "millrace/build/generate_room.h"

#include <gtest/gtest.h>

#include <bit>

#include "millrace/core/error.h"
#include "millrace/store/files.h"
#include "support/temp_dir.h"

namespace millrace {
namespace {

using namespace test;
using Kind = GenerateOptions::Kind;

TEST(GenerateRoom, OfMemoryIsRefusedWhereItIsSurelyTooLittle) {
  for (const Kind kind : {Kind::rmat, Kind::uniform, Kind::grid}) {
    const GenerateOptions large{.kind = kind, .scale = 26, .edge_factor = 2};
    for (const Order order : {Order::natural, Order::automatic}) {
      // Two columns of degrees take 512 MiB; to compare orders takes two more.
      const std::uint64_t least = (order == Order::natural ? 512u : 1024u) << 20;
      EXPECT_THROW(require_memory_to_generate(large, {.order = order, .memory = least}), DoesNotFitError);
      EXPECT_NO_THROW(require_memory_to_generate(large, {.order = order, .memory = least + (128u << 20)}));
    }
    EXPECT_NO_THROW(
        require_memory_to_generate(large, {.undirected = true, .order = Order::natural, .memory = 448u << 20}));
    EXPECT_NO_THROW(require_memory_to_generate(large, {}));
  }
}

TEST(GenerateRoom, OfMemoryNamesAnAmountThatIsNotFarAbove) {
  const GenerateOptions large{.kind = Kind::uniform, .scale = 26, .edge_factor = 2};
  try {
    require_memory_to_generate(large, {.memory = 128u << 20});
    FAIL();
  } catch (const DoesNotFitError& error) {
    const std::string text = error.what();
    const std::string words = "allow at least ";
    ASSERT_NE(text.find(words), std::string::npos) << text;
    const double gib = std::stod(text.substr(text.find(words) + words.size()));
    EXPECT_NE(text.find("GiB"), std::string::npos) << text;
    EXPECT_GT(gib, 1.0);
    EXPECT_LE(gib, 1.5);
  }
}

TEST(GenerateRoom, OfDiskIsRefusedWhereItIsSurelyTooLittle) {
  const TempDir directory;
  const std::filesystem::path store = directory / "not" / "there" / "g.store";
  const std::uint64_t left = free_disk_bytes(directory.path());
  GenerateOptions graph{.kind = Kind::rmat, .scale = 31, .edge_factor = 1 << 12};
  EXPECT_THROW(require_disk_to_generate(graph, store, {}, true), DoesNotFitError);
  EXPECT_THROW(require_disk_to_generate(graph, store, {}, false), DoesNotFitError);
  EXPECT_THROW(require_disk_to_generate(graph, "/proc/x", {.temporary = directory.path()}, true), DoesNotFitError);
  graph = {.kind = Kind::rmat, .scale = 4};
  EXPECT_NO_THROW(require_disk_to_generate(graph, store, {}, true));
  // A grid whose degrees, 4 bytes for each vertex, take 3/8 to 3/4 of the room, as other tests may write meanwhile:
  // with temporary files of four times the size it does not fit.
  const BuildOptions undirected{.undirected = true};
  graph = {.kind = Kind::grid, .scale = static_cast<std::uint32_t>(std::bit_width(left / 4 * 3 / 4)) - 1};
  if (graph.scale > 31) GTEST_SKIP() << "the disk is too large to be filled";
  EXPECT_NO_THROW(require_disk_to_generate(graph, store, undirected, false));
  EXPECT_THROW(require_disk_to_generate(graph, store, undirected, true), DoesNotFitError);
}

// Never more than what a store takes: bytes on the disk of real ones against the bounds.
TEST(GenerateRoom, OfDiskIsNoMoreThanStoresTake) {
  for (const Kind kind : {Kind::rmat, Kind::uniform, Kind::grid})
    for (const std::uint32_t factor : {1u, 4u, 64u}) {
      const GenerateOptions graph{.kind = kind, .scale = 14, .edge_factor = factor};
      const TempDir directory;
      const BuildOptions options{.segments = {.automatic = false}};
      generate_store(graph, directory / "g.store", options);
      std::uint64_t bytes = 0;
      for (const auto& file : std::filesystem::directory_iterator(directory / "g.store")) bytes += file.file_size();
      EXPECT_LE(least_store_bytes(graph, options), bytes) << static_cast<int>(kind) << ", " << factor;
      EXPECT_GT(least_store_bytes(graph, options), bytes / 8);
    }
}

}  // namespace
}  // namespace millrace
