#include "millrace/run/find_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

template <class T>
struct Entry {
  T value;
  VertexId vertex;
};

// Higher values first; of equal ones the lower vertex.
template <class T>
bool before(const Entry<T>& a, const Entry<T>& b) {
  return a.value != b.value ? a.value > b.value : a.vertex < b.vertex;
}

// Bounded by reading the values once.
template <class T>
std::vector<Entry<T>> highest(std::span<const T> values, std::size_t count) {
  using Entries = std::vector<Entry<T>>;
  if (count == 0) return {};
  const auto look = [&](Entries& heap, std::uint64_t v) {  // the last one that stays is on top
    const Entry<T> entry{values[v], static_cast<VertexId>(v)};
    if (!(entry.value == entry.value)) return;  // not a number
    if (heap.size() == count) {
      if (!before(entry, heap.front())) return;
      std::ranges::pop_heap(heap, before<T>);
      heap.pop_back();
    }
    heap.push_back(entry);
    std::ranges::push_heap(heap, before<T>);
  };
  Entries all = parallel_reduce(values.size(), Entries(), look, [](Entries& all, const Entries& part) {
    all.insert(all.end(), part.begin(), part.end());
  });
  std::ranges::sort(all, before<T>);
  all.resize(std::min(all.size(), count));
  return all;
}

template <class T>
std::string number_text(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return fmt::format("{:.6g}", value);
  else
    return format_count(value);
}

std::string plural(const std::string& word) {
  return word.ends_with("y") ? word.substr(0, word.size() - 1) + "ies" : word + "s";
}

// Vertices as the user calls them.
class VertexNames {
 public:
  VertexNames(const Store& store, Budget& budget) : ids_(store.load_ids(budget)), names_(store.load_names(budget)) {}

  const IdMap& ids() const { return ids_; }
  std::string operator()(VertexId vertex) const {
    const OriginalId id = ids_.original(vertex);
    return names_.size() > 0 ? std::string(names_[id]) : fmt::format("{}", id);
  }

 private:
  IdMap ids_;
  CountedNames names_;
};

template <class T>
Answer::Top top_of(const std::string& column, std::span<const T> values, std::uint32_t top, const VertexNames& names) {
  Answer::Top found{.title = "highest " + column, .value = column, .of = "vertex", .rows = {}};
  for (const Entry<T>& entry : highest(values, top))
    found.rows.push_back({names(entry.vertex), number_text(entry.value), static_cast<double>(entry.value)});
  return found;
}

// How many values fall into each of `bins` ranges of one width from 0 to the largest; `missing` is no value.
template <class T>
struct Histogram {
  T largest = 0;
  std::uint64_t without = 0;  // vertices that have no value
  std::vector<std::uint64_t> counts = {};
};

template <class T, class Place>
void count_places(std::span<const T> values, T missing, Histogram<T>& into, const Place& place) {
  struct Part {
    std::vector<std::uint64_t> counts;
    std::uint64_t without = 0;
  };
  const auto count = [&](Part& part, std::uint64_t v) {
    if (values[v] == missing)
      ++part.without;
    else
      ++part.counts[place(values[v])];
  };
  const Part none{.counts = std::vector<std::uint64_t>(into.counts.size())};
  const Part all = parallel_reduce(values.size(), none, count, [](Part& all, const Part& part) {
    for (std::size_t i = 0; i < all.counts.size(); ++i) all.counts[i] += part.counts[i];
    all.without += part.without;
  });
  for (std::size_t i = 0; i < all.counts.size(); ++i) into.counts[i] += all.counts[i];
  into.without = all.without;
}

template <class T>
T largest_of(std::span<const T> values, T missing) {
  return parallel_max(values.size(), [&](std::uint64_t v) { return values[v] != missing ? values[v] : T{0}; });
}

constexpr std::size_t most_bars = 20;

Answer::Row bar(std::string name, std::uint64_t count) {
  return {std::move(name), format_count(count), static_cast<double>(count)};
}

// Whole numbers: each of them if they are few; else ranges of one width, or of powers of two.
std::vector<Answer::Row> bars_of(std::span<const std::uint32_t> values, std::uint32_t missing, bool by_powers) {
  Histogram<std::uint32_t> found{.largest = largest_of(values, missing)};
  std::vector<Answer::Row> bars;
  if (by_powers && found.largest >= most_bars) {
    found.counts.resize(33);
    count_places(values, missing, found, [](std::uint32_t value) { return std::bit_width(value); });
    bars = rows_by_powers_of_two(found.counts);
  } else {
    const std::uint64_t width = found.largest / most_bars + 1;
    found.counts.resize(found.largest / width + 1);
    count_places(values, missing, found, [width](std::uint32_t value) { return value / width; });
    for (std::uint64_t i = 0; i < found.counts.size(); ++i)
      bars.push_back(
          bar(width == 1 ? format_count(i) : format_count(i * width) + " to " + format_count((i + 1) * width - 1),
              found.counts[i]));
  }
  if (found.without > 0) bars.push_back(bar("not reached", found.without));
  return bars;
}

