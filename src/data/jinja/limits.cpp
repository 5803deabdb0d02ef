#include "data/jinja/limits.h"

#include <fmt/format.h>

#include "base/error.h"
#include "formats/text_encoding.h"

namespace hone::data::jinja {

void refuse(int line, const std::string& found) {
  throw UserError({fmt::format("the model's chat template, line {}", line),
                   formats::printable(found), "name a template with template: NAME"});
}

}  // namespace hone::data::jinja
