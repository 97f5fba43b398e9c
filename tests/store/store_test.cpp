// Stores: what was written can be read, and errors name a file that is missing or changed.
#include "millrace/store/store.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "millrace/core/error.h"
#include "millrace/pages/crc32c.h"
#include "store/store_fixture.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;
using Json = nlohmann::ordered_json;

const char* const all_files[] = {"manifest.json", "out.pages", "out.table",  "out.degrees",
                                 "in.pages",      "in.table",  "in.degrees", "ids"};

// Reads every byte of the store that a run could need.
void read_everything(const fs::path& path) {
  const Store store = Store::open(path);
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    store.load_pages(o, Store::With::weights, unlimited_budget());
    store.load_degrees(o, unlimited_budget());
  }
  store.load_ids(unlimited_budget());
}

// The message of the (typed) error when reading, or nothing.
std::string complaint(const fs::path& path) {
  try {
    read_everything(path);
  } catch (const BadInputError& error) {
    return error.what();
  } catch (const IoError& error) {
    return error.what();
  }
  return {};
}

void make_socket(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.string().size(), sizeof address.sun_path);
  std::strcpy(address.sun_path, path.c_str());
  const int made = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(made);
}

class StoreTest : public DirectoryTest {
 protected:
  fs::path path() const { return directory_ / "graph"; }
  void expect_complaint_about(const std::string& file) {
    const std::string text = complaint(path());
    EXPECT_NE(text.find((path() / file).string()), std::string::npos) << '"' << text << "\" does not name " << file;
  }
  // Changes the manifest and corrects its checksum.
  void tamper(const std::function<void(Json&)>& change) {
    std::ifstream in(path() / "manifest.json");
    Json json = Json::parse(in);
    json.erase("checksum");
    change(json);
    const std::string text = json.dump();
    json["checksum"] = crc32c(std::as_bytes(std::span(text)));
    std::ofstream(path() / "manifest.json") << json.dump(2);
  }
};

TEST_F(StoreTest, WhatWasWrittenComesBack) {
  for (int type = 0; type < num_weight_types; ++type)
    for (const bool parallel : {false, true}) {
      const StoreParts parts =
          parts_of(random_csr(150, 2),
                   {.page_bytes = 8192, .weight_type = static_cast<WeightType>(type), .keep_parallel_edges = parallel});
      write_store(path(), parts, true);
      const Store store = Store::open(path());
      EXPECT_EQ(store.num_vertices(), 150);
      EXPECT_EQ(store.num_edges(), parts.out.num_edges());
      EXPECT_EQ(store.manifest().weight_type, static_cast<WeightType>(type));
      EXPECT_EQ(store.manifest().keeps_parallel_edges, parallel);
      EXPECT_EQ(store.manifest().self_loops, parts.manifest.self_loops);
      EXPECT_EQ(store.manifest().source, "a test");
      EXPECT_EQ(store.manifest().page_bytes, 8192);
      EXPECT_TRUE(store.manifest().directed);
      EXPECT_TRUE(load_csr(store, Orientation::out) == parts.out);
      EXPECT_TRUE(load_csr(store, Orientation::in) == parts.in);
      EXPECT_TRUE(std::ranges::equal(store.load_degrees(Orientation::out, unlimited_budget()), parts.out_degrees));
      EXPECT_TRUE(std::ranges::equal(store.load_degrees(Orientation::in, unlimited_budget()), parts.in_degrees));
      const IdMap ids = store.load_ids(unlimited_budget());
      for (VertexId v = 0; v < 150; ++v) EXPECT_EQ(ids.original(v), parts.ids[v]);
    }
}

TEST_F(StoreTest, AnUndirectedStoreAnswersForBothOrientations) {
  const StoreParts parts = parts_of(make_csr({{1, 2}, {0}, {0}}), {}, false);
  write_store(path(), parts);
  EXPECT_FALSE(fs::exists(path() / "in.pages"));
  const Store store = Store::open(path());
  EXPECT_TRUE(store.has(Orientation::in));
  EXPECT_TRUE(load_csr(store, Orientation::in) == load_csr(store, Orientation::out));
  EXPECT_TRUE(std::ranges::equal(store.load_degrees(Orientation::in, unlimited_budget()), parts.out_degrees));
}

