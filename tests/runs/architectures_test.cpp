// The same weights under other configurations: every common mistake in rotary scaling, head sizes,
// grouping, windows and biases has a loss of its own.
//
// Values: double precision, by definition, on the record of data_m1().
#include <gtest/gtest.h>

#include "kit/training_session.h"

namespace hone::kit {
namespace {

using formats::Object;
using formats::Value;

double loss_of(const ModelOptions& options) {
  const auto session = Workshop(options, data_m1()).run();
  EXPECT_EQ(session->error, "");
  return session->error.empty() ? *session->first().loss : 0.0;
}

std::string refusal_of(const ModelOptions& options) {
  return Workshop(options, data_m1()).plan()->error;
}

ModelOptions with_config(const Object& config) {
  ModelOptions options;
  options.config = config;
  return options;
}

constexpr double kError = 1e-5 * 5.5;

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

Object llama3_scaling(const char* key) {
  return {{key, "llama3"},
          {"factor", 4.0},
          {"low_freq_factor", 1.0},
          {"high_freq_factor", 4.0},
          {"original_max_position_embeddings", 64}};
}

TEST(RotaryScaling, LossOfEachKind) {
  EXPECT_NEAR(loss_of(with_config({{"rope_scaling", nullptr}})), 5.531116, kError);
  EXPECT_NEAR(loss_of(with_config({{"rope_scaling", llama3_scaling("rope_type")}})), 5.477566,
              kError);
  EXPECT_NEAR(loss_of(with_config({{"rope_scaling", llama3_scaling("type")}})), 5.477566, kError);
  const Object linear = {{"rope_type", "linear"}, {"factor", 4.0}};
  EXPECT_NEAR(loss_of(with_config({{"rope_scaling", linear}})), 5.582803, kError);
  EXPECT_NEAR(loss_of(with_config({{"rope_theta", 500000}})), 5.412199, kError);
}

// 5.348218 without the attention factor.
TEST(RotaryScaling, Yarn) {
  const Object yarn = {
      {"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 64}};
  EXPECT_NEAR(loss_of(with_config({{"rope_scaling", yarn}, {"max_position_embeddings", 256}})),
              5.352619, kError);
}

TEST(RotaryScaling, DynamicChangesNothingBelowTheTrainedLength) {
  const Object dynamic = {{"rope_type", "dynamic"}, {"factor", 4.0}};
  EXPECT_NEAR(loss_of(with_config({{"rope_scaling", dynamic}})), 5.531116, kError);
}

TEST(RotaryScaling, NewerSpelling) {
  ModelOptions options;
  Object parameters = llama3_scaling("rope_type");
  parameters.push_back({"rope_theta", 500000.0});
  options.config = {{"rope_parameters", parameters}};
  options.left_out = {"rope_theta"};
  const double old_spelling = loss_of(
      with_config({{"rope_scaling", llama3_scaling("rope_type")}, {"rope_theta", 500000.0}}));
  EXPECT_EQ(loss_of(options), old_spelling);
  EXPECT_GT(std::abs(old_spelling - 5.477566), 1e-3);
}

TEST(RotaryScaling, UnknownOrIncompleteIsRefused) {
  const Object unknown = {{"rope_type", "longrope9"}, {"factor", 4.0}};
  expect_in(refusal_of(with_config({{"rope_scaling", unknown}})), "'longrope9'");
  Object incomplete = llama3_scaling("rope_type");
  incomplete.erase(incomplete.begin() + 1);
  expect_in(refusal_of(with_config({{"rope_scaling", incomplete}})), "factor");
}

TEST(HeadSizes, LossOfEachLayout) {
  ModelOptions wide;
  wide.sizes.head_dim = 16;
  EXPECT_NEAR(loss_of(wide), 5.040599, kError);
  ModelOptions as_many_keys;
  as_many_keys.sizes.kv_heads = 2;
  EXPECT_NEAR(loss_of(as_many_keys), 5.237095, kError);
  // 5.189202 with key heads dealt out in turn.
  ModelOptions grouped;
  grouped.sizes.heads = 4;
  grouped.sizes.kv_heads = 2;
  EXPECT_NEAR(loss_of(grouped), 5.260956, kError);
}

TEST(HeadSizes, MissingHeadWidthIsNamedByTheTensor) {
  ModelOptions options;
  options.sizes.head_dim = 16;
  options.left_out = {"head_dim"};
  const std::string error = refusal_of(options);
  expect_in(error, "q_proj");
  expect_in(error, "[32, 16]");
  expect_in(error, "[16, 16]");
}

TEST(HeadSizes, HeadsThatCannotBeGroupedAreRefused) {
  ModelOptions options;
  options.sizes.heads = 3;
  options.sizes.kv_heads = 2;
  const std::string error = refusal_of(options);
  expect_in(error, "num_attention_heads");
  expect_in(error, "num_key_value_heads");
}

TEST(Windows, MistralSeesItselfAndSevenBefore) {
  EXPECT_NEAR(loss_of(with_config({{"model_type", "mistral"},
                                   {"architectures", formats::Array{"MistralForCausalLM"}},
                                   {"sliding_window", 8}})),
              5.250064, kError);
}

ModelOptions qwen2(bool biases) {
  ModelOptions options = with_config({{"model_type", "qwen2"},
                                      {"architectures", formats::Array{"Qwen2ForCausalLM"}},
                                      {"use_sliding_window", false},
                                      {"sliding_window", 8}});
  options.projection_biases = biases;
  return options;
}

TEST(Windows, QwenHasNoneUnlessAskedFor) {
  const Workshop shop(qwen2(true), data_m1());
  const auto session = shop.run();
  ASSERT_EQ(session->error, "");
  EXPECT_NEAR(*session->first().loss, 5.531116, kError);
  const auto tensors = read_tensors(shop.results() / "model.safetensors");
  EXPECT_EQ(tensors.count("model.layers.0.self_attn.q_proj.bias"), 1u);
  EXPECT_EQ(tensors.count("model.layers.1.self_attn.v_proj.bias"), 1u);
}

TEST(Biases, MissingOnesAreNamed) {
  expect_in(refusal_of(qwen2(false)), "model.layers.0.self_attn.q_proj.bias");
}

TEST(Families, UnknownTypeIsRefusedWithTheKnownOnes) {
  const std::string error = refusal_of(with_config({{"model_type", "foo"}}));
  expect_in(error, "'foo'");
  for (const char* known : {"llama", "mistral", "qwen2", "qwen3"}) expect_in(error, known);
}

}  // namespace
}  // namespace hone::kit
