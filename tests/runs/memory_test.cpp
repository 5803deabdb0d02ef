// The plan against what a run takes, and limits below its need.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "device/cpu/cpu_device.h"
#include "kit/training_session.h"

namespace hone::kit {
namespace {

// What this process has held at most since forget_peak(); 0 where the system does not say.
std::size_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.compare(0, 6, "VmHWM:") == 0) return std::stoull(line.substr(6)) << 10;
  }
  return 0;
}

void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

// Nine short records and a long one; activations outweigh everything else of the run.
Workshop long_record_shop() {
  ModelOptions model;
  model.sizes.intermediate = 512;
  model.sizes.blocks = 4;
  std::vector<Example> data = data_k10();
  data.back().output = std::string(3000, 'a');
  return Workshop(model, data);
}

const std::vector<std::string> kSettings = {"cutoff_len=4096", "per_device_train_batch_size=2",
                                            "learning_rate=1e-4"};

std::vector<std::string> limited(std::size_t bytes) {
  std::vector<std::string> settings = kSettings;
  settings.push_back("memory_limit=" + std::to_string(bytes >> 20) + "MiB");
  return settings;
}

bool any_has(const std::vector<std::string>& lines, const std::string& part) {
  for (const std::string& line : lines) {
    if (line.find(part) != std::string::npos) return true;
  }
  return false;
}

TEST(Memory, PlanSaysTheLongestRecordAndThePeak) {
  const Workshop shop = long_record_shop();
  forget_peak();
  const auto session = shop.run(kSettings);
  ASSERT_EQ(session->error, "");
  const std::size_t peak = peak_bytes();
  EXPECT_TRUE(any_has(session->summary, "the longest record 3,022"));
  EXPECT_TRUE(any_has(session->summary, "micro-steps: up to 3,022 tokens at once"));
  EXPECT_NE(session->memory_table.find("activations"), std::string::npos);
  ASSERT_GT(peak, 0u);
  EXPECT_LT(session->planned_bytes, 2 * peak);
  EXPECT_GT(2 * session->planned_bytes, peak);
}

TEST(Memory, LimitIsObeyedByRecomputation) {
  const Workshop shop = long_record_shop();
  const auto free = shop.run(kSettings);
  ASSERT_EQ(free->error, "");
  EXPECT_EQ(free->recomputed_blocks, 0);
  // More than one block's activations less: they are about 3,022 tokens x 512 x 3 x 4 bytes.
  const std::size_t less = std::size_t{24} << 20;
  // Planned anew: what a process holds already counts, and under the address sanitizer it holds
  // more after each run.
  std::vector<std::string> anew = kSettings;
  anew.emplace_back("overwrite_output_dir=true");
  std::vector<std::string> settings = limited(shop.plan(anew)->planned_bytes - less);
  settings.emplace_back("overwrite_output_dir=true");
  const auto session = shop.run(settings);
  ASSERT_EQ(session->error, "");
  EXPECT_GT(session->recomputed_blocks, 0);
  EXPECT_TRUE(any_has(session->summary, "recomputed in backward to save memory"));
  ASSERT_EQ(session->events.steps.size(), free->events.steps.size());
  for (std::size_t i = 0; i < session->events.steps.size(); ++i) {
    EXPECT_NEAR(*session->events.steps[i].loss, *free->events.steps[i].loss,
                1e-5 * *free->events.steps[i].loss);
  }
}

TEST(Memory, LimitThatNothingMeetsIsRefusedBeforeTheFirstStep) {
  const Workshop shop = long_record_shop();
  const auto session = shop.run(limited(std::size_t{2} << 20));
  EXPECT_NE(session->error.find("memory: "), std::string::npos) << session->error;
  EXPECT_NE(session->error.find("2.00 MiB (memory_limit)"), std::string::npos) << session->error;
  EXPECT_NE(session->error.find("a memory_limit of that much"), std::string::npos)
      << session->error;
  EXPECT_TRUE(session->events.steps.empty());
  EXPECT_FALSE(std::filesystem::exists(shop.results() / "model.safetensors"));
  EXPECT_FALSE(std::filesystem::exists(shop.results() / "trainer_log.jsonl"));
}

// 19 million weights: AdamW's two moments are 144 MiB, and a piece of them 32 MiB.
TEST(Memory, OptimizerStateInFilesLeavesMemory) {
  ModelOptions model;
  model.sizes.intermediate = 98304;
  model.sizes.blocks = 4;
  const Workshop shop(model, data_ab());
  const formats::TemporaryFolder disk("/var/tmp");
  const std::vector<std::string> settings = {"learning_rate=1e-4", "cutoff_len=64",
                                             "overwrite_output_dir=true"};
  forget_peak();
  const auto here = shop.run(settings);
  const std::size_t peak = peak_bytes();
  std::vector<std::string> offloaded = settings;
  offloaded.push_back(R"(deepspeed={"zero_optimization": {"stage": 2, "offload_optimizer":
                          {"device": "nvme", "nvme_path": ")" +
                      disk.path().string() + "\"}}}");
  forget_peak();
  const auto there = shop.run(offloaded);
  ASSERT_EQ(there->error, "");
  EXPECT_EQ(there->losses(), here->losses());
  EXPECT_GT(here->planned_bytes, there->planned_bytes + (std::size_t{100} << 20));
  EXPECT_GT(peak, peak_bytes() + (std::size_t{100} << 20));
}

}  // namespace
}  // namespace hone::kit
