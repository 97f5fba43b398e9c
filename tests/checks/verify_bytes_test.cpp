// verify finds every byte that the format does not allow, and every impossible member of the manifest.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "millrace/checks/verify_store.h"
#include "millrace/core/error.h"
#include "millrace/pages/crc32c.h"
#include "millrace/partition/partition.h"
#include "support/shapes.h"
#include "support/temp_dir.h"

namespace millrace {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// Every file and every member that a store can have: both orientations, weights, ids, names, and parts. Each part
// begins a page, so that there are gaps between pages.
class SmallStore : public testing::Test {
 protected:
  void SetUp() override {
    omp_set_num_threads(1);  // thousands of tiny stores
    EdgeList list = edge_list(two_components());
    for (int i = 0; i < 80; ++i) {
      list.names.bytes.insert(list.names.bytes.end(),
                              {static_cast<char>('A' + i / 10), static_cast<char>('0' + i % 10)});
      list.names.offsets.push_back(2 * static_cast<std::uint64_t>(i));
    }
    list.names.offsets.push_back(160);
    list.weight_type = WeightType::u8;
    list.weights = Array<std::uint64_t>(list.edges.size(), unlimited_budget(), "weights");
    for (std::uint64_t i = 0; i < list.edges.size(); ++i) list.weights[i] = i % 7;
    build_store(std::move(list), directory_ / "whole.store", {.order = Order::natural, .source = "a \"test\"\n"});
    partition_store(Store::open(directory_ / "whole.store"), path_,
                    {.assign = {.method = PartMethod::random, .parts = 2}});
    ASSERT_EQ(complaint(), "");
  }
  void TearDown() override { omp_set_num_threads(threads_); }

  std::string complaint() const {
    try {
      const StoreVerdict verdict = verify_store(Store::open(path_));
      return verdict.problems.empty() ? "" : verdict.problems[0];
    } catch (const BadInputError& error) {
      return error.what();
    }
  }

  Json manifest() const {
    std::ifstream in(path_ / "manifest.json");
    return Json::parse(in);
  }
  // Writes the manifest with a correct checksum.
  void write_manifest(Json json) const {
    json.erase("checksum");
    const std::string text = json.dump();
    json["checksum"] = crc32c(std::as_bytes(std::span(text)));
    std::ofstream(path_ / "manifest.json") << json.dump(2) << "\n";
  }

  const int threads_ = omp_get_max_threads();
  TempDir directory_;
  const fs::path path_ = directory_ / "parts.store";
};

TEST_F(SmallStore, EveryChangedByteIsFound) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(path_)) {
    const std::vector<std::byte> good = read_file(entry.path());
    const int file = open(entry.path().c_str(), O_WRONLY);
    ASSERT_GE(file, 0);
    const bool is_manifest = entry.path().filename() == "manifest.json";
    for (std::size_t i = 0; i < good.size(); ++i)
      for (const int bits : {1 << (i % 8), 0xff, 0x29, 0x2a}) {  // the last two turn blanks into other white space
        if (bits > 0x28 && !is_manifest) continue;
        const std::byte changed = good[i] ^ static_cast<std::byte>(bits);
        ASSERT_EQ(pwrite(file, &changed, 1, static_cast<off_t>(i)), 1);
        ASSERT_NE(complaint(), "") << entry.path() << " byte " << i << " changed by " << bits;
        ASSERT_EQ(pwrite(file, &good[i], 1, static_cast<off_t>(i)), 1);
      }
    close(file);
    ++files;
  }
  EXPECT_EQ(files, 9);
  EXPECT_EQ(complaint(), "");
}

// The pages and the page table of one orientation. save() writes both with right checksums.
struct OrientationFiles {
  OrientationFiles(const fs::path& store, const std::string& name)
      : pages_path(store / (name + ".pages")), table_path(store / (name + ".table")), pages(read_file(pages_path)) {
    const Store opened = Store::open(store);
    const PageTable& table = opened.table(name == "out" ? Orientation::out : Orientation::in);
    entries.assign(table.begin(), table.end());
  }
  std::span<std::byte> page(const PageEntry& entry) { return std::span(pages).subspan(entry.offset, entry.bytes); }
  void save() {
    for (PageEntry& entry : entries) {
      if (entry.offset + entry.bytes > pages.size() || entry.topology_bytes > entry.bytes) continue;
      entry.topology_crc = crc32c(page(entry).first(entry.topology_bytes));
      entry.weight_crc = crc32c(page(entry).subspan(entry.topology_bytes));
    }
    write_file(pages_path, pages);
    write_file(table_path, PageTable(entries).serialise());
  }
  // The members that a page and its entry have in common, from the page or to it.
  static void repeat(PageEntry& entry, std::byte* page, bool to_page) {
    PageHeader header;
    std::memcpy(&header, page, sizeof(header));
    const auto same = [&](auto& in_entry, auto& in_header) { to_page ? in_header = in_entry : in_entry = in_header; };
    same(entry.bytes, header.bytes), same(entry.topology_bytes, header.topology_bytes);
    same(entry.first_vertex, header.first_vertex), same(entry.vertex_count, header.vertex_count);
    same(entry.rows, header.rows), same(entry.edges, header.edges), same(entry.slices, header.slices);
    same(entry.min_neighbour, header.min_neighbour), same(entry.max_neighbour, header.max_neighbour);
    same(entry.kind, header.kind), same(entry.flags, header.flags), same(entry.hub_slices, header.hub_slices);
    std::memcpy(page, &header, sizeof(header));
  }

