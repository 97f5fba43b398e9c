// Verifying: intact stores pass, and every contradiction between files is reported, even if checksums are right.
#include "millrace/checks/verify_store.h"

#include <gtest/gtest.h>

#include <functional>

#include "store/store_fixture.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

class VerifyStore : public DirectoryTest {
 protected:
  fs::path path() const { return directory_ / "graph"; }
  std::vector<std::string> problems(const StoreParts& parts) {
    write_store(path(), parts, true);
    return verify_store(Store::open(path())).problems;
  }
};

Csr undirected_example() {
  Csr csr = random_csr(150, 1);
  std::vector<std::set<VertexId>> rows(150);
  for (VertexId v = 0; v < 150; ++v)
    for (std::uint64_t i = csr.offsets[v]; i < csr.offsets[v + 1]; ++i)
      rows[v].insert(csr.neighbours[i]), rows[csr.neighbours[i]].insert(v);
  Csr both;
  for (const auto& row : rows) both.add_row({row.begin(), row.end()});
  return both;
}

TEST_F(VerifyStore, WholeStoresPass) {
  using Problems = std::vector<std::string>;
  EXPECT_EQ(problems(example_parts()), Problems{});
  EXPECT_EQ(problems(parts_of(undirected_example(), {.page_bytes = min_page_bytes}, false)), Problems{});
  EXPECT_EQ(problems(parts_of(make_csr({{1, 1, 1}, {0, 0, 1}}), {.keep_parallel_edges = true})), Problems{});
  EXPECT_EQ(problems(parts_of(make_csr({{}, {}}), {})), Problems{});
  EXPECT_EQ(problems(parts_of(Csr{}, {})), Problems{});
  for (int type = 0; type < num_weight_types; ++type)
    EXPECT_EQ(problems(parts_of(random_csr(100, 3), {.weight_type = static_cast<WeightType>(type)})), Problems{});
}

TEST_F(VerifyStore, CountsWhatItRead) {
  const StoreParts parts = example_parts();
  write_store(path(), parts);
  const Store store = Store::open(path());
  const StoreVerdict verdict = verify_store(store);
  EXPECT_EQ(verdict.edges, parts.out.num_edges());
  EXPECT_EQ(verdict.pages, store.table(Orientation::out).size() + store.table(Orientation::in).size());
  EXPECT_EQ(verdict.bytes, store.table(Orientation::out).page_bytes() + store.table(Orientation::in).page_bytes());
}

TEST_F(VerifyStore, AChangedByteInAnyFileIsReported) {
  const StoreParts parts = example_parts();
  for (const char* file : {"out.pages", "in.pages", "out.degrees", "in.degrees", "ids"}) {
    write_store(path(), parts, true);
    flip_byte(path() / file, 100);
    const StoreVerdict verdict = verify_store(Store::open(path()));
    ASSERT_FALSE(verdict.problems.empty()) << file;
    // The orientation or the file is named first; a bad page can be followed by wrong degrees.
    const std::string word = std::string(file).substr(0, std::string(file).find('.'));
    EXPECT_NE(verdict.problems[0].find(word), std::string::npos) << verdict.problems[0];
  }
}

TEST_F(VerifyStore, EveryBadPageIsReportedUpToAHandful) {
  write_store(path(), example_parts());
  const Store store = Store::open(path());
  const PageTable& table = store.table(Orientation::out);
  ASSERT_GT(table.size(), 3);
  flip_byte(path() / "out.pages", table[1].offset + 70);
  flip_byte(path() / "out.pages", table[3].offset + 70);
  std::vector<std::string> found = verify_store(store).problems;
  std::ranges::sort(found);
  ASSERT_GE(found.size(), 2);
  EXPECT_TRUE(found[0].starts_with("out degree") || found[0].starts_with("out page 1:")) << found[0];
  for (std::uint32_t p = 0; p < table.size(); ++p) flip_byte(path() / "out.pages", table[p].offset + 70, 2);
  EXPECT_LE(verify_store(store).problems.size(), 11);
}

// An open store keeps its files, even if their names are gone.
TEST_F(VerifyStore, AStoreThatLostItsNamesIsStillWhole) {
  write_store(path(), example_parts());
  const Store store = Store::open(path());
  fs::remove_all(path());
  EXPECT_EQ(verify_store(store).problems, std::vector<std::string>{});
}

TEST_F(VerifyStore, OtherFilesAreNoted) {
  write_store(path(), example_parts());
  EXPECT_EQ(verify_store(Store::open(path())).notes, std::vector<std::string>{});
  write_file(path() / "learned.json", {});
  write_file(path() / "notes.txt", {});
  fs::create_directory(path() / "figures");
  const StoreVerdict verdict = verify_store(Store::open(path()));
  EXPECT_EQ(verdict.problems, std::vector<std::string>{});
  EXPECT_EQ(verdict.notes,
            (std::vector<std::string>{"figures is no part of the store", "notes.txt is no part of the store"}));
}

