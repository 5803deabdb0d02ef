#include "model/description/config_reader.h"

#include <cmath>
#include <functional>

namespace hone::model {
namespace {

// Runs one reading, and keeps its fault instead of stopping at it.
void attempt(FaultList& faults, const std::function<void()>& read) {
  try {
    read();
  } catch (const UserError& error) {
    faults.add(error);
  }
}

void read_positive(const formats::JsonObject& config, std::string_view key, std::int64_t& value,
                   FaultList& faults) {
  attempt(faults, [&] {
    value = config.integer(key);
    // 2^31 is beyond every published model and keeps products of two sizes within 64 bits.
    if (value >= 1 && value < (std::int64_t{1} << 31)) return;
    throw UserError({config.where(key), std::to_string(value), "give a size from 1 to 2147483647"});
  });
}

double positive_number(const formats::JsonObject& object, std::string_view key) {
  const double value = object.number(key);
  if (std::isfinite(value) && value > 0.0) return value;
  throw UserError({object.where(key), std::to_string(value), "give a number above 0"});
}

RopeKind rope_kind(const formats::JsonObject& scaling, const std::string& name) {
  if (name == "default") return RopeKind::plain;
  if (name == "linear") return RopeKind::linear;
  if (name == "dynamic") return RopeKind::dynamic;
  if (name == "yarn") return RopeKind::yarn;
  if (name == "llama3") return RopeKind::llama3;
  throw UserError({scaling.where("rope_type"), "'" + name + "', which hone does not know",
                   "known are default, linear, dynamic, yarn and llama3"});
}

void read_yarn(const formats::JsonObject& scaling, double max_positions, RopeScaling& rope) {
  rope.original_positions =
      scaling.optional_number("original_max_position_embeddings").value_or(max_positions);
  rope.beta_fast = scaling.optional_number("beta_fast").value_or(32.0);
  rope.beta_slow = scaling.optional_number("beta_slow").value_or(1.0);
  for (const char* key : {"mscale", "mscale_all_dim"}) {
    if (!scaling.has(key)) continue;
    throw UserError({scaling.where(key), "a yarn variant that hone does not have yet",
                     "use a model without it"});
  }
  const double derived = rope.factor > 1.0 ? 0.1 * std::log(rope.factor) + 1.0 : 1.0;
  rope.attention_factor = scaling.optional_number("attention_factor").value_or(derived);
}

// rope_scaling, or the type part of rope_parameters.
RopeScaling read_scaling(const formats::JsonObject& scaling, double max_positions) {
  RopeScaling rope;
  const auto type = scaling.optional_string("rope_type");
  const auto old_type = scaling.optional_string("type");
  const std::string name = type ? *type : old_type.value_or("default");
  rope.kind = rope_kind(scaling, name);
  if (rope.kind == RopeKind::plain) return rope;
  rope.factor = positive_number(scaling, "factor");
  if (rope.kind == RopeKind::llama3) {
    rope.low_frequency_factor = positive_number(scaling, "low_freq_factor");
    rope.high_frequency_factor = positive_number(scaling, "high_freq_factor");
    rope.original_positions = positive_number(scaling, "original_max_position_embeddings");
  }
  if (rope.kind == RopeKind::yarn) read_yarn(scaling, max_positions, rope);
  return rope;
}

void read_rope(const formats::JsonObject& config, ModelDescription& description,
               FaultList& faults) {
  const double max_positions = static_cast<double>(description.max_positions);
  attempt(faults, [&] {
    if (config.has("rope_theta")) description.rope_theta = positive_number(config, "rope_theta");
    if (const auto scaling = config.optional_object("rope_scaling")) {
      description.rope_scaling = read_scaling(*scaling, max_positions);
    }
    if (const auto parameters = config.optional_object("rope_parameters")) {
      description.rope_scaling = read_scaling(*parameters, max_positions);
      if (parameters->has("rope_theta")) {
        description.rope_theta = positive_number(*parameters, "rope_theta");
      }
    }
  });
}

void read_activation(const formats::JsonObject& config, FaultList& faults) {
  attempt(faults, [&] {
    const std::string activation = config.optional_string("hidden_act").value_or("silu");
    if (activation == "silu" || activation == "swish") return;
    throw UserError({config.where("hidden_act"), "'" + activation + "'",
                     "hone has silu for this kind of model"});
  });
}

}  // namespace

bool config_flag(const formats::JsonObject& config, std::string_view key, bool otherwise) {
  return config.optional_boolean(key).value_or(otherwise);
}

ModelDescription read_decoder_config(const formats::JsonObject& config, FaultList& faults) {
  ModelDescription description;
  attempt(faults, [&] { description.model_type = config.string("model_type"); });
  read_positive(config, "hidden_size", description.hidden, faults);
  read_positive(config, "num_hidden_layers", description.blocks, faults);
  read_positive(config, "num_attention_heads", description.heads, faults);
  read_positive(config, "intermediate_size", description.feed_forward, faults);
  read_positive(config, "vocab_size", description.vocabulary, faults);
  read_positive(config, "max_position_embeddings", description.max_positions, faults);
  description.kv_heads = description.heads;
  if (config.has("num_key_value_heads")) {
    read_positive(config, "num_key_value_heads", description.kv_heads, faults);
  }
  if (config.has("head_dim")) {
    read_positive(config, "head_dim", description.head_width, faults);
  } else if (description.heads > 0) {
    description.head_width = description.hidden / description.heads;
  }
  attempt(faults, [&] { description.norm_epsilon = positive_number(config, "rms_norm_eps"); });
  read_rope(config, description, faults);
  read_activation(config, faults);
  attempt(faults,
          [&] { description.tied_embeddings = config_flag(config, "tie_word_embeddings", false); });
  description.windows.assign(static_cast<std::size_t>(description.blocks), 0);
  return description;
}

void check_description(const ModelDescription& description, const std::string& file,
                       FaultList& faults) {
  if (description.heads % description.kv_heads != 0) {
    faults.add({"num_key_value_heads in " + file,
                std::to_string(description.kv_heads) + ", which does not divide the " +
                    std::to_string(description.heads) + " attention heads",
                "num_attention_heads must be a multiple of num_key_value_heads"});
  }
  if (description.head_width % 2 != 0) {
    faults.add({"head_dim in " + file, std::to_string(description.head_width),
                "rotary embeddings need an even width"});
  }
  if (description.head_width == 0) {
    faults.add({"hidden_size in " + file,
                std::to_string(description.hidden) + ", less than one element for each of " +
                    std::to_string(description.heads) + " heads",
                "give head_dim, or a larger hidden_size"});
  }
}

}  // namespace hone::model
