// Formats of other programs that hold graphs or tables and are neither read nor written: recognised so that they are
// refused by name, instead of being read or written as something else.
#pragma once

#include <filesystem>
#include <string_view>

namespace millrace {

struct ForeignFormat {
  std::string_view name;    // "a Parquet file"
  std::string_view remedy;  // how to get a file that is read
  bool text = false;        // its first bytes might also begin a list of edges between unusual names
};

// By how the content begins: `head` is some hundreds of bytes of it, or all. Null: none of them. The name tells a
// spreadsheet from other ZIP archives.
const ForeignFormat* foreign_content(std::string_view head, const std::filesystem::path& file = {});

// By the end of the name, also before .gz or .zst.
const ForeignFormat* foreign_name(const std::filesystem::path& file);

// A file on disk, by its content or else its name.
const ForeignFormat* foreign_file(const std::filesystem::path& file);

// The name without its compression suffix: a.txt for a.txt.gz, a.txt.zst and a.txt.
std::filesystem::path without_compression_suffix(const std::filesystem::path& file);

}  // namespace millrace
