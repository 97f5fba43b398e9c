#include "millrace/read/text_source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/core/regular_file.h"

namespace millrace {

class RawBytes {
 public:
  virtual ~RawBytes() = default;
  // Reads some bytes: at least one, unless the end is reached.
  virtual std::size_t read(std::span<char> into) = 0;
  virtual std::uint64_t size() const = 0;
};

namespace {

constexpr std::uint64_t input_bytes = 256 << 10;

// Uses read() instead of a mapping: a file that shrinks while it is read then only ends early.
class FileBytes : public RawBytes {
 public:
  FileBytes(const std::string& path, Pipes pipes)
      : path_(path),
        file_(pipes == Pipes::refused ? open_regular(path)
                                      : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    if (file_ < 0) throw_system_error("open", path_);
  }
  ~FileBytes() override { close(file_); }

  std::size_t read(std::span<char> into) override {
    while (true) {
      await();
      const ssize_t got = ::read(file_, into.data(), into.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR && errno != EAGAIN) throw_system_error("read", path_);
      throw_if_interrupted();
    }
  }

  std::uint64_t size() const override {
    struct stat status {};
    if (fstat(file_, &status) != 0) throw_system_error("examine", path_);
    return S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  }

 private:
  // Waits until a pipe has data or no writer any more; a file never waits. A blocking read() would not return for a
  // signal, and a read() of a FIFO without a writer so far would see the end of the file.
  void await() const {
    pollfd wanted{.fd = file_, .events = POLLIN, .revents = 0};
    for (;;) {
      const int ready = poll(&wanted, 1, 100);
      if (ready > 0 || (ready < 0 && errno != EINTR)) return;
      throw_if_interrupted();
    }
  }

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

TextSource::TextSource(const std::filesystem::path& file, Pipes pipes)
    : name_(file.string()), raw_(std::make_unique<FileBytes>(name_, pipes)) {
  start();
}

TextSource::TextSource(std::string_view bytes, std::string name)
    : name_(std::move(name)), raw_(std::make_unique<MemoryBytes>(bytes)) {
  start();
}

TextSource::~TextSource() = default;

void TextSource::start() {
  total_bytes_ = raw_->size();
  input_ = Array<char>(input_bytes, unlimited_budget(), "reading " + name_);
  const std::size_t first = read_raw(input_);
  const auto refill = [this] { return std::span<const char>(input_.data(), read_raw(input_)); };
  // The unpacker still reads these first bytes, so they stay in input_; head_ is for unpacked bytes.
  unpacker_ = make_unpacker({input_.data(), first}, refill, name_);
  if (!unpacker_) head_.assign(input_.data(), first);
}

std::size_t TextSource::read(std::span<char> into) {
  const std::size_t seen = std::min(head_.size() - used_, into.size());
  if (seen > 0) std::memcpy(into.data(), head_.data() + used_, seen);
  used_ += seen;
  if (seen == into.size()) return seen;
  const auto rest = into.subspan(seen);
  return seen + (unpacker_ ? unpacker_->read(rest) : read_raw(rest));
}

std::string_view TextSource::peek(std::size_t bytes) {
  head_.erase(0, std::exchange(used_, 0));
  if (head_.size() < bytes) {
    const std::size_t had = head_.size();
    head_.resize(bytes);
    const std::span<char> more(head_.data() + had, bytes - had);
    head_.resize(had + (unpacker_ ? unpacker_->read(more) : read_raw(more)));
  }
  return head_;
}

bool TextSource::read_line(std::string& line) {
  constexpr std::size_t most = 1 << 20;
  std::size_t end = head_.find('\n', used_);
  for (std::size_t looked = 4096; end == std::string::npos && looked <= most; looked *= 4) {
    peek(looked);
    end = head_.find('\n');
  }
  if (end == std::string::npos && head_.size() - used_ >= most)
    throw BadInputError("{}:{}: a line of more than {} bytes where a header was expected", name_, lines_read_ + 1,
                        most);
  if (used_ == head_.size()) return false;
  line_begin_ = used_;
  line.assign(head_, used_, std::min(end, head_.size()) - used_);
  used_ = std::min(end, head_.size() - 1) + 1;
  if (line.ends_with('\r')) line.pop_back();
  if (lines_read_++ == 0) line.erase(0, line.size() - without_byte_order_mark(line).size());
  return true;
}

void TextSource::unread_line() {
  used_ = line_begin_;
  --lines_read_;
}

// Fills `into` with the bytes as they are stored.
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

}  // namespace millrace
