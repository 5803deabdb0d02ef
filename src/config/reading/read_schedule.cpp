#include "config/reading/read_schedule.h"

#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "config/reading/parse_value.h"
#include "config/reading/yaml_value.h"
#include "config/settings/declaration.h"
#include "formats/text_encoding.h"
#include "formats/yaml.h"

namespace hone::config {
namespace {

constexpr const char* kSetting = "lr_scheduler_kwargs";

enum class ArgumentType { number, whole, word };

struct Argument {
  const char* name;
  ArgumentType type;
  Range limits;
  std::vector<std::string> words = {};
};

Range at_least(double least) {
  return {.least = least, .most = std::nullopt};
}

Range share() {
  return {.least = 0.0, .most = 1.0};
}

Argument number(const char* name, Range limits) {
  return {name, ArgumentType::number, limits};
}

Argument whole(const char* name) {
  return {name, ArgumentType::whole, at_least(0)};
}

Argument word(const char* name, std::vector<std::string> words) {
  return {name, ArgumentType::word, {}, std::move(words)};
}

// transformers: optimization.py; torch: ReduceLROnPlateau.
std::vector<Argument> arguments_of(ScheduleKind kind) {
  const Argument cycles = number("num_cycles", at_least(0));
  const Argument floor = number("min_lr", at_least(0));
  switch (kind) {
    case ScheduleKind::cosine:
    case ScheduleKind::cosine_with_restarts:
      return {cycles};
    case ScheduleKind::polynomial:
      return {number("lr_end", at_least(0)), number("power", at_least(0))};
    case ScheduleKind::inverse_sqrt:
      return {number("timescale", {.least = 0.0, .most = std::nullopt, .least_excluded = true})};
    case ScheduleKind::cosine_with_min_lr:
      return {floor, number("min_lr_rate", share()), cycles};
    case ScheduleKind::cosine_warmup_with_min_lr:
      return {floor, number("min_lr_rate", share()), number("warmup_lr_rate", share()), cycles};
    case ScheduleKind::warmup_stable_decay:
      return {whole("num_stable_steps"),
              whole("num_decay_steps"),
              word("warmup_type", {"linear", "cosine", "1-sqrt"}),
              word("decay_type", {"linear", "cosine", "1-sqrt"}),
              number("min_lr_ratio", share()),
              cycles};
    case ScheduleKind::reduce_lr_on_plateau:
      return {word("mode", {"min", "max"}),
              number("factor", {.least = 0.0, .most = 1.0, .most_excluded = true}),
              whole("patience"),
              number("threshold", at_least(0)),
              word("threshold_mode", {"rel", "abs"}),
              whole("cooldown"),
              floor,
              number("eps", at_least(0))};
    case ScheduleKind::linear:
    case ScheduleKind::constant:
    case ScheduleKind::constant_with_warmup:
      break;
  }
  return {};
}

class ScheduleReader {
 public:
  ScheduleReader(ReadResult& result, const std::set<std::string>& faulty, FaultList& faults)
      : result_(result), faulty_(faulty), faults_(faults), training_(result.settings.training) {}

  void read() {
    if (faulty_.count(kSetting) + faulty_.count("lr_scheduler_type") != 0) return;
    if (training_.lr_scheduler_kwargs && !read_text(*training_.lr_scheduler_kwargs)) return;
    check();
  }

 private:
  std::string kind_name() const {
    const Declaration* declaration = Declarations::all().find("lr_scheduler_type");
    return to_text(stored_value(*declaration, result_.settings));
  }

  std::string place() const {
    const auto origin = result_.origins.find(kSetting);
    return origin == result_.origins.end() ? "default" : origin->second.place;
  }

  void refuse(const std::string& name, const std::string& value, std::string found,
              std::string remedy) {
    whole_ = false;
    faults_.add({fmt::format("{}.{}: '{}' ({})", kSetting, formats::printable(name),
                             formats::printable(value), place()),
                 std::move(found), std::move(remedy)});
  }

  // Whether it could be read at all.
  bool read_text(const std::string& text) {
    formats::YamlNode node;
    try {
      if (text[0] == '{') node = formats::parse_yaml(text, kSetting);
    } catch (const UserError&) {
      node = {};
    }
    if (node.kind != formats::YamlNode::Kind::map) {
      faults_.add({describe_setting(result_, kSetting), "no map of settings",
                   fmt::format("write it as JSON: {}: {{\"num_cycles\": 2}}", kSetting)});
      return false;
    }
    for (const formats::YamlEntry& entry : node.entries) take(entry.key, entry.value);
    return true;
  }

