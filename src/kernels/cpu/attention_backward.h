// Which share of a query tile's gradients a task makes.
#pragma once

#include <cstdint>

namespace hone::kernels::cpu {

struct BackwardPart {
  bool d_queries, d_keys;
  std::int64_t first_key, end_key;  // of the sequence; first_key is a multiple of kKeyTile
};

}  // namespace hone::kernels::cpu
