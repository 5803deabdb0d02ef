// Adapters of the kit's model in every form that is met, and what is refused in which words.
#include "model/adapters/peft_adapter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "formats/json.h"
#include "formats/safetensors_writer.h"
#include "kit/kit_model.h"
#include "model/adapters/merged_weights.h"
#include "model/families/family.h"
#include "unit/formats/expect_fault.h"
#include "unit/formats/temporary_folder.h"

namespace hone::model {
namespace {

namespace fs = std::filesystem;
using formats::expect_fault;
using formats::Value;

struct Tensor {
  DType dtype;
  Shape shape;
  std::vector<float> values;
};

using Tensors = std::map<std::string, Tensor>;

Tensor filled(const Shape& shape, float value, DType dtype = DType::f32) {
  return {dtype, shape, std::vector<float>(static_cast<std::size_t>(shape.elements()), value)};
}

// Only element [0][0] is 1.
Tensor corner(const Shape& shape, DType dtype = DType::f32) {
  Tensor tensor = filled(shape, 0.0f, dtype);
  tensor.values[0] = 1.0f;
  return tensor;
}

const std::string kQuery = "model.layers.0.self_attn.q_proj";

class Adapter : public testing::Test {
 protected:
  fs::path folder() const { return place_.path() / "adapter"; }
  fs::path base() const { return place_.path() / "base"; }

  void write_config(const std::string& json) { place_.write("adapter/adapter_config.json", json); }

  void write_tensors(const Tensors& tensors) {
    fs::create_directories(folder());
    formats::PosixFileSystem system;
    std::vector<formats::TensorSpec> specs;
    for (const auto& [name, tensor] : tensors) specs.push_back({name, tensor.dtype, tensor.shape});
    formats::SafetensorsWriter writer(system, folder() / "adapter_model.safetensors", specs);
    for (const formats::TensorSpec& spec : writer.order()) {
      const Tensor& tensor = tensors.at(spec.name);
      std::vector<std::byte> bytes(spec.bytes());
      convert_weight(ConstTensorView(tensor.values.data(), DType::f32, tensor.shape),
                     TensorView(bytes.data(), tensor.dtype, tensor.shape));
      writer.write(bytes);
    }
    writer.commit();
  }

  // The adapter of all query projections: r 2, B = 1 everywhere. `form` names a tensor.
  Tensors query_adapter(std::string (*form)(const std::string&)) {
    write_config(R"({"peft_type": "LORA", "r": 2, "lora_alpha": 4, "target_modules": ["q_proj"]})");
    Tensors tensors;
    for (const std::string block : {"0", "1"}) {
      const std::string path = "model.layers." + block + ".self_attn.q_proj";
      tensors[form(path + ".lora_A.weight")] = filled({2, 16}, 0.5f);
      tensors[form(path + ".lora_B.weight")] = filled({16, 2}, 1.0f);
    }
    return tensors;
  }

  static std::string prefixed(const std::string& name) { return "base_model.model." + name; }

  // Places the adapter and loads its tensors; the flat array.
  std::vector<float> load(const PeftAdapter& adapter, bool tied = false) {
    Decoder decoder(describe_model(kit::kit_config({.tied = tied}), "config.json"));
    place_lora(decoder, adapter.options_for(decoder));
    const FlatLayout layout(decoder.registry);
    std::vector<float> flat(static_cast<std::size_t>(layout.elements()), -7.0f);
    adapter.load(decoder.registry, layout,
                 TensorView(flat.data(), DType::f32, {layout.elements()}));
    return flat;
  }

  std::unique_ptr<WeightFiles> merge(bool tied = false) {
    kit::write_model(base(), {.tied = tied});
    files_ = open_safetensors_weights(base());
    return merge_adapter(*files_, PeftAdapter(folder()),
                         describe_model(kit::kit_config({.tied = tied}), "config.json"));
  }

