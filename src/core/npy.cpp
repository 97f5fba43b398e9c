#include "millrace/core/npy.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/core/regular_file.h"

namespace millrace {
namespace {

// The value of 'key' in the dictionary of a header, up to one of the characters in `ends`.
std::string_view entry(std::string_view dictionary, std::string_view key, std::string_view ends) {
  const std::size_t at = dictionary.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = dictionary.substr(at + key.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" :"), rest.size()));
  return rest.substr(0, rest.find_first_of(ends, 1));
}

template <class From, class Real>
void convert_values(const std::vector<std::byte>& bytes, std::span<Real> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    From value;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    values[i] = static_cast<Real>(value);
  }
}

}  // namespace

std::string npy_header(const std::string& dtype, const std::string& shape) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", dtype, shape);
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  std::string whole("\x93NUMPY\x01\x00", 8);
  whole += static_cast<char>(length & 0xff);
  whole += static_cast<char>(length >> 8);
  return whole + header;
}

NpyReader::NpyReader(const std::filesystem::path& path) : path_(path) {
  const int descriptor = open_regular(path);
  if (descriptor >= 0) file_.reset(fdopen(descriptor, "rb"));
  if (!file_) throw_system_error("open", path.string());
  read_header();
}

void NpyReader::read_header() {
  unsigned char start[12] = {};
  read_bytes(start, 10);
  if (std::memcmp(start, "\x93NUMPY", 6) != 0)
    throw BadInputError("{}: is not a NumPy array file (.npy, as numpy.save writes it)", path_.string());
  const bool wide = start[6] > 1;  // from version 2 on the length takes four bytes
  if (wide) read_bytes(start + 10, 2);
  std::uint32_t length = 0;
  for (int i = wide ? 3 : 1; i >= 0; --i) length = length << 8 | start[8 + i];
  constexpr std::uint32_t most = 1u << 16;
  if (length > most) throw BadInputError("{}: the header of the array has {} bytes", path_.string(), length);
  std::string header(length, ' ');
  read_bytes(header.data(), length);

  dtype_ = entry(header, "'descr'", "',");
  if (!dtype_.empty() && dtype_.front() == '\'') dtype_.erase(0, 1);
  constexpr std::string_view known[] = {"<f4", "<f8", "<i4", "<i8", "<u4", "<u8"};
  if (std::find(std::begin(known), std::end(known), dtype_) == std::end(known))
    throw BadInputError("{}: has elements of type {}; <f4, <f8, <i4, <i8, <u4 and <u8 can be read", path_.string(),
                        dtype_.empty() ? "unknown" : dtype_);
  const std::string_view shape = entry(header, "'shape'", ")");
  const char* const end = shape.data() + shape.size();
  const auto [rest, status] = std::from_chars(shape.data() + !shape.empty(), end, size_);
  if (status != std::errc() || std::string_view(rest, end) != ",")
    throw BadInputError("{}: has shape {}); one dimension is wanted, as in (10,)", path_.string(), shape);

  const std::uint64_t head = (wide ? 12 : 10) + std::uint64_t{length}, bytes = std::filesystem::file_size(path_);
  const std::uint64_t width = dtype_.back() - std::uint64_t{'0'};
  if (bytes < head || size_ > (bytes - head) / width)
    throw BadInputError("{}: should hold {} elements of type {}, but ends after {} bytes", path_.string(), size_,
                        dtype_, bytes);
}

void NpyReader::read_bytes(void* bytes, std::size_t count) {
  if (std::fread(bytes, 1, count, file_.get()) == count) return;
  if (std::ferror(file_.get())) throw_system_error("read", path_.string());
  throw BadInputError("{}: ends too early for a NumPy array file", path_.string());
}

template <class Real>
void NpyReader::convert(std::span<Real> values) {
  constexpr std::size_t block = 1u << 16;
  while (!values.empty()) {
    const std::span<Real> some = values.first(std::min(block, values.size()));
    std::vector<std::byte> bytes(some.size() * (dtype_.back() == '4' ? 4 : 8));
    read_bytes(bytes.data(), bytes.size());
    if (dtype_ == "<f4") convert_values<float>(bytes, some);
    if (dtype_ == "<f8") convert_values<double>(bytes, some);
    if (dtype_ == "<i4") convert_values<std::int32_t>(bytes, some);
    if (dtype_ == "<i8") convert_values<std::int64_t>(bytes, some);
    if (dtype_ == "<u4") convert_values<std::uint32_t>(bytes, some);
    if (dtype_ == "<u8") convert_values<std::uint64_t>(bytes, some);
    values = values.subspan(some.size());
  }
}

void NpyReader::read(std::span<float> values) { convert(values); }
void NpyReader::read(std::span<double> values) { convert(values); }

}  // namespace millrace
