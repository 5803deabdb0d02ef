#include "config/reading/read_settings.h"

#include <set>

#include <fmt/format.h>

#include "config/reading/command_line.h"
#include "config/reading/config_file.h"
#include "config/reading/device_list.h"
#include "config/reading/parse_value.h"
#include "config/reading/read_schedule.h"
#include "config/reading/unknown_names.h"
#include "config/sharding/read_sharding.h"
#include "config/validation/complete.h"
#include "config/validation/cross_checks.h"
#include "formats/text_encoding.h"

namespace hone::config {
namespace {

constexpr std::size_t kLongestShown = 80;  // bytes of a value in a fault

std::string shown_value(const Declaration& declaration, const Written& written) {
  if (is_secret(declaration.name)) return std::string(kHidden);
  if (written.kind == Written::Kind::null) return "null";
  return formats::printable(written.text, kLongestShown);
}

class SettingsReader {
 public:
  SettingsReader(const Request& request, FaultList& faults) : request_(request), faults_(faults) {}

  ReadResult read() {
    CommandLine line = read_command_line(request_.words, faults_);
    if (request_.words.empty()) report_nothing_given();
    bool whole = !request_.words.empty();
    std::vector<Assignment> assignments;
    if (!line.config_file.empty()) {
      whole = read_config_file(line.config_file, assignments, faults_);
    }
    for (Assignment& assignment : line.assignments) assignments.push_back(std::move(assignment));
    const std::set<std::string> failed = interpolate(assignments, request_.environment, faults_);
    for (const Assignment& assignment : assignments) take(assignment);
    for (const std::string& name : failed) leave_out(name);
    for (const Declaration& declaration : Declarations::all().list()) {
      const auto last = last_.find(declaration.name);
      if (last != last_.end()) obey(declaration, *last->second);
    }
    if (whole) {
      const CheckContext context{request_.command, result_, faulty_, faults_};
      check_combinations(context);
      complete(request_.command, result_);
      if (takes_schedule()) read_schedule(result_, faulty_, faults_);
      read_sharding({result_, faulty_, faults_, request_.command, ranks(), request_.allow_unknown});
    }
    return std::move(result_);
  }

 private:
  // Those of a plan's devices, where it names some.
  int ranks() const {
    const std::optional<std::string>& devices = result_.settings.planning.devices;
    const auto list = devices ? parse_device_list(*devices) : std::nullopt;
    return list ? list->ranks() : request_.ranks;
  }

  bool takes_schedule() const {
    return request_.command == Command::train || request_.command == Command::plan;
  }

  void report_nothing_given() {
    const std::string_view command = command_name(request_.command);
    faults_.add(
        {fmt::format("hone {}", command), "no configuration file and no settings",
         fmt::format("name a file, `hone {} my.yaml`, or settings as --key value", command)});
  }

  // Finds the setting of an assignment; a later one of the same setting replaces an earlier one.
  void take(const Assignment& assignment) {
    const Declaration* declaration = Declarations::all().find(assignment.name);
    if (declaration == nullptr || !takes(request_.command, *declaration)) {
      refuse_name(assignment, declaration);
      return;
    }
    if (assignment.name != declaration->name) note_alias(assignment, *declaration);
    const auto [earlier, is_new] = last_.emplace(declaration->name, &assignment);
    if (is_new) return;
    if (earlier->second->source == Source::file && assignment.source == Source::file) {
      faults_.add({describe_place(assignment),
                   fmt::format("the same setting as {}", describe_place(*earlier->second)),
                   "keep one of the two"});
      faulty_.insert(declaration->name);
      return;
    }
    replaced_[declaration->name].push_back(fmt::format(
        "{} ({})", shown_value(*declaration, earlier->second->value), earlier->second->place));
    earlier->second = &assignment;
  }

  // Of a value that could not be made out: its fault is there already.
  void leave_out(const std::string& name) {
    const Declaration* declaration = Declarations::all().find(name);
    if (declaration == nullptr) return;
    last_.erase(declaration->name);
    faulty_.insert(declaration->name);
  }

  void refuse_name(const Assignment& assignment, const Declaration* declaration) {
    if (request_.allow_unknown) {
      warn(fmt::format("{} is {}; it is ignored, since extra settings are allowed",
                       describe_place(assignment),
                       declaration == nullptr ? "not known" : "not a setting of this command"));
      return;
    }
    faults_.add(declaration == nullptr ? unknown_name(assignment, request_.command)
                                       : foreign_name(assignment, *declaration, request_.command));
  }

