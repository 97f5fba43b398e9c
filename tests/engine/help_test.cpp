// A device that the cpu helps, without a GPU: this thread takes pages from the front of a pool and runs the program on
// them; the cpu's half of the program's help takes pages from its end, works on copies of what messages are made from,
// and what it found is given to the targets at the end. Whoever takes which pages, the messages are the same.
#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "millrace/core/error.h"
#include "millrace/engine/cpu_help.h"
#include "millrace/operators/pull_cpu.h"
#include "millrace/operators/push_cpu.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

constexpr VertexId fails_at = 17;

// Adds up what active sources say; some targets want nothing.
struct AddSome {
  using Message = std::uint64_t;
  using Combine = Sum;
  View<const std::uint64_t> says;
  View<std::uint64_t> heard;
  bool wants(VertexId target) const { return target % 5 != 2; }
  Message message(VertexId source) const { return says[source]; }
  bool absorb(VertexId target, Message message) {
    heard[target] += message;
    return target % 3 != 1;
  }
};
struct AddFloats {
  using Message = float;
  using Combine = Sum;
  View<const float> says;
  View<std::uint64_t> heard;
  View<const float> sent() const { return says; }
  Message message(VertexId source) const { return says[source]; }
  void absorb(VertexId target, Message message) { heard[target] += static_cast<std::uint64_t>(message); }
};
struct FindFirst {
  using Message = VertexId;
  using Combine = First;
  View<std::uint64_t> heard;
  bool wants(VertexId target) const { return heard[target] == 0; }
  Message message(VertexId source) const { return source; }
  bool absorb(VertexId target, Message source) {
    heard[target] = source + 1;
    return true;
  }
};
struct Nearest {
  using Message = double;
  using Combine = Min;
  using Weight = double;
  View<const std::uint64_t> says;
  View<std::uint64_t> heard;
  Message message(VertexId source, VertexId, Weight weight) const {
    if (says[source] == ~std::uint64_t{0}) throw InternalError("no message");
    return static_cast<double>(says[source]) + weight;
  }
  bool absorb(VertexId target, Message least) {
    heard[target] = static_cast<std::uint64_t>(least * 64);
    return true;
  }
};

struct Found {
  std::vector<std::uint64_t> heard, joined;
  std::size_t helped_pages = 0;
};

// The front of the pool for `own`, its end for `help`, at the same time.
template <class Own, class Help>
void share(PagePool& pool, const Own& own, const Help& help) {
  std::exception_ptr error;
  std::thread helper([&] {
    try {
      help();
    } catch (...) {
      error = std::current_exception();
      pool.close();
    }
  });
  try {
    for (auto taken = pool.take_front(1); !taken.empty(); taken = pool.take_front(1)) own(taken[0]);
  } catch (...) {
    pool.close();
    helper.join();
    throw;
  }
  helper.join();
  if (error) std::rethrow_exception(error);
}

// All pages, in the order in which a GPU loads them; those that the cpu may not take come first.
class Pool : public PagePool {
 public:
  Pool(const PageTable& table, const HelpOptions& options) : PagePool(ordered(table, options), large_pages(table)) {
    if (options.share) fix_share(*options.share);
  }

 private:
  static std::vector<std::uint32_t> ordered(const PageTable& table, const HelpOptions& options) {
    std::vector<std::uint32_t> pages(table.size());
    std::iota(pages.begin(), pages.end(), 0);
    std::ranges::stable_sort(pages, {}, [&](std::uint32_t p) { return help_rank(table, p, options.order); });
    return pages;
  }
  static std::size_t large_pages(const PageTable& table) {
    return static_cast<std::size_t>(
        std::ranges::count_if(table, [](const PageEntry& page) { return page.kind == PageKind::large; }));
  }
};

