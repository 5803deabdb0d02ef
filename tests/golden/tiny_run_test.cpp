// Five AdamW steps on tiny models against torch's: weight decay in transformers' groups, clipping,
// a cosine with warm-up, two micro-batches a step; everything, with a tied head, and LoRA.
#include <gtest/gtest.h>

#include <set>

#include "formats/safetensors.h"
#include "golden/expectation.h"
#include "kernels/cpu/cpu_table.h"
#include "kernels/reference/reference_table.h"
#include "memory/arena.h"
#include "model/adapters/peft_adapter.h"
#include "optimizers/adamw.h"
#include "optimizers/gradient_norm.h"
#include "optimizers/learning_rate.h"

namespace hone::golden {
namespace {

namespace fs = std::filesystem;
using formats::Value;

const fs::path kData = HONE_TEST_DATA;

// Torch computed in f64; five steps of f32 add up rounding, and AdamW divides by what may be small.
constexpr double kLossError = 2e-6;
constexpr double kNormError = 2e-5;
constexpr double kWeightError = 2e-3;  // of the change, Frobenius; the criterion for models is 1e-2

struct Case {
  const char* name;
  bool fast_kernels;
};

class TinyRun : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    json_ = formats::read_json(kData / "tiny_runs" / (std::string(GetParam().name) + ".json"));
    const fs::path base = kData / "tiny" / json_.find("base")->string();
    const ops::OpTable& table =
        GetParam().fast_kernels ? kernels::cpu_table() : kernels::reference_table();
    if (json_.find("adapter")->is_null()) {
      run_ = std::make_unique<ModelRun>(base, table, Train::everything);
    } else {
      const model::PeftAdapter adapter(kData / "tiny_lora" / json_.find("adapter")->string());
      const fs::path config = base / "config.json";
      const model::LoraOptions options = adapter.options_for(
          model::Decoder(model::describe_model(formats::read_json(config), config.string())));
      run_ = std::make_unique<ModelRun>(base, table, Train::adapters, &options);
      adapter.load(run_->decoder.registry, *run_->layout, run_->weights->trainable());
    }
    make_optimizer();
  }

  double option(const char* name) const { return json_.find("options")->find(name)->number(); }

  void make_optimizer() {
    const ParameterRegistry& registry = run_->decoder.registry;
    optimizer_ = optimizers::make_adamw(
        {.beta1 = option("beta1"), .beta2 = option("beta2"), .epsilon = option("epsilon")},
        optimizers::decay_segments(registry, *run_->layout, option("weight_decay")),
        run_->layout->elements());
    norm_ = std::make_unique<optimizers::GradientNorm>(run_->layout->elements());
    Plan plan;
    optimizer_->buffers().describe(plan);
    norm_->buffers().describe(plan);
    arena_ = std::make_unique<Arena>(*run_->device, plan);
    optimizer_->buffers().bind(*arena_);
    norm_->buffers().bind(*arena_);
  }

  // The loss of a step, its gradients in the run.
  double accumulate(const Value& step) {
    run_->clear_gradients();
    const double scale = 1.0 / static_cast<double>(step.find("label_count")->integer());
    double sum = 0.0;
    for (const Value& micro_batch : step.find("micro_batches")->array()) {
      std::vector<std::vector<std::int32_t>> ids, labels;
      for (const Value& sequence : micro_batch.array()) {
        ids.push_back(integers(*sequence.find("ids")));
        labels.push_back(integers(*sequence.find("labels")));
      }
      const Pack pack(ids, labels);
      sum += run_->walk->train(pack.view(), run_->loss, scale);
    }
    return sum * scale;
  }

  std::string file_name(ParameterId id) const {
    const std::string& name = run_->decoder.registry.at(id).name;
    return run_->adapters ? model::peft_name(name) : name;
  }

  Value json_;
  std::unique_ptr<ModelRun> run_;
  std::unique_ptr<optimizers::Optimizer> optimizer_;
  std::unique_ptr<optimizers::GradientNorm> norm_;
  std::unique_ptr<Arena> arena_;
};

TEST_P(TinyRun, DecaysWhatTransformersDecays) {
  std::set<std::string> expected;
  for (const Value& name : json_.find("without_decay")->array()) expected.insert(name.string());
  std::set<std::string> found;
  const ParameterRegistry& registry = run_->decoder.registry;
  for (const optimizers::Segment& segment :
       optimizers::decay_segments(registry, *run_->layout, 0.1)) {
    for (const FlatRange& range : run_->layout->ranges()) {
      const bool inside =
          range.first >= segment.first && range.first < segment.first + segment.elements;
      if (inside && segment.weight_decay == 0.0) found.insert(file_name(range.id));
    }
  }
  EXPECT_EQ(found, expected);
}

TEST_P(TinyRun, LossesNormsAndWeightsAreTorchs) {
  const optimizers::LearningRateSchedule schedule = {
      optimizers::LearningRateKind::cosine, option("learning_rate"),
      static_cast<std::int64_t>(option("warmup_steps")),
      static_cast<std::int64_t>(option("steps"))};
  std::int64_t done = 0;
  for (const Value& step : json_.find("steps")->array()) {
    SCOPED_TRACE("step " + std::to_string(done + 1));
    const double rate = schedule.at(done);
    EXPECT_DOUBLE_EQ(rate, step.find("learning_rate")->number());
    const double wanted_loss = step.find("loss")->number();
    EXPECT_NEAR(accumulate(step), wanted_loss, kLossError * wanted_loss);
    const double norm = norm_->measure(run_->ops, run_->flat_gradients);
    const double wanted_norm = step.find("grad_norm")->number();
    EXPECT_NEAR(norm, wanted_norm, kNormError * wanted_norm);
    ++done;
    optimizer_->update(run_->ops, run_->weights->trainable(), run_->flat_gradients,
                       {.step = done,
                        .learning_rate = rate,
                        .gradient_scale = optimizers::clip_factor(norm, option("max_grad_norm"))});
  }
  const formats::SafetensorsFile final_weights(kData / "tiny_runs" /
                                               (std::string(GetParam().name) + ".safetensors"));
  for (const FlatRange& range : run_->layout->ranges()) {
    const std::string name = file_name(range.id);
    SCOPED_TRACE(name);
    const ConstTensorView wanted = final_weights.view(name);
    const double norm = json_.find("final")->find(name)->find("norm")->number();
    const double change = json_.find("change_norms")->find(name)->number();
    EXPECT_LT(distance(run_->weights->trainable(range.id), wanted) * norm, kWeightError * change);
  }
  EXPECT_EQ(run_->layout->ranges().size(), final_weights.tensors().size());
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  return std::string(info.param.name) + (info.param.fast_kernels ? "_cpu" : "_reference");
}

INSTANTIATE_TEST_SUITE_P(Runs, TinyRun,
                         testing::Values(Case{"full", false}, Case{"full", true},
                                         Case{"full_tied", false}, Case{"full_tied", true},
                                         Case{"lora", false}, Case{"lora", true}),
                         case_name);

}  // namespace
}  // namespace hone::golden
