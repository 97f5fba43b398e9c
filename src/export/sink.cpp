#include "millrace/export/sink.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"

namespace millrace {
namespace {

constexpr std::size_t block_bytes = 1u << 20;

class PlainSink : public Sink {
 public:
  explicit PlainSink(const std::filesystem::path& path) : file_(path) {}
  void close() override { file_.close(); }

 private:
  void write_piece(std::span<const char> bytes) override { file_.write(bytes.data(), bytes.size()); }

  OutputFile file_;
};

class GzipSink : public Sink {
 public:
  explicit GzipSink(const std::filesystem::path& path) : file_(path), block_(block_bytes) {
    constexpr int gzip_window = 15 + 16, memory_level = 8;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) !=
        Z_OK)
      throw InternalError("zlib cannot be started");
  }
  ~GzipSink() override { deflateEnd(&stream_); }

  void close() override {
    deflate_all({}, Z_FINISH);
    file_.close();
  }

 private:
  void write_piece(std::span<const char> bytes) override { deflate_all(bytes, Z_NO_FLUSH); }
  void deflate_all(std::span<const char> bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
      stream_.avail_out = static_cast<uInt>(block_.size());
      deflate(&stream_, flush);
      file_.write(block_.data(), block_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  OutputFile file_;
  std::vector<char> block_;
  z_stream stream_{};
};

class ZstdSink : public Sink {
 public:
  explicit ZstdSink(const std::filesystem::path& path) : file_(path), block_(block_bytes), context_(ZSTD_createCCtx()) {
    if (!context_) throw std::bad_alloc();
    demand(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1));
  }
  void close() override {
    compress({}, ZSTD_e_end);
    file_.close();
  }

 private:
  void write_piece(std::span<const char> bytes) override { compress(bytes, ZSTD_e_continue); }
  static std::size_t demand(std::size_t code) {
    if (ZSTD_isError(code)) throw InternalError("zstd: {}", ZSTD_getErrorName(code));
    return code;
  }
  void compress(std::span<const char> bytes, ZSTD_EndDirective how) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool more = true; more;) {
      ZSTD_outBuffer out{block_.data(), block_.size(), 0};
      const std::size_t left = demand(ZSTD_compressStream2(context_.get(), &out, &in, how));
      file_.write(block_.data(), out.pos);
      more = how == ZSTD_e_end ? left > 0 : in.pos < in.size;
    }
  }

  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  OutputFile file_;
  std::vector<char> block_;
  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

}  // namespace

void Sink::write(std::span<const char> bytes) {
  constexpr std::size_t piece = 1u << 18;  // some ten milliseconds of zlib
  while (!bytes.empty()) {
    throw_if_interrupted();
    const auto part = bytes.first(std::min(bytes.size(), piece));
    write_piece(part);
    bytes = bytes.subspan(part.size());
  }
}

std::unique_ptr<Sink> make_sink(const std::filesystem::path& path, Compression compression) {
  if (compression == Compression::gzip) return std::make_unique<GzipSink>(path);
  if (compression == Compression::zstd) return std::make_unique<ZstdSink>(path);
  return std::make_unique<PlainSink>(path);
}

}  // namespace millrace
