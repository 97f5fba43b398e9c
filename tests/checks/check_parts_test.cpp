// verify finds parts that differ from what the manifest says.
#include "millrace/checks/check_parts.h"

#include <gtest/gtest.h>

#include "millrace/checks/verify_store.h"
#include "millrace/core/error.h"
#include "partition/partitioned.h"

namespace millrace {
namespace {

using namespace test;

// The first problem of a partitioned store whose manifest was changed.
template <class Change>
std::string complaint_after(Change change) {
  const StoredGraph stored(rmat(10), {Order::degree, 4096});
  const Partitioned partitioned(stored.store(), AssignOptions{.method = PartMethod::random, .parts = 4});
  Manifest manifest = Manifest::load(partitioned.path() / "manifest.json");
  change(*manifest.parts);
  manifest.save(partitioned.path() / "manifest.json");
  try {
    const StoreVerdict verdict = verify_store(Store::open(partitioned.path()));
    return verdict.problems.empty() ? "" : verdict.problems[0];
  } catch (const BadInputError& error) {
    return error.what();
  }
}

TEST(CheckParts, FindsWhatIsWrong) {
  EXPECT_EQ(complaint_after([](Parts&) {}), "");
  EXPECT_NE(complaint_after([](Parts& parts) { ++parts.first_vertex[2]; }).find("two parts"), std::string::npos);
  EXPECT_NE(complaint_after([](Parts& parts) { ++parts.cut_edges; }).find("between parts"), std::string::npos);
  EXPECT_NE(complaint_after([](Parts& parts) { --parts.replicas; }).find("replicas"), std::string::npos);
}

TEST(CheckParts, RefusesWhatIsNoPartition) {
  const auto refused = [](auto change) {
    const std::string complaint = complaint_after(change);
    EXPECT_NE(complaint.find("not ranges"), std::string::npos) << complaint;
  };
  refused([](Parts& parts) { parts.first_vertex.clear(); });
  refused([](Parts& parts) { parts.first_vertex[0] = 1; });
  refused([](Parts& parts) { std::swap(parts.first_vertex[1], parts.first_vertex[2]); });
  refused([](Parts& parts) { parts.first_vertex[3] = 1025; });
}

}  // namespace
}  // namespace millrace
