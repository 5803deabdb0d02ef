// PyTorch's FSDP in the words of transformers (fsdp, fsdp_config) and of accelerate's YAML.
#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

#include "config/reading/parse_value.h"
#include "config/sharding/fsdp_keys.h"
#include "config/sharding/option_keys.h"
#include "config/sharding/read_sharding.h"

namespace hone::config {
namespace {

using formats::Value;

constexpr std::string_view kPrefix = "fsdp_";
constexpr const char* kBlock = "fsdp_config";
constexpr const char* kStrategy = "fsdp_config.sharding_strategy";
constexpr const char* kReshard = "fsdp_config.reshard_after_forward";
constexpr const char* kType = "distributed_type";

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Names of transformers and of accelerate, and accelerate's numbers.
std::optional<ZeroStage> stage_of(const std::string& strategy) {
  struct Name {
    const char* text;
    ZeroStage stage;
  };
  constexpr Name kNames[] = {
      {"full_shard", ZeroStage::parameters},         {"1", ZeroStage::parameters},
      {"shard_grad_op", ZeroStage::gradients},       {"2", ZeroStage::gradients},
      {"no_shard", ZeroStage::replicated},           {"3", ZeroStage::replicated},
      {"hybrid_shard", ZeroStage::parameters},       {"4", ZeroStage::parameters},
      {"_hybrid_shard_zero2", ZeroStage::gradients}, {"5", ZeroStage::gradients},
      {"hybrid_shard_zero2", ZeroStage::gradients}};
  for (const Name& name : kNames) {
    if (lower(strategy) == name.text) return name.stage;
  }
  return std::nullopt;
}

// Transformers' options as accelerate's file would have them, without the prefix.
Value one_shape(const Value& root) {
  if (!root.is_object()) return root;
  Value block;
  Value whole;
  const bool from_accelerate = root.find(kBlock) != nullptr || root.find(kType) != nullptr;
  const Value* options = from_accelerate ? root.find(kBlock) : &root;
  if (options != nullptr && options->is_object()) {
    block = Value(formats::Object());
    for (const formats::Member& member : options->object()) {
      const bool prefixed = member.key.rfind(kPrefix, 0) == 0;
      block.set(prefixed ? member.key.substr(kPrefix.size()) : member.key, member.value);
    }
  } else if (options != nullptr) {
    block = *options;
  }
  whole.set(kBlock, block);
  if (!from_accelerate) return whole;
  for (const formats::Member& member : root.object()) {
    if (member.key != kBlock) whole.set(member.key, member.value);
  }
  return whole;
}

class FsdpReader {
 public:
  FsdpReader(const ShardingContext& context, const std::string& config)
      : context_(context),
        s(context.result.settings),
        file_(fsdp_keys(), mapping_name(context.result, kBlock, config), context.allow_unknown) {}

  ZeroOptions read(const Value& root) {
    file_.read(one_shape(root), context_.faults, context_.result.notices);
    ZeroOptions zero;
    if (!shards()) return zero;
    zero.source = describe_setting(context_.result, s.sharding.fsdp ? "fsdp" : kBlock);
    read_words(zero);
    read_config(zero);
    compare_precision();
    if (offloads_) set_offload(zero);
    return zero;
  }

 private:
  void refuse(const std::string& path, std::string found, std::string remedy) {
    context_.faults.add({file_.describe(path), std::move(found), std::move(remedy)});
  }

  // An fsdp_config without fsdp means nothing to transformers; accelerate's file says it all
  // itself.
  bool shards() {
    const std::string type = file_.text(kType).value_or(s.sharding.fsdp ? "FSDP" : "");
    if (type == "FSDP") return true;
    if (type.empty()) {
      context_.result.notices.push_back(
          {Severity::info, fmt::format("{} has no effect: fsdp is not set",
                                       describe_setting(context_.result, kBlock))});
      return false;
    }
    for (const char* plain : {"NO", "MULTI_GPU", "MULTI_CPU"}) {
      if (type == plain) return false;
    }
    refuse(kType, "another way to share out the model than FSDP",
           type == "DEEPSPEED" ? "give DeepSpeed's JSON to the setting deepspeed"
                               : "write FSDP, or leave fsdp_config out");
    return false;
  }

