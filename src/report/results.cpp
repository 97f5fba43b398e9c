#include "millrace/report/results.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"

namespace millrace {
namespace {

constexpr std::uint64_t block_vertices = 1u << 16;

// A stream that becomes `path` when closed without an error, and leaves nothing otherwise.
class Output {
 public:
  explicit Output(std::filesystem::path path) : path_(std::move(path)) {
    if (path_ == "-") {
      stream_ = stdout;
      return;
    }
    aside_ = path_;
    aside_ += fmt::format(".partial-{}", getpid());
    stream_ = std::fopen(aside_.c_str(), "wb");
    if (!stream_) throw_system_error("create", path_);
  }
  ~Output() {
    if (done_ || stream_ == stdout) return;
    if (stream_) std::fclose(stream_);
    std::error_code ignored;
    std::filesystem::remove(aside_, ignored);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(const void* bytes, std::size_t count) {
    if (std::fwrite(bytes, 1, count, stream_) != count) throw_system_error("write", path_);
  }
  void close() {
    if (std::fflush(stream_) != 0) throw_system_error("write", path_);
    if (stream_ == stdout) return;
    const bool closed = std::fclose(std::exchange(stream_, nullptr)) == 0;
    if (!closed || std::rename(aside_.c_str(), path_.c_str()) != 0) throw_system_error("write", path_);
    done_ = true;
  }

 private:
  std::filesystem::path path_, aside_;
  std::FILE* stream_ = nullptr;
  bool done_ = false;
};

// NumPy format 1.0: magic, header length, a dictionary padded so that data start at a multiple of 64 bytes.
std::string npy_header(const char* dtype, std::uint64_t size) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", dtype, size);
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  std::string whole("\x93NUMPY\x01\x00", 8);
  whole += static_cast<char>(length & 0xff);
  whole += static_cast<char>(length >> 8);
  return whole + header;
}

// Fills blocks of results in parallel and writes them in order.
template <class Fill>
void write_blocks(Output& output, std::uint64_t count, Fill fill) {
  Progress progress("write results", count);
  const std::uint64_t blocks = (count + block_vertices - 1) / block_vertices;
  const auto group = 2 * static_cast<std::uint64_t>(omp_get_max_threads());  // blocks in memory at once
  for (std::uint64_t first = 0; first < blocks; first += group) {
    const std::uint64_t here = std::min(group, blocks - first);
    std::vector<fmt::memory_buffer> text(here);
    parallel_for_each(here, [&](std::uint64_t b) {
      const std::uint64_t start = (first + b) * block_vertices;
      for (std::uint64_t i = start; i < std::min(count, start + block_vertices); ++i) fill(text[b], i);
    });
    for (const auto& block : text) output.write(block.data(), block.size());
    progress.add(here * block_vertices);
  }
}

template <class T>
void append_bytes(fmt::memory_buffer& buffer, T value) {
  const char* bytes = reinterpret_cast<const char*>(&value);
  buffer.append(bytes, bytes + sizeof(T));
}

template <class Element>
void write_array(const std::filesystem::path& path, const char* dtype, std::uint64_t count, Element element) {
  Output output(path);
  const std::string header = npy_header(dtype, count);
  output.write(header.data(), header.size());
  write_blocks(output, count, [&](fmt::memory_buffer& buffer, std::uint64_t i) { append_bytes(buffer, element(i)); });
  output.close();
}

}  // namespace

template <class Append, class Element>
void ResultWriter::write_values(const std::filesystem::path& path, const char* dtype, Append append,
                                Element element) const {
  const std::uint64_t n = ids_.size();
  if (path.extension() != ".npy") {
    Output output(path);
    write_blocks(output, n, [&](fmt::memory_buffer& buffer, std::uint64_t i) {
      const VertexId v = vertex_at(i);
      fmt::format_to(std::back_inserter(buffer), "{} ", ids_.original(v));
      append(buffer, v);
      buffer.push_back('\n');
    });
    output.close();
    return;
  }
  write_array(path, dtype, n, [&](std::uint64_t i) { return element(vertex_at(i)); });
  if (n > 0 && ids_.original(vertex_at(n - 1)) != n - 1) {
    std::filesystem::path ids_path = path;
    ids_path.replace_extension(".ids.npy");
    write_array(ids_path, "<u8", n, [&](std::uint64_t i) { return ids_.original(vertex_at(i)); });
  }
}

void ResultWriter::write(const std::filesystem::path& path, std::span<const float> values) const {
  write_values(
      path, "<f4",
      [&](fmt::memory_buffer& out, VertexId v) { fmt::format_to(std::back_inserter(out), "{:.8e}", values[v]); },
      [&](VertexId v) { return values[v]; });
}

void ResultWriter::write(const std::filesystem::path& path, std::span<const double> values) const {
  write_values(
      path, "<f8",
      [&](fmt::memory_buffer& out, VertexId v) { fmt::format_to(std::back_inserter(out), "{:.16e}", values[v]); },
      [&](VertexId v) { return values[v]; });
}

void ResultWriter::write_levels(const std::filesystem::path& path, std::span<const std::uint32_t> levels) const {
  constexpr std::uint32_t unreached = ~0u;
  write_values(
      path, "<i8",
      [&](fmt::memory_buffer& out, VertexId v) {
        fmt::format_to(std::back_inserter(out), "{}", levels[v] == unreached ? INT64_MAX : std::int64_t{levels[v]});
      },
      [&](VertexId v) { return levels[v] == unreached ? std::int64_t{-1} : std::int64_t{levels[v]}; });
}

void ResultWriter::write_parents(const std::filesystem::path& path, std::span<const VertexId> parents) const {
  write_values(
      path, "<i8",
      [&](fmt::memory_buffer& out, VertexId v) {
        if (parents[v] == no_vertex)
          fmt::format_to(std::back_inserter(out), "-1");
        else
          fmt::format_to(std::back_inserter(out), "{}", ids_.original(parents[v]));
      },
      [&](VertexId v) {
        return parents[v] == no_vertex ? std::int64_t{-1} : static_cast<std::int64_t>(ids_.original(parents[v]));
      });
}

}  // namespace millrace
