#include "millrace/run/ready_run.h"

#include <fstream>

#include "millrace/catalogue/catalogue.h"
#include "millrace/core/timeline.h"
#include "millrace/run/graph_argument.h"
#include "support/graphs.h"

namespace millrace::test {
namespace {

RunSettings on_cpu() { return {.on = {.device = "cpu", .host_memory = "256M"}}; }

std::vector<std::uint32_t> levels(const Outcome& outcome) {
  const auto found = outcome.values<std::uint32_t>("level");
  return {found.begin(), found.end()};
}

std::filesystem::path write_chain(const TempDir& folder) {
  std::ofstream(folder / "chain.txt") << "0 1\n1 2\n2 3\n";
  return folder / "chain.txt";
}

TEST(ReadyRunTest, TakesAStoreOrAGraphFile) {
  const TempDir folder;
  const std::filesystem::path file = write_chain(folder);
  const StoredGraph stored(chain(4));
  const auto bfs = make_algorithm("bfs", {{"source", "0"}});
  RunSettings settings = on_cpu();
  std::string said;
  settings.remark = [&](const std::string& remark) { said += remark + "\n"; };
  const ReadyRun of_store = ready_run(stored.store().path(), *bfs, {.columns = {"level"}}, settings);
  EXPECT_EQ(levels(of_store.run()), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(said.find("imported"), std::string::npos) << said;
  const ReadyRun of_file = ready_run(file, *bfs, {.columns = {"level"}}, settings);
  EXPECT_EQ(levels(of_file.run()), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_NE(said.find("imported"), std::string::npos) << said;
  said.clear();
  ready_run(file, *bfs, {}, settings);
  EXPECT_EQ(said, "") << "the store was in the cache";
  EXPECT_THROW(ready_run(folder / "chains.txt", *bfs, {}, settings), BadInputError);
}

TEST(ReadyRunTest, PlansWhatIsLeftOpen) {
  const StoredGraph stored(complete(40));
  const auto store = std::make_shared<const Store>(Store::open(stored.store().path()));
  const auto pagerank = make_algorithm("pagerank");
  Timeline timeline;
  const Timeline::InForce in_force(&timeline);
  const ReadyRun ready = ready_run(store, *pagerank, {.columns = {"rank"}}, {});
  ASSERT_TRUE(ready.plan.plans);
  EXPECT_TRUE(ready.plan.plans->best().fits);
  EXPECT_EQ(ready.plan.settings.on.device, ready.plan.plans->best().devices);
  EXPECT_TRUE(ready.wanted.prepared);
  const Outcome outcome = ready.run();
  EXPECT_NO_THROW(ready.learn(outcome, ready.session->report(outcome)));
  RunSettings too_little = on_cpu();
  too_little.on.host_memory = "1K";
  EXPECT_THROW(ready_run(store, *pagerank, {}, too_little).run(), DoesNotFitError);
}

TEST(ReadyRunTest, UsesDevicesThatAreOpen) {
  const StoredGraph stored(chain(4));
  const auto store = std::make_shared<const Store>(Store::open(stored.store().path()));
  const auto bfs = make_algorithm("bfs", {{"source", "0"}});
  std::vector<ChosenDevice> devices;
  devices.emplace_back(DeviceName{}, 64u << 20);
  const Device* const opened = &*devices[0];
  const ReadyRun ready = ready_run(store, *bfs, {.columns = {"level"}}, on_cpu(), std::move(devices));
  EXPECT_EQ(&*ready.session->devices()[0], opened);
  EXPECT_FALSE(ready.plan.plans);
  EXPECT_EQ(levels(ready.run()), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(GraphArgumentTest, ImportsAsItsOptionsSay) {
  const TempDir folder;
  const std::filesystem::path file = write_chain(folder);
  GraphArgument graph;
  const std::vector<Option> options = graph.options({{.name = "weights", .field = {}, .value = {}, .help = {}}});
  const auto give = [&](const std::string& name, const std::string& text) {
    const auto found = std::ranges::find(options, name, &Option::name);
    ASSERT_NE(found, options.end()) << name;
    assign(*found, text);
  };
  EXPECT_EQ(std::ranges::find(options, "weights", &Option::name), options.end()) << "another option has that name";
  give("GRAPH", file.string());
  give("undirected", "true");
  give("store", (folder / "kept.store").string());
  EXPECT_FALSE(graph.open("")->manifest().directed);
  EXPECT_EQ(Store::open(folder / "kept.store").num_vertices(), 4u);
  GraphArgument again;
  for (const Option& option : again.options())
    if (option.name == "GRAPH" || option.name == "store")
      assign(option, (option.argument ? file : folder / "kept.store").string());
  EXPECT_THROW(again.open(""), UsageError) << "made with other options";
}

TEST(GraphArgumentTest, RefusesImportOptionsForAStore) {
  const StoredGraph stored(chain(4));
  GraphArgument graph(stored.store().path());
  for (const Option& option : graph.options())
    if (option.name == "undirected") assign(option, "true");
  try {
    graph.open("");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const UsageError& error) {
    EXPECT_NE(with_settings(error.marked(), "--").find("--undirected is for graph files"), std::string::npos);
  }
}

}  // namespace
}  // namespace millrace::test
