#include "doctor/hardware.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

namespace hone::doctor {
namespace {

constexpr int kAmd = 0x1002;
constexpr int kXgmi = 11;  // kind of link in the driver's topology
constexpr std::string_view kNodes = "/sys/class/kfd/kfd/topology/nodes/";

struct Product {
  int device_id;
  std::string_view name;
};

constexpr Product kProducts[] = {
    {0x738c, "MI100"},          {0x740f, "MI210"},        {0x740c, "MI250"},
    {0x7408, "MI250X"},         {0x7410, "MI200 share"},  {0x74a0, "MI300A"},
    {0x74a1, "MI300X"},         {0x74a5, "MI325X"},       {0x74b5, "MI300X share"},
    {0x75a0, "MI350X"},         {0x75a3, "MI355X"},       {0x744c, "RX 7900"},
    {0x7550, "RX 9070"},        {0x7551, "AI PRO R9700"}, {0x164e, "Ryzen graphics"},
    {0x13c0, "Ryzen graphics"}, {0x1586, "Strix Halo"},
};

bool is_gpu_class(std::int64_t pci_class) {
  const std::int64_t kind = pci_class >> 8;
  return kind == 0x0300 || kind == 0x0380 || kind == 0x1200;
}

std::vector<PciGpu> find_cards(const Machine& machine) {
  std::vector<PciGpu> cards;
  for (const std::string& address : machine.names("/sys/bus/pci/devices")) {
    const std::string folder = "/sys/bus/pci/devices/" + address;
    if (machine.number(folder + "/vendor") != kAmd) continue;
    if (!is_gpu_class(machine.number(folder + "/class").value_or(0))) continue;
    cards.push_back({address, folder,
                     static_cast<int>(machine.number(folder + "/device").value_or(0)),
                     machine.link_name(folder + "/driver")});
  }
  return cards;
}

class Properties {
 public:
  Properties(const Machine& machine, const std::string& file) : values_(machine.table(file)) {}
  bool empty() const { return values_.empty(); }
  std::uint64_t operator[](const char* name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? 0 : std::strtoull(found->second.c_str(), nullptr, 10);
  }

 private:
  std::map<std::string, std::string> values_;
};

std::uint64_t memory_bytes(const Machine& machine, const std::string& node) {
  std::uint64_t sum = 0;
  for (const std::string& bank : machine.names(node + "/mem_banks")) {
    const Properties properties(machine, node + "/mem_banks/" + bank + "/properties");
    const std::uint64_t kind = properties["heap_type"];
    if (kind == 1 || kind == 2) sum += properties["size_in_bytes"];  // visible, and the rest
  }
  return sum;
}

int xgmi_links(const Machine& machine, const std::string& node) {
  int count = 0;
  for (const std::string& link : machine.names(node + "/io_links")) {
    const Properties properties(machine, node + "/io_links/" + link + "/properties");
    if (properties["type"] == kXgmi) ++count;
  }
  return count;
}

ComputeGpu read_gpu(const Machine& machine, int index, const std::string& node,
                    const Properties& properties) {
  ComputeGpu gpu;
  gpu.node = index;
  gpu.gfx = gfx_name(static_cast<std::int64_t>(properties["gfx_target_version"]));
  gpu.device_id = static_cast<int>(properties["device_id"]);
  const std::uint64_t location = properties["location_id"];
  gpu.address = fmt::format("{:04x}:{:02x}:{:02x}.{:x}", properties["domain"] & 0xffffffffu,
                            (location >> 8) & 0xff, (location >> 3) & 0x1f, location & 7);
  gpu.folder = "/sys/bus/pci/devices/" + gpu.address;
  gpu.partition = static_cast<int>((location >> 28) & 0xf);
  gpu.render_minor = static_cast<int>(properties["drm_render_minor"]);
  const std::uint64_t per_unit = std::max<std::uint64_t>(properties["simd_per_cu"], 1);
  gpu.compute_units = static_cast<int>(properties["simd_count"] / per_unit);
  gpu.memory_bytes = memory_bytes(machine, node);
  gpu.hive = properties["hive_id"];
  gpu.links = xgmi_links(machine, node);
  gpu.mes_firmware = machine.number(gpu.folder + "/fw_version/mes_fw_version").value_or(-1);
  return gpu;
}

}  // namespace

std::string gfx_name(std::int64_t version) {
  return fmt::format("gfx{}{:x}{:x}", version / 10000, version / 100 % 100, version % 100);
}

std::string_view product_name(int device_id) {
  for (const Product& product : kProducts) {
    if (product.device_id == device_id) return product.name;
  }
  return "";
}

bool is_instinct(std::string_view gfx) {
  return gfx == "gfx908" || gfx == "gfx90a" || gfx == "gfx942" || gfx == "gfx950";
}

bool is_gfx12(std::string_view gfx) {
  return gfx.substr(0, 5) == "gfx12";
}

bool ComputeGpu::integrated() const {
  constexpr std::string_view kNames[] = {"gfx902",  "gfx90c",  "gfx1033", "gfx1035", "gfx1036",
                                         "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153"};
  return std::find(std::begin(kNames), std::end(kNames), gfx) != std::end(kNames);
}

std::string ComputeGpu::description() const {
  const std::string_view product = product_name(device_id);
  const double gib = static_cast<double>(memory_bytes) / static_cast<double>(1u << 30);
  const std::string facts = fmt::format("{}, {} CU, {:.0f} GiB", gfx, compute_units, gib);
  const std::string name = product.empty() ? facts : fmt::format("{} ({})", product, facts);
  return name + " at " + address + (partition > 0 ? fmt::format(", part {}", partition) : "");
}

Hardware find_hardware(const Machine& machine) {
  Hardware found;
  found.cards = find_cards(machine);
  for (const std::string& name : machine.names(kNodes)) {
    const std::string node = std::string(kNodes) + name;
    const Properties properties(machine, node + "/properties");
    if (properties.empty()) {
      ++found.hidden_nodes;
    } else if (properties["simd_count"] > 0) {
      found.gpus.push_back(read_gpu(
          machine, static_cast<int>(std::strtol(name.c_str(), nullptr, 10)), node, properties));
    }
  }
  return found;
}

}  // namespace hone::doctor
