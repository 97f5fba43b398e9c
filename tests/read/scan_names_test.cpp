// Names that are read a piece at a time are those that are read together, and damage is found.
#include "millrace/read/scan_names.h"

#include <gtest/gtest.h>

#include "millrace/core/error.h"
#include "store/store_fixture.h"

namespace millrace::test {
namespace {

class ScanNames : public DirectoryTest {
 protected:
  // A graph without edges that has these names.
  Store write(const std::vector<std::string>& strings) {
    Names names{.bytes = {}, .offsets = {0}};
    for (const std::string& text : strings) {
      names.bytes.insert(names.bytes.end(), text.begin(), text.end());
      names.offsets.push_back(names.bytes.size());
    }
    StoreParts parts = parts_of(make_csr(std::vector<std::vector<VertexId>>(strings.size())), {});
    StoreWriter writer(directory_ / "graph", true);
    write_into(writer, parts);
    writer.write_names(names);
    writer.commit(parts.manifest);
    return Store::open(directory_ / "graph");
  }
  void expect_as_loaded(const std::vector<std::string>& strings) {
    const Store store = write(strings);
    std::vector<std::string> scanned;
    scan_names(store, [&](OriginalId id, std::string_view name) {
      EXPECT_EQ(id, scanned.size());
      scanned.emplace_back(name);
    });
    EXPECT_EQ(scanned, strings);
  }
};

TEST_F(ScanNames, FindsThoseThatAreLoaded) {
  expect_as_loaded({"a"});
  expect_as_loaded({"Ann", "B b", "-1", "\xc3\xa9"});
  // Longer than what is read at a time, alone and between others; and more of them than are read at a time.
  expect_as_loaded(
      {"a", std::string(3u << 20, 'x'), "b", std::string((1u << 20) - 1, 'y'), "cc", std::string(1u << 20, 'z')});
  std::vector<std::string> many;
  for (int i = 0; i < 200'000; ++i) many.push_back("vertex " + std::to_string(i));
  expect_as_loaded(many);
}

TEST_F(ScanNames, AreNoneWhereTheStoreHasNone) {
  StoreParts parts = parts_of(make_csr({{1}, {0}}), {});
  StoreWriter writer(directory_ / "graph", true);
  write_into(writer, parts);
  writer.commit(parts.manifest);
  scan_names(Store::open(directory_ / "graph"), [](OriginalId, std::string_view) { FAIL(); });
}

TEST_F(ScanNames, FindsDamageInEveryByte) {
  write({"Ann", "Bob", "Cy"});
  const std::vector<std::byte> sound = read_file(directory_ / "graph" / "names");
  for (std::size_t i = 0; i < sound.size(); ++i) {
    std::vector<std::byte> damaged = sound;
    damaged[i] ^= std::byte{0x10};
    write_file(directory_ / "graph" / "names", damaged);
    const Store store = Store::open(directory_ / "graph");
    EXPECT_THROW(scan_names(store, [](OriginalId, std::string_view) {}), DamagedStoreError) << "byte " << i;
  }
}

}  // namespace
}  // namespace millrace::test
