#include "config/sharding/read_sharding.h"

#include <filesystem>

#include <fmt/format.h>

#include "config/reading/parse_value.h"
#include "config/reading/yaml_value.h"
#include "formats/json.h"
#include "formats/text_encoding.h"
#include "formats/yaml.h"

namespace hone::config {
namespace {

namespace fs = std::filesystem;

// No configuration is larger.
constexpr std::size_t kMaxBytes = std::size_t{4} << 20;

bool is_inline(const std::string& text) {
  return !text.empty() && (text[0] == '{' || text[0] == '[');
}

// Of fsdp: words, or a switch.
bool asks_for_nothing(const std::string& words) {
  return words.find_first_not_of(' ') == std::string::npos || parse_boolean(words) == false;
}

const char* shared_out(ZeroStage stage) {
  switch (stage) {
    case ZeroStage::replicated:
      return "nothing is shared out";
    case ZeroStage::optimizer_state:
      return "optimizer state is shared out";
    case ZeroStage::gradients:
      return "optimizer state and gradients are shared out";
    case ZeroStage::parameters:
      return "optimizer state, gradients and weights are shared out";
  }
  return "";
}

std::string stage_notice(const ZeroOptions& zero, int ranks) {
  const std::string stage =
      fmt::format("{}: ZeRO stage {}", zero.source, static_cast<int>(zero.stage));
  if (zero.stage == ZeroStage::replicated) {
    return fmt::format("{}: {}", stage, shared_out(zero.stage));
  }
  if (ranks == 1) {
    return fmt::format(
        "{} on one rank: there is nobody to share with, so that it trains as "
        "without it",
        stage);
  }
  return fmt::format("{} over {} ranks: {}", stage, ranks, shared_out(zero.stage));
}

// A plan of another stage than the run's: the run's files have no say.
ZeroOptions stage_of_plan(const ShardingContext& context) {
  const PlanningSettings& planning = context.result.settings.planning;
  ZeroOptions zero;
  zero.source = describe_setting(context.result, "zero_stage");
  zero.stage = static_cast<ZeroStage>(*planning.zero_stage);
  for (const std::string& what : planning.offload) {
    (what == "optimizer" ? zero.optimizer : zero.parameters).to = OffloadTo::host;
  }
  return zero;
}

// Ranks compute on CPUs in this version.
std::string host_notice(const ZeroOptions& zero) {
  return fmt::format(
      "{}: offload to cpu changes nothing, as the ranks compute there: their memory "
      "is the host's",
      zero.source);
}

}  // namespace

std::string mapping_name(const ReadResult& result, const std::string& setting,
                         const std::string& text) {
  if (!is_inline(text)) return formats::printable(text);
  const auto origin = result.origins.find(setting);
  return origin == result.origins.end() ? setting
                                        : fmt::format("{}, {}", setting, origin->second.place);
}

formats::Value open_mapping(const ReadResult& result, const std::string& setting,
                            const std::string& text) {
  const std::string name = mapping_name(result, setting, text);
  if (is_inline(text)) return formats::parse_json(text, name);
  std::error_code error;
  if (!fs::exists(text, error)) {
    throw UserError(Fault{describe_setting(result, setting),
                          fmt::format("no such file: {}", fs::absolute(text, error).string()),
                          "write the path of a file, from where hone is started; hone's own lie in "
                          "examples/deepspeed"});
  }
  const std::string extension = fs::path(text).extension().string();
  if (extension == ".yaml" || extension == ".yml") return yaml_value(formats::read_yaml(text));
  return formats::read_json(text, kMaxBytes);
}

void read_sharding(const ShardingContext& context) {
  Settings& settings = context.result.settings;
  ShardingSettings& asked = settings.sharding;
  if (asked.fsdp && asks_for_nothing(*asked.fsdp)) asked.fsdp.reset();
  const bool fsdp = asked.fsdp || asked.fsdp_config;
  if (settings.planning.zero_stage) {
    settings.zero = stage_of_plan(context);
    return;
  }
  if (asked.deepspeed && fsdp) {
    context.faults.add(
        {fmt::format("{}, {}", describe_setting(context.result, "deepspeed"),
                     describe_setting(context.result, asked.fsdp ? "fsdp" : "fsdp_config")),
         "two ways to share out the model", "keep one of the two"});
    return;
  }
  if (!asked.deepspeed && !fsdp) return;
  try {
    settings.zero = asked.deepspeed ? read_deepspeed(context) : read_fsdp(context);
  } catch (const UserError& error) {
    context.faults.add(error);
    return;
  }
  if (settings.zero.source.empty()) return;
  std::vector<Notice>& notices = context.result.notices;
  notices.push_back({Severity::info, stage_notice(settings.zero, context.ranks)});
  const bool to_host = settings.zero.optimizer.to == OffloadTo::host ||
                       settings.zero.parameters.to == OffloadTo::host;
  if (to_host && context.command == Command::train) {
    notices.push_back({Severity::info, host_notice(settings.zero)});
  }
  if (settings.zero.stage == ZeroStage::parameters && !settings.zero.gather_weights_on_save) {
    notices.push_back({Severity::info,
                       fmt::format("{}: the ranks' shards alone were asked for; the ordinary model "
                                   "folder is written all the same",
                                   settings.zero.source)});
  }
}

}  // namespace hone::config
