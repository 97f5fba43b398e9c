// Messages name settings, which stay marked until they are shown.
#include "millrace/core/error.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

std::string as_options(const Error& error) { return with_settings(error.marked(), "--"); }

TEST(Error, ShowsSettingsPlainOrWithAPrefix) {
  const UsageError error("@device-memory@ is for GPUs; on cpu use @host-memory@{}", " alone");
  EXPECT_STREQ(error.what(), "device-memory is for GPUs; on cpu use host-memory alone");
  EXPECT_EQ(as_options(error), "--device-memory is for GPUs; on cpu use --host-memory alone");
  EXPECT_EQ(with_settings(error.marked(), ""), error.what());
}

TEST(Error, ShowsSettingsInAnyForm) {
  const UsageError error("@host-memory@ and @device@");
  const auto shown = [](std::string_view name) { return "<" + std::string(name) + ">"; };
  EXPECT_EQ(with_settings(error.marked(), shown), "<host-memory> and <device>");
}

TEST(Error, WithoutSettingsIsItsText) {
  const BadInputError error("line {} of {}", 7, "a.txt");
  EXPECT_STREQ(error.what(), "line 7 of a.txt");
  EXPECT_EQ(error.marked(), error.what());
  EXPECT_EQ(as_options(error), error.what());
}

TEST(Error, TakesNoNameFromItsArguments) {
  const std::string path = "@force@", other = "me@here.org, a@b@c, @";
  const UsageError error("{} exists: pass @force@ to replace {}", path, other);
  EXPECT_STREQ(error.what(), "@force@ exists: pass force to replace me@here.org, a@b@c, @");
  EXPECT_EQ(as_options(error), "@force@ exists: pass --force to replace me@here.org, a@b@c, @");
}

TEST(Error, TakesForANameOnlyWhatIsOne) {
  const UsageError error("a@b, @@, @ x@, @X@, {{@x@}}, @x@y@, @");
  EXPECT_STREQ(error.what(), "a@b, @@, @ x@, @X@, {x}, xy@, @");
  EXPECT_EQ(as_options(error), "a@b, @@, @ x@, @X@, {--x}, --xy@, @");
}

TEST(Error, KeepsMarksOfTextsThatAreItsArguments) {
  const DoesNotFitError error("{} allows {}; {}", setting("memory"), "1 MiB",
                              marked_text("take @method@ {}", "@biased@"));
  EXPECT_STREQ(error.what(), "memory allows 1 MiB; take method @biased@");
  EXPECT_EQ(as_options(error), "--memory allows 1 MiB; take --method @biased@");
}

TEST(Error, BecomesPartOfAnotherWithItsMarks) {
  const UsageError inner("@source@ {}: no such vertex", 7);
  const BadInputError outer("g.properties: {} (@store@ is of another graph)", inner.marked());
  EXPECT_STREQ(outer.what(), "g.properties: source 7: no such vertex (store is of another graph)");
  EXPECT_EQ(as_options(outer), "g.properties: --source 7: no such vertex (--store is of another graph)");
  const Error copy = outer;  // like a handler may do
  EXPECT_EQ(as_options(copy), as_options(outer));
}

TEST(Settings, AreMarkedAlikeByAllMeans) {
  EXPECT_EQ(mark_settings("with @orientation@ both"), "with " + setting("orientation") + " both");
  EXPECT_EQ(marked_text("with @orientation@ {}", "both"), mark_settings("with @orientation@ both"));
  EXPECT_EQ(with_settings(setting("Any name_1"), "--"), "--Any name_1");
  EXPECT_EQ(with_settings(setting("a") + setting("b"), "-"), "-a-b");
  EXPECT_EQ(with_settings("", "--"), "");
}

// A file may have any name.
TEST(Settings, LeaveControlCharactersThatMarkNothing) {
  for (const std::string text : {"a\x1e", "\x1f", "\x1e\x1f", "\x1e\x1e\x1f\x1f", "\x1e\nx\x1f"})
    EXPECT_EQ(with_settings(text, "--"), text);
  EXPECT_EQ(with_settings("a\x1e " + setting("force"), "--"), "a\x1e --force");
}

}  // namespace
}  // namespace millrace
