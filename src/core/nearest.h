// Finds what somebody probably meant by a misspelt word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// How many letters have to be changed, added, left out or exchanged with their neighbour to make one word of the other;
// `most` + 1 if that is more than `most`. Capital letters count as small ones.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most);

// Keeps the nearest of the words that it is shown.
class Nearest {
 public:
  explicit Nearest(std::string_view misspelt);
  void show(std::string_view word);
  // "; did you mean WORD?", or nothing if no word is near.
  std::string question() const;

 private:
  std::string misspelt_, found_;
  std::size_t most_;
};

inline std::string did_you_mean(std::string_view misspelt, const std::vector<std::string>& words) {
  Nearest nearest(misspelt);
  for (const std::string& word : words) nearest.show(word);
  return nearest.question();
}

}  // namespace millrace
