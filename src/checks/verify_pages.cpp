#include "millrace/checks/verify_pages.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <random>
#include <vector>

#include "millrace/core/hash.h"
#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"
#include "millrace/pages/check.h"

namespace millrace {
namespace {

std::uint64_t secret() {
  static const std::uint64_t value = [] {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
  }();
  return value;
}

std::uint64_t hash_of_edge(std::uint64_t secret, VertexId a, VertexId b, std::uint64_t weight) {
  return mix(mix(secret ^ (std::uint64_t{a} << 32 | b)) + weight);
}

// Degrees have equal sums of degree times this if they are equal.
std::uint64_t hash_of_vertex(std::uint64_t secret, VertexId v) { return mix(secret + v); }

struct Sums {
  EdgeSums edges;
  std::uint64_t degrees = 0;        // of the rows
  std::uint64_t other_degrees = 0;  // of the neighbours

  void add(const Sums& more) {
    edges.forward += more.edges.forward;
    edges.backward += more.edges.backward;
    edges.self_loops += more.edges.self_loops;
    degrees += more.degrees;
    other_degrees += more.other_degrees;
  }
};

class PagesVerifier {
 public:
  PagesVerifier(const Store& store, Orientation orientation, const std::function<void(const std::string&)>& complain)
      : store_(store),
        orientation_(orientation),
        complain_(complain),
        table_(store.table(orientation)),
        reader_(store.page_reader(orientation, PageReader::Into::aligned)) {}

  EdgeSums run(Budget& budget) {
    read_pages(budget);
    check_entries();
    check_degrees(orientation_, sums_.degrees);
    if (has_other_degrees()) check_degrees(opposite(orientation_), sums_.other_degrees);
    return sums_.edges;
  }

 private:
  // What a thread needs.
  struct Room {
    Buffer page;
    Charge rows;  // check_page has a bit for each vertex of the page
    std::vector<VertexId> neighbours = std::vector<VertexId>(max_slice_columns);
    std::vector<std::uint64_t> weights = std::vector<std::uint64_t>(std::size_t{max_slice_columns} * lanes);
  };

  void read_pages(Budget& budget) {
    if (table_.size() == 0) return;
    const std::uint64_t page = align_page((*std::ranges::max_element(table_, {}, &PageEntry::bytes)).bytes);
    const std::uint64_t rows = (*std::ranges::max_element(table_, {}, &PageEntry::vertex_count)).vertex_count / 8 + 8;
    const std::uint64_t left = budget.limit() - std::min(budget.limit(), budget.used());
    const std::uint64_t threads =
        std::clamp<std::uint64_t>(left / (page + rows), 1, static_cast<std::uint64_t>(omp_get_max_threads()));

    Progress progress(fmt::format("verify {}", orientation_name(orientation_)), table_.page_bytes(),
                      Progress::Unit::bytes);
    std::atomic<std::uint64_t> next = 0;
    parallel_for_each(std::min<std::uint64_t>(threads, table_.size()), [&](std::uint64_t) {
      try {
        Room room{.page = Buffer(page, budget, "pages to verify"), .rows = Charge(rows, budget, "rows to verify")};
        Sums sums;
        for (std::uint64_t p; (p = next.fetch_add(1)) < table_.size() && !interrupted();) {
          read_page(static_cast<std::uint32_t>(p), room, sums);
          progress.advance(table_[static_cast<std::uint32_t>(p)].bytes);
        }
        const std::lock_guard lock(mutex_);
        sums_.add(sums);
      } catch (...) {
        next = table_.size();  // the other threads stop too
        throw;
      }
    });
  }

  void read_page(std::uint32_t p, Room& room, Sums& sums) {
    const PageEntry& entry = table_[p];
    const std::span block(room.page.data(), align_page(entry.bytes));
    const std::uint64_t got = reader_.read_unchecked(p, block);
    const auto page = block.first(entry.bytes);
    const auto after = block.first(got).subspan(std::min<std::uint64_t>(got, entry.bytes));
    if (std::ranges::any_of(after, [](std::byte b) { return b != std::byte{0}; }))
      refuse(p, "the bytes after it, up to the next page, are not zeros");
    const auto problem = got < entry.bytes ? "its file ends too early" : check_page(page, entry, store_.num_vertices());
    if (problem) return refuse(p, *problem);
    const PageView view(page.data());
    if (const WeightType type = view.header().weight_type; type != store_.manifest().weight_type)
      return refuse(p, fmt::format("it has weights of type {}, but the manifest says {}", weight_type_name(type),
                                   weight_type_name(store_.manifest().weight_type)));
    add_edges(view, room, sums);
  }

