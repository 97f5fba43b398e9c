// Unpacks compressed bytes, which are recognised by how they begin.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace millrace {

// Returns the next stored bytes, valid until the next call; empty at the end.
using Refill = std::function<std::span<const char>()>;

class Unpacker {
 public:
  virtual ~Unpacker() = default;
  // Fills `into` with unpacked bytes; returns fewer only at the end. Throws BadInputError if the stored bytes are
  // damaged or end too early.
  virtual std::size_t read(std::span<char> into) = 0;
};

// An unpacker for stored bytes that begin with `first` and continue with `refill`; null if they are not compressed.
// Messages call the file `name`.
std::unique_ptr<Unpacker> make_unpacker(std::span<const char> first, Refill refill, const std::string& name);

}  // namespace millrace
