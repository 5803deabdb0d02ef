// LoRA adapters that peft saved, on tiny models: logits, loss, gradients of A, B and saved modules;
// and the same models with the adapter merged in, and exported.
#include <gtest/gtest.h>

#include "checkpoint/exporter.h"
#include "formats/safetensors_writer.h"
#include "golden/expectation.h"
#include "kernels/cpu/cpu_table.h"
#include "kernels/reference/reference_table.h"
#include "kit/kit_model.h"
#include "model/adapters/merged_weights.h"
#include "model/adapters/peft_adapter.h"
#include "unit/formats/temporary_folder.h"

namespace hone::golden {
namespace {

namespace fs = std::filesystem;

const fs::path kData = HONE_TEST_DATA;

model::Decoder decoder_in(const fs::path& folder) {
  const fs::path config = folder / "config.json";
  return model::Decoder(model::describe_model(formats::read_json(config), config.string()));
}

// A run of a base model with an adapter beside it.
std::unique_ptr<ModelRun> run_with(const fs::path& base, const model::PeftAdapter& adapter,
                                   const ops::OpTable& table) {
  const model::LoraOptions options = adapter.options_for(decoder_in(base));
  auto run = std::make_unique<ModelRun>(base, table, Train::adapters, &options,
                                        model::PassOptions{}, model::PassCapacity{128, 128, 128});
  adapter.load(run->decoder.registry, *run->layout, run->weights->trainable());
  return run;
}

// Exports a model with an adapter merged in.
void export_merged(const fs::path& base, const fs::path& adapter, const fs::path& target,
                   DType dtype) {
  formats::PosixFileSystem system;
  const model::Decoder decoder = decoder_in(base);
  const std::unique_ptr<model::WeightFiles> weights = model::open_safetensors_weights(base);
  const std::unique_ptr<model::WeightFiles> merged =
      model::merge_adapter(*weights, model::PeftAdapter(adapter), decoder.description);
  checkpoint::export_model(system, decoder, *merged, {formats::read_json(base / "config.json"), {}},
                           {}, {target, {base, adapter}, dtype, 20000});
}

struct Case {
  const char* name;
  bool fast_kernels;
};

const ops::OpTable& table_of(bool fast_kernels) {
  return fast_kernels ? kernels::cpu_table() : kernels::reference_table();
}

class TinyAdapter : public testing::TestWithParam<Case> {
 protected:
  fs::path folder() const { return kData / "tiny_lora" / GetParam().name; }
  fs::path base(const Expected& expected) const {
    return kData / "tiny" / expected.json.find("base")->string();
  }
};

TEST_P(TinyAdapter, LogitsLossAndGradientsAreThoseOfPeft) {
  const Expected expected(folder());
  const std::unique_ptr<ModelRun> run =
      run_with(base(expected), model::PeftAdapter(folder()), table_of(GetParam().fast_kernels));
  expect_logits(*run, expected);
  expect_gradients(*run, expected, folder(), model::peft_name);
}

TEST_P(TinyAdapter, ExportedItHasTheSameLogits) {
  const Expected expected(folder());
  const formats::TemporaryFolder place;
  export_merged(base(expected), folder(), place.path() / "merged", DType::f32);
  ModelRun run(place.path() / "merged", table_of(GetParam().fast_kernels), Train::nothing);
  expect_logits(run, expected);
}

#define HONE_TINY(name)     \
  Case{name, false}, Case { \
    name, true              \
  }
INSTANTIATE_TEST_SUITE_P(Adapters, TinyAdapter,
                         testing::Values(HONE_TINY("llama_gqa_lora"), HONE_TINY("llama_gqa_rslora"),
                                         HONE_TINY("llama_gqa_saved_modules"),
                                         HONE_TINY("qwen3_lora"), HONE_TINY("qwen3_rslora"),
                                         HONE_TINY("qwen3_saved_modules")),
                         [](const testing::TestParamInfo<Case>& test) {
                           return std::string(test.param.name) +
                                  (test.param.fast_kernels ? "_cpu" : "_reference");
                         });

// "Human: <instruction>", EOS, "\nAssistant:", <output>, EOS, "\n", byte by byte.
Pack kit_record() {
  std::vector<std::int32_t> ids, labels;
  const auto add = [&](const std::string& text, bool learned) {
    for (const char c : text) {
      ids.push_back(static_cast<unsigned char>(c));
      labels.push_back(learned ? ids.back() : -100);
    }
  };
  const auto add_eos = [&](bool learned) {
    ids.push_back(256);
    labels.push_back(learned ? 256 : -100);
  };
  add("Human: The quick brown fox jumps over the lazy dog.", false);
  add_eos(false);
  add("\nAssistant:", false);
  add("abcdefghijklmnopqrstuvwxyz 0123456789", true);
  add_eos(true);
  add("\n", true);
  return Pack({ids}, {labels});
}

double mean_loss(ModelRun& run) {
  const Pack pack = kit_record();
  EXPECT_EQ(pack.tokens.size(), 102U);
  EXPECT_EQ(pack.counted_labels, 39);
  const double scale = 1.0 / static_cast<double>(pack.counted_labels);
  run.clear_gradients();
  return run.walk->train(pack.view(), run.loss, scale) * scale;
}

// What the kit's model makes of the record by itself.
constexpr double kPlainLoss = 5.531116;

// An adapter that does nothing is the commonest fault of all.
TEST(KitAdapter, ChangesTheLossAttachedAndMergedAlike) {
  const formats::TemporaryFolder place;
  kit::write_model(place.path() / "base");
  place.write("adapter/adapter_config.json",
              R"({"r": 2, "lora_alpha": 4, "target_modules": ["q_proj"]})");
  formats::PosixFileSystem system;
  std::vector<formats::TensorSpec> specs;
  for (const char* block : {"0", "1"}) {
    const std::string path =
        "base_model.model.model.layers." + std::string(block) + ".self_attn.q_proj.lora_";
    specs.push_back({path + "A.weight", DType::f32, {2, 16}});
    specs.push_back({path + "B.weight", DType::f32, {16, 2}});
  }
  formats::SafetensorsWriter writer(system, place.path() / "adapter/adapter_model.safetensors",
                                    specs);
  for (const formats::TensorSpec& spec : writer.order()) {
    const bool is_b = spec.shape[1] == 2;
    const std::vector<float> values(32, is_b ? 1.0f : 0.125f);
    writer.write(std::as_bytes(std::span(values)));
  }
  writer.commit();

  const model::PeftAdapter adapter(place.path() / "adapter");
  const ops::OpTable& table = kernels::reference_table();
  model::LoraOptions fresh = adapter.options_for(decoder_in(place.path() / "base"));
  ModelRun plain(place.path() / "base", table, Train::adapters, &fresh, model::PassOptions{},
                 model::PassCapacity{128, 128, 128});
  EXPECT_NEAR(mean_loss(plain), kPlainLoss, 1e-5);  // A and B are zero

  const std::unique_ptr<ModelRun> attached = run_with(place.path() / "base", adapter, table);
  const double adapted_loss = mean_loss(*attached);
  EXPECT_GT(std::abs(adapted_loss - kPlainLoss), 1e-3);

  // A new adapter on top of the merged one starts from the same loss.
  export_merged(place.path() / "base", place.path() / "adapter", place.path() / "merged",
                DType::f32);
  ModelRun on_top(place.path() / "merged", table, Train::adapters, &fresh, model::PassOptions{},
                  model::PassCapacity{128, 128, 128});
  EXPECT_NEAR(mean_loss(on_top), adapted_loss, 1e-5);
}

}  // namespace
}  // namespace hone::golden
