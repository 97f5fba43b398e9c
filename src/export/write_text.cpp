#include "millrace/export/write_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/export/places.h"
#include "millrace/ingest/column_choice.h"
#include "millrace/ingest/parse_line.h"

namespace millrace {
namespace {

using Text = fmt::memory_buffer;

void append_number(Text& text, std::uint64_t number) {
  const fmt::format_int digits(number);
  text.append(digits.data(), digits.data() + digits.size());
}

// The shortest text that gives this number when it is read as a double, as most programs do. For an f32 this takes more
// digits than telling it from other f32 numbers would.
void append_weight(Text& text, WeightType type, std::uint64_t bits) {
  if (type == WeightType::f32 || type == WeightType::f64)
    fmt::format_to(std::back_inserter(text), "{}", weight_value(type, bits));
  else
    append_number(text, bits);
}

// Fills blocks of text in parallel, at most `group` in memory at once, and writes them in order; fill(text, block).
template <class Fill, class Done>
void write_blocks(Sink& sink, std::uint64_t blocks, std::uint64_t group, Fill fill, Done done) {
  for (std::uint64_t first = 0; first < blocks; first += group) {
    std::vector<Text> text(std::min(group, blocks - first));
    parallel_for_each(text.size(), [&](std::uint64_t b) { fill(text[b], first + b); });
    for (std::uint64_t b = 0; b < text.size(); ++b) {
      sink.write({text[b].data(), text[b].size()});
      done(first + b);
    }
  }
}

std::uint64_t most_blocks() { return 2 * static_cast<std::uint64_t>(omp_get_max_threads()); }

// The memory of a page during an export: as stored, decoded and as text. Assumes that names are no longer than ids.
std::uint64_t text_memory(const EdgeSelection& edges, bool weighted) {
  constexpr std::uint64_t weight_text = 25, separators = 2;
  const Manifest& manifest = edges.store().manifest();
  const std::uint64_t id_text = manifest.ids == IdColumn::u64 || manifest.names ? 20 : 10;
  const std::uint64_t edge_bytes = 2 * id_text + separators + (weighted ? 12 + weight_text : 4);
  std::uint64_t most = 1;
  for (const std::uint32_t page : edges.pages())
    most = std::max(most, edges.entry(page).bytes + edge_bytes * edges.entry(page).edges);
  return most + PageRows::memory;
}

// Calls append(text, source, target, weight bits) for every selected edge; returns how many there are.
template <class Append>
std::uint64_t write_edges(const EdgeSelection& edges, bool weighted, Sink& sink, Budget& budget, Append append) {
  const PageReader reader = edges.reader();
  const std::vector<std::uint32_t>& pages = edges.pages();
  const std::uint64_t memory = text_memory(edges, weighted);
  const std::uint64_t group = std::clamp<std::uint64_t>((budget.limit() - budget.used()) / memory, 1, most_blocks());
  const Charge charge(group * memory, budget, "pages as text");
  Progress progress("export", edges.edges_read());
  std::atomic<std::uint64_t> written = 0;
  write_blocks(
      sink, pages.size(), group,
      [&](Text& text, std::uint64_t p) {
        std::uint64_t here = 0;
        edges.for_each_edge(reader, pages[p], weighted, [&](VertexId source, VertexId target, std::uint64_t weight) {
          append(text, source, target, weight);
          ++here;
        });
        written += here;
      },
      [&](std::uint64_t p) { progress.add(edges.entry(pages[p]).edges); });
  return written;
}

// Ids as text: numbers, or the names that they stand for.
class Ids {
 public:
  // `may_have_header`: whether the file may begin with a header.
  Ids(const Store& store, bool may_have_header, Budget& budget)
      : ids_(store.load_ids(budget)), names_(store.load_names(budget)) {
    struct Found {
      std::uint64_t first_unfit;
      bool table = false;
    };
    const auto look = [&](Found& found, std::uint64_t id) {
      const bool fits = fits_edge_list(names_[id]);
      if (!fits) found.first_unfit = std::min(found.first_unfit, id);
      found.table |= !fits || (may_have_header && is_name_of_end(names_[id]));
    };
    const Found found = parallel_reduce(names_.size(), Found{names_.size()}, look, [](Found& all, const Found& part) {
      all.first_unfit = std::min(all.first_unfit, part.first_unfit);
      all.table |= part.table;
    });
    first_unfit_ = found.first_unfit;
    table_ = found.table;
  }
  bool named() const { return names_.size() > 0; }
  // Whether the file must be a table with a header to be read back: names contain blanks or other separators, or are
  // usual names of columns.
  bool table() const { return table_; }
  // Throws UsageError if a name cannot be read back from a file that has no header.
  void require_plain_names(const std::filesystem::path& file) const {
    if (first_unfit_ == names_.size()) return;
    throw UsageError(
        "{}: the name \"{}\" would not be read back from .el and .wel files, which have no header; export .txt instead",
        file.string(), printable(names_[first_unfit_]));
  }
  const IdMap& map() const { return ids_; }
  void append(Text& text, VertexId vertex) const {
    const OriginalId id = ids_.original(vertex);
    if (!named()) return append_number(text, id);
    if (id >= names_.size()) throw BadInputError("the original id {} has no name; the store is damaged", id);
    const std::string_view name = names_[id];
    if (table_ && needs_quotes(name)) return append_quoted(text, name);
    text.append(name);
  }