TEST_F(StoreTest, AGraphMayHaveNoEdgesOrNoVertices) {
  for (const Csr& csr : {make_csr({{}, {}, {}}), Csr{}}) {
    write_store(path(), parts_of(csr, {}), true);
    const Store store = Store::open(path());
    EXPECT_EQ(store.num_vertices(), csr.vertex_count());
    EXPECT_TRUE(load_csr(store, Orientation::out) == csr);
    read_everything(path());
  }
}

TEST_F(StoreTest, TopologyIsLoadedWithoutWeights) {
  StoreParts parts = example_parts();
  write_store(path(), parts);
  const Store store = Store::open(path());
  EXPECT_LE(store.page_memory(Orientation::out, Store::With::topology),
            store.page_memory(Orientation::out, Store::With::weights));
  const PageSet pages = store.load_pages(Orientation::out, Store::With::topology, unlimited_budget());
  parts.out.weights.clear();
  EXPECT_TRUE(decode_pages(pages, 150, false) == parts.out);
}

TEST_F(StoreTest, LoadingKeepsItsPromiseOfMemory) {
  write_store(path(), example_parts());
  const Store store = Store::open(path());
  const std::uint64_t bytes = store.page_memory(Orientation::out, Store::With::weights);
  Budget enough((bytes + 4095) / 4096 * 4096);
  EXPECT_NO_THROW(store.load_pages(Orientation::out, Store::With::weights, enough));
  EXPECT_EQ(enough.used(), 0);
  Budget little(bytes - 1);
  EXPECT_THROW(store.load_pages(Orientation::out, Store::With::weights, little), DoesNotFitError);
}

TEST_F(StoreTest, NoStoreIsBadInput) {
  EXPECT_THROW(Store::open(path()), BadInputError);
  fs::create_directories(path());
  EXPECT_THROW(Store::open(path()), BadInputError);
  EXPECT_THROW(Store::open("/dev/null"), BadInputError);
}

TEST_F(StoreTest, AMissingFileIsNamed) {
  for (const std::string file : all_files) {
    fs::remove_all(path());
    write_store(path(), example_parts());
    fs::remove(path() / file);
    // A directory without a manifest is no store at all.
    if (file == "manifest.json")
      EXPECT_NE(complaint(path()).find("no manifest.json"), std::string::npos);
    else
      expect_complaint_about(file);
  }
}

TEST_F(StoreTest, ATruncatedFileIsNamed) {
  for (const std::string file : all_files)
    for (const std::uint64_t left : {0, 1, 2}) {
      fs::remove_all(path());  // a store with an empty manifest may not be replaced
      write_store(path(), example_parts());
      const std::uint64_t size = fs::file_size(path() / file);
      // The manifest ends in "}\n".
      fs::resize_file(path() / file, left == 2 ? size - (file == "manifest.json" ? 2 : 1) : left * size / 2);
      // A page file that is too short is noticed with the table.
      expect_complaint_about(file.ends_with(".pages") ? file.substr(0, file.find('.')) + ".table" : file);
    }
}

TEST_F(StoreTest, AFileThatGrewIsNamed) {
  for (const std::string file : all_files) {
    if (file == "manifest.json") continue;
    write_store(path(), example_parts(), true);
    fs::resize_file(path() / file, fs::file_size(path() / file) + 4);
    expect_complaint_about(file);
  }
}

TEST_F(StoreTest, WhatFollowsTheManifestIsSeen) {
  for (const std::string_view junk : {"x"sv, "{}"sv, "\0"sv, "\0junk"sv}) {
    write_store(path(), example_parts(), true);
    std::ofstream(path() / "manifest.json", std::ios::app | std::ios::binary) << junk;
    expect_complaint_about("manifest.json");
  }
}

