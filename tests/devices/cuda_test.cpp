// What there is of the cuda device without a GPU: an answer that helps. With one, tests/gpu has the tests.
#include "millrace/devices/cuda.h"

#include <gtest/gtest.h>

#include "millrace/core/error.h"

namespace millrace {
namespace {

TEST(CudaDeviceWithoutAGpu, SaysWhatIsMissingAndWhatToDo) {
  if (!cuda_devices().empty()) GTEST_SKIP() << "there is a GPU here";
  Budget host;
  for (const int ordinal : {0, 3}) try {
      const CudaDevice device({.ordinal = ordinal}, host);
      FAIL() << "made a device of no GPU";
    } catch (const DeviceError& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find("cuda:" + std::to_string(ordinal)), 0u) << message;
      EXPECT_NE(message.find("--device cpu"), std::string::npos) << message;
      const char* const reason = built_with_cuda() ? "no GPU" : "built without CUDA";
      EXPECT_NE(message.find(reason), std::string::npos) << message;
    }
  EXPECT_EQ(host.peak(), 0u);
}

TEST(CudaDeviceWithoutAGpu, IsNotListed) {
  for (const CudaInfo& info : cuda_devices()) {
    EXPECT_FALSE(info.name.empty());
    EXPECT_GT(info.memory, 0u);
    EXPECT_GT(info.multiprocessors, 0);
  }
  if (!built_with_cuda()) {
    EXPECT_TRUE(cuda_devices().empty());
  }
}

}  // namespace
}  // namespace millrace
