#include "device/gpu/cards.h"

#include "base/error.h"
#include "device/gpu/hip_status.h"

namespace hone::hip {
namespace {

// Threads of a block where a kernel has no wish of its own: four waves on CDNA, eight on RDNA.
constexpr int kBlockThreads = 256;

SeenCard describe(int index) {
  hipDeviceProp_t properties = {};
  require(hipGetDeviceProperties(&properties, index), "properties of GPU " + std::to_string(index));
  SeenCard seen;
  seen.name = properties.name;
  seen.managed_memory = properties.managedMemory != 0;
  Card& card = seen.card;
  card.target = target_of(properties.gcnArchName);
  card.wave_width = properties.warpSize;
  card.block_threads = kBlockThreads;
  card.shared_bytes = properties.sharedMemPerBlock;
  card.most_block_threads = properties.maxThreadsPerBlock;
  card.most_blocks = properties.maxGridSize[0];
  card.matrix_unit = matrix_unit_of(card.target);
  card.matrix_unit_flushes = card.target == "gfx90a";
  if (seen.name.empty()) seen.name = card.target;
  return seen;
}

}  // namespace

std::string target_of(const std::string& architecture) {
  return architecture.substr(0, architecture.find(':'));
}

MatrixUnit matrix_unit_of(const std::string& target) {
  if (target == "gfx90a" || target == "gfx942" || target == "gfx950") return MatrixUnit::mfma;
  if (target.starts_with("gfx11")) return MatrixUnit::wmma11;
  if (target.starts_with("gfx12")) return MatrixUnit::wmma12;
  return MatrixUnit::none;
}

std::vector<SeenCard> seen_cards() {
  int count = 0;
  require(hipGetDeviceCount(&count), "a GPU");
  if (count == 0) require(hipErrorNoDevice, "a GPU");
  std::vector<SeenCard> cards;
  for (int index = 0; index < count; ++index) cards.push_back(describe(index));
  return cards;
}

}  // namespace hone::hip
