#include "unit/doctor/machine_tree.h"

#include <stdlib.h>

#include <fstream>
#include <stdexcept>

#include <fmt/format.h>

namespace hone::doctor {
namespace {

constexpr unsigned kRender = 109;

std::filesystem::path temporary_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "hone_machine_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  return name;
}

}  // namespace

MachineTree::MachineTree() : root_(temporary_folder()) {
  file("/proc/sys/kernel/osrelease", "6.18.2-generic\n");
  file("/proc/cmdline", "root=/dev/sda2 ro iommu=pt pci=realloc=off\n");
  file("/proc/meminfo",
       "MemTotal:       2113929216 kB\nMemAvailable:   2000000000 kB\nSwapTotal: 8388608 kB\n");
  file("/proc/self/status",
       "Name:\thone\nUid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\nGroups:\t44 109 "
       "1000\nSeccomp:\t0\nCpus_allowed_list:\t0-127\nMems_allowed_list:\t0-1\n");
  file("/proc/self/limits",
       "Limit                     Soft Limit           Hard Limit           Units\n"
       "Max stack size            8388608              unlimited            bytes\n"
       "Max processes             unlimited            unlimited            processes\n"
       "Max open files            1048576              1048576              files\n"
       "Max locked memory         unlimited            unlimited            bytes\n");
  file("/proc/self/mounts", "tmpfs /dev/shm tmpfs rw,nosuid,size=67108864k 0 0\n");
  file("/proc/devices", "Character devices:\n226 drm\n234 kfd\n");
  file("/proc/sys/vm/max_map_count", "1048576\n");
  file("/proc/sys/kernel/numa_balancing", "0\n");
  file("/etc/group", "root:x:0:\nvideo:x:44:anna\nrender:x:109:anna\n");
  file("/sys/devices/system/node/node0/cpulist", "0-63\n");
  file("/sys/devices/system/node/node1/cpulist", "64-127\n");
  file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  file("/sys/devices/system/cpu/cpu1/online", "1\n");
  file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  file("/sys/class/net/eth0/operstate", "up\n");
  file("/sys/class/net/lo/operstate", "unknown\n");
  file("/sys/module/amdgpu/initstate", "live\n");
  file("/sys/module/amdgpu/version", "6.12.12\n");
  file("/dev/kmsg", "6,1,100,-;Linux version 6.18.2-generic\n");
  for (const char* library : {"libdrm.so.2", "libdrm_amdgpu.so.1", "libnuma.so.1", "libelf.so.1"}) {
    file(std::string("/usr/lib/x86_64-linux-gnu/") + library, "");
  }
  rocm("6.4.1", 6);
}

MachineTree::~MachineTree() {
  std::error_code error;
  std::filesystem::remove_all(root_, error);
}

MachineTree& MachineTree::file(const std::string& path, const std::string& text) {
  const std::filesystem::path place = root_ / path.substr(1);
  std::filesystem::create_directories(place.parent_path());
  std::ofstream(place, std::ios::binary) << text;
  return *this;
}

MachineTree& MachineTree::link(const std::string& path, const std::string& target) {
  const std::filesystem::path place = root_ / path.substr(1);
  std::filesystem::create_directories(place.parent_path());
  std::filesystem::remove(place);
  std::filesystem::create_symlink(target, place);
  return *this;
}

MachineTree& MachineTree::remove(const std::string& path) {
  std::filesystem::remove_all(root_ / path.substr(1));
  return *this;
}

MachineTree& MachineTree::variable(const std::string& assignment) {
  variables_.push_back(assignment);
  return *this;
}

MachineTree& MachineTree::device(const std::string& path, const std::string& mode, unsigned group,
                                 const std::string& result) {
  devices_ += fmt::format("{} 0 {} {:x} {} {}\n", mode, group, path == "/dev/kfd" ? 234 : 226, path,
                          result);
  return file("/dev.txt", devices_);
}

MachineTree& MachineTree::forget_devices() {
  devices_.clear();
  return remove("/dev.txt");
}

