// Arrow's types by the names that Arrow gives them, for messages.
#pragma once

#include <string>
#include <string_view>

namespace millrace::python {

// `format`: how Arrow's C data interface writes the type. The name has no parameters: "tdD" is date32, "tsu:UTC" is
// timestamp. A format that is not known here is returned in quotes. Only types that cannot be read have names.
std::string arrow_type_name(std::string_view format);

}  // namespace millrace::python
