// Result files: by original id, ascending, as text and as NumPy arrays; complete or not at all.
#include "millrace/report/results.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "millrace/core/error.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

constexpr std::uint32_t unreached = ~0u;

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A .npy file of format 1.0, parsed by hand.
template <class T>
std::vector<T> read_npy(const std::filesystem::path& path, const std::string& dtype) {
  const std::string bytes = read_text(path);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t start =
      10u + static_cast<unsigned char>(bytes.at(8)) + 256u * static_cast<unsigned char>(bytes.at(9));
  EXPECT_EQ(start % 64, 0u) << "data are aligned";
  EXPECT_EQ(bytes.at(start - 1), '\n');
  std::vector<T> values((bytes.size() - start) / sizeof(T));
  EXPECT_EQ(bytes.size(), start + values.size() * sizeof(T));
  const std::string header =
      "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }";
  EXPECT_EQ(bytes.substr(10, header.size()), header);
  EXPECT_EQ(bytes.substr(10 + header.size(), start - 11 - header.size()).find_first_not_of(' '), std::string::npos);
  if (!values.empty()) std::memcpy(values.data(), bytes.data() + start, values.size() * sizeof(T));
  return values;
}

IdMap wide_ids(const std::vector<OriginalId>& ids) {
  Array<OriginalId> array(ids.size(), unlimited_budget(), "ids");
  std::copy(ids.begin(), ids.end(), array.begin());
  return IdMap(std::move(array));
}

