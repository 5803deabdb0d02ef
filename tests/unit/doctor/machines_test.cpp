// Whole machines, each with its recorded answer in data/answers. Where an answer differs, the test
// leaves the new one in the folder hone_answers of the temporary folder, to be read and copied.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "unit/doctor/machine_tree.h"

namespace hone::doctor {
namespace {

struct Case {
  const char* name;
  int status;         // of the exit
  const char* first;  // entry of the worst finding, empty: none
  std::function<void(MachineTree&)> make;
};

void user_outside_render(MachineTree& tree) {
  tree.add(kRx7900).file("/proc/self/status",
                         "Uid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\n"
                         "Groups:\t1000\nCpus_allowed_list:\t0-15\nMems_allowed_list:\t0-1\n");
}

void small_apu(MachineTree& tree) {
  tree.remove("/sys/module/amdgpu/version")
      .remove("/sys/devices/system/node/node1")
      .file("/proc/meminfo",
            "MemTotal: 131072000 kB\nMemAvailable: 120000000 kB\nSwapTotal: 4096 kB\n")
      .file("/proc/sys/kernel/osrelease", "6.15.4-generic\n")
      .file("/sys/module/ttm/parameters/pages_limit", "16384000\n")
      .add(kStrixHalo);
}

void wsl(MachineTree& tree) {
  tree.file("/proc/sys/kernel/osrelease", "6.6.87.2-microsoft-standard-WSL2\n")
      .remove("/sys/module/amdgpu")
      .file("/dev/dxg", "");
}

void low_limits(MachineTree& tree) {
  tree.add(kMi300x, 8)
      .file("/proc/self/limits",
            "Max stack size            8388608              unlimited            bytes\n"
            "Max processes             1024                 unlimited            processes\n"
            "Max open files            1024                 524288               files\n"
            "Max locked memory         8388608              8388608              bytes\n")
      .file("/proc/sys/vm/max_map_count", "65530\n")
      .file("/proc/self/mounts", "shm /dev/shm tmpfs rw,size=65536k 0 0\n")
      .file("/sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n")
      .file("/dev/infiniband/uverbs0", "");
}

void iommu_and_numa(MachineTree& tree) {
  tree.add(kMi300x, 8)
      .file("/proc/cmdline", "root=/dev/sda2 ro\n")
      .file("/sys/kernel/iommu_groups/0/type", "DMA-FQ\n")
      .file("/proc/sys/kernel/numa_balancing", "1\n")
      .file("/proc/self/status",
            "Uid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\nGroups:\t109\n"
            "Cpus_allowed_list:\t0-63\nMems_allowed_list:\t0\n");
}

const std::vector<Case>& cases() {
  static const std::vector<Case> cases = {
      {"mi300x_8", 0, "", [](MachineTree& tree) { tree.add(kMi300x, 8); }},
      {"mi250", 0, "DEV-20", [](MachineTree& tree) { tree.add(kMi250, 2); }},
      {"rx_7900", 0, "", [](MachineTree& tree) { tree.add(kRx7900); }},
      {"rx_9070", 3, "BLAS-06",
       [](MachineTree& tree) {
         tree.rocm("7.2.0", 7).file("/sys/module/amdgpu/version", "6.16.6\n").add(kRx9070);
       }},
      {"apu", 3, "MEM-10", small_apu},
      {"wsl", 3, "DEV-16", wsl},
      {"container_without_devices", 4, "DEV-02",
       [](MachineTree& tree) { tree.container().card_on_bus_only(kMi300x, "amdgpu"); }},
      {"user_outside_render", 4, "DEV-03", user_outside_render},
      {"kfd_missing", 4, "DEV-02",
       [](MachineTree& tree) { tree.card_on_bus_only(kRx7900, "amdgpu"); }},
      {"mixed_cards", 3, "DEV-15",
       [](MachineTree& tree) { tree.add(kRyzenGraphics).add(kRx7900).add(kRx9070); }},
      {"wrong_gfx", 4, "BIN-03",
       [](MachineTree& tree) {
         tree.add(kMi300x)
             .variable("HSA_OVERRIDE_GFX_VERSION=11.0.0")
             .variable("PYTORCH_ROCM_ARCH=gfx1100");
       }},
      {"low_limits", 4, "D-12", low_limits},
      {"iommu_and_numa", 3, "D-02", iommu_and_numa},
      {"no_gpu", 0, "DEV-01", [](MachineTree& tree) { tree.remove("/sys/module/amdgpu"); }},
      {"no_rocm", 4, "BIN-09", [](MachineTree& tree) { tree.add(kRx7900).remove("/opt"); }},
  };
  return cases;
}

std::string recorded(const std::string& name) {
  std::ifstream file(std::string(HONE_TEST_DATA) + "/answers/" + name + ".txt");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void leave(const std::string& name, const std::string& text) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "hone_answers";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / (name + ".txt")) << text;
}

class Machines : public testing::TestWithParam<std::size_t> {};

TEST_P(Machines, AnswerAsRecorded) {
  const Case& one = cases()[GetParam()];
  SCOPED_TRACE(one.name);
  MachineTree tree;
  one.make(tree);
  const Examination examination = tree.examine();
  const std::string text = examination_text(examination, false);
  EXPECT_EQ(text, recorded(one.name));
  if (text != recorded(one.name)) leave(one.name, text);
  EXPECT_EQ(exit_status(examination), one.status);
  std::string first;
  for (const Answer& answer : examination.answers) {
    for (const Finding& finding : answer.result.findings) {
      if (first.empty() && grade_of(finding) == examination.worst()) first = finding.id;
    }
  }
  EXPECT_EQ(first, one.first);
}

INSTANTIATE_TEST_SUITE_P(All, Machines, testing::Range<std::size_t>(0, 15),
                         [](const auto& one) { return std::string(cases()[one.param].name); });

TEST(Machines, AreAllInstantiated) {
  EXPECT_EQ(cases().size(), 15u);
}

}  // namespace
}  // namespace hone::doctor
