#include "millrace/build/name_log.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "millrace/core/error.h"

namespace millrace {

NameLog::NameLog() { add_offset(); }

void NameLog::add(std::string_view name) {
  demand_sound_name(name, size_, "the names of vertices");
  add_bytes(name);
  ++size_;
  add_offset();
}

void NameLog::add_offset() {
  if (size_ % chunk_offsets == 0) {
    make_room(chunk_offsets * sizeof(std::uint64_t));
    offsets_.emplace_back(chunk_offsets, budget(), "where names of vertices begin");
  }
  offset(size_) = bytes_;
}

void NameLog::add_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::uint64_t at = bytes_ % chunk_bytes;
    if (at == 0) {
      if (spilled()) write_full_chunks();
      const bool much = bytes_ - chunks_in_file_ * chunk_bytes >= budget().limit() / share;
      if (much || !budget().has_room(chunk_bytes)) spill();
      make_room(chunk_bytes);
      chunks_.emplace_back(chunk_bytes, budget(), "names of vertices");
    }
    const std::uint64_t count = std::min<std::uint64_t>(bytes.size(), chunk_bytes - at);
    std::memcpy(chunks_.back().data() + at, bytes.data(), count);
    bytes_ += count;
    bytes.remove_prefix(count);
  }
}

void NameLog::make_room(std::uint64_t bytes) {
  if (!budget().has_room(bytes)) spill();
  if (!budget().has_room(bytes) && room_.free_some) room_.free_some();
}

void NameLog::spill() {
  if (spilled() || !room_.make_directory) return;
  file_ = File::create(room_.make_directory() / "names");
  std::filesystem::remove(file_->path());  // it is there until it is closed
  write_full_chunks();
}

void NameLog::write_full_chunks() {
  for (; chunks_in_file_ < bytes_ / chunk_bytes; ++chunks_in_file_) {
    Array<char>& chunk = chunks_[chunks_in_file_];
    file_->write(std::as_bytes(std::span<const char>(chunk)), chunks_in_file_ * chunk_bytes);
    chunk = {};
  }
}

void NameLog::keep_within(NameRoom room) {
  room_ = std::move(room);
  for (Array<std::uint64_t>& some : offsets_) {
    make_room(some.size() * sizeof(std::uint64_t));
    Array<std::uint64_t> charged(some.size(), budget(), "where names of vertices begin");
    std::ranges::copy(some, charged.begin());
    some = std::move(charged);
  }
  for (std::uint64_t c = chunks_in_file_; c < chunks_.size(); ++c) {
    if ((c - chunks_in_file_) * chunk_bytes >= budget().limit() / share) spill();
    if (c < chunks_in_file_) continue;
    make_room(chunk_bytes);
    if (c < chunks_in_file_) continue;
    Array<char> charged(chunk_bytes, budget(), "names of vertices");
    std::ranges::copy(chunks_[c], charged.begin());
    chunks_[c] = std::move(charged);
  }
}

std::uint64_t NameLog::least_memory(std::uint64_t names) {
  return (names / chunk_offsets + 1) * chunk_offsets * sizeof(std::uint64_t) + 2 * chunk_bytes;
}

bool NameLog::is(std::uint64_t number, std::string_view name) const {
  std::uint64_t at = offset(number);
  const std::uint64_t end = offset(number + 1);
  if (end - at != name.size()) return false;
  if (!in_memory(at)) {
    thread_local std::string stored;
    read(at, end, stored);
    return stored == name;
  }
  while (at < end) {
    const std::uint64_t within = at % chunk_bytes, count = std::min(end - at, chunk_bytes - within);
    if (std::memcmp(chunks_[at / chunk_bytes].data() + within, name.data(), count) != 0) return false;
    name.remove_prefix(count);
    at += count;
  }
  return true;
}

void NameLog::prefetch_bytes(std::uint64_t number) const {
  const std::uint64_t at = offset(number);
  if (in_memory(at)) __builtin_prefetch(chunks_[at / chunk_bytes].data() + at % chunk_bytes);
}

void NameLog::read(std::uint64_t begin, std::uint64_t end, std::string& into) const {
  into.resize(end - begin);
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t within = at % chunk_bytes, count = std::min(end - at, chunk_bytes - within);
    const std::span<char> part(into.data() + (at - begin), count);
    if (in_memory(at))
      std::memcpy(part.data(), chunks_[at / chunk_bytes].data() + within, count);
    else
      file_->read(std::as_writable_bytes(part), at);
    at += count;
  }
}

void NameLog::for_each(const std::function<void(std::string_view)>& visit) const {
  constexpr std::uint64_t most = chunk_bytes;  // bytes that are read at a time, or one longer name
  std::string some;
  for (std::uint64_t first = 0; first < size_;) {
    const std::uint64_t begin = offset(first);
    std::uint64_t last = first + 1;
    while (last < size_ && offset(last + 1) - begin <= most) ++last;
    read(begin, offset(last), some);
    for (; first < last; ++first)
      visit(std::string_view(some).substr(offset(first) - begin, offset(first + 1) - offset(first)));
  }
}

NameColumns NameLog::columns() const {
  return {.count = size_,
          .offsets =
              [this](const NameColumns::Piece& piece) {
                for (std::uint64_t first = 0; first <= size_; first += chunk_offsets) {
                  const Array<std::uint64_t>& some = offsets_[first / chunk_offsets];
                  piece(std::as_bytes(std::span(some.data(), std::min(chunk_offsets, size_ + 1 - first))));
                }
              },
          .bytes =
              [this](const NameColumns::Piece& piece) {
                std::string some;
                for (std::uint64_t at = 0; at < bytes_; at += chunk_bytes) {
                  read(at, std::min(bytes_, at + chunk_bytes), some);
                  piece(std::as_bytes(std::span<const char>(some)));
                }
              }};
}

Names NameLog::copy() const {
  Names names;
  for (std::uint64_t number = 0; number <= size_; ++number) names.offsets.push_back(offset(number));
  std::string all;
  read(0, bytes_, all);
  names.bytes.assign(all.begin(), all.end());
  return names;
}

}  // namespace millrace