// What the cpu works with, as a GPU brings it.
template <class Given>
struct Brought {
  Brought(const Given& program, std::uint64_t n, const std::vector<std::uint64_t>& active, std::size_t inbox_bytes)
      : active(active),
        wanted(bitmap_words(n)),
        found(bitmap_words(n), ~std::uint64_t{0}),
        sent(n),
        got(n * inbox_bytes) {
    if (n % 64 != 0) found.back() = (std::uint64_t{1} << (n % 64)) - 1;
    for (VertexId v = 0; v < n; ++v) {
      if constexpr (!takes_weights<Given> && !takes_first<Given>)
        if (test_bit(active.data(), v)) sent[v] = program.message(v);
      wanted[v / 64] |= std::uint64_t{wants(program, v)} << (v % 64);
    }
    room = {.num_vertices = n,
            .active = this->active.data(),
            .wanted = wanted.data(),
            .sent = sent.data(),
            .got = got.data(),
            .found = found.data(),
            .empty_all = true};
  }
  std::vector<std::uint64_t> active, wanted, found;
  std::vector<Pending<Given>> sent;
  std::vector<std::byte> got;
  HelperRoom room;
};

template <class Given>
void pull(const PageSet& pages, const Given& program, const std::vector<std::uint64_t>& active,
          const HelpOptions& options, Found& result) {
  using namespace pull_detail;
  using Program = Carried<Given>;
  const PageTable& table = pages.table();
  Brought<Given> brought(program, result.heard.size(), active, sizeof(Pending<Given>));
  Pool pool(table, options);
  Crew crew(options.threads);
  double busy = 0;
  std::vector<RowMessage<Program>> partial(table.size());
  Puller<Program, BitmapActive> puller(Program{program}, BitmapActive{active.data()}, result.joined.data(), nullptr);
  share(
      pool,
      [&](std::uint32_t p) {
        const bool large = table[p].kind == PageKind::large;
        const RowMessage<Program> rest = puller.run(pages.page(p), {p, 0, table[p].slices, large});
        if (large) partial[p] = rest;
      },
      [&] { CpuHelp<Given>::pull(brought.room, &program, pages, pool, crew, &busy); });
  deliver_large(table, 0, partial, puller);
  const auto* const got = reinterpret_cast<const Pending<Given>*>(brought.got.data());
  for (VertexId v = 0; v < result.heard.size(); ++v)
    if (test_bit(brought.found.data(), v)) puller.deliver_to(v, got[v]);
  result.helped_pages = pool.taken_back().size();
}

template <class Given>
void push(const PageSet& pages, const Given& program, const std::vector<std::uint64_t>& active,
          const HelpOptions& options, Found& result) {
  using namespace push_detail;
  using Program = Carried<Given>;
  const std::uint64_t n = result.heard.size();
  Brought<Given> brought(program, n, active, sizeof(Inbox<HelperOf<Given>>));
  std::vector<Inbox<Program>> inbox(n, Inbox<Program>{nothing_pending<Program>()});
  std::vector<std::uint64_t> touched(bitmap_words(n));
  VertexQueue none;
  const PushScratch<Program> scratch{.inbox = inbox.data(),
                                     .touched = touched.data(),
                                     .targets = &none,
                                     .count = static_cast<std::uint32_t>(n),
                                     .far = true,
                                     .many = true,
                                     .marks = true};
  Pool pool(pages.table(), options);
  Crew crew(options.threads);
  double busy = 0;
  Program mine{program};
  Sender<Program> sender(mine, scratch);
  share(
      pool,
      [&](std::uint32_t p) {
        for (std::uint32_t s = 0; s < pages.table()[p].slices; ++s)
          push_slice(pages.page(p), s, BitmapActive{active.data()}, sender);
      },
      [&] { CpuHelp<Given>::push(brought.room, &program, pages, pool, crew, &busy); });
  sender.flush();
  const auto* const got = reinterpret_cast<const Inbox<HelperOf<Given>>*>(brought.got.data());
  for (VertexId v = 0; v < n; ++v) {
    if (test_bit(brought.found.data(), v)) put_in_inbox(scratch, v, got[v]);
    if (test_bit(touched.data(), v) && wants(mine, v) && deliver(mine, v, static_cast<Pending<Program>>(inbox[v])))
      result.joined[v / 64] |= std::uint64_t{1} << (v % 64);
  }
  result.helped_pages = pool.taken_back().size();
}

