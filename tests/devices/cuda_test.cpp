// The cuda device without a GPU: a helpful error. For machines with a GPU, tests/gpu has the tests.
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
      EXPECT_NE(message.find("device cpu"), std::string::npos) << message;
      const char* const reason = built_with_cuda() ? "no GPU" : "built without CUDA";
      EXPECT_NE(message.find(reason), std::string::npos) << message;
    }
  EXPECT_EQ(host.peak(), 0u);
}

bool can_be_opened(int ordinal) {
  Budget host;
  try {
    const CudaDevice device({.ordinal = ordinal, .memory = 1 << 20}, host);
    return true;
  } catch (const DeviceError&) {
    return false;
  }
}

// The list and the devices themselves must agree, in any build and on any machine.
TEST(CudaDeviceWithoutAGpu, IsNotListed) {
  const std::vector<CudaInfo> listed = cuda_devices();
  EXPECT_EQ(can_be_opened(0), !listed.empty());
  EXPECT_FALSE(can_be_opened(static_cast<int>(listed.size())));
  for (std::size_t i = 0; i < listed.size(); ++i) {
    EXPECT_EQ(listed[i].ordinal, static_cast<int>(i));
    EXPECT_TRUE(can_be_opened(listed[i].ordinal));
    EXPECT_FALSE(listed[i].name.empty());
    EXPECT_GT(listed[i].memory, 0u);
    EXPECT_GT(listed[i].multiprocessors, 0);
  }
  if (!built_with_cuda()) {
    EXPECT_TRUE(listed.empty());
  }
}

}  // namespace
}  // namespace millrace