  fs::path pages_path, table_path;
  std::vector<std::byte> pages;
  std::vector<PageEntry> entries;
};

// With both orientations, weights and degrees there is no second graph that such a change makes.
TEST_F(SmallStore, EveryChangedByteOfAPageIsFoundEvenIfChecksumsAreRight) {
  for (const char* const name : {"out", "in"}) {
    const OrientationFiles good(path_, name);
    for (std::size_t p = 0; p < good.entries.size(); ++p)
      for (std::size_t i = 0; i < good.entries[p].bytes; ++i)
        for (const bool repeats : {false, true}) {
          if (repeats && i >= sizeof(PageHeader)) continue;
          OrientationFiles changed = good;
          std::byte* const page = changed.pages.data() + changed.entries[p].offset;
          page[i] ^= static_cast<std::byte>(1 << (i % 8));
          if (repeats) OrientationFiles::repeat(changed.entries[p], page, false);
          changed.save();
          ASSERT_NE(complaint(), "") << name << " page " << p << " byte " << i << (repeats ? ", as in its entry" : "");
        }
    OrientationFiles(good).save();
  }
  EXPECT_EQ(complaint(), "");
}

TEST_F(SmallStore, EveryChangedByteOfAnEntryIsFoundEvenIfChecksumsAreRight) {
  for (const char* const name : {"out", "in"}) {
    const OrientationFiles good(path_, name);
    for (std::size_t p = 0; p < good.entries.size(); ++p)
      for (std::size_t i = 0; i < sizeof(PageEntry); ++i)
        for (const bool repeats : {false, true}) {
          if (i >= offsetof(PageEntry, topology_crc) && i < offsetof(PageEntry, first_vertex)) continue;  // made right
          OrientationFiles changed = good;
          PageEntry& entry = changed.entries[p];
          std::byte* const page = changed.pages.data() + entry.offset;
          reinterpret_cast<std::byte*>(&entry)[i] ^= static_cast<std::byte>(1 << (i % 8));
          if (repeats) OrientationFiles::repeat(entry, page, true);
          changed.save();
          ASSERT_NE(complaint(), "") << name << " entry " << p << " byte " << i << (repeats ? ", as in its page" : "");
        }
    OrientationFiles(good).save();
  }
  EXPECT_EQ(complaint(), "");
}

TEST_F(SmallStore, EveryChangedDegreeIsFoundEvenIfItsChecksumIsRight) {
  for (const char* const name : {"out", "in"}) {
    const fs::path path = path_ / (std::string(name) + ".degrees");
    const std::vector<std::byte> good = read_file(path);
    const Json manifest_before = manifest();
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::vector<std::byte> changed = good;
      changed[i] ^= static_cast<std::byte>(1 << (i % 8));
      write_file(path, changed);
      Json json = manifest_before;
      json["degrees"][name]["crc32c"] = crc32c(changed);
      write_manifest(json);
      ASSERT_NE(complaint(), "") << name << " degree, byte " << i;
    }
    write_file(path, good);
    write_manifest(manifest_before);
  }
  EXPECT_EQ(complaint(), "");
}

