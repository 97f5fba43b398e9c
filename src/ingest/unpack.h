// Compressed bytes, recognised by how they begin, and what they hold.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace millrace {

// The next stored bytes, valid until the following call; empty at the end.
using Refill = std::function<std::span<const char>()>;

class Unpacker {
 public:
  virtual ~Unpacker() = default;
  // Fills `into` with what the stored bytes hold; shorter than asked only at the end. Throws BadInputError where they
  // are damaged or end too early.
  virtual std::size_t read(std::span<char> into) = 0;
};

// An unpacker for stored bytes that begin with `first` and go on with `refill`, or nothing where they are not
// compressed. `name` stands for the file in messages.
std::unique_ptr<Unpacker> make_unpacker(std::span<const char> first, Refill refill, const std::string& name);

}  // namespace millrace
