#include "millrace/ingest/text_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"

namespace millrace {

class RawBytes {
 public:
  virtual ~RawBytes() = default;
  // Some bytes, at least one unless the end is reached.
  virtual std::size_t read(std::span<char> into) = 0;
  virtual std::uint64_t size() const = 0;
};

namespace {

constexpr std::uint64_t input_bytes = 256 << 10;
constexpr int gzip_only = 16 + MAX_WBITS;  // zlib's way to ask for a gzip header

// Plain read() rather than a mapping: a file that shrinks while it is read then just ends early.
class FileBytes : public RawBytes {
 public:
  explicit FileBytes(const std::string& path) : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) throw_system_error("open", path_);
  }
  ~FileBytes() override { close(file_); }

  std::size_t read(std::span<char> into) override {
    while (true) {
      const ssize_t got = ::read(file_, into.data(), into.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw_system_error("read", path_);
      throw_if_interrupted();
    }
  }

  std::uint64_t size() const override {
    struct stat status {};
    if (fstat(file_, &status) != 0) throw_system_error("examine", path_);
    return S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  }

 private:
  std::string path_;
  int file_;
};

class MemoryBytes : public RawBytes {
 public:
  explicit MemoryBytes(std::string_view bytes) : size_(bytes.size()), rest_(bytes) {}

  std::size_t read(std::span<char> into) override {
    const std::size_t count = rest_.copy(into.data(), into.size());
    rest_.remove_prefix(count);
    return count;
  }

  std::uint64_t size() const override { return size_; }

 private:
  std::uint64_t size_;
  std::string_view rest_;
};

}  // namespace

TextSource::TextSource(const std::filesystem::path& file)
    : name_(file.string()), raw_(std::make_unique<FileBytes>(name_)) {
  start();
}

TextSource::TextSource(std::string_view bytes, std::string name)
    : name_(std::move(name)), raw_(std::make_unique<MemoryBytes>(bytes)) {
  start();
}

TextSource::~TextSource() {
  if (gzip_) inflateEnd(&stream_);
}

void TextSource::start() {
  total_bytes_ = raw_->size();
  input_ = Array<char>(input_bytes, unlimited_budget(), "reading " + name_);
  refill();
  constexpr unsigned char magic[] = {0x1f, 0x8b};
  if (stream_.avail_in < sizeof magic || std::memcmp(stream_.next_in, magic, sizeof magic) != 0) return;
  if (inflateInit2(&stream_, gzip_only) != Z_OK) throw InternalError("zlib cannot start: {}", zlibVersion());
  gzip_ = true;
}

std::size_t TextSource::read(std::span<char> into) { return gzip_ ? read_gzip(into) : read_plain(into); }

// Fills `into` with bytes as they are stored.
std::size_t TextSource::read_raw(std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    const std::size_t got = raw_->read(into.subspan(done));
    if (got == 0) break;
    done += got;
  }
  bytes_read_.fetch_add(done, std::memory_order_relaxed);
  return done;
}

// Has zlib's input filled anew; false at the end.
bool TextSource::refill() {
  stream_.avail_in = static_cast<uInt>(read_raw(input_));
  stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
  return stream_.avail_in > 0;
}

std::size_t TextSource::read_plain(std::span<char> into) {
  // The first bytes were read to look at them.
  const std::size_t seen = std::min<std::size_t>(stream_.avail_in, into.size());
  if (seen > 0) std::memcpy(into.data(), stream_.next_in, seen);
  stream_.next_in += seen;
  stream_.avail_in -= static_cast<uInt>(seen);
  return seen + read_raw(into.subspan(seen));
}

std::size_t TextSource::read_gzip(std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    if (stream_.avail_in == 0 && !refill()) {
      if (inside_member_) throw BadInputError("{}: the gzip data ends too early; the file is truncated", name_);
      break;
    }
    if (!inside_member_) {
      // Zeros may pad the end (tape blocks); anything else has to be the next member.
      if (*stream_.next_in == 0) {
        ++stream_.next_in;
        --stream_.avail_in;
        continue;
      }
      inflateReset(&stream_);
      inside_member_ = true;
    }
    stream_.next_out = reinterpret_cast<Bytef*>(into.data() + done);
    stream_.avail_out = static_cast<uInt>(into.size() - done);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    done = into.size() - stream_.avail_out;
    if (status == Z_STREAM_END)
      inside_member_ = false;
    else if (status != Z_OK && status != Z_BUF_ERROR)
      throw BadInputError("{}: the gzip data is corrupt ({}); check the file with gzip -t", name_,
                          stream_.msg ? stream_.msg : "no reason given");
  }
  return done;
}

}  // namespace millrace
