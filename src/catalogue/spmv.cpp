#include "millrace/algorithms/spmv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/find_vertices.h"
#include "millrace/catalogue/notes.h"
#include "millrace/checks/check_spmv.h"
#include "millrace/core/error.h"
#include "millrace/core/npy.h"
#include "millrace/core/parallel.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

// Values by vertex, and what owns them; nothing where somebody else does.
template <class Real>
struct Vector {
  std::span<const Real> values = {};
  std::shared_ptr<const Array<Real>> owned = {};
  std::uint64_t too_large = 0;  // finite values of the file that are infinite here
};

template <class Real>
Vector<Real> owning(std::shared_ptr<const Array<Real>> values, std::uint64_t too_large = 0) {
  const std::span<const Real> all = *values;
  return {all, std::move(values), too_large};
}

// Reads the next values; returns how many finite ones are too large for their type.
template <class Real>
std::uint64_t read_values(NpyReader& file, std::span<Real> values) {
  if (std::is_same_v<Real, double> || file.dtype() != "<f8") {
    file.read(values);
    return 0;
  }
  std::vector<double> some(std::min<std::size_t>(values.size(), 1u << 16));
  std::uint64_t too_large = 0;
  for (std::size_t first = 0; first < values.size(); first += some.size()) {
    some.resize(std::min(some.size(), values.size() - first));
    file.read(std::span<double>(some));
    for (std::size_t i = 0; i < some.size(); ++i) {
      values[first + i] = static_cast<Real>(some[i]);
      too_large += std::isfinite(some[i]) && !std::isfinite(values[first + i]);
    }
  }
  return too_large;
}

// Reads values into the order of vertices; the file has them in ascending order of ids.
template <class Real>
Vector<Real> load_vector(const Store& store, NpyReader& file, Budget& memory) {
  const auto x = std::make_shared<Array<Real>>(store.num_vertices(), memory, "x");
  const IdMap ids = store.load_ids(memory);
  const Array<VertexId> order = ids.ascending(memory);
  if (order.empty()) {
    const std::uint64_t too_large = read_values(file, std::span<Real>(*x));
    return owning<Real>(x, too_large);
  }
  std::uint64_t too_large = 0;
  std::vector<Real> some(std::min<std::uint64_t>(x->size(), 1u << 16));
  for (std::uint64_t first = 0; first < x->size(); first += some.size()) {
    some.resize(std::min<std::uint64_t>(some.size(), x->size() - first));
    too_large += read_values(file, std::span<Real>(some));
    for (std::size_t i = 0; i < some.size(); ++i) (*x)[order[first + i]] = some[i];
  }
  return owning<Real>(x, too_large);
}

template <class Real>
std::uint64_t count_not_finite(std::span<const Real> values) {
  return parallel_reduce(
      values.size(), std::uint64_t{0},
      [&](std::uint64_t& count, std::uint64_t v) { count += !std::isfinite(values[v]); },
      [](std::uint64_t& all, std::uint64_t count) { all += count; });
}

// What a finite vector gave that is not finite; mostly nothing.
template <class Real>
std::string overflow_text(const Vector<Real>& x, std::span<const Real> y) {
  const std::uint64_t count = count_not_finite(y);
  if (count == 0 || count_not_finite(x.values) > x.too_large) return {};
  const std::string largest =
      fmt::format("{:.2g}, the largest number of f{}", double{std::numeric_limits<Real>::max()}, 8 * sizeof(Real));
  const std::string why = x.too_large == 0   ? "products, or sums of them, pass " + largest
                          : x.too_large == 1 ? "1 value of x passes " + largest
                                             : format_count(x.too_large) + " values of x pass " + largest;
  return fmt::format("{} not finite: {}", count == 1 ? "1 value is" : format_count(count) + " values are", why);
}

// How many values a vector has, and how many it should.
std::string wrong_size(std::uint64_t size, const Store& store) {
  const std::uint64_t n = store.num_vertices();
  return fmt::format("{}, but the graph has {}", format_counted(size, "value"), format_counted(n, "vertex"));
}

