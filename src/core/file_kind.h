// What the ending of a name says of a file: in formats that this program reads or writes, and in foreign ones. An
// output is not written under the ending of another format than its own, where every other program would take it for
// something else.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string_view>

namespace millrace {

// "a MatrixMarket file"; empty if the ending, which may stand before .gz or .zst, says nothing that is known here, as
// .txt.
std::string_view kind_by_name(const std::filesystem::path& file);

// Whether outputs of some kind are compressed if their names end in .gz or .zst.
enum class Compressed { never, by_name };

// Throws UsageError if the name of an output has the ending of another format. `endings` are those of its own format,
// in small letters; `written` says how it is written.
void require_own_ending(const std::filesystem::path& output, std::initializer_list<std::string_view> endings,
                        Compressed compressed, std::string_view written);

}  // namespace millrace
