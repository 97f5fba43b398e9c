#include "gpu/listen.h"

namespace millrace {

template Frontier Engine::edge_map(const Frontier&, const test::OrOfBool&, Along);
template Frontier Engine::edge_map(const Frontier&, const test::OrOfU64&, Along);
template Frontier Engine::edge_map(const Frontier&, const test::FirstF64&, Along);

}  // namespace millrace
