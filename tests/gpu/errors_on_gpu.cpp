// Devices that are not there, and damaged pages: errors that say so, after which the GPU still works.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "gpu/gpu_test.h"
#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

using namespace test;

using GpuErrors = GpuTest;
TEST_F(GpuErrors, NameADeviceThatIsNotThere) {
  Budget host;
  for (const int ordinal : {4096, static_cast<int>(cuda_devices().size())}) {
    try {
      CudaDevice device({.ordinal = ordinal}, host);
      FAIL() << "made device " << ordinal;
    } catch (const DeviceError& error) {
      EXPECT_NE(std::string(error.what()).find(fmt::format("cuda:{}", ordinal)), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(CudaDevice({.ordinal = -1}, host), DeviceError);
  EXPECT_NO_THROW(CudaDevice({.ordinal = 0}, host));  // the device works again afterwards
}

// Changes a byte of a page in the middle of a file, or changes it back.
void flip_a_byte(const Store& store, Orientation orientation) {
  const PageTable& table = store.table(orientation);
  const PageEntry& page = table[table.size() / 2];
  std::fstream file(store.path() / store.manifest().pages(orientation)->files.at(page.file),
                    std::ios::in | std::ios::out | std::ios::binary);
  const auto at = static_cast<std::streamoff>(page.offset + 300);
  file.seekg(at);
  const char flipped = static_cast<char>(file.get() ^ 4);
  file.seekp(at);
  file.put(flipped);
  ASSERT_TRUE(file.good());
}

TEST_F(GpuErrors, FindBadPagesBeforeARun) {
  const StoredGraph stored(rmat(13), {Order::degree, 4096});
  const GraphNeeds needs = bfs_needs(Direction::automatic);
  flip_a_byte(stored.store(), Orientation::in);
  for (const Place place : {Place::resident, Place::half}) {
    SCOPED_TRACE(place_name(place));
    Budget host;
    CudaDevice device({.memory = room_for(stored.store(), needs, place).limit}, host);
    EXPECT_THROW(Graph(stored.store(), needs, device), BadInputError);
    EXPECT_EQ(device.memory().used(), 0u);
    EXPECT_EQ(host.used(), 0u);
  }
}

// From disk the damage is found when the page is read. Once the page is right, the same engine computes what another
// one does.
TEST_F(GpuErrors, FindBadPagesDuringARun) {
  const StoredGraph stored(rmat(13), {Order::degree, 4096});
  for (const Direction direction : {Direction::pull, Direction::push}) {
    SCOPED_TRACE(direction_name(direction));
    const Orientation orientation = direction == Direction::pull ? Orientation::in : Orientation::out;
    const GraphNeeds needs = pagerank_needs<double>(direction);
    const auto ranks = [&](Engine& engine) { return to_vector(pagerank<double>(engine, {.iterations = 3}).rank); };
    std::vector<double> found;
    {
      GpuRun gpu(stored.store(), needs, Place::disk);
      ASSERT_TRUE(gpu.graph.placement().from_disk);
      Engine engine(gpu.device, gpu.graph, direction);
      flip_a_byte(stored.store(), orientation);
      EXPECT_THROW(ranks(engine), BadInputError);
      flip_a_byte(stored.store(), orientation);
      found = ranks(engine);
    }
    GpuRun gpu(stored.store(), needs, Place::disk);
    Engine engine(gpu.device, gpu.graph, direction);
    const std::vector<double> expected = ranks(engine);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t v = 0; v < found.size(); ++v) ASSERT_NEAR(found[v], expected[v], 1e-12 * expected[v]);
  }
}

}  // namespace
}  // namespace millrace