TEST_F(SmallStore, EveryOtherLengthIsFound) {
  for (const auto& entry : fs::directory_iterator(path_)) {
    const std::vector<std::byte> good = read_file(entry.path());
    for (const std::size_t more : {1, 2, 4, 8, 64, 4095, 4096, 100'000}) {
      for (const char byte : {'\0', '\n', ' ', 'x'}) {
        std::vector<std::byte> longer = good;
        longer.resize(good.size() + more, static_cast<std::byte>(byte));
        write_file(entry.path(), longer);
        EXPECT_NE(complaint(), "") << entry.path() << " with " << more << " bytes of " << int{byte} << " more";
      }
      if (more > good.size()) continue;
      write_file(entry.path(), std::span(good).first(good.size() - more));
      EXPECT_NE(complaint(), "") << entry.path() << " with " << more << " bytes less";
    }
    write_file(entry.path(), good);
  }
  EXPECT_EQ(complaint(), "");
}

TEST_F(SmallStore, ManifestsInAnotherFormAreFound) {
  const Json good = manifest();
  std::ofstream(path_ / "manifest.json") << good.dump();
  EXPECT_NE(complaint().find("other bytes"), std::string::npos) << complaint();
  std::string text = good.dump(2) + "\n";
  text.insert(text.find("\"vertices\""), "\"vertices\": 7,\n  ");  // readers use the second one
  std::ofstream(path_ / "manifest.json") << text;
  EXPECT_NE(complaint().find("other bytes"), std::string::npos) << complaint();
  write_manifest(good);
  EXPECT_EQ(complaint(), "");
}

// Whether an intact store may have this value.
bool is_allowed(const std::string& place, const Json& value) {
  const bool for_people = place == "/source" || place == "/written_by" || place == "/parts/method";
  if (for_people) return value.is_string();
  return place == "/page_bytes" && value.is_number_unsigned() && value >= min_page_bytes && value <= max_page_bytes;
}

TEST_F(SmallStore, EveryMemberOfAnotherTypeOrValueIsFound) {
  const Json good = manifest();
  std::vector<std::string> places;
  const Json flat = good.flatten();
  for (const auto& [place, value] : flat.items())
    if (place != "/checksum") places.push_back(place);
  for (const char* const place : {"/orientations", "/orientations/in", "/orientations/in/files", "/degrees",
                                  "/degrees/out", "/ids", "/names", "/parts", "/parts/first_vertex"})
    places.push_back(place);
  EXPECT_GT(places.size(), 40u);
  for (const std::string& place : places) {
    const Json::json_pointer pointer(place);
    const Json& old = good[pointer];
    std::vector<Json> others{
        nullptr,          true,          false, 0, 1, -1, 1.5, 1e300, ~std::uint64_t{0}, "x", "", "1", Json::array(),
        Json::array({1}), Json::object()};
    if (old.is_number()) others.insert(others.end(), {old.get<std::uint64_t>() + 1, old.get<double>(), old.dump()});
    for (const Json& other : others) {
      if (other.dump() == old.dump()) continue;  // the file stays the same
      Json json = good;
      json[pointer] = other;
      write_manifest(json);
      if (is_allowed(place, other))
        EXPECT_EQ(complaint(), "") << place << " " << other;
      else
        EXPECT_NE(complaint(), "") << place << " " << other;
    }
  }
}

TEST_F(SmallStore, EveryMissingMemberIsFound) {
  const Json good = manifest();
  const std::vector<std::string> dispensable{"/orientations/out", "/orientations/in", "/names"};
  std::vector<std::string> places{"/orientations", "/degrees", "/ids", "/parts", "/degrees/in", "/degrees/out"};
  const Json flat = good.flatten();
  for (const auto& [place, value] : flat.items()) places.push_back(place);
  places.insert(places.end(), dispensable.begin(), dispensable.end());
  for (const std::string& place : places) {
    if (place == "/checksum") continue;
    const Json::json_pointer pointer(place);
    if (good[pointer.parent_pointer()].is_array()) continue;
    Json json = good;
    json[pointer.parent_pointer()].erase(pointer.back());
    write_manifest(json);
    const bool may_go = std::ranges::find(dispensable, place) != dispensable.end();
    EXPECT_EQ(complaint() == "", may_go) << place << ": " << complaint();
  }
  Json json = good;
  json.erase("checksum");
  std::ofstream(path_ / "manifest.json") << json.dump(2) << "\n";
  EXPECT_NE(complaint(), "");
}

TEST_F(SmallStore, MembersThatNobodyKnowsAreNoted) {
  Json json = manifest();
  json["colour"] = "blue";
  json["orientations"]["in"]["compression"] = 3;
  json["ids"]["sorted"] = true;
  write_manifest(json);
  const StoreVerdict verdict = verify_store(Store::open(path_));
  EXPECT_EQ(verdict.problems, std::vector<std::string>{});
  std::string notes;
  for (const std::string& note : verdict.notes) notes += note + "\n";
  for (const char* const name : {": /colour\n", ": /orientations/in/compression\n", ": /ids/sorted\n"})
    EXPECT_NE(notes.find(name), std::string::npos) << notes;
  EXPECT_EQ(verdict.notes.size(), 3u);
}

}  // namespace
}  // namespace millrace