std::string MachineTree::put_on_bus(const CardKind& kind, const std::string& driver) {
  const int bus = 3 + 16 * static_cast<int>(cards_.size());
  cards_.push_back(fmt::format("/sys/bus/pci/devices/0000:{:02x}:00.0", bus));
  const std::string& folder = cards_.back();
  file(folder + "/vendor", "0x1002\n");
  file(folder + "/device", fmt::format("0x{:x}\n", kind.device_id));
  file(folder + "/class", "0x120000\n");
  file(folder + "/numa_node", cards_.size() <= 4 ? "0\n" : "1\n");
  file(folder + "/current_link_width", "16\n");
  file(folder + "/max_link_width", "16\n");
  file(folder + "/current_link_speed", "32.0 GT/s PCIe\n");
  const std::uint64_t bytes = kind.memory_gib << 30;
  file(folder + "/mem_info_vram_total", fmt::format("{}\n", bytes));
  file(folder + "/mem_info_vis_vram_total", fmt::format("{}\n", bytes));
  file(folder + "/mem_info_vram_used", "300000000\n");
  if (!driver.empty()) link(folder + "/driver", "../../../bus/pci/drivers/" + driver);
  return folder;
}

void MachineTree::add_node(const CardKind& kind, int links) {
  const std::string node = fmt::format("/sys/class/kfd/kfd/topology/nodes/{}", nodes_++);
  const std::string& folder = cards_.back();
  const int bus = std::stoi(folder.substr(folder.size() - 7, 2), nullptr, 16);
  const int minor = 127 + static_cast<int>(cards_.size());
  file(node + "/properties",
       fmt::format("cpu_cores_count 0\nsimd_count {}\nsimd_per_cu {}\ngfx_target_version {}\n"
                   "vendor_id 4098\ndevice_id {}\nlocation_id {}\ndomain 0\ndrm_render_minor {}\n"
                   "hive_id {}\n",
                   kind.compute_units * kind.simd_per_unit, kind.simd_per_unit, kind.gfx_version,
                   kind.device_id, bus << 8, minor, kind.linked && links > 0 ? 77 : 0));
  file(node + "/mem_banks/0/properties",
       fmt::format("heap_type 1\nsize_in_bytes {}\n", kind.memory_gib << 30));
  for (int i = 0; kind.linked && i < links; ++i) {
    file(fmt::format("{}/io_links/{}/properties", node, i), "type 11\nweight 15\n");
  }
  device(fmt::format("/dev/dri/renderD{}", minor), "crw-rw----", kRender);
}

MachineTree& MachineTree::add(const CardKind& kind, int count) {
  if (nodes_ == 0) {
    file("/sys/class/kfd/kfd/topology/nodes/0/properties", "cpu_cores_count 64\nsimd_count 0\n");
    nodes_ = 1;
    device("/dev/kfd", "crw-rw----", kRender);
  }
  for (int i = 0; i < count; ++i) {
    put_on_bus(kind, "amdgpu");
    add_node(kind, count - 1);
    kernel_files_for("rocblas", gfx_name(kind.gfx_version));
    kernel_files_for("hipblaslt", gfx_name(kind.gfx_version));
  }
  return *this;
}

MachineTree& MachineTree::card_on_bus_only(const CardKind& kind, const std::string& driver) {
  put_on_bus(kind, driver);
  return *this;
}

MachineTree& MachineTree::rocm(const std::string& version, int hip_major) {
  remove("/opt");
  const std::string folder = "/opt/rocm-" + version;
  file(folder + "/.info/version", version + "-83\n");
  file(folder + "/include/hip/hip_runtime.h", "");
  file(fmt::format("{}/lib/libamdhip64.so.{}", folder, hip_major), "");
  file(folder + "/lib/libhsa-runtime64.so.1", "");
  file(folder + "/lib/libamd_comgr.so.3", "");
  file(folder + "/lib/rocblas/library/TensileManifest.txt", "");
  file(folder + "/lib/hipblaslt/library/TensileManifest.txt", "");
  return link("/opt/rocm", folder);
}

MachineTree& MachineTree::kernel_files_for(const std::string& library, const std::string& gfx) {
  const std::filesystem::path folder =
      std::filesystem::read_symlink(root_ / "opt/rocm") / "lib" / library / "library";
  return file((folder / ("TensileLibrary_lazy_" + gfx + ".dat")).string(), "");
}

MachineTree& MachineTree::container() {
  return file("/.dockerenv", "");
}

Examination MachineTree::examine() const {
  return doctor::examine(Machine(root_, variables_), true);
}

}  // namespace hone::doctor
