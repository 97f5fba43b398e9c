// What runs have taken of a device's memory beside the pages, remembered with the store. What an algorithm announces is
// a bound; the next run of its kind plans with what was taken, and the rest is left to pages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace millrace {

class LearnedSizes {
 public:
  // Of a store; knows nothing where nothing was remembered, or what was cannot be read.
  explicit LearnedSizes(std::filesystem::path store);

  std::optional<std::uint64_t> find(const std::string& run) const;
  // Keeps the largest. A store that cannot be written to learns nothing.
  void note(const std::string& run, std::uint64_t bytes);

 private:
  std::filesystem::path file_;
  std::map<std::string, std::uint64_t> bytes_;
};

}  // namespace millrace
