// The choice of direction: right for extreme frontiers, and one change at most in between.
#include "millrace/engine/direction.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

constexpr std::uint64_t rows = 1u << 20, edges = 16u << 20;

class ChooseDirection : public testing::TestWithParam<bool> {
 protected:
  static Direction choose(std::uint64_t frontier_edges) {
    return choose_direction(
        {.num_rows = rows, .num_edges = edges, .frontier_edges = frontier_edges, .stops_early = GetParam()});
  }
};

TEST_P(ChooseDirection, PushesFromAHandfulOfEdges) {
  for (const std::uint64_t few : {1, 10, 1000}) EXPECT_EQ(choose(few), Direction::push) << few;
}

TEST_P(ChooseDirection, PushesWhereThereIsNothingToSend) { EXPECT_EQ(choose(0), Direction::push); }

TEST_P(ChooseDirection, PullsWhereMostEdgesAreActive) {
  for (const std::uint64_t many : {edges / 2, edges}) EXPECT_EQ(choose(many), Direction::pull) << many;
}

TEST_P(ChooseDirection, ChangesOnceAsTheFrontierGrows) {
  Direction before = Direction::push;
  for (std::uint64_t active = 1; active <= edges; active += active / 16 + 1) {
    const Direction now = choose(active);
    EXPECT_FALSE(before == Direction::pull && now == Direction::push) << "back to push at " << active;
    before = now;
  }
}

INSTANTIATE_TEST_SUITE_P(EitherWay, ChooseDirection, testing::Bool(),
                         [](const auto& info) { return info.param ? "StopsEarly" : "ReadsAll"; });

// A row that ends at its first active source is cheap to pull: such programs change to pull no later.
TEST(ChooseDirectionEarly, PullsSoonerWhereRowsStopEarly) {
  for (std::uint64_t active = 1; active <= edges; active += active / 16 + 1) {
    const DirectionInputs all{.num_rows = rows, .num_edges = edges, .frontier_edges = active, .stops_early = false};
    DirectionInputs early = all;
    early.stops_early = true;
    EXPECT_FALSE(choose_direction(all) == Direction::pull && choose_direction(early) == Direction::push) << active;
  }
}

TEST(ChooseDirectionEarly, CopesWithAGraphWithoutEdges) {
  EXPECT_EQ(choose_direction({}), Direction::push);
  EXPECT_EQ(choose_direction({.num_rows = 0, .num_edges = 0, .frontier_edges = 0, .stops_early = true}),
            Direction::push);
}

TEST(DirectionName, IsWhatTheCommandLineTakes) {
  EXPECT_EQ(direction_name(Direction::push), "push");
  EXPECT_EQ(direction_name(Direction::pull), "pull");
  EXPECT_EQ(direction_name(Direction::automatic), "auto");
}

