#include "config/reading/interpolation.h"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "config/settings/declaration.h"
#include "formats/text_encoding.h"

namespace hone::config {
namespace {

constexpr std::size_t kLongestShown = 80;
constexpr std::string_view kEnvironment = "oc.env:";

// What is wrong with a value: the later parts of a Fault.
struct Problem {
  std::string found;
  std::string remedy;
};

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
}

bool names_secret(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return is_secret(name) || is_secret("_" + name);
}

// The setting's own name where it is an alias of one.
std::string own_name(const std::string& name) {
  const Declaration* declaration = Declarations::all().find(name);
  return declaration == nullptr ? name : declaration->name;
}

class Interpolator {
 public:
  Interpolator(std::vector<Assignment>& assignments, const Environment& environment)
      : assignments_(assignments),
        environment_(environment),
        states_(assignments.size(), State::untouched) {
    for (std::size_t i = 0; i < assignments.size(); ++i) last_[own_name(assignments[i].name)] = i;
  }

  std::set<std::string> run(FaultList& faults) {
    std::set<std::string> failed;
    for (std::size_t i = 0; i < assignments_.size(); ++i) {
      const Assignment before = assignments_[i];
      try {
        if (const auto known = problems_.find(i); known != problems_.end()) throw known->second;
        resolve(i);
      } catch (const Problem& problem) {
        faults.add(fault_of(before, problem));
        failed.insert(before.name);
      }
    }
    return failed;
  }

 private:
  // What a secret stands for may be one itself.
  static Fault fault_of(const Assignment& assignment, const Problem& problem) {
    const bool secret = is_secret(assignment.name);
    const std::string shown =
        secret ? std::string(kHidden) : formats::printable(assignment.value.text, kLongestShown);
    const std::string asked =
        fmt::format("{}: '{}' ({})", formats::printable(assignment.name), shown, assignment.place);
    if (!secret) return {asked, problem.found, problem.remedy};
    return {asked, "a ${...} that cannot be replaced",
            "write the value itself, or ${oc.env:NAME} of a variable that is set"};
  }

  enum class State { untouched, under_way, done, failed };

  void resolve(std::size_t index) {
    if (states_[index] == State::done) return;
    Assignment& assignment = assignments_[index];
    if (states_[index] == State::under_way) {
      throw Problem{"settings that stand for each other in a circle",
                    "write the value of one of them"};
    }
    if (states_[index] == State::failed) {
      throw Problem{fmt::format("it stands for {}, which could not be made out", assignment.name),
                    "correct that one first"};
    }
    states_[index] = State::under_way;
    try {
      assignment.value = resolved(assignment.value, is_secret(assignment.name));
    } catch (const Problem& problem) {
      states_[index] = State::failed;
      problems_.emplace(index, problem);
      throw;
    }
    states_[index] = State::done;
  }

  Written resolved(const Written& written, bool secret) {
    if (written.kind == Written::Kind::scalar) return resolved_text(written, secret);
    if (written.kind != Written::Kind::list) return written;
    Written list = written;
    for (std::string& item : list.items) {
      if (item.find("${") == std::string::npos) continue;
      item = plain(resolved_text({Written::Kind::scalar, false, item, {}}, secret), item);
    }
    if (list.items != written.items) {
      list.text = fmt::format("[{}]", fmt::join(list.items, ", "));
    }
    return list;
  }

  Written resolved_text(const Written& written, bool secret) {
    const std::string& text = written.text;
    Written result = written;
    result.text.clear();
    std::size_t done = 0;
    for (std::size_t at = text.find("${"); at != std::string::npos; at = text.find("${", done)) {
      result.text.append(text, done, at - done);
      if (at > done && text[at - 1] == '\\') {
        result.text.back() = '$';
        result.text += '{';
        done = at + 2;
        continue;
      }
      const std::size_t end = text.find('}', at);
      if (end == std::string::npos) {
        throw Problem{"a ${ without its }",
                      "close it, or write \\${ for the characters themselves"};
      }
      const std::string whole = text.substr(at, end + 1 - at);
      Written part = meaning(text.substr(at + 2, end - at - 2), whole, secret);
      done = end + 1;
      if (at == 0 && done == text.size()) return part;
      result.text += plain(part, whole);
    }
    result.text.append(text, done, std::string::npos);
    return result;
  }

  static std::string plain(const Written& part, const std::string& whole) {
    if (part.kind == Written::Kind::scalar) return part.text;
    throw Problem{fmt::format("{} within a text, and it is {}", formats::printable(whole),
                              part.kind == Written::Kind::null ? "null" : "not one plain value"),
                  "let it stand for a plain value"};
  }

  Written meaning(std::string inner, const std::string& whole, bool secret) {
    if (inner.rfind(kEnvironment, 0) == 0) {
      return variable(inner.substr(kEnvironment.size()), secret);
    }
    if (!inner.empty() && inner[0] == '.') inner.erase(0, 1);
    if (!is_name(inner)) {
      throw Problem{fmt::format("{}, which is not replaced here", formats::printable(whole)),
                    "write the value itself; ${setting} and ${oc.env:NAME} are replaced"};
    }
    const std::string name = own_name(inner);
    refuse_secret(name, whole, secret);
    const auto found = last_.find(name);
    if (found == last_.end()) {
      std::vector<std::string> names;
      for (const auto& [given, index] : last_) names.push_back(given);
      throw Problem{fmt::format("{}, and no setting of that name is given{}", whole,
                                did_you_mean(inner, names)),
                    fmt::format("give {}, or write ${{oc.env:{}}} for an environment variable",
                                inner, inner)};
    }
    resolve(found->second);
    return assignments_[found->second].value;
  }

  Written variable(const std::string& inner, bool secret) const {
    const std::size_t comma = inner.find(',');
    const std::string name = inner.substr(0, comma);
    refuse_secret(name, name, secret);
    if (const auto value = environment_ ? environment_(name) : std::nullopt) {
      return {Written::Kind::scalar, false, *value, {}};
    }
    if (comma == std::string::npos) {
      throw Problem{
          fmt::format("the environment variable {}, which is not set", formats::printable(name)),
          fmt::format("set it, or write ${{oc.env:{},default}}", name)};
    }
    std::string text = inner.substr(comma + 1);
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
    if (text == "null") return {};
    return {Written::Kind::scalar, false, std::move(text), {}};
  }

  static void refuse_secret(const std::string& name, const std::string& shown, bool secret) {
    if (secret || !names_secret(name)) return;
    throw Problem{
        fmt::format("{}, a secret, which would be shown and saved here", formats::printable(shown)),
        "use it for the setting that takes it, such as hf_hub_token"};
  }

  std::vector<Assignment>& assignments_;
  const Environment& environment_;
  std::map<std::string, std::size_t> last_;
  std::vector<State> states_;
  std::map<std::size_t, Problem> problems_;  // of those that failed
};

}  // namespace

std::set<std::string> interpolate(std::vector<Assignment>& assignments,
                                  const Environment& environment, FaultList& faults) {
  return Interpolator(assignments, environment).run(faults);
}

}  // namespace hone::config
