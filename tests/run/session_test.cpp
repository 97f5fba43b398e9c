#include "millrace/run/session.h"

#include <fstream>
#include <set>

#include "millrace/catalogue/catalogue.h"
#include "millrace/core/progress.h"
#include "millrace/engine/graph_parts.h"
#include "support/graphs.h"

namespace millrace::test {
namespace {

RunSettings on_cpu(const std::string& memory = "64M") { return {.on = {.device = "cpu", .host_memory = memory}}; }

std::vector<std::uint32_t> levels(const Outcome& outcome) {
  const auto found = outcome.values<std::uint32_t>("level");
  return {found.begin(), found.end()};
}

TEST(SessionTest, RunsOneAfterAnother) {
  const StoredGraph stored(chain(50));
  Session session(stored.store().path(), on_cpu());
  const auto bfs = make_algorithm("bfs", {{"source", "0"}});
  const Outcome first = session.run(*bfs, {.columns = {"level"}, .check = true});
  EXPECT_EQ(session.report(first).check, "passed");
  const auto triangles = make_algorithm("triangles");
  const Outcome second = session.run(*triangles, {});
  EXPECT_EQ(session.report(second).algorithm, "triangles");
  EXPECT_EQ(session.report(second).check, "");
  Session alone(stored.store().path(), on_cpu());
  const Outcome same = alone.run(*make_algorithm("triangles"), {});
  EXPECT_EQ(session.report(second).attribute_memory, alone.report(same).attribute_memory) << "not of the run before";
  EXPECT_EQ(levels(first), levels(session.run(*bfs, {.columns = {"level"}})));
}

TEST(SessionTest, GoesOnAfterARunThatFailed) {
  const StoredGraph stored(complete(40));
  Session session(stored.store().path(), on_cpu());
  const auto diverging = make_algorithm("katz", {{"alpha", "1e9"}});
  EXPECT_THROW(session.run(*diverging, {}), Error);
  EXPECT_THROW(session.graph(), InternalError) << "nothing stays loaded";
  const auto bfs = make_algorithm("bfs", {{"source", "0"}});
  const std::vector<std::uint32_t> found = levels(session.run(*bfs, {.columns = {"level"}}));
  EXPECT_EQ(std::count(found.begin(), found.end(), 1u), 39);
}

TEST(SessionTest, LoadsAgainAndComputesOften) {
  const StoredGraph stored(cycle(60));
  Session session(stored.store().path(), on_cpu());
  EXPECT_THROW(session.supersteps(), InternalError);
  const auto bfs = make_algorithm("bfs", {{"source", "0"}});
  bfs->prepare(session.store(), {});
  for (int time = 0; time < 2; ++time) {
    session.load(*bfs, {});
    EXPECT_GT(session.graph().placement().page_bytes, 0u);
    const std::vector<std::uint32_t> once = levels(session.compute(*bfs));
    const std::size_t supersteps = session.supersteps().size();
    EXPECT_EQ(levels(session.compute(*bfs)), once);
    EXPECT_EQ(session.supersteps().size(), supersteps) << "those of the latest";
  }
}

TEST(SessionTest, KeepsPagesForRunsThatNeedTheSame) {
  const StoredGraph stored(cycle(60));
  Session session(stored.store().path(), on_cpu());
  session.keep_pages(true);
  const auto load_seconds = [&](const char* name, const OptionTexts& options, bool check = false) {
    const Outcome outcome = session.run(*make_algorithm(name, options), {.columns = {}, .check = check});
    return session.report(outcome).load_seconds;
  };
  EXPECT_GT(load_seconds("bfs", {{"source", "0"}}), 0);
  const GraphParts* const loaded = &session.graph();
  EXPECT_EQ(load_seconds("bfs", {{"source", "7"}}), 0);
  EXPECT_EQ(load_seconds("bfs", {{"source", "7"}}, true), 0) << "and checked on them";
  EXPECT_EQ(&session.graph(), loaded);
  EXPECT_GT(load_seconds("pagerank", {}), 0) << "needs other things";
  EXPECT_EQ(load_seconds("pagerank", {{"iterations", "3"}}), 0);
  const auto diverging = make_algorithm("katz", {{"alpha", "1e9"}});
  EXPECT_THROW(session.run(*diverging, {}), Error);
  EXPECT_GT(load_seconds("pagerank", {}), 0) << "after a run that failed nothing is loaded";
  session.keep_pages(false);
  EXPECT_THROW(session.graph(), InternalError);
  EXPECT_GT(load_seconds("pagerank", {}), 0);
}

TEST(SessionTest, MultipliesVectorsInMemory) {
  const StoredGraph stored(chain(4));
  Session session(stored.store().path(), on_cpu());
  const std::vector<double> x{1, 2, 3, 4};
  const auto product = make_spmv_of(std::span(x));
  const Outcome outcome = session.run(*product, {.columns = {"y"}, .check = true});
  const auto y = outcome.values<double>("y");
  EXPECT_EQ(std::vector(y.begin(), y.end()), (std::vector<double>{2, 3, 4, 0}));
  const std::vector<float> few{1, 2};
  EXPECT_THROW(session.run(*make_spmv_of(std::span(few)), {}), UsageError);
}

TEST(SessionTest, StopsWhenItIsAskedTo) {
  const StoredGraph stored(cycle(60));
  Session session(stored.store().path(), on_cpu());
  const auto pagerank = make_algorithm("pagerank");
  StopRequest request;
  {
    const StopRequest::InForce in_force(&request);
    request.stop();
    EXPECT_THROW(session.run(*pagerank, {}), InterruptedError);
  }
  EXPECT_NO_THROW(session.run(*pagerank, {}));
}

TEST(SessionTest, RefusesColumnsThatThereAreNot) {
  const StoredGraph stored(chain(5));
  const TempDir directory;
  Session session(stored.store().path(), on_cpu());
  const auto bfs = make_algorithm("bfs", {{"source", "0"}});
  EXPECT_THROW(session.run(*bfs, {.columns = {"levels"}}), UsageError);
  Outcome outcome = session.run(*bfs, {.columns = {"level"}});
  EXPECT_THROW(session.write(outcome, {{"levels", directory / "out"}}), UsageError);
  EXPECT_THROW(outcome.values<double>("level"), UsageError) << "of another type";
  std::vector<std::filesystem::path> finished;
  session.write(outcome, {{"level", directory / "out"}}, [&](const auto& path) { finished.push_back(path); });
  EXPECT_EQ(finished, std::vector{directory / "out"});
  std::string line;
  std::ifstream(directory / "out") >> line;
  EXPECT_EQ(line, "0");
}

TEST(SessionTest, OutcomesOutliveIt) {
  const StoredGraph stored(chain(5));
  Outcome outcome;
  {
    Session session(stored.store().path(), on_cpu());
    outcome = session.run(*make_algorithm("bfs", {{"source", "0"}}), {.columns = {"level"}});
  }
  EXPECT_EQ(levels(outcome), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(SessionTest, TellsWhatThereIsToKnow) {
  const StoredGraph stored(chain(5));
  RunSettings settings = on_cpu();
  std::string told;
  settings.remark = [&](const std::string& remark) { told += remark; };
  Session session(stored.store().path(), settings);
  session.run(*make_algorithm("bc", {{"samples", "9"}}), {});
  EXPECT_NE(told.find("all of which are taken"), std::string::npos) << told;
}

TEST(SessionTest, WritesNothingToAStoreThatItReads) {
  const StoredGraph stored(chain(5));
  const std::filesystem::path& store = stored.store().path();
  const auto contents = [&] {
    std::set<std::filesystem::path> names;
    for (const auto& entry : std::filesystem::directory_iterator(store)) names.insert(entry.path());
    return names;
  };
  const auto before = contents();
  std::filesystem::permissions(store, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  for (const char* const algorithm : {"pagerank", "kcore", "triangles"}) {
    Session session(store, on_cpu());
    EXPECT_NO_THROW(session.run(*make_algorithm(algorithm), {})) << algorithm;
  }
  std::filesystem::permissions(store, std::filesystem::perms::owner_all);
  EXPECT_EQ(contents(), before);
}

}  // namespace
}  // namespace millrace::test
