#include "millrace/export/write_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/export/places.h"
#include "millrace/read/column_choice.h"
#include "millrace/read/parse_line.h"

namespace millrace {
namespace {

using Text = fmt::memory_buffer;

constexpr std::uint64_t longest_usual_line = 4096;  // a longer one takes more memory than is counted

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

// Blocks of text that are filled at a time, and the room that each has. Lines that exceed it follow later.
struct TextRoom {
  std::uint64_t blocks = 1;
  std::uint64_t bytes = 0;
};

// The lines of a block, and the one that comes next.
struct Filled {
  std::uint64_t lines, next;
};

// Fills blocks of text in parallel and writes them in order. fill(text, block, line) appends the lines of a block from
// that one on, until the room is used.
template <class Fill, class Done>
void write_blocks(Sink& sink, std::uint64_t blocks, TextRoom room, Fill fill, Done done) {
  std::vector<Text> text(std::min(room.blocks, blocks));
  std::vector<Filled> filled(text.size());
  const auto begin = [&](std::uint64_t b, std::uint64_t block, std::uint64_t line) {
    text[b].clear();
    text[b].reserve(room.bytes + longest_usual_line);
    filled[b] = fill(text[b], block, line);
  };
  for (std::uint64_t first = 0; first < blocks; first += room.blocks) {
    const std::uint64_t count = std::min(room.blocks, blocks - first);
    parallel_for_each(count, [&](std::uint64_t b) { begin(b, first + b, 0); });
    for (std::uint64_t b = 0; b < count; ++b) {
      sink.write({text[b].data(), text[b].size()});
      while (filled[b].next < filled[b].lines) {
        begin(b, first + b, filled[b].next);
        sink.write({text[b].data(), text[b].size()});
      }
      done(first + b);
    }
  }
}

std::uint64_t most_blocks() { return 2 * static_cast<std::uint64_t>(omp_get_max_threads()); }

// The bytes of an id as text; of names, those of most.
std::uint64_t id_text(const Store& store) {
  if (!store.has_names()) return store.manifest().ids == IdColumn::u64 ? 20 : 10;
  const std::uint64_t n = std::max<std::uint64_t>(store.num_vertices(), 1), offsets = (n + 2) * sizeof(std::uint64_t);
  const std::uint64_t bytes = store.name_memory() - std::min(store.name_memory(), offsets);
  return bytes / n + bytes / n / 4 + 4;
}

// The room for all text of a page, the memory of a page during an export, as stored and decoded, and that with the
// text. With less room for text a page is decoded several times.
struct TextNeeds {
  std::uint64_t room = 0;
  std::uint64_t page = longest_usual_line;

  std::uint64_t memory() const { return page + room; }
  std::uint64_t least_memory() const { return page + std::min<std::uint64_t>(room, 16u << 20); }
};
TextNeeds text_needs(const EdgeSelection& edges, bool weighted) {
  constexpr std::uint64_t weight_text = 25, separators = 2;
  const std::uint64_t line = 2 * id_text(edges.store()) + separators + (weighted ? weight_text : 0);
  TextNeeds most;
  for (const std::uint32_t page : edges.pages()) {
    const PageEntry& entry = edges.entry(page);
    most.room = std::max(most.room, line * entry.edges);
    most.page = std::max(most.page, entry.bytes + PageEdges::memory(entry, weighted) + longest_usual_line);
  }
  return most;
}
std::uint64_t text_memory(const EdgeSelection& edges, bool weighted) {
  return text_needs(edges, weighted).least_memory();
}

// As many blocks as there is memory for.
std::uint64_t blocks_within(const Budget& budget, std::uint64_t memory) {
  return std::clamp<std::uint64_t>((budget.limit() - budget.used()) / memory, 1, most_blocks());
}

constexpr std::uint64_t block_vertices = 1u << 16;
std::uint64_t vertices_text(const Store& store) {
  return std::min(store.num_vertices(), block_vertices) * (id_text(store) + 1);
}

// Calls append(text, source, target, weight bits) for every selected edge; returns how many there are.
template <class Append>
std::uint64_t write_edges(const EdgeSelection& edges, bool weighted, Sink& sink, Budget& budget, Append append) {
  const PageReader reader = edges.reader();
  const std::vector<std::uint32_t>& pages = edges.pages();
  TextNeeds needs = text_needs(edges, weighted);
  const std::uint64_t left = budget.limit() - budget.used();
  if (left < needs.memory()) needs.room = std::max(left, needs.least_memory()) - needs.page;
  const TextRoom room{blocks_within(budget, needs.memory()), needs.room};
  const Charge charge(room.blocks * needs.memory(), budget, "pages as text");
  Progress progress("export", edges.edges_read());
  std::atomic<std::uint64_t> written = 0;
  write_blocks(
      sink, pages.size(), room,
      [&](Text& text, std::uint64_t p, std::uint64_t first) {
        Filled filled{0, first};
        edges.for_each_edge(reader, pages[p], weighted, [&](VertexId source, VertexId target, std::uint64_t weight) {
          if (filled.lines == filled.next && (text.size() < room.bytes || filled.next == first)) {
            append(text, source, target, weight);
            ++filled.next;
          }
          ++filled.lines;
        });
        written += filled.next - first;
        return filled;
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
    if (id >= names_.size()) throw DamagedStoreError("the original id {} has no name; the store is damaged", id);
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
  return store.id_memory() + store.order_memory() + store.name_memory() + vertices_text(store) + longest_usual_line;
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
  const Ids ids(store, may_have_header, budget);
  const Array<VertexId> order = ids.map().ascending(budget);
  const std::uint64_t n = store.num_vertices();
  const std::uint64_t text_bytes = vertices_text(store), memory = text_bytes + longest_usual_line;
  const TextRoom room{blocks_within(budget, memory), text_bytes};
  const Charge charge(room.blocks * memory, budget, "ids as text");
  Progress progress("export vertices", n);
  write_blocks(
      sink, (n + block_vertices - 1) / block_vertices, room,
      [&](Text& text, std::uint64_t block, std::uint64_t first) {
        const std::uint64_t start = block * block_vertices;
        Filled filled{std::min(n - start, block_vertices), first};
        for (; filled.next < filled.lines && (text.size() < room.bytes || filled.next == first); ++filled.next) {
          const std::uint64_t i = start + filled.next;
          ids.append(text, order.empty() ? static_cast<VertexId>(i) : order[i]);
          text.push_back('\n');
        }
        return filled;
      },
      [&](std::uint64_t) { progress.add(block_vertices); });
}

}  // namespace millrace