class HelpedPair : public ShapeTest {
 protected:
  // Calls run(program) in both directions for each program, with its results in `heard`.
  template <class Run>
  static void each_program(std::uint64_t n, const Run& run) {
    std::vector<std::uint64_t> says(n);
    std::vector<float> floats(n);
    for (VertexId v = 0; v < n; ++v) says[v] = v % 11 + 1, floats[v] = static_cast<float>(v % 7 + 1);
    View<const std::uint64_t> some(says.data());
    run("sums", [&](std::vector<std::uint64_t>& heard) { return AddSome{some, {heard.data()}}; });
    run("floats", [&](std::vector<std::uint64_t>& heard) {
      return AddFloats{View<const float>(floats.data()), {heard.data()}};
    });
    run("first", [&](std::vector<std::uint64_t>& heard) { return FindFirst{{heard.data()}}; });
    run("nearest", [&](std::vector<std::uint64_t>& heard) { return Nearest{some, {heard.data()}}; });
  }
};

TEST_P(HelpedPair, FindsTheSame) {
  Shape made = shape();
  if (made.weights == WeightType::none) made.weights = WeightType::u8;
  const StoredGraph stored(made, {Order::degree, 4096});
  const std::uint64_t n = stored.graph().num_vertices();
  if (stored.graph().num_edges() == 0) return;
  const PageSet in = stored.pages(Orientation::in, With::weights), out = stored.pages(Orientation::out, With::weights);
  std::vector<std::uint64_t> active(bitmap_words(n));
  for (VertexId v = 0; v < n; ++v) active[v / 64] |= std::uint64_t{v % 4 != 1} << (v % 64);
  const HelpOptions ways[] = {{.threads = 2},
                              {.threads = 2, .order = HelpOrder::low, .share = 0.5},
                              {.threads = 1, .order = HelpOrder::random, .share = 1.0}};
  std::size_t helped = 0;
  each_program(n, [&](const char* name, const auto& make) {
    SCOPED_TRACE(name);
    const auto run = [&](bool pulls, const HelpOptions& options) {
      Found found{std::vector<std::uint64_t>(n), std::vector<std::uint64_t>(bitmap_words(n))};
      if (pulls)
        pull(in, make(found.heard), active, options, found);
      else
        push(out, make(found.heard), active, options, found);
      helped += found.helped_pages;
      return found;
    };
    const Found alone = run(true, {.threads = 1, .share = 0.0});
    EXPECT_EQ(alone.helped_pages, 0);
    for (const bool pulls : {true, false})
      for (const HelpOptions& options : ways) {
        const Found found = run(pulls, options);
        EXPECT_EQ(found.heard, alone.heard) << (pulls ? "pull" : "push");
        EXPECT_EQ(found.joined, alone.joined) << (pulls ? "pull" : "push");
      }
  });
  const bool only_large =
      std::ranges::all_of(in.table(), [](const PageEntry& page) { return page.kind == PageKind::large; });
  EXPECT_TRUE(helped > 0 || only_large) << "nobody was helped";
}
INSTANTIATE_TEST_SUITE_P(EveryShape, HelpedPair, testing::ValuesIn(shape_names()), name_of);

TEST(HelpedPairs, EndCleanlyIfOneFails) {
  Shape shape = rmat(9);
  shape.weights = WeightType::u8;
  const StoredGraph stored(shape, {Order::degree, 4096});
  const std::uint64_t n = stored.graph().num_vertices();
  const PageSet in = stored.pages(Orientation::in, With::weights);
  const std::vector<std::uint64_t> active(bitmap_words(n), ~std::uint64_t{0});
  std::vector<std::uint64_t> says(n, 1);
  ASSERT_FALSE(stored.graph().out[fails_at].empty());
  for (const double part : {0.0, 1.0, 0.5}) {
    Found found{std::vector<std::uint64_t>(n), std::vector<std::uint64_t>(bitmap_words(n))};
    const Nearest program{View<const std::uint64_t>(says.data()), {found.heard.data()}};
    const HelpOptions options{.threads = 2, .share = part};
    says[fails_at] = ~std::uint64_t{0};
    EXPECT_THROW(pull(in, program, active, options, found), InternalError);
    says[fails_at] = 1;
    pull(in, program, active, options, found);
    for (VertexId v = 0; v < n; ++v) EXPECT_EQ(found.heard[v] > 0, !stored.graph().in[v].empty()) << "vertex " << v;
  }
}

}  // namespace
}  // namespace millrace
