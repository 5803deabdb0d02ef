#include "model/families/upper_block_windows.h"

#include "model/description/config_reader.h"

namespace hone::model {

void set_upper_block_windows(const formats::JsonObject& config, ModelDescription& description) {
  const std::int64_t window = config.optional_integer("sliding_window").value_or(0);
  if (!config_flag(config, "use_sliding_window", false) || window <= 0) return;
  const formats::Array* types = config.optional_array("layer_types");
  const std::int64_t first = config.optional_integer("max_window_layers").value_or(28);
  for (std::size_t block = 0; block < description.windows.size(); ++block) {
    const bool slides = types != nullptr && block < types->size()
                            ? (*types)[block] == formats::Value("sliding_attention")
                            : static_cast<std::int64_t>(block) >= first;
    if (slides) description.windows[block] = window;
  }
}

}  // namespace hone::model
