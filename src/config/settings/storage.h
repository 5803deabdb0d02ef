// Makes the Storage of a member of Settings from its address; for the declare_*.cpp alone.
#pragma once

#include <type_traits>

#include "config/settings/declaration.h"

namespace hone::config {

template <class Member>
SettingValue as_value(const Member& member) {
  if constexpr (std::is_enum_v<Member>) {
    return static_cast<std::int64_t>(member);
  } else {
    return member;
  }
}

template <class Member>
SettingValue as_value(const std::optional<Member>& member) {
  return member ? as_value(*member) : SettingValue();
}

template <class Member>
void assign(Member& member, const SettingValue& value) {
  if constexpr (std::is_enum_v<Member>) {
    member = static_cast<Member>(std::get<std::int64_t>(value));
  } else {
    member = std::get<Member>(value);
  }
}

template <class Member>
void assign(std::optional<Member>& member, const SettingValue& value) {
  if (std::holds_alternative<std::monostate>(value)) {
    member.reset();
  } else {
    assign(member.emplace(), value);
  }
}

// stored<&Settings::training, &TrainingSettings::seed>()
template <auto Part, auto Member>
Storage stored() {
  return {
      [](const Settings& settings) { return as_value(settings.*Part.*Member); },
      [](Settings& settings, const SettingValue& value) { assign(settings.*Part.*Member, value); }};
}

}  // namespace hone::config
