#include "gpu/listen.h"

namespace millrace {

template Frontier Engine::edge_map(const Frontier&, const test::MinOfU32&, Along);
template Frontier Engine::edge_map(const Frontier&, const test::MinOfF64&, Along);
template Frontier Engine::edge_map(const Frontier&, const test::MaxOfI32&, Along);
template Frontier Engine::edge_map(const Frontier&, const test::MaxOfI64&, Along);

}  // namespace millrace
