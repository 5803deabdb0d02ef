#include "config/reading/unknown_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "formats/text_encoding.h"

namespace hone::config {
namespace {

// Longer words are not compared: no setting is near them.
constexpr std::size_t kLongestName = 80;

std::vector<std::string> names_of(Command command) {
  std::vector<std::string> names;
  for (const Declaration& declaration : Declarations::all().list()) {
    if (!takes(command, declaration)) continue;
    names.push_back(declaration.name);
    names.insert(names.end(), declaration.aliases.begin(), declaration.aliases.end());
  }
  return names;
}

std::vector<std::string> beginning_with(const std::string& start,
                                        const std::vector<std::string>& names) {
  std::vector<std::string> found;
  if (start.size() < 3) return found;
  std::copy_if(names.begin(), names.end(), std::back_inserter(found),
               [&](const std::string& name) { return name.rfind(start, 0) == 0; });
  return found;
}

}  // namespace

std::string describe_place(const Assignment& assignment) {
  return fmt::format("{}{} ({})", assignment.option ? "--" : "",
                     formats::printable(assignment.name), assignment.place);
}

Fault unknown_name(const Assignment& assignment, Command command) {
  Fault fault{describe_place(assignment), "no setting has this name", ""};
  if (assignment.value.kind == Written::Kind::map) {
    fault.found = "a block, and no setting has its name";
    fault.remedy = "settings are not nested: write those in it at the left margin, without it";
    return fault;
  }
  const bool negated = assignment.option && assignment.name.rfind("no_", 0) == 0;
  if (negated && Declarations::all().find(assignment.name.substr(3)) != nullptr) {
    fault.found = "a setting that is not a switch";
    fault.remedy = fmt::format("write --{} and its value", assignment.name.substr(3));
    return fault;
  }
  const std::vector<std::string> names = names_of(command);
  const std::vector<std::string> begun = beginning_with(assignment.name, names);
  const std::string nearest =
      assignment.name.size() > kLongestName ? "" : nearest_name(assignment.name, names);
  if (begun.size() > 1) {
    fault.found = "a name cut short";
    fault.remedy = fmt::format("write one of them whole: {}", fmt::join(begun, ", "));
  } else if (!begun.empty() || !nearest.empty()) {
    fault.remedy = fmt::format("did you mean {}?", begun.empty() ? nearest : begun[0]);
  } else {
    fault.remedy = "remove it; `hone help` lists the settings";
  }
  return fault;
}

Fault foreign_name(const Assignment& assignment, const Declaration& declaration, Command command) {
  const std::string commands = commands_of(declaration);
  if (commands.empty()) {
    return {describe_place(assignment), "a setting for benchmarks, which are not in this version",
            "remove it"};
  }
  return {describe_place(assignment),
          fmt::format("a setting of {}, which {} does not take", commands, command_name(command)),
          fmt::format("remove it, or run `hone {}`", commands.substr(0, commands.find(',')))};
}

}  // namespace hone::config