struct Disagreement {
  const char* name;
  std::function<StoreParts()> make;
};
void PrintTo(const Disagreement& disagreement, std::ostream* out) { *out << disagreement.name; }

StoreParts changed(const std::function<void(StoreParts&)>& change) {
  StoreParts parts = example_parts();
  change(parts);
  return parts;
}

class VerifyDisagreement : public VerifyStore, public testing::WithParamInterface<Disagreement> {};

// Every checksum is right: only reading everything together shows the fault.
INSTANTIATE_TEST_SUITE_P(
    Of, VerifyDisagreement,
    testing::Values(
        Disagreement{"out_degrees", [] { return changed([](auto& p) { ++p.out_degrees[3]; }); }},
        Disagreement{"in_degrees", [] { return changed([](auto& p) { p.in_degrees.back() += 5; }); }},
        Disagreement{"degrees_exchanged",
                     [] { return changed([](auto& p) { std::swap(p.out_degrees, p.in_degrees); }); }},
        Disagreement{"in_pages_of_another_graph",
                     [] {
                       return changed([](auto& p) {  // two edges exchange targets: all degrees stay
                         Csr out = make_csr({{1}, {2}, {3}, {0}}), other = make_csr({{2}, {1}, {3}, {0}});
                         p = parts_of(out, {});
                         p.in = transpose(other);
                       });
                     }},
        Disagreement{"in_weights", [] { return changed([](auto& p) { p.in.weights[5] ^= 1; }); }},
        Disagreement{"in_weights_exchanged",
                     [] { return changed([](auto& p) { std::swap(p.in.weights[0], p.in.weights[1]); }); }},
        Disagreement{"a_missing_mirror_image",
                     [] {
                       return parts_of(make_csr({{1}, {2}, {0}}), {}, false);
                     }},
        Disagreement{"a_mirror_image_of_another_weight",
                     [] {
                       StoreParts p = parts_of(make_csr({{1}, {0}}), {.weight_type = WeightType::u8}, false);
                       p.out.weights = {1, 2};
                       return p;
                     }},
        Disagreement{"self_loops", [] { return changed([](auto& p) { ++p.manifest.self_loops; }); }},
        Disagreement{"equal_ids", [] { return changed([](auto& p) { p.ids[0] = p.ids[1]; }); }},
        Disagreement{"the_type_of_weights",
                     [] { return changed([](auto& p) { p.manifest.weight_type = WeightType::f32; }); }},
        Disagreement{"whether_there_are_weights",
                     [] { return changed([](auto& p) { p.manifest.weight_type = WeightType::none; }); }},
        Disagreement{"parallel_edges", [] { return changed([](auto& p) { p.manifest.keeps_parallel_edges = true; }); }},
        Disagreement{"the_size_of_pages",
                     [] { return changed([](auto& p) { p.pages.page_bytes = 16 * min_page_bytes; }); }}),
    [](const auto& disagreement) { return disagreement.param.name; });

TEST_P(VerifyDisagreement, IsReported) { EXPECT_FALSE(problems(GetParam().make()).empty()); }

// If a vertex has several valid pages, each must continue the previous one: rows ascend, and no edge occurs twice.
class VerifyHub : public VerifyStore {
 protected:
  // Changes the pages of the hub before they are written.
  std::vector<std::string> problems_with(const std::function<void(std::vector<EncodedPage>&)>& change) {
    std::mt19937_64 random(1);
    std::vector<std::vector<VertexId>> rows(60'000);
    rows[0] = random_row(20'000, rows.size(), random);
    StoreParts parts = parts_of(make_csr(rows), {.page_bytes = min_page_bytes});
    std::vector<EncodedPage> pages = encode_pages(parts.out, parts.pages);
    change(pages);
    StoreWriter writer(path(), false);
    for (EncodedPage& page : pages) writer.append_page(Orientation::out, std::move(page));
    for (EncodedPage& page : encode_pages(parts.in, parts.pages)) writer.append_page(Orientation::in, std::move(page));
    writer.write_degrees(Orientation::out, parts.out_degrees);
    writer.write_degrees(Orientation::in, parts.in_degrees);
    writer.commit(parts.manifest);
    return verify_store(Store::open(path())).problems;
  }
};

TEST_F(VerifyHub, PagesInOrderPass) {
  EXPECT_EQ(problems_with([](auto&) {}), std::vector<std::string>{});
}

TEST_F(VerifyHub, PagesOutOfOrderAreReported) {
  EXPECT_FALSE(problems_with([](auto& pages) { std::swap(pages.at(0), pages.at(1)); }).empty());
}

}  // namespace
}  // namespace millrace::test
