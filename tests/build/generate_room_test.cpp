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

// The size in MiB that follows these words in a message.
double mebibytes_after(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return 0;
  const std::string size = text.substr(at + words.size());
  return std::stod(size) * (size.substr(0, 12).find("GiB") == std::string::npos ? 1 : 1024);
}

// Of an amount that may be more than enough it does not say that less is too little: some graphs fit with less.
TEST(GenerateRoom, OfMemoryNamesWhatIsTooLittleAndWhatIsEnough) {
  for (const std::uint32_t scale : {22u, 26u}) {
    const GenerateOptions large{.kind = Kind::uniform, .scale = scale, .edge_factor = 1};
    try {
      require_memory_to_generate(large, {.memory = 128u << 20});
      FAIL();
    } catch (const DoesNotFitError& error) {
      const std::string text = error.what();
      const double least = mebibytes_after(text, "needs "), enough = mebibytes_after(text, "certain to fit with ");
      EXPECT_GT(least, 128.0) << text;
      EXPECT_GT(enough, least) << text;
      EXPECT_LE(enough, 2 * least) << text;
      EXPECT_EQ(text.find("allow at least"), std::string::npos) << text;
      const auto bytes = static_cast<std::uint64_t>(least * (1 << 20));
      EXPECT_NO_THROW(require_memory_to_generate(large, {.memory = bytes + (1 << 20)}));
    }
  }
}

TEST(GenerateRoom, OfMemoryIsEnoughWhereItIsCertain) {
  const TempDir directory;
  const GenerateOptions graph{.kind = Kind::uniform, .scale = 22, .edge_factor = 1};
  try {
    generate_store(graph, directory / "g.store", {.memory = 128u << 20});
    FAIL();
  } catch (const DoesNotFitError& error) {
    const double enough = mebibytes_after(error.what(), "certain to fit with ");
    EXPECT_NO_THROW(
        generate_store(graph, directory / "g.store", {.memory = static_cast<std::uint64_t>(enough * (1 << 20))}));
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
