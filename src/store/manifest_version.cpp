#include "millrace/store/manifest_version.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace millrace {
namespace {

using Json = nlohmann::json;

// Stops the parser once the version is known. Keeps nothing, so that depth and size of the file do not matter.
class VersionReader : public nlohmann::json_sax<Json> {
 public:
  std::optional<std::uint64_t> version() const { return is_store_ ? version_ : std::nullopt; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t value) override {
    if (is_member("version")) version_ = value;
    return !version();
  }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t& value) override {
    if (is_member("format")) is_store_ = value == "millrace-store";
    return !version();
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return --depth_ > 0; }
  bool start_array(std::size_t) override { return depth_ > 0 && enter(); }
  bool end_array() override { return --depth_ > 0; }
  bool key(string_t& name) override {
    key_ = name;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  bool is_member(const char* name) const { return depth_ == 1 && key_ == name; }
  bool enter() {
    key_.clear();
    return ++depth_ > 0;
  }

  std::int64_t depth_ = 0;
  std::string key_;
  bool is_store_ = false;
  std::optional<std::uint64_t> version_;
};

}  // namespace

std::optional<std::uint64_t> manifest_version(const std::filesystem::path& file) {
  constexpr std::size_t most_bytes = 16u << 20;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(file, failed))) return std::nullopt;
  std::string text(std::min<std::uint64_t>(std::filesystem::file_size(file, failed), most_bytes), '\0');
  if (failed || !std::ifstream(file).read(text.data(), static_cast<std::streamsize>(text.size()))) return std::nullopt;
  VersionReader reader;
  Json::sax_parse(text, &reader, Json::input_format_t::json, false);
  return reader.version();
}

}  // namespace millrace