  // How much element [0][0] of the first query projection rises by the merge; every other element
  // must stay as it is.
  float rise_of_the_corner() {
    const std::unique_ptr<WeightFiles> merged = merge();
    const std::string name = kQuery + ".weight";
    EXPECT_FALSE(merged->find(name)->in_place);
    EXPECT_FALSE(merged->mapped(name).present());
    float rise = 0.0f;
    for (const std::string& tensor : files_->names()) {
      const Shape shape = files_->find(tensor)->shape;
      std::vector<float> before(static_cast<std::size_t>(shape.elements()));
      std::vector<float> after(before.size());
      files_->read(tensor, TensorView(before.data(), DType::f32, shape));
      merged->read(tensor, TensorView(after.data(), DType::f32, shape));
      if (tensor == name) {
        rise = after[0] - before[0];
        after[0] = before[0];
      }
      EXPECT_EQ(after, before) << tensor;
    }
    return rise;
  }

  void write_corner(const std::string& config, std::int64_t rank = 16, DType dtype = DType::f32) {
    write_config(config);
    write_tensors({{prefixed(kQuery + ".lora_A.weight"), corner({rank, 16}, dtype)},
                   {prefixed(kQuery + ".lora_B.weight"), corner({16, rank}, dtype)}});
  }

  formats::TemporaryFolder place_;
  std::unique_ptr<WeightFiles> files_;
};

std::string with_target(const std::string& members) {
  return R"({"target_modules": ["layers.0.self_attn.q_proj"], )" + members + "}";
}

struct Scale {
  const char* name;
  const char* config;
  std::int64_t rank;
  DType dtype;
  float rise;
};

class AdapterScale : public Adapter, public testing::WithParamInterface<Scale> {};

TEST_P(AdapterScale, RaisesTheWeightExactly) {
  write_corner(with_target(GetParam().config), GetParam().rank, GetParam().dtype);
  // 0.5 sin(...) of the kit is not a round number: the sum may round in its last place.
  EXPECT_NEAR(rise_of_the_corner(), GetParam().rise, 1e-6f);
}

INSTANTIATE_TEST_SUITE_P(
    Configs, AdapterScale,
    testing::Values(
        Scale{"alpha_is_rank", R"("r": 16, "lora_alpha": 16)", 16, DType::f32, 1.0f},
        Scale{"rslora", R"("r": 16, "lora_alpha": 16, "use_rslora": true)", 16, DType::f32, 4.0f},
        Scale{"half_alpha", R"("r": 16, "lora_alpha": 8)", 16, DType::f32, 0.5f},
        Scale{"alpha_pattern", R"("r": 16, "lora_alpha": 16, "alpha_pattern": {"q_proj": 32})", 16,
              DType::f32, 2.0f},
        Scale{"rank_pattern", R"("r": 16, "lora_alpha": 16, "rank_pattern": {"q_proj": 4})", 4,
              DType::f32, 4.0f},
        Scale{"bf16", R"("r": 16, "lora_alpha": 16)", 16, DType::bf16, 1.0f},
        Scale{"f16", R"("r": 16, "lora_alpha": 16)", 16, DType::f16, 1.0f},
        Scale{"alpha_missing", R"("r": 16)", 16, DType::f32, 0.5f},
        Scale{"rank_missing", R"("lora_alpha": 16)", 8, DType::f32, 2.0f}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

TEST_F(Adapter, IsMergedInAnyStorage) {
  write_corner(with_target(R"("r": 16, "lora_alpha": 16)"));
  const std::unique_ptr<WeightFiles> merged = merge();
  const std::string name = kQuery + ".weight";
  std::vector<float> wide(256);
  merged->read(name, TensorView(wide.data(), DType::f32, {16, 16}));
  std::vector<BFloat16> narrow(256);
  merged->read(name, TensorView(narrow.data(), DType::bf16, {16, 16}));
  for (std::size_t i = 0; i < wide.size(); ++i) {
    ASSERT_EQ(narrow[i].bits, to_bfloat16(wide[i]).bits) << i;
  }
}

TEST_F(Adapter, TwoAreMergedInOrder) {
  write_corner(with_target(R"("r": 16, "lora_alpha": 16)"));
  const std::unique_ptr<WeightFiles> once = merge();
  const std::unique_ptr<WeightFiles> twice = merge_adapter(
      *once, PeftAdapter(folder()), describe_model(kit::kit_config({}), "config.json"));
  std::vector<float> before(256), after(256);
  files_->read(kQuery + ".weight", TensorView(before.data(), DType::f32, {16, 16}));
  twice->read(kQuery + ".weight", TensorView(after.data(), DType::f32, {16, 16}));
  EXPECT_NEAR(after[0] - before[0], 2.0f, 1e-6f);
}

TEST_F(Adapter, WholeModulesTakeTheBasesPlace) {
  write_config(
      with_target(R"("r": 1, "modules_to_save": ["lm_head", "layers.1.input_layernorm"])"));
  write_tensors({{prefixed(kQuery + ".lora_A.weight"), corner({1, 16})},
                 {prefixed(kQuery + ".lora_B.weight"), corner({16, 1})},
                 {prefixed("lm_head.weight"), filled({264, 16}, 3.0f)},
                 {prefixed("model.layers.1.input_layernorm.weight"), filled({16}, 2.0f)}});
  const std::unique_ptr<WeightFiles> merged = merge();
  std::vector<float> head(264 * 16), norm(16);
  merged->read("lm_head.weight", TensorView(head.data(), DType::f32, {264, 16}));
  merged->read("model.layers.1.input_layernorm.weight", TensorView(norm.data(), DType::f32, {16}));
  EXPECT_EQ(head, std::vector<float>(264 * 16, 3.0f));
  EXPECT_EQ(norm, std::vector<float>(16, 2.0f));
  EXPECT_FALSE(merged->find("lm_head.weight")->in_place);
  EXPECT_TRUE(merged->find("model.embed_tokens.weight")->in_place);
}

TEST_F(Adapter, OfATiedHeadIsNotMerged) {
  write_config(R"({"target_modules": ["lm_head"], "r": 1})");
  write_tensors({{prefixed("lm_head.lora_A.weight"), corner({1, 16})},
                 {prefixed("lm_head.lora_B.weight"), corner({264, 1})}});
  EXPECT_EQ(load(PeftAdapter(folder()), true).size(), 16U + 264U);
  expect_fault([&] { merge(true); }, "adapter " + folder().string(),
               "it adapts lm_head, which this model ties to the embedding", "unmerged");
}

TEST_F(Adapter, LoadsPeftsNames) {
  write_tensors(query_adapter(prefixed));
  const PeftAdapter adapter(folder());
  EXPECT_TRUE(adapter.notes().empty());
  const std::vector<float> flat = load(adapter);
  EXPECT_EQ(flat.size(), 128U);
  EXPECT_EQ(std::count(flat.begin(), flat.end(), 0.5f), 64);
  EXPECT_EQ(std::count(flat.begin(), flat.end(), 1.0f), 64);
}

TEST_F(Adapter, LoadsNamesWithoutPrefixAndSaysSo) {
  write_tensors(query_adapter([](const std::string& name) { return name; }));
  const PeftAdapter adapter(folder());
  EXPECT_EQ(adapter.notes(),
            std::vector<std::string>{
                "adapter " + folder().string() +
                ": 4 tensors lack \"base_model.model.\" before their names; read as if it were "
                "there"});
  EXPECT_EQ(load(adapter)[0], 0.5f);
}

TEST_F(Adapter, LoadsNamesWithTheAdaptersNameAndSaysSo) {
  write_tensors(query_adapter([](const std::string& name) {
    const std::size_t end = name.rfind(".weight");
    return prefixed(name.substr(0, end)) + ".default.weight";
  }));
  const PeftAdapter adapter(folder());
  EXPECT_EQ(adapter.notes(), std::vector<std::string>{
                                 "adapter " + folder().string() +
                                 ": 4 tensors have an adapter's name in theirs; read as if it were "
                                 "not there"});
  EXPECT_EQ(load(adapter)[0], 0.5f);
}

TEST_F(Adapter, LoadsWholeModulesInEveryForm) {
  for (const std::string form : {"base_model.model.lm_head.weight", "lm_head.weight",
                                 "base_model.model.lm_head.modules_to_save.weight",
                                 "base_model.model.lm_head.modules_to_save.default.weight"}) {
    Tensors tensors = query_adapter(prefixed);
    write_config(R"({"r": 2, "target_modules": ["q_proj"], "modules_to_save": ["lm_head"]})");
    tensors[form] = filled({264, 16}, 3.0f);
    write_tensors(tensors);
    const std::vector<float> flat = load(PeftAdapter(folder()));
    EXPECT_EQ(std::count(flat.begin(), flat.end(), 3.0f), 264 * 16) << form;
  }
}

TEST_F(Adapter, NamesEveryTensorThatDoesNotFit) {
  Tensors tensors = query_adapter(prefixed);
  tensors.erase(prefixed("model.layers.1.self_attn.q_proj.lora_B.weight"));
  tensors[prefixed("model.layers.7.self_attn.q_proj.lora_A.weight")] = filled({2, 16}, 0.0f);
  tensors[prefixed(kQuery + ".lora_A.weight")] = filled({3, 16}, 0.5f);
  write_tensors(tensors);
  const PeftAdapter adapter(folder());
  try {
    load(adapter);
    FAIL() << "nothing was refused";
  } catch (const UserError& error) {
    const std::string where = "adapter " + folder().string();
    ASSERT_EQ(error.faults().size(), 3U);
    EXPECT_EQ(
        error.faults()[0].asked,
        "tensor 'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight' in " + where);
    EXPECT_EQ(error.faults()[0].found,
              "shape [3, 16], where adapter_config.json and the model ask for [2, 16]");
    EXPECT_EQ(error.faults()[1].asked, where);
    EXPECT_EQ(error.faults()[1].found,
              "no tensor base_model.model.model.layers.1.self_attn.q_proj.lora_B.weight");
    EXPECT_EQ(error.faults()[2].found,
              "tensors that belong to nothing that it adapts in this model: "
              "base_model.model.model.layers.7.self_attn.q_proj.lora_A.weight");
  }
  EXPECT_THROW(merge(), UserError);
}

TEST_F(Adapter, ShortensLongLists) {
  write_config(R"({"target_modules": "all-linear", "r": 2})");
  write_tensors({});
  expect_fault([&] { load(PeftAdapter(folder())); }, "adapter " + folder().string(), "and 20 more");
}

TEST_F(Adapter, RefusesTensorsThatAreNoNumbers) {
  Tensors tensors = query_adapter(prefixed);
  write_tensors(tensors);
  std::string bytes = formats::TemporaryFolder::read(folder() / "adapter_model.safetensors");
  bytes.replace(bytes.find("\"F32\""), 5, "\"I32\"");
  place_.write("adapter/adapter_model.safetensors", bytes);
  expect_fault([&] { load(PeftAdapter(folder())); }, "lora_", "stored as I32",
               "store it as F32, BF16 or F16");
}

TEST_F(Adapter, RefusesTwoTensorsThatMeanTheSame) {
  Tensors tensors = query_adapter(prefixed);
  tensors[kQuery + ".lora_A.weight"] = filled({2, 16}, 0.5f);
  write_tensors(tensors);
  expect_fault([&] { PeftAdapter{folder()}; }, "tensor 'model.layers.0.self_attn.q_proj.lora_A",
               "is there too and means the same", "one adapter");
}

TEST_F(Adapter, RefusesFoldersThatAreNotWhole) {
  const std::string asked = "adapter " + folder().string();
  expect_fault([&] { PeftAdapter{folder()}; }, asked, "no such folder");
  write_tensors(query_adapter(prefixed));
  fs::remove(folder() / "adapter_config.json");
  expect_fault([&] { PeftAdapter{folder()}; }, asked, "no adapter_config.json in it");
  query_adapter(prefixed);
  fs::remove(folder() / "adapter_model.safetensors");
  expect_fault([&] { PeftAdapter{folder()}; }, asked, "no adapter_model.safetensors in it");
  place_.write("adapter/adapter_model.bin", "pickle");
  expect_fault([&] { PeftAdapter{folder()}; }, asked, "only adapter_model.bin, a pickle");
  expect_fault([&] { PeftAdapter{folder() / "adapter_model.bin"}; }, "adapter_model.bin",
               "not a folder");
}

TEST_F(Adapter, LeavesOutTargetsThatTheModelLacks) {
  Tensors tensors = query_adapter(prefixed);
  write_config(R"({"r": 2, "target_modules": ["query_key_value", "q_proj"]})");
  write_tensors(tensors);
  EXPECT_EQ(load(PeftAdapter(folder())).size(), 128U);
  write_config(
      R"({"target_modules": ["query_key_value"], "base_model_name_or_path": "org/other"})");
  expect_fault([&] { load(PeftAdapter(folder())); },
               "target_modules in " + (folder() / "adapter_config.json").string(),
               "the model has no linear layer of these names: query_key_value",
               "use it with the model that it was trained for: 'org/other'");
  write_config(R"({"r": 2, "target_modules": ["q_proj"], "modules_to_save": ["score"]})");
  expect_fault([&] { load(PeftAdapter(folder())); }, "modules_to_save in ",
               "the model has no module 'score'");
}

PeftConfig config_of(const std::string& json) {
  return read_peft_config(formats::parse_json(json, "c.json"), "c.json");
}

TEST(PeftConfig, HasPeftsDefaults) {
  const PeftConfig config = config_of(R"({"target_modules": ["q_proj"], "later_key": 1})");
  EXPECT_EQ(config.lora.rank, 8);
  EXPECT_EQ(config.lora.alpha, 8.0);
  EXPECT_FALSE(config.lora.rank_stabilized);
  EXPECT_EQ(config.lora.dropout, 0.0);
  EXPECT_EQ(config.lora.targets, std::vector<std::string>{"q_proj"});
  EXPECT_TRUE(config.lora.whole_modules.empty());
  EXPECT_EQ(config.base_model, "");
}

TEST(PeftConfig, ReadsEverythingThatMatters) {
  const PeftConfig config = config_of(R"({"target_modules": "all-linear", "r": 4, "lora_alpha": 4.5,
      "use_rslora": true, "lora_dropout": 0.1, "modules_to_save": ["lm_head"],
      "rank_pattern": {"q_proj": 2, "layers.0.mlp.up_proj": 3}, "alpha_pattern": {"v_proj": 1},
      "base_model_name_or_path": "org/base", "init_lora_weights": "gaussian", "bias": "none",
      "fan_in_fan_out": true, "exclude_modules": [], "layers_to_transform": null,
      "eva_config": {"rho": 2.0}, "loftq_config": {}})");
  EXPECT_EQ(config.lora.targets, std::vector<std::string>{"all"});
  EXPECT_EQ(config.lora.rank, 4);
  EXPECT_EQ(config.lora.alpha, 4.5);
  EXPECT_TRUE(config.lora.rank_stabilized);
  EXPECT_EQ(config.lora.dropout, 0.1);
  EXPECT_EQ(config.lora.whole_modules, std::vector<std::string>{"lm_head"});
  EXPECT_EQ(config.lora.rank_pattern.at("q_proj"), 2);
  EXPECT_EQ(config.lora.alpha_pattern.at("v_proj"), 1.0);
  EXPECT_EQ(config.base_model, "org/base");
}

struct Refusal {
  const char* member;
  const char* asked;
  const char* found;
};

TEST(PeftConfig, RefusesInWords) {
  const Refusal refusals[] = {
      {R"("r": 0)", "r in c.json", "0, a rank that no adapter can have"},
      {R"("r": 65537)", "r in c.json", "65537, a rank"},
      {R"("r": "8")", "r in c.json", "a string"},
      {R"("lora_alpha": [])", "lora_alpha in c.json", "a list"},
      {R"("lora_dropout": 1.0)", "lora_dropout in c.json", "not a probability"},
      {R"("peft_type": "LOHA")", "peft_type in c.json", "'LOHA'"},
      {R"("task_type": "SEQ_CLS")", "task_type in c.json", "'SEQ_CLS'"},
      {R"("bias": "all")", "bias in c.json", "'all': trained biases"},
      {R"("init_lora_weights": "pissa_niter_16")", "init_lora_weights in c.json",
       "'pissa_niter_16': a start that changes the base model's weights"},
      {R"("use_dora": true)", "use_dora in c.json", "DoRA"},
      {R"("lora_bias": true)", "lora_bias in c.json", "biases beside the matrices"},
      {R"("exclude_modules": ["a"])", "exclude_modules in c.json", "exceptions"},
      {R"("layers_to_transform": [0])", "layers_to_transform in c.json", "a choice of layers"},
      {R"("layers_to_transform": 0)", "layers_to_transform in c.json", "a choice of layers"},
      {R"("trainable_token_indices": [1])", "trainable_token_indices in c.json", "rows"},
      {R"("modules_to_save": [7])", "modules_to_save in c.json", "a member that is not a name"},
      {R"("modules_to_save": "lm_head")", "modules_to_save in c.json", "a string"},
      {R"("rank_pattern": {"q_proj": 0})", "rank_pattern.q_proj in c.json", "0, a rank"},
      {R"("rank_pattern": {"q_proj": "4"})", "rank_pattern.q_proj in c.json", "not a whole number"},
      {R"("rank_pattern": {"layers\\.[01]\\.q_proj": 4})", "rank_pattern in c.json",
       "a regular expression"},
      {R"("alpha_pattern": {"q_proj": null})", "alpha_pattern.q_proj in c.json", "not a number"},
      {R"("alpha_pattern": {"q_proj": 1, "self_attn.q_proj": 2})", "alpha_pattern in c.json",
       "'q_proj' and 'self_attn.q_proj' match the same modules"},
  };
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.member);
    expect_fault(
        [&] {
          config_of(R"({"target_modules": ["q_proj"], )" + std::string(refusal.member) + "}");
        },
        refusal.asked, refusal.found);
  }
  expect_fault([] { config_of(R"({"target_modules": ".*q_proj"})"); }, "target_modules in c.json",
               "'.*q_proj', a regular expression", "write the list of the modules' names");
  expect_fault([] { config_of("{}"); }, "target_modules in c.json", "no module");
  expect_fault([] { config_of("[]"); }, "c.json", "a list");
}

// Hostile or damaged: read or refused, never anything else.
TEST(PeftConfig, SurvivesEveryChangedByte) {
  const std::string text =
      R"({"r": 4, "lora_alpha": 8, "target_modules": ["q_proj"], "bias": "none", )"
      R"("rank_pattern": {"q_proj": 2}, "modules_to_save": null, "lora_dropout": 0.0})";
  int refused = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char other : {'0', '-', '"', '}', '[', '\xff'}) {
      std::string changed = text;
      changed[at] = other;
      try {
        config_of(changed);
      } catch (const UserError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 300);
}

TEST(PeftConfig, NamesEverythingAtOnce) {
  try {
    config_of(R"({"r": 0, "use_dora": true, "bias": "all"})");
    FAIL() << "nothing was refused";
  } catch (const UserError& error) {
    EXPECT_EQ(error.faults().size(), 4U);
  }
}

}  // namespace
}  // namespace hone::model