 private:
  static bool is_control(char c) { return static_cast<unsigned char>(c) < ' '; }
  // A byte order mark, which is skipped, or the first bytes of zstd; those of gzip contain a control character.
  static bool starts_with_mark(std::string_view name) {
    return name.starts_with("\xef\xbb\xbf") || name.starts_with("\x28\xb5\x2f\xfd");
  }
  // In an edge list blanks and commas are separators, and lines with '#' and '%' are comments; in a table only tabs
  // separate.
  static bool fits_edge_list(std::string_view name) {
    return name.find_first_of(" ,") == name.npos && std::none_of(name.begin(), name.end(), is_control) &&
           !name.starts_with('#') && !name.starts_with('%') && !starts_with_mark(name);
  }
  static bool needs_quotes(std::string_view name) {
    return name.starts_with('"') || name.starts_with(' ') || name.ends_with(' ') || starts_with_mark(name) ||
           std::any_of(name.begin(), name.end(), is_control);
  }
  static void append_quoted(Text& text, std::string_view name) {
    text.push_back('"');
    for (const char c : name) {
      if (c == '"') text.push_back(c);
      text.push_back(c);
    }
    text.push_back('"');
  }

  IdMap ids_;
  CountedNames names_;
  std::uint64_t first_unfit_ = 0;  // the first id whose name does not fit an edge list, else the number of names
  bool table_ = false;
};

}  // namespace

std::uint64_t write_edge_list(const EdgeSelection& edges, const TextOptions& options, Budget& budget) {
  const Ids ids(edges.store(), options.may_have_header, budget);
  if (!options.may_have_header) ids.require_plain_names(options.file);
  const std::unique_ptr<Sink> opened = make_sink(options.file, options.compression);
  Sink& sink = *opened;
  const bool weighted = options.weighted;
  const char separator = ids.named() ? '\t' : ' ';
  const WeightType type = edges.store().manifest().weight_type;
  if (ids.table()) sink.write(std::string_view(weighted ? "source\ttarget\tweight\n" : "source\ttarget\n"));
  const auto append = [&](Text& text, VertexId source, VertexId target, std::uint64_t weight) {
    ids.append(text, source);
    text.push_back(separator);
    ids.append(text, target);
    if (weighted) {
      text.push_back(separator);
      append_weight(text, type, weight);
    }
    text.push_back('\n');
  };
  const std::uint64_t written = write_edges(edges, weighted, sink, budget, append);
  sink.close();
  return written;
}

std::uint64_t edge_list_memory(const Store& store, bool weighted) {
  return store.id_memory() + store.name_memory() + text_memory(EdgeSelection(store), weighted);
}

std::uint64_t matrix_market_memory(const Store& store, bool weighted) {
  return std::max(Places::memory(store), Places::kept(store) + text_memory(EdgeSelection(store), weighted));
}

std::uint64_t vertices_memory(const Store& store) {
  return store.id_memory() + store.order_memory() + store.name_memory();
}

void write_matrix_market(const Store& store, bool weighted, Sink& sink, Budget& budget) {
  const Manifest& manifest = store.manifest();
  const WeightType type = manifest.weight_type;
  const bool real = type == WeightType::f32 || type == WeightType::f64;
  const std::uint64_t n = store.num_vertices();
  const std::uint64_t entries = manifest.directed ? store.num_edges() : (store.num_edges() + manifest.self_loops) / 2;
  const std::string head = fmt::format("%%MatrixMarket matrix coordinate {} {}\n{} {} {}\n",
                                       !weighted ? "pattern"
                                       : real    ? "real"
                                                 : "integer",
                                       manifest.directed ? "general" : "symmetric", n, n, entries);
  sink.write(head);
  const Places places(store, budget);
  const auto append = [&](Text& text, VertexId source, VertexId target, std::uint64_t weight) {
    std::uint64_t row = places[source], column = places[target];
    if (!manifest.directed && row < column) std::swap(row, column);
    append_number(text, row + 1);
    text.push_back(' ');
    append_number(text, column + 1);
    if (weighted) {
      text.push_back(' ');
      append_weight(text, type, weight);
    }
    text.push_back('\n');
  };
  write_edges(EdgeSelection(store), weighted, sink, budget, append);
}

void write_vertices(const Store& store, bool may_have_header, Sink& sink, Budget& budget) {
  constexpr std::uint64_t block_vertices = 1u << 16;
  const Ids ids(store, may_have_header, budget);
  const Array<VertexId> order = ids.map().ascending(budget);
  const std::uint64_t n = store.num_vertices();
  Progress progress("export vertices", n);
  write_blocks(
      sink, (n + block_vertices - 1) / block_vertices, most_blocks(),
      [&](Text& text, std::uint64_t block) {
        const std::uint64_t start = block * block_vertices;
        for (std::uint64_t i = start; i < std::min(n, start + block_vertices); ++i) {
          ids.append(text, order.empty() ? static_cast<VertexId>(i) : order[i]);
          text.push_back('\n');
        }
      },
      [&](std::uint64_t) { progress.add(block_vertices); });
}

}  // namespace millrace
