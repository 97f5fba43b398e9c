#include <cstdio>

#include "millrace/core/text.h"
#include "millrace/version.h"

int main() {
  std::printf("millrace %s: %s\n", MILLRACE_VERSION, millrace::format_size(millrace::parse_size("16G")).c_str());
}
