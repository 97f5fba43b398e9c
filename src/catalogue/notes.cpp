#include "millrace/catalogue/notes.h"

#include "millrace/core/error.h"

namespace millrace {

std::string note_on(const Store& store, Direction direction, bool visits_all, Orientation along) {
  if (direction != Direction::automatic) return {};
  const std::string_view pushed = orientation_name(along), pulled = orientation_name(opposite(along));
  if (!store.has(opposite(along)))
    return marked_text(
        "the store has {} pages alone, so every superstep pushes; with {} pages as well (made with @orientation@ both) "
        "{} would pull",
        pushed, pulled, visits_all ? "all of them" : "those with large frontiers");
  if (!store.has(along) && !visits_all)
    return marked_text(
        "the store has {} pages alone, so every superstep pulls; with {} pages as well (made with @orientation@ both) "
        "those with small frontiers would push",
        pulled, pushed);
  return {};
}

std::string note_on_both_ways(const Store& store, Direction direction) {
  const bool out = store.has(Orientation::out);
  if (direction != Direction::automatic || (out && store.has(Orientation::in))) return {};
  return marked_text(
      "the store has {} pages alone, so supersteps along out-edges {} and those along in-edges {}; with {} pages as "
      "well (made with @orientation@ both) each would choose",
      out ? "out" : "in", out ? "push" : "pull", out ? "pull" : "push", out ? "in" : "out");
}

}  // namespace millrace