// Opening a FIFO would wait for its writer.
TEST_F(StoreTest, SomethingElseThanAFileIsNamed) {
  for (const std::string file : all_files)
    for (const std::string kind : {"a pipe", "a directory", "a device", "a socket"}) {
      write_store(path(), example_parts(), true);
      fs::remove(path() / file);
      if (kind == "a pipe" && mkfifo((path() / file).c_str(), 0600) != 0) FAIL() << "no FIFO";
      if (kind == "a directory") fs::create_directory(path() / file);
      if (kind == "a device") fs::create_symlink("/dev/null", path() / file);
      if (kind == "a socket") make_socket(path() / file);
      expect_complaint_about(file);
      EXPECT_NE(complaint(path()).find("is " + kind), std::string::npos) << complaint(path());
      fs::remove_all(path());
    }
}

// A run continues with the store that it began with.
TEST_F(StoreTest, AnOpenStoreStaysWhenItIsReplaced) {
  const StoreParts parts = example_parts(1), other = example_parts(2);
  write_store(path(), parts);
  const Store store = Store::open(path());
  write_store(path(), other, true);
  EXPECT_TRUE(load_csr(store, Orientation::out) == parts.out);
  EXPECT_TRUE(load_csr(store.with_pages([](auto, auto) { return true; }), Orientation::in) == parts.in);
  EXPECT_TRUE(std::ranges::equal(store.load_degrees(Orientation::in, unlimited_budget()), parts.in_degrees));
  EXPECT_EQ(store.load_ids(unlimited_budget()).original(0), parts.ids[0]);
  EXPECT_EQ(store.read_page(Orientation::out, 0).size(), store.table(Orientation::out)[0].bytes);
  EXPECT_EQ(store.page_files(Orientation::out)[0].reopen_direct().size(), store.page_files(Orientation::out)[0].size());
  EXPECT_TRUE(load_csr(Store::open(path()), Orientation::out) == other.out);
}

