// How text is generated.
#pragma once

#include <cstdint>

namespace hone::config {

struct GenerationSettings {
  bool do_sample = true;
  double temperature = 0.95;  // 0: greedy, as do_sample: false
  double top_p = 0.7;
  std::int64_t top_k = 50;             // 0: no limit
  std::int64_t max_new_tokens = 1024;  // above 0: max_length is not looked at
  std::int64_t max_length = 1024;      // prompt included
  double repetition_penalty = 1.0;
  bool skip_special_tokens = true;
};

}  // namespace hone::config
