// What kernels must know of a GPU before they are launched on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hone {

// Which matrix instructions a card has.
enum class MatrixUnit {
  none,
  mfma,    // gfx90a, gfx942, gfx950
  wmma11,  // gfx11
  wmma12,  // gfx12
};

struct Card {
  std::string target;                // the compiler's name of it: "gfx942"
  int wave_width = 64;               // threads that go in step: 64 on CDNA, 32 on RDNA
  int block_threads = 256;           // threads of a block where a kernel has no wish of its own
  std::size_t shared_bytes = 65536;  // local data share that one block may have
  int most_block_threads = 1024;
  std::int64_t most_blocks = 2147483647;
  std::int64_t most_threads = 4294967295;  // of a launch: AMD counts threads, not blocks
  MatrixUnit matrix_unit = MatrixUnit::none;
  // Matrix instructions take subnormal bf16 and f16 for zero, and make none.
  bool matrix_unit_flushes = false;
};

}  // namespace hone
