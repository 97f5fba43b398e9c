#include "millrace/export/write_npz.h"

#include <fmt/core.h>

#include "millrace/core/npy.h"
#include "millrace/export/csr.h"
#include "millrace/export/zip_writer.h"

namespace millrace {
namespace {

// An array of `count` values as a member; fill(put) calls put(value) for each of them.
template <class T, class Fill>
void write_member(ZipWriter& zip, const std::string& name, const std::string& dtype, std::uint64_t count, Fill fill) {
  const std::string header = npy_header(dtype, fmt::format("({},)", count));
  zip.begin(name, header.size() + count * sizeof(T));
  zip.write(header);
  std::vector<T> block;
  block.reserve(1u << 16);
  const auto flush = [&] {
    zip.write({reinterpret_cast<const char*>(block.data()), block.size() * sizeof(T)});
    block.clear();
  };
  fill([&](T value) {
    block.push_back(value);
    if (block.size() == block.capacity()) flush();
  });
  flush();
}

template <class Index>
void write_structure(ZipWriter& zip, const CsrRows& rows, std::uint64_t edges) {
  const std::string dtype = fmt::format("<i{}", sizeof(Index));
  write_member<Index>(zip, "indices.npy", dtype, edges, [&](auto put) {
    rows.for_each_window<PlainEntry>([&](std::span<const PlainEntry> entries) {
      for (const PlainEntry& entry : entries) put(static_cast<Index>(entry.neighbour));
    });
  });
  write_member<Index>(zip, "indptr.npy", dtype, rows.offsets().size(), [&](auto put) {
    for (const std::uint64_t offset : rows.offsets()) put(static_cast<Index>(offset));
  });
}

template <class T>
void write_weights(ZipWriter& zip, const CsrRows& rows, std::uint64_t edges, const std::string& dtype) {
  write_member<T>(zip, "data.npy", dtype, edges, [&](auto put) {
    rows.for_each_window<WeightedEntry>([&](std::span<const WeightedEntry> entries) {
      for (const WeightedEntry& entry : entries) put(static_cast<T>(entry.weight()));  // the bits of a real number
    });
  });
}

void write_data(ZipWriter& zip, const CsrRows& rows, std::uint64_t edges, WeightType type) {
  switch (type) {
    case WeightType::none:
      return write_member<double>(zip, "data.npy", "<f8", edges, [&](auto put) {
        for (std::uint64_t i = 0; i < edges; ++i) put(1);
      });
    case WeightType::u8:
      return write_weights<std::uint8_t>(zip, rows, edges, "|u1");
    case WeightType::u16:
      return write_weights<std::uint16_t>(zip, rows, edges, "<u2");
    case WeightType::u32:
      return write_weights<std::uint32_t>(zip, rows, edges, "<u4");
    case WeightType::f32:
      return write_weights<std::uint32_t>(zip, rows, edges, "<f4");
    case WeightType::f64:
      return write_weights<std::uint64_t>(zip, rows, edges, "<f8");
  }
}

}  // namespace

void write_npz(const Store& store, bool weighted, OutputFile& file, Budget& budget) {
  const std::uint64_t n = store.num_vertices(), edges = store.num_edges();
  if (budget.limit() != Budget::unlimited) budget.require(rows_memory(store, false, weighted), "the export");
  const Places places(store, budget);
  const CsrRows rows(store, Orientation::out, places, budget);
  ZipWriter zip(file);
  if (std::max(n, edges) <= 0x7fff'ffffu)
    write_structure<std::int32_t>(zip, rows, edges);
  else
    write_structure<std::int64_t>(zip, rows, edges);
  const std::string format = npy_header("|S3", "()") + "csr";
  zip.begin("format.npy", format.size());
  zip.write(format);
  write_member<std::int64_t>(zip, "shape.npy", "<i8", 2, [&](auto put) {
    put(static_cast<std::int64_t>(n));
    put(static_cast<std::int64_t>(n));
  });
  write_data(zip, rows, edges, weighted ? store.manifest().weight_type : WeightType::none);
  zip.finish();
}

}  // namespace millrace