  void refuse(std::uint32_t p, const std::string& problem) {
    every_page_counted_ = false;
    complain_(fmt::format("{}: {}", name(p), problem));
  }

  void add_edges(const PageView& page, Room& room, Sums& sums) const {
    const bool weighted = page.has_weights(), out = orientation_ == Orientation::out, others = has_other_degrees();
    Slice slice;
    for (std::uint32_t s = 0; s < page.header().slices; ++s) {
      open_slice(page, s, *available_decoders()[0], slice);
      if (weighted) decode_weights(page, s, *available_decoders()[0], room.weights.data());
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t length = decode_lane(page, s, lane, room.neighbours.data());
        if (length == 0) continue;
        const VertexId row = slice.vertex[lane];
        sums.degrees += hash_of_vertex(secret_, row) * length;
        for (std::uint32_t j = 0; j < length; ++j) {
          const VertexId neighbour = room.neighbours[j];
          const std::uint64_t weight = weighted ? room.weights[std::size_t{j} * lanes + lane] : 0;
          const std::uint64_t with_row_first = hash_of_edge(secret_, row, neighbour, weight);
          const std::uint64_t with_row_last = hash_of_edge(secret_, neighbour, row, weight);
          sums.edges.forward += out ? with_row_first : with_row_last;
          sums.edges.backward += out ? with_row_last : with_row_first;
          sums.edges.self_loops += row == neighbour;
          if (others) sums.other_degrees += hash_of_vertex(secret_, neighbour);
        }
      }
    }
  }

  std::string name(std::uint64_t page) const { return fmt::format("{} page {}", orientation_name(orientation_), page); }

  // Whether there are degrees of an orientation without pages.
  bool has_other_degrees() const {
    const auto other = static_cast<std::size_t>(opposite(orientation_));
    return store_.manifest().directed && store_.manifest().degrees[other] && !store_.manifest().orientations[other];
  }

  // What opening the store did not compare.
  void check_entries() const {
    const Manifest& manifest = store_.manifest();
    for (std::uint32_t p = 0; p < table_.size(); ++p) {
      if (((table_[p].flags & page_flag_parallel) != 0) != manifest.keeps_parallel_edges)
        return complain_(fmt::format("{} and the manifest disagree on parallel edges", name(p)));
      if (table_[p].bytes > manifest.page_bytes)
        return complain_(fmt::format("{} takes {} bytes, more than the {} of the manifest", name(p), table_[p].bytes,
                                     manifest.page_bytes));
      // If a vertex has several pages, each continues its row after the previous one.
      const std::uint64_t step = manifest.keeps_parallel_edges ? 0 : 1;
      if (table_.goes_on(p) && table_[p].min_neighbour < table_[p - 1].max_neighbour + step)
        return complain_(fmt::format("{} pages {} and {} of vertex {} overlap", orientation_name(orientation_), p - 1,
                                     p, table_[p].first_vertex));
    }
  }

  void check_degrees(Orientation orientation, std::uint64_t counted) const try {
    std::atomic<std::uint64_t> stored = 0;
    store_.scan_degrees(orientation, [&](std::uint64_t first, std::span<const std::uint32_t> degrees) {
      std::uint64_t sum = 0;
      for (std::uint64_t i = 0; i < degrees.size(); ++i)
        sum += hash_of_vertex(secret_, static_cast<VertexId>(first + i)) * degrees[i];
      stored += sum;
    });
    if (stored != counted && every_page_counted_)
      complain_(fmt::format("{} degrees are not those of the {} pages", orientation_name(orientation),
                            orientation_name(orientation_)));
  } catch (const BadInputError& error) {
    complain_(error.marked());
  }

  const Store& store_;
  const Orientation orientation_;
  const std::function<void(const std::string&)>& complain_;
  const PageTable& table_;
  const PageReader reader_;
  const std::uint64_t secret_ = secret();
  std::atomic<bool> every_page_counted_ = true;
  std::mutex mutex_;
  Sums sums_;
};

}  // namespace

EdgeSums verify_pages(const Store& store, Orientation orientation, Budget& budget,
                      const std::function<void(const std::string&)>& complain) {
  return PagesVerifier(store, orientation, complain).run(budget);
}

}  // namespace millrace