  void note_alias(const Assignment& assignment, const Declaration& declaration) {
    warn(fmt::format("{} is read as {}, its name here", describe_place(assignment),
                     declaration.name));
  }

  void obey(const Declaration& declaration, const Assignment& assignment) {
    const ParsedValue parsed = parse_value(declaration, assignment.value, request_.home);
    if (!parsed.ok()) {
      refuse_value(declaration, assignment, parsed.found, parsed.remedy);
      return;
    }
    const bool unset = parsed.value.index() == 0;
    // Nothing between quotes or brackets asks for none; only null stands for the default.
    if (unset && assignment.value.kind != Written::Kind::null && declaration.kind == Kind::list &&
        declaration.state == State::works && declaration.default_text != "null" &&
        !declaration.default_text.empty()) {
      refuse_value(
          declaration, assignment, "no name",
          fmt::format("write one or more names, or leave it out for {}", declaration.default_text));
      return;
    }
    if (unset && !declaration.null_is_value) {
      // null stands for the default, which an earlier assignment may not keep.
      if (replaced_.count(declaration.name) != 0) record(declaration, assignment);
      return;
    }
    switch (declaration.state) {
      case State::works:
        store_value(declaration, result_.settings, parsed.value);
        record(declaration, assignment);
        break;
      case State::no_effect:
        note(fmt::format("{}: {} ({}) has no effect: {}", declaration.name,
                         shown_value(declaration, assignment.value), assignment.place,
                         declaration.reason));
        break;
      case State::refused:
        refuse_unless_default(declaration, assignment, parsed.value);
        break;
    }
  }

  void refuse_unless_default(const Declaration& declaration, const Assignment& assignment,
                             const SettingValue& value) {
    const Written plain{Written::Kind::scalar, false, declaration.default_text, {}};
    const bool has_default = declaration.default_text != "null";
    if (has_default && parse_value(declaration, plain, request_.home).value == value) return;
    // Empty text and an empty map ask for nothing, and so does a switch that is off.
    if (value == SettingValue(std::string()) || (!has_default && value == SettingValue(false))) {
      return;
    }
    const std::size_t cut = declaration.reason.find("; ");
    HONE_ASSERT(cut != std::string::npos, declaration.name);
    refuse_value(declaration, assignment, declaration.reason.substr(0, cut),
                 declaration.reason.substr(cut + 2));
  }

  void refuse_value(const Declaration& declaration, const Assignment& assignment,
                    const std::string& found, const std::string& remedy) {
    faulty_.insert(declaration.name);
    faults_.add({fmt::format("{}: '{}' ({})", declaration.name,
                             shown_value(declaration, assignment.value), assignment.place),
                 found, remedy});
  }

  void record(const Declaration& declaration, const Assignment& assignment) {
    result_.origins[declaration.name] = {assignment.source, assignment.place,
                                         shown_value(declaration, assignment.value),
                                         replaced_[declaration.name]};
  }

  void note(std::string text) { result_.notices.push_back({Severity::info, std::move(text)}); }
  void warn(std::string text) { result_.notices.push_back({Severity::warning, std::move(text)}); }

  const Request& request_;
  FaultList& faults_;
  ReadResult result_;
  std::map<std::string, const Assignment*> last_;
  std::map<std::string, std::vector<std::string>> replaced_;
  std::set<std::string> faulty_;
};

}  // namespace

ReadResult read_settings(const Request& request, FaultList& faults) {
  return SettingsReader(request, faults).read();
}

ReadResult read_settings(const Request& request) {
  FaultList faults;
  ReadResult result = read_settings(request, faults);
  faults.throw_if_any();
  return result;
}

std::string describe_setting(const ReadResult& result, const std::string& name) {
  const Declaration* declaration = Declarations::all().find(name);
  HONE_ASSERT(declaration != nullptr && declaration->state == State::works, name);
  const auto origin = result.origins.find(name);
  if (origin != result.origins.end() && origin->second.source != Source::derived) {
    return fmt::format("{}: '{}' ({})", name, origin->second.written, origin->second.place);
  }
  const std::string value = stored_text(*declaration, result.settings);
  return fmt::format("{}: '{}' ({})", name, value,
                     origin == result.origins.end() ? "default" : origin->second.place);
}

}  // namespace hone::config
