#include "millrace/ingest/source_state.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "millrace/core/error.h"
#include "millrace/core/foreign_format.h"
#include "millrace/ingest/formats.h"
#include "millrace/ingest/ldbc_properties.h"
#include "millrace/ingest/read_ldbc.h"

namespace millrace {

namespace fs = std::filesystem;

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
    struct stat state {};
    if (stat(file.c_str(), &state) != 0) return text + escape_bytes(file.string()) + " is gone\n";
    text += fmt::format("{}, {} bytes of {}.{:09}, file {}\n", escape_bytes(file.string()), state.st_size,
                        state.st_mtim.tv_sec, state.st_mtim.tv_nsec, state.st_ino);
  }
  return text;
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
