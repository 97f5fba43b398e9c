#include "millrace/engine/disk_pages.h"

#include <cstring>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/core/timeline.h"
#include "millrace/pages/crc32c.h"

namespace millrace {
namespace {

// Small reads may be more at a time than large ones, but not without end.
constexpr std::uint64_t most_loads = 64;

}  // namespace

DiskPages::DiskPages(const Store& store, const std::vector<Orientation>& sets, With with, std::span<std::byte> region,
                     ReaderKind kind)
    : with_(with), region_(region) {
  for (const Orientation o : sets) {
    first_pages_.push_back(static_cast<std::uint32_t>(page_bytes_.size()));
    sets_.push_back({&store.table(o), static_cast<std::uint32_t>(files_.size())});
    for (const PageEntry& entry : store.table(o)) page_bytes_.push_back(align_page(bytes_with(with, entry)));
    for (const File& file : store.page_files(o)) files_.push_back(file.reopen_direct());
  }
  reads_ = make_reads(files_, region, kind);
  tuning_ = tune_reads(files_, *reads_, region);
}

bool DiskPages::direct() const {
  for (const File& file : files_)
    if (!file.direct()) return false;
  return true;
}

const DiskPages::Set& DiskPages::set_of(std::uint32_t page, std::uint32_t& in_set) const {
  std::size_t s = sets_.size() - 1;
  while (page < first_pages_[s]) --s;
  in_set = page - first_pages_[s];
  return sets_[s];
}

bool DiskPages::has_room() const {
  const std::uint64_t loads = loads_in_flight_;
  return loads == 0 || (loads < most_loads && bytes_in_flight_ < tuning_.in_flight());
}

// Pages that lie side by side in one file are read together, by reads of the size that suits the disk.
void DiskPages::start(std::uint32_t ticket, const PageRun& run) {
  std::uint32_t in_set = 0;
  const Set& set = set_of(run.first, in_set);
  std::vector<DiskRead> parts;
  std::byte* to = region_.data() + run.place;
  for (std::uint32_t i = 0; i < run.count; ++i) {
    const PageEntry& entry = (*set.table)[in_set + i];
    const std::uint32_t bytes = page_bytes_[run.first + i];
    const std::uint32_t file = set.first_file + entry.file;
    if (parts.empty() || parts.back().file != file || parts.back().offset + parts.back().bytes != entry.offset)
      parts.push_back(
          {.ticket = std::uint64_t{file} << 32 | ticket, .file = file, .offset = entry.offset, .bytes = 0, .to = to});
    parts.back().least = parts.back().bytes + bytes_with(with_, entry);
    parts.back().bytes += bytes;
    to += bytes;
  }
  std::vector<DiskRead> reads;
  for (const DiskRead& part : parts) cut_read(part, tuning_.read_bytes, reads);
  {
    const std::lock_guard lock(mutex_);
    if (ticket >= loads_.size()) loads_.resize(ticket + 1);
    Timeline* const timeline = Timeline::current();
    loads_[ticket] = {.reads_left = static_cast<std::uint32_t>(reads.size()),
                      .bytes = run.bytes,
                      .first_page = run.first,
                      .pages = run.count,
                      .begin = timeline ? timeline->now() : 0};
    bytes_in_flight_ += run.bytes;
    ++loads_in_flight_;
  }
  for (const DiskRead& read : reads) reads_->submit(read);
}

void DiskPages::collect(bool wait, std::vector<LoadEnd>& ended) {
  const std::size_t before = ended.size();
  std::vector<Load> done;
  do {
    if (loads_in_flight_ == 0) return;
    read_ends_.clear();
    reads_->collect(wait, read_ends_);
    std::unique_lock lock(mutex_);
    for (const ReadEnd& end : read_ends_) {
      const auto ticket = static_cast<std::uint32_t>(end.ticket);
      Load& load = loads_[ticket];
      if (end.error != 0 && !load.error) load.error = error_of(end);
      if (--load.reads_left > 0) continue;
      bytes_in_flight_ -= load.bytes;
      --loads_in_flight_;
      ended.push_back({ticket, load.error});
      done.push_back(load);
    }
    lock.unlock();
    for (const Load& load : done) note(load);
    done.clear();
  } while (wait && ended.size() == before);
}

// For the bar that is shown, and for the timeline.
void DiskPages::note(const Load& load) {
  Progress::count_disk(load.bytes);
  if (Timeline* const timeline = Timeline::current())
    timeline->add("disk reads", Timeline::Kind::disk,
                  {.begin = load.begin,
                   .end = timeline->now(),
                   .name = "read",
                   .bytes = load.bytes,
                   .first = load.first_page,
                   .count = load.pages},
                  true);
}

std::exception_ptr DiskPages::error_of(const ReadEnd& end) const {
  const std::string name = files_[end.ticket >> 32].path().string();
  if (end.error == ReadEnd::too_short)
    return std::make_exception_ptr(DamagedStoreError("{}: ends before its last page; the store is damaged", name));
  return std::make_exception_ptr(IoError("cannot read {}: {}", name, std::strerror(end.error)));
}

void DiskPages::verify(std::uint32_t page, const std::byte* data) const {
  std::uint32_t in_set = 0;
  const Set& set = set_of(page, in_set);
  const PageEntry& entry = (*set.table)[in_set];
  const std::span bytes(data, bytes_with(with_, entry));
  const bool weights_match =
      bytes.size() == entry.topology_bytes || crc32c(bytes.subspan(entry.topology_bytes)) == entry.weight_crc;
  if (crc32c(bytes.first(entry.topology_bytes)) != entry.topology_crc || !weights_match)
    throw DamagedStoreError("{}: checksum mismatch in page {} (offset {}); the store is damaged",
                            files_[set.first_file + entry.file].path().string(), in_set, entry.offset);
}

}  // namespace millrace
