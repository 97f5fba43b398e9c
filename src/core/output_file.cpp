#include "millrace/core/output_file.h"

#include <unistd.h>

#include <utility>

#include "millrace/core/error.h"

namespace millrace {

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  if (path_ == "-") {
    stream_ = stdout;
    return;
  }
  aside_ = path_;
  aside_ += fmt::format(".partial-{}", getpid());
  stream_ = std::fopen(aside_.c_str(), "wb");
  if (!stream_) throw_system_error("create", path_);
}

OutputFile::~OutputFile() {
  if (done_ || stream_ == stdout) return;
  if (stream_) std::fclose(stream_);
  std::error_code ignored;
  std::filesystem::remove(aside_, ignored);
}

void OutputFile::cannot_write() const {
  throw_system_error(path_ == "-" ? "write to" : "write", path_ == "-" ? "stdout" : path_.string());
}

void OutputFile::write(const void* bytes, std::size_t count) {
  if (std::fwrite(bytes, 1, count, stream_) != count) cannot_write();
  written_ += count;
}

void OutputFile::write_again(const void* bytes, std::size_t count, std::uint64_t offset) {
  if (fseeko(stream_, static_cast<off_t>(offset), SEEK_SET) != 0 || std::fwrite(bytes, 1, count, stream_) != count ||
      fseeko(stream_, 0, SEEK_END) != 0)
    cannot_write();
}

void OutputFile::close() {
  if (std::fflush(stream_) != 0) cannot_write();
  if (stream_ == stdout) return;
  const bool closed = std::fclose(std::exchange(stream_, nullptr)) == 0;
  if (!closed || std::rename(aside_.c_str(), path_.c_str()) != 0) cannot_write();
  done_ = true;
}

}  // namespace millrace
