#include "config/zero_options.h"

#include <fmt/format.h>

namespace hone::config {
namespace {

std::string offload_text(const char* what, const Offload& offload) {
  switch (offload.to) {
    case OffloadTo::device:
      return {};
    case OffloadTo::host:
      return fmt::format(", {} in the host's memory", what);
    case OffloadTo::disk:
      return fmt::format(", {} in files", what);
  }
  return {};
}

}  // namespace

std::string to_text(const ZeroOptions& zero) {
  return fmt::format("stage {}{}{}", static_cast<int>(zero.stage),
                     offload_text("optimizer state", zero.optimizer),
                     offload_text("weights", zero.parameters));
}

}  // namespace hone::config
