#include "millrace/read/unpack.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "millrace/core/error.h"

namespace millrace {
namespace {

constexpr int gzip_only = 16 + MAX_WBITS;  // asks zlib for a gzip header

class GzipUnpacker : public Unpacker {
 public:
  GzipUnpacker(std::span<const char> first, Refill refill, const std::string& name)
      : name_(name), refill_(std::move(refill)) {
    set_input(first);
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw InternalError("zlib cannot start: {}", zlibVersion());
  }
  ~GzipUnpacker() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> into) override {
    std::size_t done = 0;
    while (done < into.size()) {
      if (stream_.avail_in == 0) set_input(refill_());
      if (stream_.avail_in == 0) {
        if (inside_member_) throw BadInputError("{}: the gzip data ends too early; the file is truncated", name_);
        break;
      }
      if (!inside_member_) {
        // Zeros may pad the end (tape blocks); anything else must be the next member.
        if (*stream_.next_in == 0) {
          ++stream_.next_in;
          --stream_.avail_in;
          continue;
        }
        inflateReset(&stream_);
        inside_member_ = true;
      }
      done += inflate_some(into.subspan(done));
    }
    return done;
  }

 private:
  void set_input(std::span<const char> bytes) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
  }

  std::size_t inflate_some(std::span<char> into) {
    const std::size_t wanted = std::min<std::size_t>(into.size(), 1u << 30);  // zlib counts in 32 bits
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(wanted);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END)
      inside_member_ = false;
    else if (status != Z_OK && status != Z_BUF_ERROR)
      throw BadInputError("{}: the gzip data is corrupt ({}); check the file with gzip -t", name_,
                          stream_.msg ? stream_.msg : "no reason given");
    return wanted - stream_.avail_out;
  }

  std::string name_;
  Refill refill_;
  z_stream stream_{};
  bool inside_member_ = true;  // a gzip file has one or more members, each complete in itself
};

class ZstdUnpacker : public Unpacker {
 public:
  ZstdUnpacker(std::span<const char> first, Refill refill, const std::string& name)
      : name_(name), refill_(std::move(refill)), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (!stream_) throw InternalError("zstd {} cannot start", ZSTD_versionString());
    input_ = {first.data(), first.size(), 0};
  }

  std::size_t read(std::span<char> into) override {
    ZSTD_outBuffer output{into.data(), into.size(), 0};
    while (output.pos < output.size) {
      if (input_.pos == input_.size && !pending_) {
        const std::span<const char> bytes = refill_();
        if (bytes.empty()) {
          if (inside_frame_) throw BadInputError("{}: the zstd data ends too early; the file is truncated", name_);
          break;
        }
        input_ = {bytes.data(), bytes.size(), 0};
      }
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &output, &input_);
      if (ZSTD_isError(status))
        throw BadInputError("{}: the zstd data cannot be unpacked ({}); check the file with zstd -t", name_,
                            ZSTD_getErrorName(status));
      inside_frame_ = status != 0;                            // a file has one or more frames, each complete in itself
      pending_ = inside_frame_ && output.pos == output.size;  // more may be unpacked than there was room for
    }
    return output.pos;
  }

 private:
  std::string name_;
  Refill refill_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  ZSTD_inBuffer input_{};
  bool inside_frame_ = true;
  bool pending_ = false;
};

// A data frame, or a skippable frame, which some programs put in front.
bool starts_zstd(std::string_view head) {
  if (head.starts_with("\x28\xb5\x2f\xfd")) return true;
  return head.size() >= 4 && (head[0] & 0xf0) == 0x50 && head.substr(1, 3) == "\x2a\x4d\x18";
}

}  // namespace

std::unique_ptr<Unpacker> make_unpacker(std::span<const char> first, Refill refill, const std::string& name) {
  const std::string_view head(first.data(), first.size());
  if (head.starts_with("\x1f\x8b")) return std::make_unique<GzipUnpacker>(first, std::move(refill), name);
  if (starts_zstd(head)) return std::make_unique<ZstdUnpacker>(first, std::move(refill), name);
  return nullptr;
}

}  // namespace millrace
