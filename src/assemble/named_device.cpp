#include "assemble/named_device.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "assemble/program_memory.h"
#include "base/error.h"
#include "base/nearest_name.h"
#include "config/reading/device_list.h"
#include "device/cpu/cpu_device.h"
#include "planner/cards.h"

namespace hone::assemble {
namespace {

bool is_cpu(const std::string& name) {
  return name == "cpu" || name == "CPU";
}

std::string lower(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

[[noreturn]] void refuse_name(const config::ReadResult& read, const std::string& name) {
  std::vector<std::string> names;
  for (const planner::CardMemory& card : planner::cards()) names.emplace_back(card.name);
  throw UserError(Fault{describe_setting(read, "devices"),
                        fmt::format("a card that hone does not know{}", did_you_mean(name, names)),
                        fmt::format("add its memory, e.g. {}:24GiB, or write one of: {}", name,
                                    fmt::join(names, ", "))});
}

// All cards of a target must have the same memory, or the user says which.
const planner::CardMemory& card_of(const config::ReadResult& read, const std::string& name) {
  if (const planner::CardMemory* card = planner::find_card(name)) return *card;
  const std::vector<const planner::CardMemory*> same = planner::cards_of(lower(name));
  if (same.empty()) refuse_name(read, name);
  for (const planner::CardMemory* card : same) {
    if (card->memory_gib == same.front()->memory_gib) continue;
    std::string sizes;
    for (const planner::CardMemory* each : same) {
      sizes += fmt::format("{}{} {} GiB", sizes.empty() ? "" : ", ", each->name, each->memory_gib);
    }
    throw UserError(Fault{
        describe_setting(read, "devices"), fmt::format("cards of different memory: {}", sizes),
        fmt::format("name the card, or its memory: {}:{}GiB", name, same.front()->memory_gib)});
  }
  return *same.front();
}

}  // namespace

NamedDevice named_device(const config::ReadResult& read) {
  const auto list = config::parse_device_list(read.settings.planning.devices.value_or(""));
  HONE_ASSERT(list.has_value());
  NamedDevice device;
  device.machines = list->machines;
  device.per_machine = list->per_machine;
  if (is_cpu(list->name)) {
    const std::unique_ptr<Device> processor = open_cpu_device({});
    device.cpu = true;
    device.name = "CPU";
    device.memory_bytes = list->memory_bytes ? static_cast<std::size_t>(*list->memory_bytes)
                                             : usable_bytes(read.settings, *processor) /
                                                   static_cast<std::size_t>(list->per_machine);
    return device;
  }
  device.reserved_bytes = planner::kReservedBytes;
  if (list->memory_bytes) {
    device.memory_bytes = static_cast<std::size_t>(*list->memory_bytes);
    device.name = list->name.empty() ? "device" : list->name;
    return device;
  }
  const planner::CardMemory& card = card_of(read, list->name);
  device.memory_bytes = card.bytes();
  device.name = fmt::format("{} ({})", card.name, card.target);
  return device;
}

}  // namespace hone::assemble
