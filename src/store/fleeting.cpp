#include "millrace/store/fleeting.h"

namespace millrace {
namespace {

thread_local int fleeting = 0;

}  // namespace

Fleeting::Fleeting() noexcept { ++fleeting; }
Fleeting::~Fleeting() { --fleeting; }
bool Fleeting::in_force() noexcept { return fleeting > 0; }

}  // namespace millrace
