// What the cpu does with a program beside a GPU: it gathers for the rows of some pages, or sends along them, with the
// messages, or the attributes, that the GPU has brought to host memory.
#pragma once

#include <bit>

#include "millrace/operators/help_cpu.h"

namespace millrace {

template <class Given>
class CpuHelp {
 public:
  static PassCounts pull(const HelperRoom& room, const void* brought, const PageSet& pages, PagePool& pool, Crew& crew,
                         double* busy) {
    for_each_by(crew, bitmap_words(room.num_vertices), least_vertices, [&](std::uint64_t i) { room.found[i] = 0; });
    const Helper helper = helper_of(room, brought);
    const auto gather = [&](const auto& active) {
      return help_pull(pages, pool, helper, active, room.found, crew, busy);
    };
    return room.active ? gather(BitmapActive{room.active}) : gather(AllActive{});
  }

  static PassCounts push(const HelperRoom& room, const void* brought, const PageSet& pages, PagePool& pool, Crew& crew,
                         double* busy) {
    auto* const inbox = static_cast<Inbox<Helper>*>(room.got);
    empty(inbox, room, crew);
    const Helper helper = helper_of(room, brought);
    const auto send = [&](const auto& active) {
      return help_push(pages, pool, helper, active, inbox, room.found, room.num_vertices, crew, busy);
    };
    return room.active ? send(BitmapActive{room.active}) : send(AllActive{});
  }

 private:
  using Helper = HelperOf<Given>;
  using Value = Pending<Given>;

  // The program as the cpu runs it.
  static Helper helper_of(const HelperRoom& room, const void* brought) {
    if constexpr (takes_weights<Given>)
      return {*static_cast<const Given*>(brought), static_cast<Value*>(room.got)};
    else
      return {
          .sent_by = static_cast<const Value*>(room.sent), .wanted = room.wanted, .got = static_cast<Value*>(room.got)};
  }

  // Messages that the GPU has taken are still there, and so are their bits.
  static void empty(Inbox<Helper>* inbox, const HelperRoom& room, Crew& crew) {
    const std::uint64_t n = room.num_vertices, words = bitmap_words(n);
    const Inbox<Helper> nothing = nothing_pending<Helper>();
    for_each_by(crew, words, least_vertices / 64, [=](std::uint64_t word) {
      std::uint64_t bits = room.empty_all ? ~std::uint64_t{0} : room.found[word];
      if (word == words - 1 && n % 64 != 0) bits &= (std::uint64_t{1} << (n % 64)) - 1;
      for (; bits != 0; bits &= bits - 1) inbox[word * 64 + static_cast<unsigned>(std::countr_zero(bits))] = nothing;
      room.found[word] = 0;
    });
  }
};

}  // namespace millrace
