// A made-up machine: /sys, /proc, /dev and /opt/rocm in a folder of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "doctor/examination.h"

namespace hone::doctor {

struct CardKind {
  int gfx_version = 0;  // as the driver writes it: 90402
  int device_id = 0;
  int compute_units = 0;
  int simd_per_unit = 4;
  std::uint64_t memory_gib = 0;
  bool linked = false;  // has XGMI links to the others of its kind
};

inline constexpr CardKind kMi300x = {90402, 0x74a1, 304, 4, 192, true};
inline constexpr CardKind kMi300a = {90402, 0x74a0, 228, 4, 128, true};
inline constexpr CardKind kMi250 = {90010, 0x740c, 104, 4, 64, true};
inline constexpr CardKind kRx7900 = {110000, 0x744c, 96, 2, 24, false};
inline constexpr CardKind kRx9070 = {120001, 0x7550, 64, 2, 16, false};
inline constexpr CardKind kStrixHalo = {110501, 0x1586, 40, 2, 96, false};
inline constexpr CardKind kRyzenGraphics = {100306, 0x164e, 2, 2, 1, false};
inline constexpr CardKind kRx5700 = {100100, 0x731f, 40, 2, 8, false};

class MachineTree {
 public:
  // A tuned host with amdgpu-dkms 6.12.12 and ROCm 6.4.1, and no card.
  MachineTree();
  ~MachineTree();
  MachineTree(const MachineTree&) = delete;
  MachineTree& operator=(const MachineTree&) = delete;

  MachineTree& file(const std::string& path, const std::string& text);
  MachineTree& link(const std::string& path, const std::string& target);
  MachineTree& remove(const std::string& path);
  MachineTree& variable(const std::string& assignment);
  // `result`: the error that opening gives, as in dev.txt.
  MachineTree& device(const std::string& path, const std::string& mode, unsigned group,
                      const std::string& result = "");
  MachineTree& forget_devices();
  MachineTree& add(const CardKind& kind, int count = 1);
  // On the bus, with this driver or none; the driver offers no node for it.
  MachineTree& card_on_bus_only(const CardKind& kind, const std::string& driver);
  MachineTree& rocm(const std::string& version, int hip_major);
  MachineTree& kernel_files_for(const std::string& library, const std::string& gfx);
  MachineTree& container();

  // Of the cards that were added, in order.
  std::string card_folder(int index) const { return cards_.at(static_cast<std::size_t>(index)); }
  const std::filesystem::path& root() const { return root_; }
  const std::vector<std::string>& variables() const { return variables_; }
  Examination examine() const;

 private:
  std::string put_on_bus(const CardKind& kind, const std::string& driver);
  void add_node(const CardKind& kind, int links);

  std::filesystem::path root_;
  std::vector<std::string> cards_;
  std::vector<std::string> variables_;
  std::string devices_;
  int nodes_ = 0;
};

}  // namespace hone::doctor