// Real numbers from 0 on: 0 alone, then ten ranges of one width.
std::vector<Answer::Row> bars_of(std::span<const double> values, double missing) {
  static constexpr std::size_t ranges = 10;
  Histogram<double> found{.largest = largest_of(values, missing), .counts = std::vector<std::uint64_t>(ranges + 1)};
  const double width = found.largest / ranges;
  count_places(values, missing, found, [width](double value) -> std::size_t {
    const double place = value > 0 ? std::ceil(value / width) : 0;
    return place < ranges ? static_cast<std::size_t>(place) : ranges;  // also what is no number
  });
  std::vector<Answer::Row> bars{bar("0", found.counts[0])};
  for (std::size_t i = 1; width > 0 && i <= ranges; ++i)
    bars.push_back(bar(fmt::format("to {:.4g}", static_cast<double>(i) * width), found.counts[i]));
  if (found.without > 0) bars.push_back(bar("not reached", found.without));
  return bars;
}

std::vector<Answer::Row> bars_of(const ValueColumn& column) {
  using Kind = ValueColumn::Kind;
  constexpr double none = std::numeric_limits<double>::infinity();
  if (const auto* const whole = std::get_if<std::span<const std::uint32_t>>(&column.values))
    return bars_of(*whole, ~0u, column.kind == Kind::numbers);
  if (const auto* const real = std::get_if<std::span<const double>>(&column.values)) return bars_of(*real, none);
  throw InternalError("column {} has no distribution", column.name);
}

// The largest groups, named by a vertex, and how many groups there are of each size. Vertices may be in none.
void add_groups(Answer& answer, ValueColumn& column, std::uint32_t top, const VertexNames& names, Budget& budget) {
  if (column.finish) {
    const Array<VertexId> order = names.ids().ascending(budget);
    std::exchange(column.finish, nullptr)(order, budget);
  }
  const auto group = std::get<std::span<const VertexId>>(column.values);
  Array<std::uint32_t> sizes(group.size(), budget, "the sizes of groups");
  parallel_for(group.size(), [&](std::uint64_t v) {
    if (group[v] != no_vertex) std::atomic_ref(sizes[group[v]]).fetch_add(1, std::memory_order_relaxed);
  });
  std::vector<std::uint64_t> counts(33);
  for (const std::uint32_t size : std::span<const std::uint32_t>(sizes))
    if (size > 0) ++counts[static_cast<std::size_t>(std::bit_width(size))];
  Answer::Top found{.title = "largest " + plural(column.name), .value = "vertices", .of = column.name, .rows = {}};
  for (const auto& [size, vertex] : highest<std::uint32_t>(sizes, top))
    if (size > 0)
      found.rows.push_back(
          {names(vertex), format_count(size) + (size == 1 ? " vertex" : " vertices"), static_cast<double>(size)});
  if (!found.rows.empty()) answer.tops.push_back(std::move(found));
  answer.charts.push_back(chart_of("size", plural(column.name), rows_by_powers_of_two(counts)));
}

}  // namespace

Answer find_answer(const AlgorithmInfo& info, Outcome& outcome, const Store& store, std::uint32_t top, Budget& budget) {
  Answer answer;
  std::optional<VertexNames> names;  // loaded for the first column that needs them
  const auto named = [&]() -> const VertexNames& { return names ? *names : names.emplace(store, budget); };
  for (ValueColumn& column : outcome.columns) {
    const auto described = std::ranges::find(info.columns, column.name, &ColumnInfo::name);
    if (described == info.columns.end() || store.num_vertices() == 0) continue;
    try {
      if (described->shown == Shown::distribution)
        answer.charts.push_back(chart_of(column.name, "vertices", bars_of(column)));
      else if (described->shown == Shown::groups && top > 0)
        add_groups(answer, column, top, named(), budget);
      else if (described->shown == Shown::highest && top > 0)
        answer.tops.push_back(
            std::visit([&](const auto& values) { return top_of(column.name, values, top, named()); }, column.values));
    } catch (const DoesNotFitError&) {
      answer.missing = marked_text("{} are not shown here: @host-memory@ has no room for what naming them takes",
                                   described->shown == Shown::groups ? "the largest " + plural(column.name)
                                                                     : "the highest values of " + column.name);
    }
  }
  // Copied: an outcome may be asked again.
  answer.charts.insert(answer.charts.end(), outcome.charts.begin(), outcome.charts.end());
  return answer;
}

}  // namespace millrace