// Vertices 0..3 with original ids out of order and far apart, one past 32 bits.
class Results : public testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return directory_ / name; }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  TempDir directory_;
  const IdMap ids_ = wide_ids({700, 5, 90'000'000'000, 30});
  const Array<VertexId> order_ = ids_.ascending(unlimited_budget());
  const ResultWriter writer_{ids_, order_};
  const std::vector<std::uint32_t> levels_{2, 0, unreached, 1};
  const std::vector<VertexId> parents_{3, 1, no_vertex, 1};
};

TEST_F(Results, InTextComeByAscendingId) {
  writer_.write_levels(path("levels.txt"), levels_);
  EXPECT_EQ(read_text(path("levels.txt")), "5 0\n30 1\n700 2\n90000000000 9223372036854775807\n");
}

TEST_F(Results, OfParentsAreOriginalIds) {
  writer_.write_vertices(path("parents.txt"), parents_);
  EXPECT_EQ(read_text(path("parents.txt")), "5 5\n30 5\n700 30\n90000000000 -1\n");
}

TEST_F(Results, OfRealsAreReadBackExactly) {
  const std::vector<float> narrow{0.1f, 1.0f / 3, 1e-30f, 0};
  writer_.write(path("narrow.txt"), std::span(narrow));
  const std::vector<double> wide{0.1, 1.0 / 3, 1e-300, 0};
  writer_.write(path("wide.txt"), std::span(wide));
  const std::vector<int> places{1, 3, 0, 2};  // of the vertices in order of ids
  std::ifstream narrow_file(path("narrow.txt")), wide_file(path("wide.txt"));
  for (const int v : places) {
    std::string id, text;
    narrow_file >> id >> text;
    EXPECT_EQ(id, std::to_string(ids_.original(v)));
    EXPECT_EQ(std::stof(text), narrow[v]) << text;
    wide_file >> id >> text;
    EXPECT_EQ(std::stod(text), wide[v]) << text;
  }
}

TEST_F(Results, InArraysComeByAscendingIdWithTheIdsBeside) {
  writer_.write_levels(path("levels.npy"), levels_);
  EXPECT_EQ(read_npy<std::int64_t>(path("levels.npy"), "<i8"), (std::vector<std::int64_t>{0, 1, 2, -1}));
  EXPECT_EQ(read_npy<std::uint64_t>(path("levels.ids.npy"), "<u8"),
            (std::vector<std::uint64_t>{5, 30, 700, 90'000'000'000}));
  writer_.write_vertices(path("parents.npy"), parents_);
  EXPECT_EQ(read_npy<std::int64_t>(path("parents.npy"), "<i8"), (std::vector<std::int64_t>{5, 5, 30, -1}));
}

TEST_F(Results, OfRealsHaveArraysOfTheirPrecision) {
  const std::vector<float> narrow{0.5f, 0.25f, 0.125f, 1};
  writer_.write(path("narrow.npy"), std::span(narrow));
  EXPECT_EQ(read_npy<float>(path("narrow.npy"), "<f4"), (std::vector<float>{0.25f, 1, 0.5f, 0.125f}));
  const std::vector<double> wide{0.5, 0.25, 0.125, 0.1};
  writer_.write(path("wide.npy"), std::span(wide));
  EXPECT_EQ(read_npy<double>(path("wide.npy"), "<f8"), (std::vector<double>{0.25, 0.1, 0.5, 0.125}));
}

TEST_F(Results, OfVerticesThatAreTheirOwnIdsNeedNoIds) {
  const IdMap identity(4);
  const Array<VertexId> order = identity.ascending(unlimited_budget());
  ResultWriter(identity, order).write_levels(path("levels.npy"), levels_);
  EXPECT_EQ(files(), std::vector<std::string>{"levels.npy"});
  EXPECT_EQ(read_npy<std::int64_t>(path("levels.npy"), "<i8"), (std::vector<std::int64_t>{2, 0, -1, 1}));
}

// In degree order the ids are a permutation of 0..n-1: written in their order, each id is its own place.
TEST_F(Results, OfPermutedIdsNeedNoIdsEither) {
  const IdMap permuted = wide_ids({2, 0, 3, 1});
  const Array<VertexId> order = permuted.ascending(unlimited_budget());
  ResultWriter(permuted, order).write_levels(path("levels.npy"), levels_);
  EXPECT_EQ(files(), std::vector<std::string>{"levels.npy"});
  EXPECT_EQ(read_npy<std::int64_t>(path("levels.npy"), "<i8"), (std::vector<std::int64_t>{0, 1, 2, -1}));
}

TEST_F(Results, OfVerticesWithIdsBeyondSignedNumbersAreUnsigned) {
  constexpr OriginalId large = 0xffff'ffff'ffff'fff0;
  const IdMap ids = wide_ids({large, 7, 8});
  const Array<VertexId> order = ids.ascending(unlimited_budget());
  const ResultWriter writer(ids, order);
  writer.write_vertices(path("groups.npy"), std::vector<VertexId>{1, 0, 0});
  EXPECT_EQ(read_npy<std::uint64_t>(path("groups.npy"), "<u8"), (std::vector<std::uint64_t>{large, large, 7}));

  // No number is left for "no vertex".
  EXPECT_THROW(writer.write_vertices(path("parents.npy"), std::vector<VertexId>{1, 0, no_vertex}), UsageError);
  EXPECT_FALSE(std::filesystem::exists(path("parents.npy")));
  EXPECT_THROW(require_room_for_no_vertex("parents.npy", ids), UsageError);
  EXPECT_NO_THROW(require_room_for_no_vertex("parents.csv", ids));
  EXPECT_NO_THROW(require_room_for_no_vertex("parents.npy", ids_));
  writer.write_vertices(path("parents.txt"), std::vector<VertexId>{1, 0, no_vertex});
  EXPECT_EQ(read_text(path("parents.txt")), "7 18446744073709551600\n8 -1\n18446744073709551600 7\n");
}

TEST_F(Results, OfNobodyAreEmpty) {
  const IdMap nobody(0);
  const ResultWriter writer(nobody, {});
  writer.write_levels(path("levels.txt"), {});
  EXPECT_EQ(read_text(path("levels.txt")), "");
  writer.write_levels(path("levels.npy"), {});
  EXPECT_EQ(read_npy<std::int64_t>(path("levels.npy"), "<i8"), std::vector<std::int64_t>{});
}

// More than the blocks that are formatted at a time: still in order.
TEST_F(Results, OfManyVerticesStayInOrder) {
  constexpr std::uint32_t n = 300'000;
  const IdMap identity(n);
  std::vector<std::uint32_t> levels(n);
  for (std::uint32_t v = 0; v < n; ++v) levels[v] = v % 1000;
  const ResultWriter writer(identity, {});
  writer.write_levels(path("levels.txt"), levels);
  std::ifstream file(path("levels.txt"));
  std::uint64_t id, level;
  for (std::uint32_t v = 0; v < n; ++v) {
    ASSERT_TRUE(file >> id >> level);
    ASSERT_EQ(id, v);
    ASSERT_EQ(level, v % 1000);
  }
  EXPECT_FALSE(file >> id);
}

// Vertices in another order than their names; one name could be taken for "no parent".
TEST_F(Results, HaveNamesWhereIdsStandForThem) {
  const IdMap ids = wide_ids({2, 0, 1});
  const Array<VertexId> order = ids.ascending(unlimited_budget());
  const std::string text = "Ann BB-1";
  const Names names{.bytes = {text.begin(), text.end()}, .offsets = {0, 5, 6, 8}};
  const ResultWriter writer(ids, order, &names);
  writer.write_levels(path("levels.txt"), std::vector<std::uint32_t>{2, 0, unreached});
  EXPECT_EQ(read_text(path("levels.txt")), "Ann B\t0\nB\t9223372036854775807\n-1\t2\n");
  writer.write_vertices(path("parents.txt"), std::vector<VertexId>{1, 1, no_vertex});
  EXPECT_EQ(read_text(path("parents.txt")), "Ann B\tAnn B\nB\t\n-1\tAnn B\n");
  writer.write_vertices(path("parents.npy"), std::vector<VertexId>{1, 1, no_vertex});
  EXPECT_EQ(read_npy<std::int64_t>(path("parents.npy"), "<i8"), (std::vector<std::int64_t>{0, -1, 0}));
  EXPECT_FALSE(std::filesystem::exists(path("parents.ids.npy"))) << "ids are places";
}

TEST_F(Results, RefuseIdsThatHaveNoName) {
  const Names names{.bytes = {'a', 'b', 'c', 'd'}, .offsets = {0, 1, 2, 3, 4}};
  EXPECT_THROW(ResultWriter(ids_, order_, &names), BadInputError);
}

TEST_F(Results, ReplaceAnOlderFile) {
  std::ofstream(path("levels.txt")) << "old";
  writer_.write_levels(path("levels.txt"), levels_);
  EXPECT_EQ(read_text(path("levels.txt")).substr(0, 4), "5 0\n");
}

TEST_F(Results, ThatCannotBeWrittenLeaveNothing) {
  EXPECT_THROW(writer_.write_levels(path("missing") / "levels.txt", levels_), IoError);
  EXPECT_EQ(files(), std::vector<std::string>{});
}

// The file is written, but cannot be renamed to its name.
TEST_F(Results, ThatCannotTakeTheirPlaceLeaveNothing) {
  std::filesystem::create_directory(path("levels.txt"));
  EXPECT_THROW(writer_.write_levels(path("levels.txt"), levels_), IoError);
  EXPECT_EQ(files(), std::vector<std::string>{"levels.txt"});
}

TEST(NameByLowestId, TakesTheMemberThatComesFirstInOrder) {
  std::vector<VertexId> group{3, 1, 3, 3, 1, 5};
  std::vector<VertexId> numbered = group;
  name_by_lowest_id(numbered, {}, unlimited_budget());
  EXPECT_EQ(numbered, (std::vector<VertexId>{0, 1, 0, 0, 1, 5}));
  const std::vector<VertexId> order{5, 4, 3, 2, 1, 0};
  name_by_lowest_id(group, order, unlimited_budget());
  EXPECT_EQ(group, (std::vector<VertexId>{3, 4, 3, 3, 4, 5}));
}

}  // namespace
}  // namespace millrace
