// A store that was not made here is verified once before it is used, unless it is trusted.
#include "millrace/checks/check_before_use.h"

#include <gtest/gtest.h>

#include "millrace/core/progress.h"
#include "millrace/store/known_stores.h"
#include "store/store_fixture.h"
#include "support/environment.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

class CheckBeforeUse : public DirectoryTest {
 protected:
  void SetUp() override {
    DirectoryTest::SetUp();
    cache_.emplace("XDG_CACHE_HOME", (directory_ / "cache").string());
    write_store(directory_ / "made", parts_);
    fs::copy(directory_ / "made", copy());
  }
  fs::path copy() const { return directory_ / "copy"; }
  // The remarks of a check, or its error.
  std::string check(const fs::path& path, BeforeUse how = {}) {
    std::string remarks;
    how.remark = [&](const std::string& remark) { remarks += remark + "\n"; };
    try {
      check_before_use(Store::open(path), how);
      return remarks;
    } catch (const Error& error) {
      return error.what();
    }
  }
  // Degrees that are not those of the pages, in a store that is made somewhere else.
  fs::path make_wrong_copy() {
    ++parts_.out_degrees[3];
    const Environment elsewhere("XDG_CACHE_HOME", (directory_ / "cache of another").string());
    write_store(directory_ / "wrong", parts_);
    return directory_ / "wrong";
  }

  StoreParts parts_ = example_parts();
  std::optional<Environment> cache_;
};

TEST_F(CheckBeforeUse, LeavesOutWhatWasMadeHere) { EXPECT_EQ(check(directory_ / "made"), ""); }

TEST_F(CheckBeforeUse, ChecksACopyOnce) {
  const std::string remark = check(copy());
  EXPECT_TRUE(remark.starts_with("checked " + copy().string() + ": ")) << remark;
  EXPECT_TRUE(remark.ends_with("; it was not known to be made here\n")) << remark;
  EXPECT_EQ(check(copy()), "");
}

TEST_F(CheckBeforeUse, RefusesAWrongStoreEveryTime) {
  const fs::path wrong = make_wrong_copy();
  for (int i = 0; i < 2; ++i) {
    const std::string error = check(wrong);
    EXPECT_NE(error.find("is damaged:\n  out degrees are not those of the out pages"), std::string::npos) << error;
  }
  EXPECT_THROW(check_before_use(Store::open(wrong), {}), BadInputError);
}

TEST_F(CheckBeforeUse, TrustsOnRequest) {
  const fs::path wrong = make_wrong_copy();
  EXPECT_EQ(check(wrong, {.trust = true}), "");
  {
    const Environment trust("MILLRACE_TRUST", "1");
    EXPECT_EQ(check(wrong), "");
  }
  for (const char* const no : {"", "0"}) {
    const Environment trust("MILLRACE_TRUST", no);
    EXPECT_NE(check(wrong), "") << no;
  }
  const Environment trust("MILLRACE_TRUST", "yes");
  EXPECT_THROW(check_before_use(Store::open(wrong), {}), UsageError);
}

TEST_F(CheckBeforeUse, SaysWhatToDoIfMemoryIsShort) {
  const std::string error = check(copy(), {.memory = "1K"});
  for (const char* const words : {"not known to be made here", "host-memory", "millrace verify", "trust"})
    EXPECT_NE(error.find(words), std::string::npos) << error;
  EXPECT_THROW(check_before_use(Store::open(copy()), {.memory = "1K"}), DoesNotFitError);
  EXPECT_NE(check(copy(), {.memory = "64K"}), "");  // pages of 4 KiB, one after another
  EXPECT_EQ(check(copy()), "");
}

TEST_F(CheckBeforeUse, SaysThatItCannotRemember) {
  const Environment no_cache("XDG_CACHE_HOME", "/proc/none");
  for (int i = 0; i < 2; ++i) {
    const std::string remark = check(copy());
    EXPECT_NE(remark.find("checked every time: /proc/none/millrace/stores"), std::string::npos) << remark;
  }
  const Environment no_folder("XDG_CACHE_HOME", ""), no_home("HOME", "");
  EXPECT_NE(check(copy()).find("no folder for a cache"), std::string::npos);
}

TEST_F(CheckBeforeUse, CanBeInterrupted) {
  StopRequest stop;
  stop.stop();
  const StopRequest::InForce in_force(&stop);
  const Store store = Store::open(copy());
  EXPECT_THROW(check_before_use(store, {}), InterruptedError);
  EXPECT_FALSE(is_known(store.files()));
}

}  // namespace
}  // namespace millrace::test