class Spmv final : public Algorithm {
 public:
  Spmv() = default;
  // With a vector that is in memory already.
  explicit Spmv(const VectorInMemory& x) : in_memory_(true) {
    std::visit([&]<class Real>(std::span<const Real> values) { x_ = Vector<Real>{values}; }, x);
  }

  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "spmv",
        .help =
            "The product of the adjacency matrix with a vector, y = A x: each vertex adds up the values of its "
            "out-neighbours, times the weights of the edges where the store has some",
        .finds = "a product of matrix and vector",
        .supersteps = "1",
        .columns = {{"y"}},
        .uses_weights = true,
        .bench =
            BenchInfo{.unit = "product",
                      .explanation = "f32, with weights where there are some, median of repeats; GTEPS count all edges",
                      .weighted = true},
        .examples = {"g.store @x@ x.npy -o y.npy", "roads.store @x@ x.npy @transpose@ -o y.txt"}};
    return info;
  }
  std::vector<Option> options() override {
    return {
        {.name = "x",
         .field = &path_,
         .value = "FILE",
         .help = "The vector, a NumPy array (.npy) of one value a vertex, in ascending order of ids; .npy output is in "
                 "the same order",
         .required = true,
         .use = PathUse::input},
        {.name = "transpose",
         .field = &transpose_,
         .value = {},
         .help = "Multiply by the transpose: add up in-neighbours instead"},
        {.name = "unweighted",
         .field = &unweighted_,
         .value = {},
         .help = "Count every edge as 1, also in a store with weights"},
        {.name = "precision",
         .field = &precision_,
         .value = "f32|f64",
         .help = "f32 or f64 (default: f32 where the file is, f64 otherwise)",
         .choices = {"f32", "f64"}}};
  }

  void prepare(const Store& store, const Wanted&) override {
    if (in_memory_) return require_precision(store);
    file_.emplace(path_);
    if (file_->size() != store.num_vertices())
      throw UsageError("@x@ {} has {}", path_.string(), wrong_size(file_->size(), store));
    if (precision_.empty() ? file_->dtype() == "<f4" : precision_ == "f32")
      x_ = Vector<float>();
    else
      x_ = Vector<double>();
  }
  void prepare_measurement(const Store& store, const Measured&) override {
    const auto x = std::make_shared<Array<float>>(store.num_vertices(), unlimited_budget(), "x");
    for (std::uint64_t v = 0; v < x->size(); ++v) (*x)[v] = static_cast<float>(v % 8) - 3;
    x_ = owning<float>(x);
    file_.reset();
  }
  std::vector<Finding> asked(const Store& store) const override {
    return {{"x", in_memory_ ? "\"in memory\"" : json_string(path_.string())},
            {"transpose", transpose_ ? "true" : "false"},
            {"weighted", how(store).weighted ? "true" : "false"},
            {"precision", f64() ? "\"f64\"" : "\"f32\""}};
  }
  std::string note(const Store& store, Direction direction) const override {
    return note_on(store, direction, true, transpose_ ? Orientation::out : Orientation::in);
  }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return (f64() ? spmv_needs<double> : spmv_needs<float>)(how(store), direction, available_in(store));
  }
  std::uint64_t kept_bytes_per_vertex() const override { return f64() ? sizeof(double) : sizeof(float); }
  std::uint64_t expected_edges(const Store& store) const override { return store.num_edges(); }

  TakenBefore input_memory(const Store& store) const override {
    if (!file_) return {};
    const std::uint64_t kept = x_memory(store);
    return {.kept = kept, .most = kept + store.id_memory() + store.order_memory()};
  }
  void load_input(const Store& store, Budget& memory) override {
    std::visit([&]<class Real>(Vector<Real>& x) { x = load_vector<Real>(store, *file_, memory); }, x_);
    file_.reset();
  }
  Outcome compute(Engine& engine, const Store& store) override {
    return std::visit([&]<class Real>(const Vector<Real>& x) { return multiply_by(x, engine, store); }, x_);
  }

 private:
  void require_precision(const Store& store) const {
    const std::uint64_t size = std::visit([](const auto& x) { return x.values.size(); }, x_);
    if (size != store.num_vertices()) throw UsageError("@x@ has {}", wrong_size(size, store));
    if (!precision_.empty() && (precision_ == "f64") != f64())
      throw UsageError("@precision@ {}: @x@ has other values, and it is not converted", precision_);
  }
  bool f64() const { return std::holds_alternative<Vector<double>>(x_); }
  SpmvOptions how(const Store& store) const {
    return {.transpose = transpose_, .weighted = store.manifest().weight_type != WeightType::none && !unweighted_};
  }
  std::uint64_t x_memory(const Store& store) const {
    return buffer_memory(store.num_vertices() * kept_bytes_per_vertex());
  }

  template <class Real>
  Outcome multiply_by(const Vector<Real>& x, Engine& engine, const Store& store) {
    const SpmvOptions by = how(store);
    const auto result = std::make_shared<SpmvResult<Real>>(spmv<Real>(engine, x.values, by));
    Outcome outcome{.seconds = result->seconds, .edges = store.num_edges(), .result = result};
    outcome.shortfall = overflow_text<Real>(x, result->y);
    outcome.columns = {{"y", ValueColumn::Kind::numbers, std::span<const Real>(result->y)}};
    outcome.check = [result, x, by](const PageSet& pages, Orientation orientation) {
      return check_spmv<Real>(
          pages, orientation, x.values, result->y,
          {.transpose = by.transpose, .weighted = by.weighted, .tolerance = sizeof(Real) == 4 ? 1e-4 : 1e-9});
    };
    return outcome;
  }

  const bool in_memory_ = false;
  std::filesystem::path path_;
  bool transpose_ = false;
  bool unweighted_ = false;
  std::string precision_;
  std::optional<NpyReader> file_;  // open until x is loaded
  std::variant<Vector<float>, Vector<double>> x_;
};

}  // namespace

std::unique_ptr<Described> make_spmv() { return std::make_unique<Spmv>(); }

std::unique_ptr<Algorithm> make_spmv_of(const VectorInMemory& x) { return std::make_unique<Spmv>(x); }

}  // namespace millrace
