#include "millrace/read/source_state.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "millrace/core/error.h"
#include "millrace/core/foreign_format.h"
#include "millrace/core/hash.h"
#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"
#include "millrace/pages/crc32c.h"
#include "millrace/read/formats.h"
#include "millrace/read/ldbc_properties.h"
#include "millrace/read/read_ldbc.h"
#include "millrace/store/files.h"

namespace millrace {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view content_word = ", content ", unknown_content = ", content not known";

// What the file system says of a file.
struct Stamps {
  std::string name;  // the path and the size
  std::string text;  // all of it; begins with the name
  std::uint64_t size = 0;
};

// How long after a change the next one might leave the same times: the clock of the kernel ticks every 10 ms at most,
// that of a file system without fractions of a second every two seconds.
std::chrono::nanoseconds tick_of(const struct stat& state) {
  return state.st_ctim.tv_nsec == 0 ? std::chrono::milliseconds(2000) : std::chrono::milliseconds(20);
}

std::optional<Stamps> stamps_of(const fs::path& file) {
  struct stat state {};
  for (int tries = 0; tries < 10; ++tries) {  // a file that changes all the time is refused after the import
    if (stat(file.c_str(), &state) != 0) return {};
    const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
    const auto changed = std::chrono::seconds(state.st_ctim.tv_sec) + std::chrono::nanoseconds(state.st_ctim.tv_nsec);
    if (changed > now || now - changed > tick_of(state)) break;
    throw_if_interrupted();
    std::this_thread::sleep_for(changed + tick_of(state) - now);
  }
  Stamps stamps{.name = fmt::format("{}, {} bytes", escape_bytes(file.string()), state.st_size),
                .text = {},
                .size = static_cast<std::uint64_t>(state.st_size)};
  stamps.text = fmt::format("{} of {}.{:09}, attributes of {}.{:09}, file {}", stamps.name, state.st_mtim.tv_sec,
                            state.st_mtim.tv_nsec, state.st_ctim.tv_sec, state.st_ctim.tv_nsec, state.st_ino);
  return stamps;
}

// A hash of the content, in parallel; not of files that would take long to read.
std::string content_of(const fs::path& file, std::uint64_t size) try {
  constexpr std::uint64_t largest = 1u << 30, block = 1u << 20;
  if (size > largest) return std::string(unknown_content);
  const File opened = File::open(file);
  std::atomic<std::uint64_t> sum = 0;
  parallel_for_each((size + block - 1) / block, [&](std::uint64_t b) {
    std::vector<std::byte> bytes(std::min(block, size - b * block));
    opened.read(bytes, b * block);
    sum += mix(mix(b + 1) + crc32c(bytes));
  });
  return fmt::format("{}{:016x}", content_word, sum.load());
} catch (const InterruptedError&) {
  throw;
} catch (const Error&) {  // it cannot be read, or was cut just now: an import will say so
  return std::string(unknown_content);
}

}  // namespace

std::vector<fs::path> files_of_graph(const fs::path& file, const fs::path& vertices) {
  std::vector<fs::path> files;
  const auto add = [&](const fs::path& one) {
    std::error_code unknown;
    if (fs::is_regular_file(one, unknown)) files.push_back(fs::canonical(one));
  };
  add(file);
  if (!vertices.empty()) add(vertices);
  const fs::path extension = without_compression_suffix(file).extension();
  if (extension != ".v" && extension != ".e" && extension != ".properties") return files;
  try {
    const fs::path properties = ldbc_properties_of(file);
    add(properties);
    const LdbcProperties named(properties);
    for (const char* const key : {"edge-file", "vertex-file"}) add(named.file(key));
  } catch (const Error&) {  // no LDBC graph after all, or an import will say what is wrong
  }
  return files;
}

std::string state_of_files(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files) {
    const std::optional<Stamps> now = stamps_of(file);
    if (!now) return text + escape_bytes(file.string()) + " is gone;";
    text += now->text + content_of(file, now->size) + ";";
  }
  return text;
}

std::optional<SameFiles> same_files(std::string_view text, const std::vector<fs::path>& files) {
  SameFiles same;
  for (const fs::path& file : files) {
    const std::optional<Stamps> now = stamps_of(file);
    if (!now || !text.starts_with(now->name)) return {};
    // Behind the name there are only numbers and words of ours.
    const std::size_t content = text.find(content_word, now->name.size());
    const std::size_t end = content == std::string_view::npos ? content : text.find(';', content);
    if (end == std::string_view::npos) return {};
    const std::string_view was = text.substr(content, end - content);
    if (text.substr(0, content) != now->text && (was == unknown_content || was != content_of(file, now->size)))
      return {};
    same.state += now->text + std::string(was) + ";";
    text.remove_prefix(end + 1);
  }
  same.rest = text;
  return same;
}

std::string escape_bytes(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7e || c == '%')
      safe += fmt::format("%{:02X}", byte);
    else
      safe += c;
  }
  return safe;
}

std::string unescape_bytes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '%' && i + 2 < text.size())
      plain += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16)), i += 2;
    else
      plain += text[i];
  return plain;
}

}  // namespace millrace
