// What every algorithm of the catalogue must have: a description, a check that can fail, a line of bench,
// documentation.
#include "millrace/catalogue/catalogue.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>

#include "millrace/run/session.h"
#include "support/graphs.h"

namespace millrace::test {
namespace {

std::string documentation() {
  std::ifstream file(std::filesystem::path(MILLRACE_DOCUMENTS) / "algorithms.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

// What the document says about an algorithm: its own section, and the text before the first section of its group.
std::string section_of(const std::string& document, const std::string& name) {
  const std::size_t begin = document.find(fmt::format("\n### {}\n", name));
  if (begin == std::string::npos) return {};
  const std::size_t end = std::min(document.find("\n### ", begin + 1), document.find("\n## ", begin + 1));
  const std::size_t group = document.rfind("\n## ", begin);
  return document.substr(begin, end - begin) + document.substr(group, document.find("\n### ", group) - group);
}

constexpr std::string_view table_head = "| algorithm | finds | supersteps | bytes per vertex | pages |";

// The table of all algorithms, up to the first line that is not a row.
std::string table_in(const std::string& document) {
  std::istringstream lines(document);
  std::string table;
  for (std::string line; std::getline(lines, line);)
    if (line == table_head || (!table.empty() && line.starts_with('|')))
      table += line + '\n';
    else if (!table.empty())
      break;
  return table;
}

// What a cpu keeps for each vertex, as in engine/vertex_needs.cpp, without bitmaps.
std::string bytes_cell(const GraphNeeds& needs) {
  const SuperstepNeeds& supersteps = needs.supersteps;
  std::string cell = fmt::format("{}", needs.attributes.bytes);
  // Queues of frontiers and of targets, and the messages of these.
  if (supersteps.push)
    cell += fmt::format(", and {} to push", (supersteps.frontiers + 1) * sizeof(VertexId) + supersteps.inbox_bytes);
  if (supersteps.thread_bits > 0) cell += fmt::format(", and {} bits for each thread", supersteps.thread_bits);
  if (needs.list_bytes_per_edge > 0) cell += ", and lists";
  return cell;
}

// The pages that are read if the store has both orientations, and those that will do.
std::string pages_cell(const GraphNeeds& needs) {
  const std::string cell = !needs.out_pages  ? "in; or out"
                           : !needs.in_pages ? "out; or in"
                           : needs.all_pages ? "in and out"
                                             : "in and out; or either";
  return cell + (needs.weights ? "; with weights" : "");
}

std::string table_of_catalogue() {
  Shape shape = cycle(5);
  shape.weights = WeightType::u8;
  const StoredGraph stored(shape);
  std::string table = fmt::format("{}\n| --- | --- | --- | --- | --- |\n", table_head);
  for (const std::unique_ptr<Described>& described : all_algorithms()) {
    const AlgorithmInfo& info = described->info();
    std::string bytes = "on the host", pages = bytes;
    if (const auto* const algorithm = dynamic_cast<const Algorithm*>(described.get())) {
      const GraphNeeds needs = algorithm->needs(stored.store(), Direction::automatic);
      bytes = bytes_cell(needs);
      pages = pages_cell(needs);
    }
    table +=
        fmt::format("| [{0}](#{0}) | {1} | {2} | {3} | {4} |\n", info.name, info.finds, info.supersteps, bytes, pages);
  }
  return table;
}

// A vector of ones, for the algorithm that reads a vector.
void write_ones(const std::filesystem::path& path, std::size_t size) {
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}", size);
  header.resize((header.size() + 10 + 1 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY" << '\x01' << '\0' << static_cast<char>(header.size() % 256)
       << static_cast<char>(header.size() / 256) << header;
  const std::vector<double> ones(size, 1);
  file.write(reinterpret_cast<const char*>(ones.data()), static_cast<std::streamsize>(8 * size));
}

class CatalogueTest : public testing::Test {
 protected:
  // The options that an algorithm requires.
  OptionTexts required_options(Described& algorithm) {
    OptionTexts texts;
    for (const Option& option : algorithm.options())
      if (option.required) texts.emplace_back(option.name, option.name == "x" ? (directory_ / "x.npy").string() : "0");
    if (algorithm.info().name == "ppr") texts.emplace_back("seeds", "0");
    return texts;
  }
  TempDir directory_;
};

TEST_F(CatalogueTest, NamesAndDescribesEverything) {
  const std::string documented = documentation();
  ASSERT_FALSE(documented.empty());
  std::set<std::string> names;
  for (const std::unique_ptr<Described>& algorithm : all_algorithms()) {
    const AlgorithmInfo& info = algorithm->info();
    SCOPED_TRACE(info.name);
    EXPECT_TRUE(names.insert(info.name).second) << "there are two";
    EXPECT_FALSE(info.help.empty());
    EXPECT_FALSE(info.finds.empty());
    EXPECT_FALSE(info.supersteps.empty());
    EXPECT_NE(documented.find(fmt::format("\n### {}\n", info.name)), std::string::npos) << "has no section";
    const std::string section = section_of(documented, info.name);
    std::set<std::string> options;
    for (const Option& option : algorithm->options()) {
      EXPECT_TRUE(options.insert(option.name).second) << option.name << " is there twice";
      EXPECT_FALSE(option.help.empty()) << option.name;
      const std::string flag = option.letter ? fmt::format("`-{} ", option.letter) : "--" + option.name;
      EXPECT_NE(section.find(flag), std::string::npos) << flag << " is not documented";
    }
    for (const ColumnInfo& column : info.columns)
      if (column.option != "output") {
        EXPECT_FALSE(column.option_help.empty()) << column.name;
        EXPECT_NE(section.find("--" + column.option), std::string::npos) << column.option << " is not documented";
        EXPECT_TRUE(options.insert(column.option).second) << column.option << " is there twice";
      }
    const bool selects = info.name == "neighbourhood" || info.name == "egonet" || !info.has_check;
    EXPECT_EQ(info.bench.has_value(), !selects) << "bench measures what is for a whole graph";
  }
}

TEST_F(CatalogueTest, MakesTheTableOfTheDocument) {
  const std::string table = table_of_catalogue();
  EXPECT_TRUE(table_in(documentation()) == table) << "the table in docs/algorithms.md should be:\n\n" << table;
}

TEST_F(CatalogueTest, FindsByNameAndSetsOptions) {
  EXPECT_EQ(find_algorithm("no such one"), nullptr);
  EXPECT_THROW(make_algorithm("no such one"), UsageError);
  EXPECT_THROW(make_algorithm("degrees"), UsageError) << "does not run on an engine";
  EXPECT_THROW(make_algorithm("pagerank", {{"no such option", "1"}}), UsageError);
  for (const char* const damping : {"1.5", "-0.1", "nan", "half", ""})
    EXPECT_THROW(make_algorithm("pagerank", {{"damping", damping}}), UsageError) << damping;
  EXPECT_THROW(make_algorithm("pagerank", {{"precision", "f16"}}), UsageError);
  EXPECT_THROW(make_algorithm("pagerank", {{"iterations", "1.5"}}), UsageError);
  const auto algorithm = make_algorithm("pagerank", {{"damping", "0.5"}, {"iterations", "7"}, {"precision", "f64"}});
  const StoredGraph stored(cycle(5));
  std::map<std::string, std::string> asked;
  for (const Finding& option : algorithm->asked(stored.store())) asked[option.name] = option.json;
  EXPECT_EQ(asked["damping"], "0.5");
  EXPECT_EQ(asked["iterations"], "7");
  EXPECT_EQ(asked["precision"], "\"f64\"");
}

TEST_F(CatalogueTest, RunsChecksAndMeasuresEach) {
  const StoredGraph stored(hub(300, 120));
  write_ones(directory_ / "x.npy", 300);
  for (const std::unique_ptr<Described>& described : all_algorithms()) {
    if (!dynamic_cast<Algorithm*>(described.get())) continue;
    const AlgorithmInfo& info = described->info();
    SCOPED_TRACE(info.name);
    const auto algorithm = make_algorithm(info.name, required_options(*described));
    Session session(stored.store().path(), {.on = {.device = "cpu", .device_memory = {}, .host_memory = "64M"}});
    Wanted wanted{.columns = {}, .check = true};
    for (const ColumnInfo& column : info.columns) wanted.columns.insert(column.name);
    Outcome outcome = session.run(*algorithm, wanted);
    std::set<std::string> found;
    for (const ValueColumn& column : outcome.columns) {
      found.insert(column.name);
      EXPECT_EQ(std::visit([](const auto& values) { return values.size(); }, column.values), 300u) << column.name;
    }
    EXPECT_EQ(found, wanted.columns);
    const RunReport report = session.report(outcome);
    EXPECT_EQ(report.algorithm, info.name);
    EXPECT_EQ(report.check, "passed");
    EXPECT_GT(report.edges_traversed, 0u);
    if (!info.bench) continue;
    algorithm->prepare_measurement(session.store(), {.iterations = 2, .source = 1});
    session.load(*algorithm, {});
    EXPECT_GT(session.compute(*algorithm).units, 0);
  }
}

// A check must reject a wrong value.
TEST_F(CatalogueTest, ChecksNoticeAWrongValue) {
  const StoredGraph stored(hub(300, 120));
  write_ones(directory_ / "x.npy", 300);
  for (const std::unique_ptr<Described>& described : all_algorithms()) {
    if (!dynamic_cast<Algorithm*>(described.get()) || described->info().columns.empty()) continue;
    SCOPED_TRACE(described->info().name);
    const auto algorithm = make_algorithm(described->info().name, required_options(*described));
    Session session(stored.store().path(), {.on = {.device = "cpu", .device_memory = {}, .host_memory = "64M"}});
    Wanted wanted{.columns = {}, .check = true};
    for (const ColumnInfo& column : described->info().columns) wanted.columns.insert(column.name);
    Outcome outcome = session.run(*algorithm, wanted);
    const PageSet pages = session.store().load_pages(Orientation::in, With::weights, unlimited_budget());
    ASSERT_EQ(outcome.check(pages, Orientation::in), std::nullopt);
    std::visit(
        [](const auto& values) {
          using T = typename std::decay_t<decltype(values)>::value_type;
          const_cast<T&>(values[values.size() / 3]) += 1;
        },
        outcome.columns.front().values);
    EXPECT_NE(outcome.check(pages, Orientation::in), std::nullopt);
  }
}

}  // namespace
}  // namespace millrace::test
