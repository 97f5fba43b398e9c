// Names in the order in which they are added, within a budget: their bytes go to a file where memory is short.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "millrace/core/memory.h"
#include "millrace/store/files.h"
#include "millrace/store/names_file.h"

namespace millrace {

// What names may take.
struct NameRoom {
  Budget* budget = &unlimited_budget();
  std::function<std::filesystem::path()> make_directory = {};  // for the file; empty: everything stays in memory
  std::function<void()> free_some = {};  // makes others free what they hold of the budget; may be empty
};

// Many threads may read at a time, while nobody adds.
class NameLog {
 public:
  NameLog();

  std::uint64_t size() const { return size_; }
  // Throws BadInputError for a name that no line of a file can hold, and OverBudgetError.
  void add(std::string_view name);
  bool is(std::uint64_t number, std::string_view name) const;
  // Calls visit(name) for all names, in their order.
  void for_each(const std::function<void(std::string_view)>& visit) const;
  // Begins to read where a name is, and then its bytes.
  void prefetch_place(std::uint64_t number) const {
    __builtin_prefetch(&offsets_[number / chunk_offsets][number % chunk_offsets]);
  }
  void prefetch_bytes(std::uint64_t number) const;

  // From now on names are charged to this budget, those that are there as well.
  void keep_within(NameRoom room);
  // Tries to make the budget have room for so many bytes.
  void make_room(std::uint64_t bytes);
  Budget& budget() const { return *room_.budget; }
  // The memory for so many names whose bytes are in a file.
  static std::uint64_t least_memory(std::uint64_t names);

  // The names as the file of a store has them; the log must outlive it.
  NameColumns columns() const;
  // All in memory.
  Names copy() const;

 private:
  static constexpr std::uint64_t chunk_bytes = 1u << 20, chunk_offsets = 1u << 16;
  // A part of the budget that bytes may take before they go to a file: most of what follows needs memory too.
  static constexpr std::uint64_t share = 4;

  std::uint64_t offset(std::uint64_t number) const { return offsets_[number / chunk_offsets][number % chunk_offsets]; }
  std::uint64_t& offset(std::uint64_t number) { return offsets_[number / chunk_offsets][number % chunk_offsets]; }
  bool spilled() const { return file_.has_value(); }
  bool in_memory(std::uint64_t at) const { return at / chunk_bytes >= chunks_in_file_; }
  void read(std::uint64_t begin, std::uint64_t end, std::string& into) const;
  void add_bytes(std::string_view bytes);
  void add_offset();
  void spill();
  void write_full_chunks();

  NameRoom room_;
  std::vector<Array<std::uint64_t>> offsets_;  // of the beginnings, and of the end of the last one
  std::vector<Array<char>> chunks_;            // of bytes; those in the file are empty
  std::uint64_t size_ = 0, bytes_ = 0;
  std::uint64_t chunks_in_file_ = 0;
  std::optional<File> file_;
};

}  // namespace millrace