// A store that is opened at any moment is one of those that had the name, and complete.
TEST_F(StoreTest, OpeningWhileItIsReplacedGivesOneOrTheOther) {
  const StoreParts parts[] = {example_parts(1), example_parts(2)};
  write_store(path(), parts[0]);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 1; !done; ++i) write_store(path(), parts[i % 2], true);
  });
  for (int i = 0; i < 300; ++i) {
    try {
      const Store store = Store::open(path());
      const Csr csr = load_csr(store, Orientation::out);
      EXPECT_TRUE(csr == parts[0].out || csr == parts[1].out);
      store.load_ids(unlimited_budget());
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
  done = true;
  writer.join();
}

TEST_F(StoreTest, AChangedByteIsNamed) {
  write_store(path(), example_parts());
  const Store store = Store::open(path());
  for (const std::string file : all_files) {
    const bool pages = file.ends_with(".pages"), manifest = file == "manifest.json";
    const std::vector<std::byte> good = read_file(path() / file);
    for (std::uint64_t at = 0; at < good.size(); at += pages ? 61 : manifest ? 7 : 29) {
      if (pages) {  // bytes between pages are not checked
        const PageTable& table = store.table(file == "in.pages" ? Orientation::in : Orientation::out);
        if (std::ranges::none_of(table, [&](auto& e) { return at >= e.offset && at < e.offset + e.bytes; })) continue;
      }
      if (manifest && std::isspace(static_cast<unsigned char>(good[at]))) continue;
      flip_byte(path() / file, at, 4);
      expect_complaint_about(file);
      write_file(path() / file, good);
    }
  }
  EXPECT_EQ(complaint(path()), "");
}

struct Tampering {
  const char* name;
  std::function<void(Json&)> apply;
};
void PrintTo(const Tampering& tampering, std::ostream* out) { *out << tampering.name; }

class TamperedManifest : public StoreTest, public testing::WithParamInterface<Tampering> {};

// In each case the checksum of the manifest is right.
INSTANTIATE_TEST_SUITE_P(
    With, TamperedManifest,
    testing::Values(Tampering{"another_format", [](Json& m) { m["format"] = "photographs"; }},
                    Tampering{"a_later_version", [](Json& m) { m["version"] = 2; }},
                    Tampering{"a_version_that_is_no_number", [](Json& m) { m["version"] = "1"; }},
                    Tampering{"no_vertices_member", [](Json& m) { m.erase("vertices"); }},
                    Tampering{"vertices_that_are_no_number", [](Json& m) { m["vertices"] = "many"; }},
                    Tampering{"too_many_vertices", [](Json& m) { m["vertices"] = max_vertices + 1; }},
                    Tampering{"negative_vertices", [](Json& m) { m["vertices"] = -1; }},
                    Tampering{"fewer_vertices_than_pages_have", [](Json& m) { m["vertices"] = 10; }},
                    Tampering{"more_vertices_than_degrees", [](Json& m) { m["vertices"] = 151; }},
                    Tampering{"another_number_of_edges", [](Json& m) { m["edges"] = m["edges"].get<int>() + 1; }},
                    Tampering{"another_number_of_pages", [](Json& m) { m["orientations"]["in"]["pages"] = 1; }},
                    Tampering{"unknown_weights", [](Json& m) { m["weights"] = "u128"; }},
                    Tampering{"unknown_ids", [](Json& m) { m["ids"]["type"] = "u7"; }},
                    Tampering{"wider_ids", [](Json& m) { m["ids"]["type"] = "u64"; }},
                    Tampering{"ids_without_a_file", [](Json& m) { m["ids"].erase("file"); }},
                    Tampering{"no_pages", [](Json& m) { m["orientations"] = Json::object(); }},
                    Tampering{"no_page_files", [](Json& m) { m["orientations"]["out"]["files"] = Json::array(); }},
                    Tampering{"undirected_without_out",
                              [](Json& m) { m["directed"] = false, m["orientations"].erase("out"); }},
                    Tampering{"no_degrees", [](Json& m) { m["degrees"].erase("out"); }},
                    Tampering{"another_checksum_of_degrees", [](Json& m) { m["degrees"]["out"]["crc32c"] = 1; }},
                    Tampering{"in_pages_for_out", [](Json& m) { m["orientations"]["out"]["files"][0] = "in.pages"; }},
                    Tampering{"not_an_object",
                              [](Json& m) {
                                m = Json::array({1, 2});
                              }}),
    [](const auto& tampering) { return tampering.param.name; });

TEST_P(TamperedManifest, IsRefused) {
  write_store(path(), example_parts());
  tamper([](Json&) {});
  ASSERT_EQ(complaint(path()), "");  // tamper() itself does no harm
  if (std::string(GetParam().name) == "not_an_object")
    std::ofstream(path() / "manifest.json") << "[1, 2]";
  else
    tamper(GetParam().apply);
  EXPECT_NE(complaint(path()), "");
}

TEST_F(StoreTest, NamesInTheManifestStayInsideTheStore) {
  for (const std::string_view name :
       {"../out.pages"sv, "/etc/passwd"sv, ".."sv, "."sv, ""sv, "a/b"sv, "out.pages/"sv, "ids\0x"sv})
    for (const auto& place :
         {"/orientations/out/files/0", "/orientations/in/table", "/degrees/out/file", "/ids/file"}) {
      std::filesystem::remove_all(path());  // a store that names other files does not own those in its directory
      write_store(path(), example_parts());
      tamper([&](Json& m) { m[Json::json_pointer(place)] = name; });
      const std::string text = complaint(path());
      // Only page files may be elsewhere, on the disks of stripes.
      const bool stripe = std::string(place).find("files") != std::string::npos && name.starts_with('/');
      EXPECT_NE(text.find(stripe ? "the store is damaged" : "not a plain file name"), std::string::npos) << text;
    }
}

// The source of a graph is text from the user, in any bytes that file names may have.
TEST_F(StoreTest, TheSourceMayBeAnyBytes) {
  for (const char* source : {"", "caf\xc3\xa9 \"x\"\\\n", "caf\xe9.txt"}) {
    StoreParts parts = example_parts();
    parts.manifest.source = source;
    ASSERT_NO_THROW(write_store(path(), parts, true)) << source;
    EXPECT_EQ(complaint(path()), "");
  }
}

}  // namespace
}  // namespace millrace::test
