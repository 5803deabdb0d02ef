// Whole training runs on the emulated device: every kernel in its place, between the others.
#include <gtest/gtest.h>

#include <algorithm>

#include "emulated/emulated_table.h"
#include "kit/training_session.h"

namespace hone::kit {
namespace {

// `card` of the emulated ones, blocks and threads in the order of `seed`.
assemble::OpenMachine on_card(std::size_t card, std::uint64_t seed) {
  static const ops::OpTable table = tests::emulated_table();
  return [card, seed](const config::Settings&, LogSink&) {
    // Frozen weights stay mapped where they lie.
    auto device = std::make_unique<EmulatedDevice>(
        EmulatedOptions{.card = emulated_cards().at(card), .host_memory_is_visible = true});
    device->set_seed(seed);
    return assemble::Machine{std::move(device), &table};
  };
}

struct Way {
  const char* name;
  std::vector<std::string> settings;
  ModelOptions model = {};
};

// Biases, bf16 weights and a tied head.
ModelOptions qwen2_in_bf16() {
  ModelOptions options;
  options.config = {{"model_type", "qwen2"},
                    {"architectures", formats::Array{"Qwen2ForCausalLM"}},
                    {"use_sliding_window", false}};
  options.projection_biases = true;
  options.dtype = DType::bf16;
  options.tied = true;
  return options;
}

ModelOptions mistral_with_window() {
  ModelOptions options;
  options.config = {{"model_type", "mistral"},
                    {"architectures", formats::Array{"MistralForCausalLM"}},
                    {"sliding_window", 8}};
  return options;
}

class EmulatedTraining : public testing::TestWithParam<Way> {
 protected:
  std::unique_ptr<Session> run(const Workshop& shop, const assemble::OpenMachine& machine) const {
    std::vector<std::string> settings = GetParam().settings;
    settings.insert(settings.end(),
                    {"max_steps=5", "learning_rate=1.0e-3", "max_grad_norm=0.5", "weight_decay=0.1",
                     "per_device_train_batch_size=4", "overwrite_output_dir=true"});
    return run_words(shop.words(settings), {.open_machine = machine});
  }
};

// Other sums in another order: within what f32 allows. And every card alike, twice the same bits,
// whatever the order of its threads.
TEST_P(EmulatedTraining, IsTheCpusWithinABound) {
  const Workshop shop(GetParam().model, data_k10());
  const auto cpu = run(shop, assemble::open_cpu_machine);
  ASSERT_EQ(cpu->error, "");
  ASSERT_EQ(cpu->events.steps.size(), 5u);
  for (const std::size_t card : {1, 2}) {
    SCOPED_TRACE(emulated_cards().at(card).target);
    const auto emulated = run(shop, on_card(card, 0));
    const auto again = run(shop, on_card(card, 5));
    ASSERT_EQ(emulated->error, "");
    EXPECT_EQ(emulated->losses(), again->losses());
    EXPECT_EQ(emulated->gradient_norms(), again->gradient_norms());
    ASSERT_EQ(emulated->events.steps.size(), 5u);
    bool any_differs = false;
    for (std::size_t i = 0; i < 5; ++i) {
      const report::StepFinished& a = cpu->events.steps[i];
      const report::StepFinished& b = emulated->events.steps[i];
      EXPECT_NEAR(*a.loss, *b.loss, 1e-5 * *a.loss);
      EXPECT_NEAR(*a.grad_norm, *b.grad_norm, 1e-4 * *a.grad_norm);
      any_differs = any_differs || *a.loss != *b.loss || *a.grad_norm != *b.grad_norm;
    }
    EXPECT_TRUE(any_differs) << "the same bits: did it run on the CPU?";
    EXPECT_TRUE(std::any_of(
        emulated->summary.begin(), emulated->summary.end(),
        [](const std::string& line) { return line.find("(emulated)") != std::string::npos; }));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runs, EmulatedTraining,
    testing::Values(Way{"Full", {}}, Way{"Lora", {"finetuning_type=lora", "lora_dropout=0.3"}},
                    Way{"FullWithBiases", {}, qwen2_in_bf16()},
                    Way{"LoraWithBiases", {"finetuning_type=lora"}, qwen2_in_bf16()},
                    Way{"FullWithWindow", {}, mistral_with_window()}),
    [](const testing::TestParamInfo<Way>& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace hone::kit