  void take(const std::string& name, const formats::YamlNode& node) {
    if (node.kind == formats::YamlNode::Kind::null) return;
    std::vector<std::string> names;
    for (const Argument& argument : arguments_of(training_.lr_scheduler_type)) {
      if (argument.name == name) return store(argument, node);
      names.emplace_back(argument.name);
    }
    const std::string nearest = nearest_name(name, names);
    refuse(name, node.text, fmt::format("nothing that {} has", kind_name()),
           names.empty() ? "leave lr_scheduler_kwargs out: this schedule has no settings"
           : nearest.empty()
               ? fmt::format("it has {}", fmt::join(names, ", "))
               : fmt::format("did you mean '{}'? It has {}", nearest, fmt::join(names, ", ")));
  }

  void store(const Argument& argument, const formats::YamlNode& node) {
    const formats::Value value = yaml_value(node);
    if (argument.type == ArgumentType::word) return store_word(argument, node.text);
    const bool is_number = value.kind() == formats::Value::Kind::integer ||
                           value.kind() == formats::Value::Kind::number;
    const double number = is_number ? value.number() : 0.0;
    if (!is_number || !std::isfinite(number)) {
      return refuse(argument.name, node.text, "not a number", "write a number such as 0.5");
    }
    if (argument.type == ArgumentType::whole && std::trunc(number) != number) {
      return refuse(argument.name, node.text, "not a whole number", "write a whole number");
    }
    if (!within(argument.limits, number)) {
      return refuse(argument.name, node.text, "a number out of range",
                    "write a number " + describe_limits(argument.limits));
    }
    training_.schedule.numbers[argument.name] = number;
  }

  void store_word(const Argument& argument, const std::string& text) {
    for (const std::string& each : argument.words) {
      if (each == text) {
        training_.schedule.words[argument.name] = text;
        return;
      }
    }
    refuse(argument.name, text, "none of its choices",
           fmt::format("the choices are: {}", fmt::join(argument.words, ", ")));
  }

  // What the schedules ask for beyond ranges.
  void check() {
    const bool rate_known = faulty_.count("learning_rate") == 0;
    const ScheduleArguments& given = training_.schedule;
    switch (training_.lr_scheduler_type) {
      case ScheduleKind::cosine_with_min_lr:
      case ScheduleKind::cosine_warmup_with_min_lr:
        return check_floor();
      case ScheduleKind::polynomial:
        if (rate_known && whole_ && given.number("lr_end", 1e-7) >= training_.learning_rate) {
          faults_.add({describe_setting(result_, "learning_rate"),
                       fmt::format("not above {}.lr_end, {}, that it would fall to", kSetting,
                                   given.number("lr_end", 1e-7)),
                       "raise learning_rate, or lower lr_end"});
        }
        return;
      case ScheduleKind::reduce_lr_on_plateau:
        return check_plateau();
      default:
        return;
    }
  }

  void check_floor() {
    if (!whole_) return;
    const ScheduleArguments& given = training_.schedule;
    const bool rate = given.given("min_lr").has_value();
    const bool share = given.given("min_lr_rate").has_value();
    if (rate != share) return;
    faults_.add({describe_setting(result_, rate ? kSetting : "lr_scheduler_type"),
                 rate ? "both min_lr and min_lr_rate" : "no rate that it falls to",
                 rate ? "keep one of the two"
                      : fmt::format("set {}: {{\"min_lr_rate\": 0.1}}, a share of learning_rate, "
                                    "or min_lr",
                                    kSetting)});
  }

  void check_plateau() {
    if (!training_.do_train || faulty_.count("eval_strategy") != 0) return;
    if (training_.eval_strategy == Strategy::no) {
      faults_.add({describe_setting(result_, "lr_scheduler_type"),
                   "a rate that falls by evaluations, and no evaluations",
                   "set eval_strategy: steps or epoch"});
    }
    check_metric();
  }

  // The sets of eval_on_each_dataset have measures of their own names.
  void check_metric() {
    if (faulty_.count("metric_for_best_model") + faulty_.count("eval_dataset") != 0) return;
    const DataSettings& data = result_.settings.data;
    std::vector<std::string> names;
    for (const std::string& set : data.eval_dataset) {
      if (!data.eval_on_each_dataset) break;
      names.push_back(set + "_loss");
    }
    if (names.empty()) names = {"loss"};
    std::string asked = training_.metric_for_best_model.value_or("loss");
    if (asked.rfind("eval_", 0) == 0) asked.erase(0, 5);
    for (const std::string& name : names) {
      if (asked == name || asked == name + "_batch_mean") return;
    }
    faults_.add({training_.metric_for_best_model
                     ? describe_setting(result_, "metric_for_best_model")
                     : "metric_for_best_model (not given)",
                 "a measure that evaluations of this run do not give",
                 fmt::format("write one of: {}", fmt::join(names, ", "))});
  }

  ReadResult& result_;
  const std::set<std::string>& faulty_;
  FaultList& faults_;
  TrainingSettings& training_;
  bool whole_ = true;  // no fault yet
};

}  // namespace

void read_schedule(ReadResult& result, const std::set<std::string>& faulty, FaultList& faults) {
  ScheduleReader(result, faulty, faults).read();
}

}  // namespace hone::config
