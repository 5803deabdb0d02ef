// LoRA in whole runs: which modules a target names, and what becomes of an adapter's own rank.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "formats/json.h"
#include "kit/training_session.h"

namespace hone::kit {
namespace {

namespace fs = std::filesystem;

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

TEST(LoraTargets, CountsOfTrainableParameters) {
  const Workshop shop;
  const std::vector<std::pair<std::string, std::int64_t>> counts = {
      {"all", 4096},
      {"q_proj,v_proj", 896},
      {"layers.1.self_attn.q_proj", 256},
      {"model.layers.1.self_attn.q_proj", 256},
      {"lm_head", 2240},
      {"q_proj, v_proj", 896}};
  for (const auto& [targets, count] : counts) {
    SCOPED_TRACE(targets);
    const auto session =
        shop.plan({"finetuning_type=lora", "lora_rank=8", "lora_target=" + targets});
    ASSERT_EQ(session->error, "");
    EXPECT_EQ(session->trainable_parameters, count);
    std::string shown = std::to_string(count);
    if (count >= 1000) shown.insert(shown.size() - 3, ",");
    bool said = false;
    for (const std::string& line : session->summary) {
      said |= line.find("trainable params: " + shown + " ") != std::string::npos;
    }
    EXPECT_TRUE(said) << shown;
  }
}

TEST(LoraTargets, NamesWithoutModulesAreRefused) {
  const Workshop shop;
  for (const std::string target : {"vproj", "query_key_value", "proj", "Q_PROJ", "roj"}) {
    SCOPED_TRACE(target);
    for (const std::string before : {"", "q_proj,"}) {
      const auto session = shop.plan({"finetuning_type=lora", "lora_target=" + before + target});
      expect_in(session->error, "'" + target + "'");
      for (const char* usable :
           {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}) {
        expect_in(session->error, usable);
      }
    }
  }
  const auto empty = shop.plan({"finetuning_type=lora", "lora_target="});
  expect_in(empty->error, "lora_target");
  EXPECT_FALSE(fs::exists(shop.results() / "adapter_model.safetensors"));
}

std::vector<std::string> lora(const std::vector<std::string>& more) {
  std::vector<std::string> settings = {"finetuning_type=lora", "max_steps=1",
                                       "per_device_train_batch_size=2"};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

formats::Value adapter_config(const fs::path& folder) {
  return formats::read_json(folder / "adapter_config.json");
}

class ContinuedAdapter : public testing::Test {
 protected:
  // One step of rank 4, with weights that differ from the start's.
  void SetUp() override {
    const auto session =
        shop_.run(lora({"lora_rank=4", "lora_alpha=16", "learning_rate=1e-2",
                        "output_dir=" + first_, "do_eval=true", "eval_dataset=d"}));
    ASSERT_EQ(session->error, "");
    start_loss_ = *session->first().loss;
    end_loss_ = report::to_number(
        report::find_measured(session->events.evaluations.at(0).metrics, "eval_loss"));
    ASSERT_LT(end_loss_, start_loss_);
  }

  // The loss of a step that starts from the adapter, its weights unchanged.
  std::unique_ptr<Session> go_on(const std::vector<std::string>& more) const {
    std::vector<std::string> settings = {"lora_rank=8"};
    settings.insert(settings.end(), more.begin(), more.end());
    return shop_.run(lora(settings));
  }

  Workshop shop_;
  std::string first_ = (shop_.place().path() / "FIRST").string();
  double start_loss_ = 0.0;
  double end_loss_ = 0.0;
};

TEST(AdapterDefaults, AlphaIsTwiceTheRank) {
  const Workshop shop;
  ASSERT_EQ(shop.run(lora({"lora_rank=8"}))->error, "");
  const formats::Value config = adapter_config(shop.results());
  EXPECT_EQ(config.find("lora_alpha")->integer(), 16);
  EXPECT_EQ(config.find("r")->integer(), 8);
}

TEST(AdapterDefaults, PureBf16IsSaidToLeaveAdaptersInF32) {
  const Workshop shop;
  EXPECT_TRUE(shop.plan({"finetuning_type=lora", "pure_bf16=true"})
                  ->log.has("warning: pure_bf16: adapters are trained in f32 all the same"));
  EXPECT_FALSE(shop.plan({"finetuning_type=lora", "bf16=true"})->log.has("pure_bf16"));
  EXPECT_FALSE(shop.plan({"pure_bf16=true"})->log.has("pure_bf16"));
}

TEST_F(ContinuedAdapter, KeepsItsOwnRank) {
  const auto session = go_on({"adapter_name_or_path=" + first_});
  ASSERT_EQ(session->error, "");
  EXPECT_TRUE(session->log.has("lora_rank: 8 is not used, the adapter has rank 4"));
  const formats::Value config = adapter_config(shop_.results());
  EXPECT_EQ(config.find("r")->integer(), 4);
  EXPECT_EQ(config.find("lora_alpha")->integer(), 16);
  EXPECT_NEAR(*session->first().loss, end_loss_, 1e-5 * end_loss_);
}

TEST_F(ContinuedAdapter, MergedUnderANewOne) {
  const auto on = go_on({"adapter_name_or_path=" + first_});
  const auto anew = go_on(
      {"adapter_name_or_path=" + first_, "create_new_adapter=true", "overwrite_output_dir=true"});
  ASSERT_EQ(anew->error, "");
  EXPECT_TRUE(anew->log.has("merged 1 adapter into the base"));
  EXPECT_NEAR(*anew->first().loss, end_loss_, 1e-5 * end_loss_);
  const formats::Value config = adapter_config(shop_.results());
  EXPECT_EQ(config.find("r")->integer(), 8);
  EXPECT_EQ(config.find("lora_alpha")->integer(), 16);
}

TEST_F(ContinuedAdapter, AllButTheLastAreMerged) {
  const auto both = go_on({"adapter_name_or_path=" + first_ + "," + first_});
  ASSERT_EQ(both->error, "");
  EXPECT_EQ(adapter_config(shop_.results()).find("r")->integer(), 4);
  // The same update twice is further from the start than once.
  EXPECT_LT(*both->first().loss, end_loss_);
}

}  // namespace
}  // namespace hone::kit
