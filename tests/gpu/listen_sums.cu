#include "gpu/listen.h"

namespace millrace {

template Frontier Engine::edge_map(const Frontier&, const test::SumOfU32&, Along);
template Frontier Engine::edge_map(const Frontier&, const test::SumOfU64&, Along);
template Frontier Engine::edge_map(const Frontier&, const test::SumOfF32&, Along);
template Frontier Engine::edge_map(const Frontier&, const test::Select&, Along);

}  // namespace millrace
