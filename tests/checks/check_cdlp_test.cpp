// The verifier of label propagation accepts only the right labels.
#include "millrace/checks/check_cdlp.h"

#include <gtest/gtest.h>

#include "support/labels.h"

namespace millrace {
namespace {

using namespace test;

class CheckCdlp : public testing::TestWithParam<Orientation> {
 protected:
  std::optional<std::string> check(const std::vector<std::uint32_t>& label, const CdlpClaim& claim) const {
    return check_cdlp(stored_.pages(GetParam()), GetParam(), label, claim);
  }
  const StoredGraph stored_{rmat(8), {Order::degree, 4096}};
  const std::vector<std::uint32_t> own_ = own_labels(stored_);
};

TEST_P(CheckCdlp, AcceptsTheAnswer) {
  for (const std::uint32_t iterations : {0u, 1u, 5u})
    EXPECT_EQ(check(propagated_labels(stored_, true, own_, iterations), {.iterations = iterations, .own = own_}),
              std::nullopt);
}

TEST_P(CheckCdlp, RejectsASingleOtherLabel) {
  std::vector<std::uint32_t> label = propagated_labels(stored_, true, own_, 5);
  label[7] ^= 1;
  const auto problem = check(label, {.iterations = 5, .own = own_});
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->find("vertex 7 has label"), std::string::npos) << *problem;
}

TEST_P(CheckCdlp, RejectsWhatOtherRulesGive) {
  const std::vector<std::uint32_t> label = propagated_labels(stored_, true, own_, 2);
  EXPECT_TRUE(check(label, {.iterations = 1, .own = own_})) << "an iteration less";
  EXPECT_TRUE(check(label, {.directed = false, .iterations = 2, .own = own_})) << "out-neighbours alone";
  EXPECT_TRUE(check(label, {.iterations = 2})) << "ties by number instead of id";
}

INSTANTIATE_TEST_SUITE_P(EitherOrientation, CheckCdlp, testing::Values(Orientation::out, Orientation::in),
                         [](const auto& info) { return std::string(orientation_name(info.param)); });

}  // namespace
}  // namespace millrace
