// What saved models look like, file by file.
#include "checkpoint/model_files.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "formats/json.h"
#include "formats/safetensors_index.h"
#include "unit/checkpoint/tiny_run.h"
#include "unit/formats/stopping_file_system.h"

namespace hone::checkpoint {
namespace {

namespace fs = std::filesystem;
using formats::TemporaryFolder;
using formats::Value;

const fs::path kGolden = fs::path(HONE_SOURCE_ROOT) / "tests" / "golden" / "data";

struct Trainable {
  explicit Trainable(const Value& config) : decoder(model::describe_model(config, "config.json")) {
    for (ParameterId id = 0; id < decoder.registry.size(); ++id) {
      decoder.registry.set_trainable(id, true);
    }
    layout = std::make_unique<FlatLayout>(decoder.registry);
    for (std::int64_t i = 0; i < layout->elements(); ++i) {
      weights.push_back(static_cast<float>(i) * 0.001f);
    }
    none = model::promise_weights(decoder.registry, DType::f32, "nowhere");
  }

  ModelFiles files(const BaseConfiguration& base, DType dtype = DType::f32) {
    return full_model_files(decoder, decoder.registry.size(), *layout,
                            TensorView(weights.data(), DType::f32, {layout->elements()}), *none,
                            base, dtype);
  }

