#include "millrace/engine/frontier.h"

namespace millrace {

Frontier::Lease Frontier::lease(std::vector<Lease>& pool) {
  for (const Lease& storage : pool)
    if (storage.use_count() == 1) return storage;
  pool.push_back(std::make_shared<Storage>());
  return pool.back();
}

Frontier Frontier::of_devices(std::vector<Frontier> made) {
  Frontier first = std::move(made[0]);
  for (std::size_t i = 1; i < made.size(); ++i) first.others_.push_back(std::move(made[i]));
  return first;
}

void Frontier::count(std::uint64_t size, std::uint64_t edges) {
  size_ = size;
  num_edges_ = edges;
  for (Frontier& other : others_) other.count(size, edges);
}

void Frontier::count_along(Along along, std::uint64_t edges) {
  along_ = along;
  num_edges_ = edges;
  for (Frontier& other : others_) other.count_along(along, edges);
}

}  // namespace millrace