  // fsdp: true, or words: full_shard auto_wrap offload.
  void read_words(ZeroOptions& zero) {
    zero.stage = ZeroStage::parameters;
    if (!s.sharding.fsdp || parse_boolean(*s.sharding.fsdp).value_or(false)) return;
    std::string words = *s.sharding.fsdp;
    std::replace(words.begin(), words.end(), ',', ' ');
    std::istringstream stream(words);
    for (std::string word; stream >> word;) {
      if (word == "auto_wrap") continue;
      const std::optional<ZeroStage> stage = stage_of(word);
      if (word == "offload") {
        offloads_ = true;
      } else if (stage && !std::isdigit(static_cast<unsigned char>(word[0]))) {
        zero.stage = *stage;
      } else {
        context_.faults.add(
            {describe_setting(context_.result, "fsdp"),
             fmt::format("'{}', which it does not know", word.substr(0, 80)),
             "write full_shard, shard_grad_op, hybrid_shard, hybrid_shard_zero2 or no_shard, and "
             "beside it auto_wrap and offload"});
      }
    }
  }

  // A key that holds a strategy, or, where that is taken, true or false.
  std::optional<ZeroStage> strategy(const char* path, bool takes_boolean) {
    if (!file_.has(path)) return std::nullopt;
    if (takes_boolean) {
      if (const std::optional<bool> reshards = file_.boolean(path)) {
        return *reshards ? ZeroStage::parameters : ZeroStage::gradients;
      }
    }
    const std::optional<std::int64_t> number = file_.whole(path);
    const std::string word = number ? std::to_string(*number) : file_.text(path).value_or("");
    const std::optional<ZeroStage> stage = stage_of(word);
    if (!stage) {
      refuse(path, "no such strategy", "write FULL_SHARD, SHARD_GRAD_OP, HYBRID_SHARD or NO_SHARD");
    }
    return stage;
  }

  void read_config(ZeroOptions& zero) {
    const std::int64_t version = file_.whole("fsdp_config.version").value_or(1);
    if (version != 1 && version != 2) {
      refuse("fsdp_config.version", "no such version", "write 1 or 2");
    }
    const std::optional<ZeroStage> named = strategy(kStrategy, false);
    const std::optional<ZeroStage> reshards = strategy(kReshard, true);
    if (named) zero.stage = *named;
    if (reshards && (version == 2 || !named)) zero.stage = *reshards;
    offloads_ = offloads_ || file_.boolean("fsdp_config.offload_params").value_or(false) ||
                file_.boolean("fsdp_config.cpu_offload").value_or(false);
    const std::string saved = file_.text("fsdp_config.state_dict_type").value_or("FULL_STATE_DICT");
    zero.gather_weights_on_save = saved == "FULL_STATE_DICT";
    if (saved != "FULL_STATE_DICT" && saved != "SHARDED_STATE_DICT" &&
        saved != "LOCAL_STATE_DICT") {
      refuse("fsdp_config.state_dict_type", "none of its choices",
             "write FULL_STATE_DICT or SHARDED_STATE_DICT");
    }
  }

  void compare_precision() {
    const std::optional<std::string> mixed = file_.text("mixed_precision");
    if (!mixed || context_.faulty.count("bf16") + context_.faulty.count("compute_type") != 0) {
      return;
    }
    const bool own = s.training.compute_type == ComputeType::bfloat16;
    if (*mixed != "bf16" && *mixed != "no") {
      refuse("mixed_precision", "a type of numbers that is not in this version",
             "write bf16 or no, and set bf16 likewise");
    } else if ((*mixed == "bf16") != own) {
      refuse("mixed_precision",
             fmt::format("{} says otherwise", describe_setting(context_.result, "bf16")),
             "write the same in both");
    }
  }

  void set_offload(ZeroOptions& zero) {
    if (zero.stage != ZeroStage::parameters) {
      const std::string asked = s.sharding.fsdp ? "fsdp" : kBlock;
      context_.faults.add({describe_setting(context_.result, asked),
                           "weights in the host's memory, where they are not shared out",
                           "use full_shard with it, or leave the offload out"});
      return;
    }
    zero.optimizer.to = OffloadTo::host;
    zero.parameters.to = OffloadTo::host;
  }

  const ShardingContext& context_;
  const Settings& s;
  OptionFile file_;
  bool offloads_ = false;
};

}  // namespace

ZeroOptions read_fsdp(const ShardingContext& context) {
  const ShardingSettings& asked = context.result.settings.sharding;
  if (!asked.fsdp_config) return FsdpReader(context, "{").read(Value(formats::Object()));
  return FsdpReader(context, *asked.fsdp_config)
      .read(open_mapping(context.result, kBlock, *asked.fsdp_config));
}

}  // namespace hone::config
