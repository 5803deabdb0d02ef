// The GPUs of a machine, as its driver tells of them without any ROCm library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "doctor/machine.h"

namespace hone::doctor {

// A GPU of AMD on the PCI bus, whether or not its driver is loaded.
struct PciGpu {
  std::string address;  // "0000:c1:00.0"
  std::string folder;   // "/sys/bus/pci/devices/0000:c1:00.0"
  int device_id = 0;
  std::string driver;  // "amdgpu", "vfio-pci", or empty
};

// A GPU that the driver offers for computing: a node of /sys/class/kfd/kfd/topology.
struct ComputeGpu {
  int node = 0;
  std::string gfx;  // "gfx942"
  int device_id = 0;
  std::string address;  // of the PCI function
  std::string folder;   // "/sys/bus/pci/devices/..."
  int partition = 0;    // of the card, 0 for the first
  int render_minor = 0;
  int compute_units = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t hive = 0;  // cards with links of their own have the same; 0: none
  int links = 0;           // XGMI links to other GPUs
  std::int64_t mes_firmware = -1;

  // A small GPU inside a processor.
  bool integrated() const;
  // "MI300X (gfx942, 304 CU, 192 GiB) at 0000:c1:00.0"
  std::string description() const;
};

struct Hardware {
  std::vector<PciGpu> cards;
  std::vector<ComputeGpu> gpus;
  int hidden_nodes = 0;  // there, but not shown to this process

  bool any() const { return !cards.empty() || !gpus.empty() || hidden_nodes > 0; }
};

Hardware find_hardware(const Machine& machine);

// 90402 -> "gfx942": major * 10000 + minor * 100 + stepping, the last two as hexadecimal digits.
std::string gfx_name(std::int64_t version);

// "MI300X" for 0x74a1; empty for a card that is not known.
std::string_view product_name(int device_id);

// Instinct (wave 64, matrix cores of its own kind) or Radeon.
bool is_instinct(std::string_view gfx);
bool is_gfx12(std::string_view gfx);

}  // namespace hone::doctor
