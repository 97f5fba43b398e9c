#include "millrace/engine/registry.h"

#include "millrace/core/error.h"

namespace millrace {

void DryRun::throw_name_taken(const std::string& name) { throw InternalError("two attributes are called '{}'", name); }

}  // namespace millrace
