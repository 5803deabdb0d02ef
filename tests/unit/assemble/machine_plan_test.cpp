// Plans of machines that are not here: what the questions of published guides are answered.
#include "assemble/machine_plan.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/assemble/known_models.h"

namespace hone::assemble {
namespace {

using config::OffloadTo;
using config::ZeroStage;
using testing::known_model;

constexpr double kGiB = 1073741824.0;

double gib(std::size_t bytes) {
  return static_cast<double>(bytes) / kGiB;
}

config::ReadResult read(const std::filesystem::path& model, std::vector<std::string> words) {
  words.insert(words.begin(), "model_name_or_path=" + model.string());
  config::Request request;
  request.command = config::Command::plan;
  request.words = std::move(words);
  return config::read_settings(request);
}

// A plan, and what it stands on.
struct Planned {
  Planned(const std::string& model, std::vector<std::string> words)
      : settings(read(testing::write_config(place, known_model(model)), std::move(words))),
        plan(settings) {}

  const RankMemory& way(ZeroStage stage, OffloadTo optimizer = OffloadTo::device,
                        OffloadTo parameters = OffloadTo::device) const {
    for (const RankMemory& way : plan.ways()) {
      if (way.sharing == Sharing{stage, optimizer, parameters}) return way;
    }
    throw std::runtime_error("no such way");
  }

  formats::TemporaryFolder place;
  config::ReadResult settings;
  MachinePlan plan;
};

const std::vector<std::string> kFull = {"finetuning_type=full", "bf16=true", "cutoff_len=2048",
                                        "per_device_train_batch_size=1",
                                        "gradient_accumulation_steps=4"};

std::vector<std::string> with(std::vector<std::string> words, const std::string& more) {
  words.push_back(more);
  return words;
}

TEST(MachinePlan, SeventyBillionWeightsOnEightCards) {
  const Planned planned("Llama 3 70B", with(with(kFull, "devices=8xMI300X"), "zero_stage=3"));
  EXPECT_EQ(planned.plan.asked().sharing, Sharing{ZeroStage::parameters});
  EXPECT_TRUE(planned.plan.asked().fits);
  EXPECT_FALSE(planned.way(ZeroStage::replicated).fits);
  EXPECT_FALSE(planned.way(ZeroStage::optimizer_state).fits);
  EXPECT_FALSE(planned.way(ZeroStage::gradients).fits);
  // 70.55 billion weights of 4 bytes, with as much for gradients and twice that for AdamW.
  EXPECT_NEAR(gib(planned.way(ZeroStage::replicated).state_bytes()), 16 * 70.5537 / 1.073741824,
              0.5);
  const double shard = 16 * 70.5537 / 1.073741824 / 8;
  EXPECT_NEAR(gib(planned.plan.asked().state_bytes()), shard, 0.15 * shard);
  // Each step of sharing and of offload takes less of the card.
  const std::vector<const RankMemory*> order = {
      &planned.way(ZeroStage::replicated), &planned.way(ZeroStage::optimizer_state),
      &planned.way(ZeroStage::gradients), &planned.way(ZeroStage::gradients, OffloadTo::host)};
  for (std::size_t i = 1; i < order.size(); ++i) {
    EXPECT_LT(order[i]->state_bytes(), order[i - 1]->state_bytes());
  }
  const RankMemory& moved = planned.way(ZeroStage::parameters, OffloadTo::host, OffloadTo::host);
  EXPECT_LT(moved.state_bytes(), planned.plan.asked().state_bytes() / 2);
  EXPECT_NEAR(gib(moved.moved_bytes()), 12 * 70.5537 / 1.073741824 / 8, 1.0);
}

TEST(MachinePlan, SaysWhatWouldFit) {
  const Planned planned("Llama 3 70B", with(kFull, "devices=8xMI300X"));
  EXPECT_FALSE(planned.plan.asked().fits);
  const std::string table = planned.plan.memory_table();
  EXPECT_NE(table.find("stage 3, offload: none"), std::string::npos) << table;
  EXPECT_NE(table.find("finetuning_type: lora"), std::string::npos) << table;
  EXPECT_EQ(table.find("stage 2"), std::string::npos) << table;
  const Planned smaller("Llama 3 70B", with(with(kFull, "devices=4x7900XTX"), "zero_stage=3"));
  EXPECT_FALSE(smaller.plan.asked().fits);
  EXPECT_NE(smaller.plan.memory_table().find("more devices"), std::string::npos);
}

TEST(MachinePlan, AnAdapterOfEightBillionWeights) {
  const Planned planned("Llama 3 8B", {"bf16=true", "lora_rank=8", "lora_target=all",
                                       "cutoff_len=1024", "devices=MI300X"});
  EXPECT_TRUE(planned.plan.asked().fits);
  std::size_t weights = 0;
  for (const RankMemory::Part& part : planned.plan.asked().parts) {
    if (part.category == Category::weights) weights = part.device_bytes;
  }
  // The guide's 14 GB are less than the weights alone.
  EXPECT_NEAR(static_cast<double>(weights), 2 * 8.030e9, 0.01e9);
}

TEST(MachinePlan, StateOnADiskLeavesAPieceOfIt) {
  const Planned planned(
      "Llama 3 8B",
      with(with(kFull, "devices=4xcpu:64GiB"),
           R"(deepspeed={"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "nvme",
              "nvme_path": "/nowhere"}}})"));
  for (const RankMemory::Part& part : planned.plan.asked().parts) {
    if (part.category != Category::optimizer_state) continue;
    EXPECT_EQ(part.device_bytes, std::size_t{32} << 20);
    EXPECT_NEAR(gib(part.moved_bytes), 8 * 8.0303 / 1.073741824 / 4, 0.05);
    return;
  }
  FAIL() << "no optimizer state";
}

TEST(MachinePlan, CountsSeveralMachines) {
  const Planned planned("Llama 3.1 405B", with(with(kFull, "devices=8x8xMI300X"), "zero_stage=3"));
  EXPECT_EQ(planned.plan.device().ranks(), 64);
  EXPECT_TRUE(planned.plan.asked().fits);
  EXPECT_EQ(planned.plan.summary().front(),
            "devices: 8 machines of 8 x MI300X (gfx942), 192 GiB each");
}

std::string fault(const std::string& devices) {
  try {
    const Planned planned("Llama 3 8B", {"devices=" + devices});
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

TEST(MachinePlan, KnowsCardsByName) {
  EXPECT_EQ(fault("4x7900XTX"), "");
  EXPECT_EQ(fault("gfx942:192GiB"), "");
  EXPECT_EQ(fault("2x80GiB"), "");
  EXPECT_NE(fault("8xMI300Y").find("did you mean 'MI300X'?"), std::string::npos)
      << fault("8xMI300Y");
  const std::string unclear = fault("8xgfx942");
  EXPECT_NE(unclear.find("cards of different memory: MI325X 256 GiB, MI300X 192 GiB"),
            std::string::npos)
      << unclear;
}

}  // namespace
}  // namespace hone::assemble
