#include "millrace/checks/check_cdlp.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "millrace/core/parallel.h"

namespace millrace {
namespace {

// The most frequent label, the smallest of equally frequent ones.
std::uint32_t favourite(std::vector<std::uint32_t>& labels) {
  std::sort(labels.begin(), labels.end());
  std::uint32_t best = labels[0];
  std::ptrdiff_t most = 0;
  for (auto run = labels.begin(); run != labels.end();) {
    const auto end = std::upper_bound(run, labels.end(), *run);
    if (end - run > most) most = end - run, best = *run;
    run = end;
  }
  return best;
}

}  // namespace

std::optional<std::string> check_cdlp(const PageSet& pages, Orientation orientation,
                                      std::span<const std::uint32_t> label, const CdlpClaim& claim) {
  const std::uint64_t n = label.size();
  std::vector<PlainRows> rows{plain_rows(pages, orientation, Orientation::out, n)};
  if (claim.directed) rows.push_back(plain_rows(pages, orientation, Orientation::in, n));
  std::vector<std::uint32_t> expected(claim.own.begin(), claim.own.end());
  if (expected.empty()) {
    expected.resize(n);
    std::iota(expected.begin(), expected.end(), 0u);
  }
  std::vector<std::uint32_t> next = expected;
  for (std::uint32_t i = 0; i < claim.iterations; ++i) {
    Draw draw(256);
    on_threads(loop_threads(n), [&](const ThreadOf&) {
      std::vector<std::uint32_t> labels;
      draw.for_each(n, [&](std::uint64_t v) {
        labels.clear();
        for (const PlainRows& side : rows)
          for (const VertexId neighbour : side[static_cast<VertexId>(v)]) labels.push_back(expected[neighbour]);
        if (!labels.empty()) next[v] = favourite(labels);
      });
    });
    expected.swap(next);
  }
  for (std::uint64_t v = 0; v < n; ++v)
    if (label[v] != expected[v])
      return fmt::format("vertex {} has label {} after {} iterations, expected {}", v, label[v], claim.iterations,
                         expected[v]);
  return std::nullopt;
}

}  // namespace millrace