// On a GPU: few sources push; rows pull once most edges lead out of the frontier.
TEST(CudaDirection, GoesByTheWorkOfEither) {
  constexpr std::uint64_t rows = 9'000'000;
  const CudaDirectionInputs start{
      .frontier_size = 1, .frontier_edges = 400'000, .num_rows = rows, .open_rows = rows, .looks = 500'000'000};
  EXPECT_EQ(cuda_direction_seconds(start).less(), Direction::push);
  const CudaDirectionInputs bulk{.frontier_size = 400'000,
                                 .frontier_edges = 400'000'000,
                                 .num_rows = rows,
                                 .open_rows = rows,
                                 .looks = 30'000'000};
  EXPECT_EQ(cuda_direction_seconds(bulk).less(), Direction::pull);
}

TEST(CudaDirection, PullsFromManyIntoFewOpenRows) {
  CudaDirectionInputs late{.frontier_size = 850'000,
                           .frontier_edges = 1'000'000,
                           .num_rows = 9'000'000,
                           .open_rows = 3'000,
                           .looks = 9'000,
                           .few_open = true};
  EXPECT_EQ(cuda_direction_seconds(late).less(), Direction::pull);
  late.frontier_size = late.frontier_edges = 8;
  EXPECT_EQ(cuda_direction_seconds(late).less(), Direction::push);
}

// If pages have to be copied over the link, their bytes outweigh everything else.
TEST(CudaDirection, SparesTheLink) {
  CudaDirectionInputs in{
      .frontier_size = 1000, .frontier_edges = 10'000'000, .num_rows = 1'000'000, .open_rows = 1000, .looks = 10'000};
  in.push_bytes = 1 << 20, in.pull_bytes = 1 << 30;
  EXPECT_EQ(cuda_direction_seconds(in).less(), Direction::push);
  std::swap(in.push_bytes, in.pull_bytes);
  EXPECT_EQ(cuda_direction_seconds(in).less(), Direction::pull);
}

// The cpu helps where that is predicted to be sooner: by its speed, by what has to be brought first, and by the link.
TEST(Help, PaysByItsSpeed) {
  constexpr std::uint64_t n = 1 << 26;
  CudaRates fast;
  fast.link = 54e9;
  const HelpInputs pagerank{
      .load_bytes = 2'126'000'000, .num_vertices = n, .brought_bytes = 153'000'000, .helped_rate = 8.2e9};
  EXPECT_TRUE(help_pays(pagerank, fast)) << "a tenth of the pages cached";
  HelpInputs in = pagerank;
  in.load_bytes = 265'000'000;
  EXPECT_FALSE(help_pays(in, fast)) << "nine tenths";
  in = pagerank;
  in.helped_rate = 3e9;
  EXPECT_FALSE(help_pays(in, fast)) << "a slow cpu";
  CudaRates slow = fast;
  slow.link = 6e9;
  EXPECT_TRUE(help_pays(in, slow)) << "a slow cpu beside a slow link";
  in = pagerank;
  in.load_bytes = 0;
  EXPECT_FALSE(help_pays(in, fast));
  // A search on RMAT 20 would be done in half a millisecond: too little to wake threads for.
  in = {.load_bytes = 30'000'000, .num_vertices = 1 << 20, .helped_rate = 45e9};
  EXPECT_FALSE(help_pays(in, fast)) << "short passes";
  EXPECT_TRUE(help_pays(in, slow)) << "the same over a slow link takes 5 ms";
}

TEST(FarRows, AreComparedWithRunsOfPages) {
  CudaRates rates;
  const std::uint32_t together[] = {3, 4, 5, 6}, apart[] = {3, 5, 7, 9};
  EXPECT_DOUBLE_EQ(pages_seconds(0, together, rates), rates.run_of_pages);
  EXPECT_DOUBLE_EQ(pages_seconds(0, apart, rates), 4 * rates.run_of_pages);
  EXPECT_DOUBLE_EQ(pages_seconds(50'000'000, together, rates), rates.run_of_pages + 50e6 / rates.link);
}

TEST(FarRows, TakeTheLinkByRowsAndEdges) {
  CudaRates rates;
  const double few = far_rows_seconds(10, 100, rates), more = far_rows_seconds(1000, 10'000, rates);
  EXPECT_GT(few, rates.far_start);
  EXPECT_NEAR((more - rates.far_start) / (few - rates.far_start), 100, 1e-6);
  CudaRates slow = rates;
  slow.link = rates.link / 10;
  EXPECT_NEAR(far_rows_seconds(1000, 10'000, slow) - rates.far_start, 10 * (more - rates.far_start), 1e-9);
}

// Few rows that want a message are read alone, many are not; between segments, by what is left.
TEST(CudaFewRows, AreReadAlone) {
  constexpr std::uint64_t n = 1 << 24;
  EXPECT_TRUE(searches_alone({.num_vertices = n, .open_rows = n / 100, .parts = n}, 1));
  EXPECT_FALSE(searches_alone({.num_vertices = n, .open_rows = n / 2, .parts = n}, 1));
  const FewRowsInputs seven{.num_vertices = n, .open_rows = n / 8, .parts = 7 * n, .segments = 7};
  EXPECT_TRUE(searches_alone(seven, 1));
  EXPECT_FALSE(searches_alone(seven, 100)) << "looks at sources one by one";
  const FewRowsInputs few{.num_vertices = n, .num_edges = 32 * n, .open_rows = n / 16, .open_edges = 2 * n};
  EXPECT_TRUE(gathers_alone(few));
  FewRowsInputs more = few;
  more.open_edges = 8 * n;
  EXPECT_FALSE(gathers_alone(more));
  FewRowsInputs hub = few;
  hub.longest_row = 1'000'000;
  EXPECT_FALSE(gathers_alone(hub)) << "one warp would read it";
}

}  // namespace
}  // namespace millrace
