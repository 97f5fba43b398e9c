#include "millrace/engine/far_attributes.h"

#include <algorithm>

#include "millrace/core/error.h"

namespace millrace {
namespace {

// All have one copy of the attributes, and share the vertex work.
DeviceTeam make_team(const std::vector<DevicePart>& parts) {
  std::vector<std::unique_ptr<Executor>> executors;
  for (const DevicePart& part : parts)
    executors.push_back(make_executor(*part.device, *part.graph, part.own, part.chunk));
  return DeviceTeam(std::move(executors), std::vector<std::size_t>(parts.size(), 0));
}

}  // namespace

FarAttributes::FarAttributes(const std::vector<DevicePart>& parts, RunLog& log)
    : log_(log), team_(make_team(parts)), sources_(parts[0].sources) {
  if (log.direction == Direction::pull && parts[0].sources == 0)
    throw UsageError("attributes that are far are pushed to, chunk by chunk: leave the direction to auto");
  for (const DevicePart& part : parts) chunk_.push_back(part.chunk);
}

Copies FarAttributes::allocate(std::uint64_t bytes, const std::string& what, Contents contents) {
  first().device().select();
  const std::shared_ptr<DeviceMemory> one = first().device().allocate_memory(bytes, what, contents, Where::far);
  return Copies(std::vector(team_.size(), one));
}

std::uint64_t FarAttributes::num_chunks() const {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < team_.size(); ++i)
    most = std::max(most, (team_[i].own().size() + chunk_[i] - 1) / chunk_[i]);
  return most;
}

VertexRange FarAttributes::chunk(std::size_t device, std::uint64_t round) const {
  const VertexRange own = team_[device].own();
  const std::uint64_t first = std::min(own.last, own.first + round * chunk_[device]);
  return {first, std::min(own.last, first + chunk_[device])};
}

std::vector<std::uint32_t> FarAttributes::reaching(const std::vector<std::uint32_t>& pages, const PageTable& table,
                                                   std::uint64_t round) const {
  std::vector<std::uint32_t> some;
  for (const std::uint32_t page : pages) {
    bool reached = false;
    for (std::size_t i = 0; i < team_.size(); ++i) reached = reached || reaches(table[page], chunk(i, round));
    if (reached) some.push_back(page);
  }
  return some;
}

std::vector<std::uint32_t> FarAttributes::meeting(const PageTable& table, VertexRange sources,
                                                  const std::vector<VertexRange>& targets) const {
  std::vector<std::uint32_t> pages;
  for (std::uint32_t p = 0; p < table.size();) {
    // The large pages of a row go together: its last one delivers.
    std::uint32_t end = p + 1;
    while (end < table.size() && table.goes_on(end)) ++end;
    bool met = false;
    for (std::uint32_t q = p; q < end; ++q) {
      const bool rows = std::ranges::any_of(targets, [&](VertexRange some) { return has_rows_in(table[q], some); });
      met = met || (rows && reaches(table[q], sources));
    }
    for (; p < end; ++p)
      if (met) pages.push_back(p);
  }
  return pages;
}

}  // namespace millrace
