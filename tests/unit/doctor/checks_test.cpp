// Every entry that a check can find, found on a machine that is healthy but for one thing; and not
// found on the healthy one.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "unit/doctor/machine_tree.h"

namespace hone::doctor {
namespace {

struct Case {
  const char* id;
  std::function<void(MachineTree&)> make;
};

MachineTree& apu(MachineTree& tree) {
  return tree.remove("/sys/devices/system/node/node1")
      .file("/proc/meminfo", "MemTotal: 131072000 kB\nMemAvailable: 1 kB\nSwapTotal: 4096 kB\n")
      .add(kStrixHalo);
}

std::string card(const MachineTree& tree) {
  return tree.card_folder(0);
}

std::vector<Case> discovery_cases() {
  return {
      {"DEV-01", [](MachineTree&) {}},
      {"DEV-02", [](MachineTree& t) { t.card_on_bus_only(kRx7900, "amdgpu"); }},
      {"DEV-03",
       [](MachineTree& t) {
         t.add(kRx7900).forget_devices().device("/dev/kfd", "crw-rw----", 998);
       }},
      {"DEV-04",
       [](MachineTree& t) {
         t.container().add(kRx7900).forget_devices().device("/dev/kfd", "crw-rw----", 998);
       }},
      {"DEV-05",
       [](MachineTree& t) {
         t.add(kRx7900)
             .forget_devices()
             .device("/dev/kfd", "crw-rw-rw-", 998)
             .device("/dev/dri/renderD128", "crw-rw----", 998);
       }},
      {"DEV-06",
       [](MachineTree& t) {
         t.add(kMi300x, 2).file("/sys/class/kfd/kfd/topology/nodes/3/gpu_id", "");
       }},
      {"DEV-06",
       [](MachineTree& t) { t.add(kRx7900).forget_devices().device("/dev/kfd", "crw-rw-rw-", 1); }},
      {"DEV-07",
       [](MachineTree& t) {
         t.add(kRx7900).file("/dev.txt", "crw-rw-rw- 0 109 f0 /dev/kfd EINVAL\n");
       }},
      {"DEV-08",
       [](MachineTree& t) {
         t.card_on_bus_only(kRx5700, "amdgpu").device("/dev/kfd", "crw-rw-rw-", 1, "ENOMEM");
       }},
      {"DEV-09",
       [](MachineTree& t) { t.card_on_bus_only(kRx7900, "").remove("/sys/module/amdgpu"); }},
      {"DEV-09",
       [](MachineTree& t) {
         t.card_on_bus_only(kRx7900, "vfio-pci").remove("/sys/module/amdgpu");
       }},
      {"DEV-09",
       [](MachineTree& t) {
         t.card_on_bus_only(kRx7900, "")
             .remove("/sys/module/amdgpu")
             .file("/etc/modprobe.d/x.conf", "blacklist amdgpu\n");
       }},
      {"DEV-10",
       [](MachineTree& t) {
         t.add(kRx7900)
             .card_on_bus_only(kRx5700, "amdgpu")
             .file(
                 "/dev/kmsg",
                 "4,9,1,-;kfd kfd: amdgpu: skipped device 1002:731f, PCI rejects atomics 730<0\n");
       }},
      {"DEV-11", [](MachineTree& t) { t.card_on_bus_only(kRx9070, ""); }},
      {"DEV-12", [](MachineTree& t) { t.add(kRx7900).card_on_bus_only(kRx9070, "amdgpu"); }},
      {"DEV-13",
       [](MachineTree& t) {
         t.add(kMi300x, 2).variable("ROCR_VISIBLE_DEVICES=1").variable("HIP_VISIBLE_DEVICES=1");
       }},
      {"DEV-14", [](MachineTree& t) { t.add(kRx7900).add(kRx9070); }},
      {"DEV-15", [](MachineTree& t) { t.add(kRx7900).add(kRyzenGraphics); }},
      {"DEV-16",
       [](MachineTree& t) { t.file("/proc/sys/kernel/osrelease", "6.6-microsoft-standard\n"); }},
      {"DEV-17", [](MachineTree& t) { t.add({90402, 0x74b5, 304, 4, 192, false}); }},
      {"DEV-18",
       [](MachineTree& t) {
         t.add(kMi300x).file(card(t) + "/current_compute_partition", "CPX\n");
       }},
      {"DEV-20", [](MachineTree& t) { t.add(kMi250, 2); }},
      {"NET-25", [](MachineTree& t) { t.add(kMi300x, 4); }},
      {"NUM-01", [](MachineTree& t) { t.add(kMi250, 2); }},
  };
}

std::vector<Case> software_cases() {
  return {
      {"DRV-01",
       [](MachineTree& t) {
         t.card_on_bus_only(kRx7900, "")
             .remove("/sys/module/amdgpu")
             .file("/var/lib/dkms/amdgpu/6.12/source", "");
       }},
      {"DRV-02",
       [](MachineTree& t) {
         t.card_on_bus_only(kRx7900, "")
             .remove("/sys/module/amdgpu")
             .file("/var/lib/dkms/amdgpu/6.12/source", "")
             .file("/lib/modules/6.18.2-generic/updates/dkms/amdgpu.ko.zst", "")
             .file("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
                   std::string("\6\0\0\0\1", 5));
       }},
      {"DRV-03",
       [](MachineTree& t) { t.add(kMi300x).file("/sys/module/amdgpu/version", "6.3.6\n"); }},
      {"DRV-04",
       [](MachineTree& t) {
         t.add(kRx7900)
             .file("/sys/module/ttm/parameters/pages_limit", "1\n")
             .file("/sys/module/amdttm/parameters/pages_limit", "1\n");
       }},
      {"DRV-05",
       [](MachineTree& t) { apu(t).file(card(t) + "/fw_version/mes_fw_version", "0x00000083\n"); }},
      {"DRV-08",
       [](MachineTree& t) {
         t.add(kRx7900).file("/etc/modprobe.d/old.conf", "options amdgpu noretry=0\n");
       }},
      {"D-29",
       [](MachineTree& t) {
         t.add(kMi300x).file("/proc/cmdline",
                             "iommu=pt pci=realloc=off modprobe.blacklist=amdgpu\n");
       }},
      {"BIN-01", [](MachineTree& t) { t.add(kRx5700); }},
      {"BIN-01", [](MachineTree& t) { t.add(kMi300x).variable("GPU_TARGETS=gfx90a"); }},
      {"BIN-03",
       [](MachineTree& t) { t.add(kMi300x).variable("HSA_OVERRIDE_GFX_VERSION=11.0.0"); }},
      {"BIN-04", [](MachineTree& t) { apu(t).variable("HSA_OVERRIDE_GFX_VERSION_1=11.0.0"); }},
      {"BIN-07", [](MachineTree& t) { t.add(kMi300x).variable("HSA_XNACK=1"); }},
      {"BIN-08",
       [](MachineTree& t) {
         t.add({90006, 0x66a1, 60, 4, 32, false})
             .remove("/opt/rocm-6.4.1/lib/rocblas/library/TensileLibrary_lazy_gfx906.dat");
       }},
      {"BIN-09",
       [](MachineTree& t) { t.add(kRx7900).remove("/opt/rocm-6.4.1/lib/libamdhip64.so.6"); }},
      {"BIN-10",
       [](MachineTree& t) { t.add(kRx7900).remove("/usr/lib/x86_64-linux-gnu/libnuma.so.1"); }},
      {"BIN-11",
       [](MachineTree& t) { t.add(kRx7900).file("/opt/rocm-5.7.1/.info/version", "5.7.1\n"); }},
      {"BIN-11",
       [](MachineTree& t) {
         t.add(kRx7900).file("/usr/lib/x86_64-linux-gnu/libamdhip64.so.5", "");
       }},
      {"BIN-13", [](MachineTree& t) { t.add(kRx7900).variable("ROCM_PATH=/opt/nowhere"); }},
      {"BIN-14",
       [](MachineTree& t) {
         t.add(kRx7900)
             .file("/usr/lib/gcc/x86_64-linux-gnu/9/x", "")
             .file("/usr/lib/gcc/x86_64-linux-gnu/14/x", "");
       }},
      {"BLAS-01",
       [](MachineTree& t) {
         t.add(kRx7900).remove(
             "/opt/rocm-6.4.1/lib/rocblas/library/TensileLibrary_lazy_gfx1100.dat");
       }},
      {"BLAS-03",
       [](MachineTree& t) {
         t.add(kMi300x).remove(
             "/opt/rocm-6.4.1/lib/hipblaslt/library/TensileLibrary_lazy_gfx942.dat");
       }},
      {"BLAS-06",
       [](MachineTree& t) {
         t.rocm("7.2.1", 7).file("/sys/module/amdgpu/version", "6.16.6").add(kRx9070);
       }},
      {"ENV-07",
       [](MachineTree& t) { t.add(kRx7900).variable("HSA_OVERRIDE_GFX_VERSION=gfx1100"); }},
      {"ENV-08", [](MachineTree& t) { t.add(kRx7900).variable("AMD_SERIALIZE_KERNEL=3"); }},
      {"ENV-05",
       [](MachineTree& t) {
         t.container().add(kRx7900).file("/proc/self/status",
                                         "Uid:\t0\t0\nGid:\t0\t0\nSeccomp:\t2\n");
       }},
      {"D-32", [](MachineTree& t) { t.container().add(kRx7900); }},
  };
}

std::vector<Case> host_cases() {
  return {
      {"MEM-03",
       [](MachineTree& t) {
         t.add(kMi300x).file(card(t) + "/mem_info_vram_used", "90000000000\n");
       }},
      {"MEM-10", [](MachineTree& t) { apu(t).file("/proc/sys/kernel/osrelease", "6.14.0\n"); }},
      {"MEM-11",
       [](MachineTree& t) { apu(t).file(card(t) + "/mem_info_gtt_total", "999999999999\n"); }},
      {"MEM-12", [](MachineTree& t) { t.add(kRx9070); }},
      {"MEM-13",
       [](MachineTree& t) {
         t.add(kRx7900).file(card(t) + "/mem_info_vis_vram_total", "268435456\n");
       }},
      {"MEM-14",
       [](MachineTree& t) {
         t.add(kRx7900)
             .file(card(t) + "/numa_node", "1\n")
             .file("/proc/self/status", "Uid:\t1\t0\nMems_allowed_list:\t0\n");
       }},
      {"D-01",
       [](MachineTree& t) { t.add(kRx7900).file("/proc/sys/kernel/numa_balancing", "1\n"); }},
      {"D-20", [](MachineTree& t) { t.add(kRx7900).file(card(t) + "/numa_node", "-1\n"); }},
      {"D-02",
       [](MachineTree& t) {
         t.add(kMi300x, 8)
             .file("/proc/cmdline", "ro\n")
             .file("/sys/kernel/iommu_groups/3/type", "DMA\n");
       }},
      {"D-03",
       [](MachineTree& t) {
         t.add(kRx7900).file("/proc/cmdline", "amd_iommu=off\n");
         for (int i = 2; i < 256; ++i)
           t.file(fmt::format("/sys/devices/system/cpu/cpu{}/online", i), "1\n");
       }},
      {"D-04", [](MachineTree& t) { t.add(kMi300x, 8).file("/proc/cmdline", "iommu=pt\n"); }},
      {"NET-27",
       [](MachineTree& t) { t.add(kMi300x, 8).file("/proc/cmdline", "amd_iommu=off\n"); }},
      {"D-07",
       [](MachineTree& t) {
         t.add(kRx7900).file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                             "powersave\n");
       }},
      {"D-08",
       [](MachineTree& t) {
         t.add(kRx7900)
             .file("/sys/devices/system/cpu/cpu0/cpuidle/state2/name", "C2\n")
             .file("/sys/devices/system/cpu/cpu0/cpuidle/state2/disable", "0\n");
       }},
      {"LCH-12",
       [](MachineTree& t) {
         t.add(kRx7900).file("/proc/self/status", "Uid:\t1\t0\nCpus_allowed_list:\t3\n");
       }},
      {"D-09",
       [](MachineTree& t) {
         t.add(kRx7900).file("/sys/kernel/mm/transparent_hugepage/enabled",
                             "always madvise [never]\n");
       }},
      {"D-10",
       [](MachineTree& t) { t.add(kMi300a).file("/proc/sys/vm/compaction_proactiveness", "0\n"); }},
      {"D-11",
       [](MachineTree& t) { apu(t).file("/sys/module/ttm/parameters/pages_limit", "16384000\n"); }},
      {"D-12",
       [](MachineTree& t) {
         t.add(kMi300x, 8)
             .file("/sys/class/infiniband/mlx5_0/x", "")
             .file("/dev/infiniband/uverbs0", "")
             .file("/proc/self/limits", "Max locked memory  65536  65536  bytes\n");
       }},
      {"D-13",
       [](MachineTree& t) {
         t.add(kRx7900).file("/proc/self/limits", "Max open files  1024  4096  files\n");
       }},
      {"D-14",
       [](MachineTree& t) {
         t.add(kRx7900).file("/proc/self/limits", "Max processes  512  4096  processes\n");
       }},
      {"D-15",
       [](MachineTree& t) {
         t.add(kRx7900).file("/proc/self/limits", "Max stack size  65536  unlimited  bytes\n");
       }},
      {"D-16",
       [](MachineTree& t) { t.add(kRx7900).file("/proc/sys/vm/max_map_count", "65530\n"); }},
      {"D-17",
       [](MachineTree& t) {
         t.add(kRx7900).file("/proc/self/mounts", "shm /dev/shm tmpfs rw,size=64m 0 0\n");
       }},
      {"NET-04", [](MachineTree& t) { t.add(kRx7900).file("/dev/shm/nccl-AbCdEf", ""); }},
  };
}

std::vector<Case> card_cases() {
  return {
      {"D-21",
       [](MachineTree& t) { t.add(kRx7900, 2).file(card(t) + "/current_link_width", "4\n"); }},
      {"FLT-09",
       [](MachineTree& t) { t.add(kRx7900).file(card(t) + "/current_link_width", "4\n"); }},
      {"D-22",
       [](MachineTree& t) {
         t.add(kRx7900, 2).file("/boot/config-6.18.2-generic", "CONFIG_PCI_P2PDMA=y\n");
       }},
      {"D-28",
       [](MachineTree& t) {
         t.add(kRx7900).file("/proc/meminfo", "MemTotal: 16000000 kB\nMemAvailable: 1 kB\n");
       }},
      {"FLT-06",
       [](MachineTree& t) {
         t.add(kMi300x).file(card(t) + "/ras/umc_err_count", "ue: 2\nce: 0\n");
       }},
      {"FLT-07",
       [](MachineTree& t) {
         t.add(kMi300x).file(card(t) + "/ras/umc_err_count", "ue: 0\nce: 9\n");
       }},
      {"FLT-08",
       [](MachineTree& t) {
         t.add(kMi300x, 8).remove("/sys/class/kfd/kfd/topology/nodes/3/io_links/6");
       }},
      {"FLT-10",
       [](MachineTree& t) {
         t.add(kMi300x)
             .file(card(t) + "/hwmon/hwmon3/temp2_crit", "100000\n")
             .file(card(t) + "/hwmon/hwmon3/temp2_input", "99000\n");
       }},
      {"FLT-11",
       [](MachineTree& t) {
         t.add(kMi300x)
             .file(card(t) + "/hwmon/hwmon3/power1_cap", "500000000\n")
             .file(card(t) + "/hwmon/hwmon3/power1_cap_default", "750000000\n");
       }},
      {"FLT-12",
       [](MachineTree& t) {
         t.add(kMi300x).file(card(t) + "/power_dpm_force_performance_level", "low\n");
       }},
      {"FLT-17",
       [](MachineTree& t) {
         t.add(kRx7900)
             .file("/sys/class/kfd/kfd/proc/42/x", "")
             .file("/sys/class/kfd/kfd/proc/43/x", "");
       }},
      {"NET-01", [](MachineTree& t) { t.add(kMi300x, 8).variable("NCCL_SOCKET_IFNAME=ib0"); }},
      {"NET-06",
       [](MachineTree& t) { t.add(kMi300x, 8).file("/sys/class/infiniband/mlx5_0/x", ""); }},
      {"NET-18",
       [](MachineTree& t) { t.add(kMi300x, 8).variable("HSA_ENABLE_IPC_MODE_LEGACY=1"); }},
  };
}

std::vector<Case> cases() {
  std::vector<Case> all = discovery_cases();
  for (const Case& one : software_cases()) all.push_back(one);
  for (const Case& one : host_cases()) all.push_back(one);
  for (const Case& one : card_cases()) all.push_back(one);
  return all;
}

std::set<std::string> found_in(const Examination& examination) {
  std::set<std::string> ids;
  for (const Answer& answer : examination.answers) {
    for (const Finding& finding : answer.result.findings) ids.insert(std::string(finding.id));
  }
  return ids;
}

TEST(Checks, FindEachFailure) {
  for (const Case& one : cases()) {
    MachineTree tree;
    one.make(tree);
    EXPECT_TRUE(found_in(tree.examine()).count(one.id) == 1)
        << one.id << "\n"
        << examination_text(tree.examine(), false);
  }
}

TEST(Checks, FindNothingOnHealthyMachines) {
  for (const auto& [kind, count] : {std::pair(kMi300x, 8), std::pair(kRx7900, 1)}) {
    MachineTree tree;
    tree.add(kind, count);
    const std::set<std::string> found = found_in(tree.examine());
    EXPECT_TRUE(found.empty()) << *found.begin();
  }
}

// The flag `checked` of the knowledge is a promise, and there is no check without it.
TEST(Checks, AreThoseThatTheKnowledgePromises) {
  std::set<std::string> covered;
  for (const Case& one : cases()) covered.insert(one.id);
  for (const Entry* entry : all_entries()) {
    EXPECT_EQ(entry->checked, covered.count(std::string(entry->id)) == 1) << entry->id;
  }
}

TEST(Checks, LogOfTheKernelIsReadWithTheSameKnowledge) {
  MachineTree tree;
  tree.add(kRx7900).file(
      "/dev/kmsg",
      "3,7,9,-;amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24)\n"
      "3,8,9,-;amdgpu 0000:03:00.0: amdgpu: MES failed to respond to msg=2\n"
      "3,8,9,-;amdgpu 0000:03:00.0: SMU driver if version not matched\n");
  const std::set<std::string> found = found_in(tree.examine());
  EXPECT_EQ(found, (std::set<std::string>{"FLT-01", "DRV-06"}));
  EXPECT_EQ(exit_status(tree.examine()), 3);
}

}  // namespace
}  // namespace hone::doctor
