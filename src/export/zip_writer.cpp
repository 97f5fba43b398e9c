#include "millrace/export/zip_writer.h"

#include <zlib.h>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"

namespace millrace {
namespace {

constexpr std::uint16_t plain_version = 20, zip64_version = 45, zip64_tag = 1;
constexpr std::uint16_t first_day = 1 << 5 | 1;  // 1980-01-01, so that equal graphs make equal files
constexpr std::uint32_t in_zip64 = 0xffff'ffffu;
constexpr std::uint64_t crc_offset = 14;  // in the header of a member

// Little-endian numbers of their own sizes, back to back.
class Record {
 public:
  template <class... Numbers>
  explicit Record(Numbers... numbers) {
    (add(numbers), ...);
  }
  template <class Number>
  void add(Number number) {
    for (std::size_t i = 0; i < sizeof(Number); ++i) bytes_ += static_cast<char>(number >> (8 * i) & 0xff);
  }
  void add(const std::string& text) { bytes_ += text; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// The extra field for counts and sizes that exceed their normal fields.
std::string zip64_extra(const std::vector<std::uint64_t>& numbers) {
  if (numbers.empty()) return {};
  Record extra(zip64_tag, static_cast<std::uint16_t>(8 * numbers.size()));
  for (const std::uint64_t number : numbers) extra.add(number);
  return extra.bytes();
}

void put(OutputFile& file, const std::string& bytes) { file.write(bytes.data(), bytes.size()); }

}  // namespace

void ZipWriter::begin(const std::string& name, std::uint64_t size) {
  end();
  members_.push_back({.name = name, .size = size, .offset = file_.bytes_written()});
  written_ = 0;
  const bool large = size >= zip64_from_;
  const std::uint32_t field = large ? in_zip64 : static_cast<std::uint32_t>(size);
  const std::string extra = large ? zip64_extra({size, size}) : "";
  put(file_, Record(std::uint32_t{0x04034b50}, large ? zip64_version : plain_version, std::uint16_t{0},
                    std::uint16_t{0}, std::uint16_t{0}, first_day, std::uint32_t{0}, field, field,
                    static_cast<std::uint16_t>(name.size()), static_cast<std::uint16_t>(extra.size()))
                     .bytes() +
                 name + extra);
}

void ZipWriter::write(std::span<const char> bytes) {
  throw_if_interrupted();
  Member& member = members_.back();
  member.crc =
      static_cast<std::uint32_t>(crc32_z(member.crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  written_ += bytes.size();
  file_.write(bytes.data(), bytes.size());
}

void ZipWriter::end() {
  if (members_.empty()) return;
  const Member& member = members_.back();
  if (written_ != member.size)
    throw InternalError("{} bytes of {}, {} were announced", written_, member.name, member.size);
  const std::string crc = Record(member.crc).bytes();
  file_.write_again(crc.data(), crc.size(), member.offset + crc_offset);
}

std::uint64_t ZipWriter::write_directory() {
  const std::uint64_t start = file_.bytes_written();
  for (const Member& member : members_) {
    const bool large = member.size >= zip64_from_, far = member.offset >= zip64_from_;
    std::vector<std::uint64_t> numbers;
    if (large) numbers = {member.size, member.size};
    if (far) numbers.push_back(member.offset);
    const std::string extra = zip64_extra(numbers);
    const std::uint16_t version = numbers.empty() ? plain_version : zip64_version;
    const std::uint32_t size = large ? in_zip64 : static_cast<std::uint32_t>(member.size);
    put(file_, Record(std::uint32_t{0x02014b50}, version, version, std::uint16_t{0}, std::uint16_t{0}, std::uint16_t{0},
                      first_day, member.crc, size, size, static_cast<std::uint16_t>(member.name.size()),
                      static_cast<std::uint16_t>(extra.size()), std::uint16_t{0}, std::uint16_t{0}, std::uint16_t{0},
                      std::uint32_t{0}, far ? in_zip64 : static_cast<std::uint32_t>(member.offset))
                       .bytes() +
                   member.name + extra);
  }
  return start;
}

void ZipWriter::finish() {
  end();
  const std::uint64_t start = write_directory(), end = file_.bytes_written(), size = end - start;
  const std::uint64_t count = members_.size();
  const bool far = start >= zip64_from_;
  if (far) {
    constexpr std::uint64_t rest_of_record = 44;
    put(file_, Record(std::uint32_t{0x06064b50}, rest_of_record, zip64_version, zip64_version, std::uint32_t{0},
                      std::uint32_t{0}, count, count, size, start)
                   .bytes());
    put(file_, Record(std::uint32_t{0x07064b50}, std::uint32_t{0}, end, std::uint32_t{1}).bytes());
  }
  const auto short_count = static_cast<std::uint16_t>(count);
  put(file_,
      Record(std::uint32_t{0x06054b50}, std::uint16_t{0}, std::uint16_t{0}, short_count, short_count,
             static_cast<std::uint32_t>(size), far ? in_zip64 : static_cast<std::uint32_t>(start), std::uint16_t{0})
          .bytes());
}

}  // namespace millrace
