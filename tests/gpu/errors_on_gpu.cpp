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

TEST_F(GpuErrors, FindBadPagesWhereverTheyGo) {
  const StoredGraph stored(rmat(13), {Order::degree, 4096});
  const GraphNeeds needs = bfs_needs(Direction::automatic);
  const Store& store = stored.store();
  const PageTable& table = store.table(Orientation::in);
  const std::filesystem::path file =
      store.path() / store.manifest().pages(Orientation::in)->files.at(table[table.size() / 2].file);
  const auto flip = [&] {
    std::fstream pages(file, std::ios::in | std::ios::out | std::ios::binary);
    const auto at = static_cast<std::streamoff>(table[table.size() / 2].offset + 300);
    pages.seekg(at);
    const char flipped = static_cast<char>(pages.get() ^ 4);
    pages.seekp(at);
    pages.put(flipped);
    return pages.good();
  };
  ASSERT_TRUE(flip());
  for (const Place place : {Place::resident, Place::half}) {
    SCOPED_TRACE(place_name(place));
    Budget host;
    CudaDevice device({.memory = room_for(store, needs, place).limit}, host);
    EXPECT_THROW(Graph(store, needs, device), BadInputError);
    EXPECT_EQ(device.memory().used(), 0u);
    EXPECT_EQ(host.used(), 0u);
  }
  // From disk the damage is found when the page is read.
  GpuRun gpu(store, pagerank_needs<float>(Direction::pull), Place::disk);
  ASSERT_TRUE(gpu.graph.placement().from_disk);
  Engine engine(gpu.device, gpu.graph, Direction::pull);
  EXPECT_THROW(pagerank<float>(engine, {.iterations = 1}), BadInputError);
  // Once the page is right, the same engine computes what another one does.
  ASSERT_TRUE(flip());
  const auto found = to_vector(pagerank<float>(engine, {.iterations = 3}).rank);
  Engine other(gpu.device, gpu.graph, Direction::pull);
  EXPECT_EQ(found, to_vector(pagerank<float>(other, {.iterations = 3}).rank));
}

}  // namespace
}  // namespace millrace