  model::Decoder decoder;
  std::unique_ptr<FlatLayout> layout;
  std::vector<float> weights;
  std::unique_ptr<model::WeightFiles> none;
};

void write(const fs::path& folder, const ModelFiles& files) {
  formats::UnsyncedFileSystem system;
  write_model_files(system, folder, files);
}

std::map<std::string, std::string> shapes_in(const formats::SafetensorsModel& model) {
  std::map<std::string, std::string> shapes;
  for (const formats::SafetensorsFile& file : model.files()) {
    for (const formats::SafetensorsEntry& entry : file.tensors()) {
      shapes[entry.name] = std::string(entry.type->name) + " " + entry.shape_text();
    }
  }
  return shapes;
}

// Adapters of peft's own beside ours for the same model: same tensors, and a configuration that
// says the same.
class AdapterFiles : public testing::TestWithParam<const char*> {};

TEST_P(AdapterFiles, AreThoseOfPeft) {
  const fs::path theirs = kGolden / "tiny_lora" / GetParam();
  const Value their_config = formats::read_json(theirs / "adapter_config.json");
  const std::string base = their_config.find("base_model_name_or_path")->string();
  const fs::path config_file = kGolden / "tiny" / base / "config.json";
  model::Decoder decoder(
      model::describe_model(formats::read_json(config_file), config_file.string()));
  model::LoraOptions options;  // targets: all
  options.rank = 4;
  options.alpha = 8.0;
  options.rank_stabilized = their_config.find("use_rslora")->boolean();
  if (their_config.find("modules_to_save")->is_array()) {
    options.whole_modules = {"embed_tokens", "lm_head"};
  }
  model::place_lora(decoder, options);
  const FlatLayout layout(decoder.registry);
  std::vector<float> weights(static_cast<std::size_t>(layout.elements()), 0.5f);
  const TemporaryFolder place;
  write(place.path(), adapter_files(decoder, options, base, layout,
                                    TensorView(weights.data(), DType::f32, {layout.elements()})));

  const formats::SafetensorsModel our_tensors(place.path(), "adapter_model");
  EXPECT_EQ(shapes_in(our_tensors), shapes_in(formats::SafetensorsModel(theirs, "adapter_model")));
  EXPECT_EQ(our_tensors.files()[0].metadata(),
            (std::vector<std::pair<std::string, std::string>>{{"format", "pt"}}));

  const Value our_config = formats::read_json(place.path() / "adapter_config.json");
  // What peft 0.18, whose keys hone writes, does not have yet.
  const std::set<std::string> newer = {"kasa_config", "lora_ga_config", "monteclora_config",
                                       "use_bdlora", "velora_config"};
  std::vector<std::string> keys;
  for (const formats::Member& member : their_config.object()) {
    if (newer.count(member.key) > 0) continue;
    keys.push_back(member.key);
    const Value* ours = our_config.find(member.key);
    ASSERT_NE(ours, nullptr) << member.key;
    if (member.key == "target_modules" || member.key == "peft_version") continue;
    EXPECT_EQ(*ours, member.value) << member.key;
  }
  std::vector<std::string> our_keys;
  for (const formats::Member& member : our_config.object()) our_keys.push_back(member.key);
  EXPECT_EQ(our_keys, keys);
  std::vector<std::string> targets;
  for (const Value& name : our_config.find("target_modules")->array()) {
    targets.push_back(name.string());
  }
  EXPECT_EQ(targets, (std::vector<std::string>{"down_proj", "gate_proj", "k_proj", "o_proj",
                                               "q_proj", "up_proj", "v_proj"}));
}

INSTANTIATE_TEST_SUITE_P(Adapters, AdapterFiles,
                         testing::Values("llama_gqa_lora", "llama_gqa_rslora",
                                         "llama_gqa_saved_modules", "qwen3_lora", "qwen3_rslora",
                                         "qwen3_saved_modules"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(AdapterConfig, IsTheSameTextForTheSameRun) {
  model::LoraOptions options = tiny_lora();
  options.targets = {"v_proj", "q_proj", "v_proj"};
  options.alpha = 4.5;
  options.rank_pattern = {{"k_proj", 3}};
  TinyRun run(options);
  const std::string text = run.files().texts.back().content;
  EXPECT_NE(text.find("\"target_modules\": [\n    \"q_proj\",\n    \"v_proj\"\n  ]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"lora_alpha\": 4.5,"), std::string::npos);
  EXPECT_NE(text.find("\"rank_pattern\": {\n    \"k_proj\": 3\n  }"), std::string::npos);
  EXPECT_EQ(text, TinyRun(options).files().texts.back().content);
}

TEST(FullModel, WritesATiedHeadOnce) {
  const Value config = kit::kit_config({.tied = true});
  Trainable run(config);
  const TemporaryFolder place;
  write(place.path(), run.files({config, {}}));
  const formats::SafetensorsModel model(place.path());
  EXPECT_EQ(model.tensor_count(), 20U);
  EXPECT_EQ(model.find("lm_head.weight"), nullptr);
  std::int64_t elements = 0;
  for (const formats::SafetensorsEntry& entry : model.files()[0].tensors()) {
    elements += model.view(entry.name).elements();
  }
  EXPECT_EQ(elements, 8912);
  EXPECT_TRUE(
      formats::read_json(place.path() / "config.json").find("tie_word_embeddings")->boolean());
}

TEST(FullModel, HoldsTheWeightsBitForBit) {
  const Value config = kit::kit_config({});
  Trainable run(config);
  const TemporaryFolder place;
  write(place.path(), run.files({config, {}}));
  const formats::SafetensorsModel model(place.path());
  EXPECT_EQ(model.tensor_count(), 21U);
  for (const FlatRange& range : run.layout->ranges()) {
    const ConstTensorView view = model.view(run.decoder.registry.at(range.id).name);
    ASSERT_EQ(view.dtype(), DType::f32);
    for (std::int64_t i = 0; i < range.elements; ++i) {
      ASSERT_EQ(view.data<float>()[i], run.weights[static_cast<std::size_t>(range.first + i)]);
    }
  }
}

TEST(FullModel, SaysItsDtypeInTheKeysOfItsBase) {
  Value config = kit::kit_config({});
  Trainable run(config);
  const auto written = [&](const Value& base) {
    const ModelFiles files = run.files({base, {}}, DType::bf16);
    return formats::parse_json(files.texts.back().content, "config.json");
  };
  EXPECT_EQ(written(config).find("torch_dtype")->string(), "bfloat16");
  EXPECT_EQ(written(config).find("dtype"), nullptr);
  Value newer;
  for (const formats::Member& member : config.object()) {
    if (member.key != "torch_dtype") newer.set(member.key, member.value);
  }
  EXPECT_EQ(written(newer).find("torch_dtype")->string(), "bfloat16");
  newer.set("dtype", "float32");
  EXPECT_EQ(written(newer).find("dtype")->string(), "bfloat16");
  EXPECT_EQ(written(newer).find("torch_dtype"), nullptr);
  EXPECT_EQ(written(config).find("vocab_size")->integer(), 264);
  config.set("architectures", nullptr);
  EXPECT_EQ(written(config).find("architectures")->array()[0].string(), "LlamaForCausalLM");
}

TEST(FullModel, RoundsToTheDtypeThatWasAskedFor) {
  const Value config = kit::kit_config({});
  Trainable run(config);
  run.weights[0] = 1.0f + 1.0f / 256.0f;  // half-way, to even
  const TemporaryFolder place;
  write(place.path(), run.files({config, {}}, DType::bf16));
  const formats::SafetensorsModel model(place.path());
  const ConstTensorView view = model.view("model.embed_tokens.weight");
  ASSERT_EQ(view.dtype(), DType::bf16);
  EXPECT_EQ(view.data<BFloat16>()[0].bits, 0x3f80);
}

TEST(FullModel, KeepsOrMakesTheGenerationConfig) {
  const Value config = kit::kit_config({});
  Trainable run(config);
  const auto text = [](const ModelFiles& files) { return files.texts.front().content; };
  EXPECT_EQ(text(run.files({config, {}})),
            "{\n  \"_from_model_config\": true,\n  \"bos_token_id\": 259,\n  \"eos_token_id\": "
            "256,\n  \"pad_token_id\": 260\n}\n");
  Value own;
  own.set("temperature", 0.6);
  EXPECT_EQ(text(run.files({config, own})), "{\n  \"temperature\": 0.6\n}\n");
}

TEST(FullModel, IsDividedIntoShards) {
  const Value config = kit::kit_config({});
  Trainable run(config);
  ModelFiles files = run.files({config, {}});
  files.max_file_bytes = 20000;
  files.add(TextFile{"tokenizer.json", "{}"});
  const TemporaryFolder place;
  write(place.path(), files);
  const std::vector<std::string> names = file_names(files);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "model-00001-of-00003.safetensors", "model-00002-of-00003.safetensors",
                       "model-00003-of-00003.safetensors", "model.safetensors.index.json",
                       "generation_config.json", "tokenizer.json", "config.json"}));
  for (const std::string& name : names) EXPECT_TRUE(fs::exists(place.path() / name)) << name;
  const formats::SafetensorsModel model(place.path());
  EXPECT_EQ(model.tensor_count(), 21U);
  const Value index = formats::read_json(place.path() / "model.safetensors.index.json");
  EXPECT_EQ(index.find("metadata")->find("total_size")->integer(), 13136 * 4);
  EXPECT_EQ(index.find("metadata")->find("total_parameters")->integer(), 13136);
}

}  // namespace
}  // namespace hone::checkpoint
