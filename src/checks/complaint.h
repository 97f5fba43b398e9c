// The message of a verifier, which does not depend on which thread finds a fault first.
#pragma once

#include <fmt/core.h>

#include <mutex>
#include <optional>
#include <string>

#include "millrace/core/types.h"

namespace millrace {

// Keeps the complaint about the lowest vertex.
class Complaint {
 public:
  template <class... Args>
  void about(VertexId vertex, fmt::format_string<Args...> text, Args&&... args) {
    const std::lock_guard lock(mutex_);
    if (vertex < vertex_) {
      vertex_ = vertex;
      text_ = fmt::format(text, std::forward<Args>(args)...);
    }
  }
  std::optional<std::string> text() const { return vertex_ == no_vertex ? std::nullopt : std::optional(text_); }

 private:
  std::mutex mutex_;
  VertexId vertex_ = no_vertex;
  std::string text_;
};

}  // namespace millrace
