// The pages of a run on disk, and loads that bring them to host memory. Pages of several sets are numbered through.
#pragma once

#include <atomic>
#include <mutex>

#include "millrace/store/read_tuning.h"
#include "millrace/store/store.h"
#include "millrace/stream/page_loads.h"

namespace millrace {

class DiskPages final : public PageLoads {
 public:
  // Pages come to `region`. The store must outlive this. Throws IoError and BadInputError.
  DiskPages(const Store& store, const std::vector<Orientation>& sets, With with, std::span<std::byte> region,
            ReaderKind kind);

  // What each page takes in memory, and the first page of each set.
  const std::vector<std::uint32_t>& page_bytes() const { return page_bytes_; }
  const std::vector<std::uint32_t>& first_pages() const { return first_pages_; }
  std::string_view reader() const { return reads_->name(); }
  bool direct() const;
  const ReadTuning& tuning() const { return tuning_; }

  bool has_room() const override;
  void start(std::uint32_t ticket, const PageRun& run) override;
  void collect(bool wait, std::vector<LoadEnd>& ended) override;
  void verify(std::uint32_t page, const std::byte* data) const override;

 private:
  struct Set {
    const PageTable* table = nullptr;
    std::uint32_t first_file = 0;
  };
  struct Load {
    std::uint32_t reads_left = 0;
    std::uint64_t bytes = 0;
    std::exception_ptr error = nullptr;
    std::uint32_t first_page = 0, pages = 0;
    double begin = 0;  // on the timeline, if there is one
  };

  const Set& set_of(std::uint32_t page, std::uint32_t& in_set) const;
  std::exception_ptr error_of(const ReadEnd& end) const;
  static void note(const Load& load);

  With with_;
  std::span<std::byte> region_;
  std::vector<Set> sets_;
  std::vector<std::uint32_t> first_pages_;
  std::vector<std::uint32_t> page_bytes_;
  std::vector<File> files_;
  ReadTuning tuning_;
  std::atomic<std::uint64_t> bytes_in_flight_{0};
  std::atomic<std::uint64_t> loads_in_flight_{0};
  std::mutex mutex_;
  std::vector<Load> loads_;  // by ticket
  std::vector<ReadEnd> read_ends_;
  std::unique_ptr<AsyncReads> reads_;  // last: it waits for reads into what is above
};

// Slots for reads of the measured size, and for several pages, so that little of a slot is left over.
inline SlotLayout choose_disk_slots(std::uint64_t available, std::uint32_t largest_page, const ReadTuning& tuning) {
  return choose_slots(available, largest_page, std::max(tuning.read_bytes, 4 * std::uint64_t{largest_page}));
}
// How many slots a scan goes round: as many as are being read, and as many again that are computed on.
inline std::uint32_t ring_depth(const SlotLayout& layout, const ReadTuning& tuning) {
  return static_cast<std::uint32_t>(2 * std::max<std::uint64_t>(tuning.in_flight() / layout.slot_bytes, 1) + 2);
}

}  // namespace millrace
