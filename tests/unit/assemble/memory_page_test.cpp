// docs/memory.md: its tables are what `hone plan` computes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "assemble/machine_plan.h"
#include "model/description/decoder.h"
#include "planner/cards.h"
#include "unit/assemble/known_models.h"
#include "unit/config/golden_text.h"

namespace hone::assemble {
namespace {

using config::OffloadTo;
using config::ZeroStage;
using testing::kKnownModels;
using testing::KnownModel;

constexpr double kGB = 1e9;
constexpr double kGiB = 1073741824.0;

config::ReadResult read(const formats::TemporaryFolder& place, const KnownModel& model,
                        std::vector<std::string> words) {
  words.insert(words.begin(), "model_name_or_path=" + testing::write_config(place, model).string());
  words.emplace_back("bf16=true");
  words.emplace_back("cutoff_len=2048");
  words.emplace_back("per_device_train_batch_size=1");
  config::Request request;
  request.command = config::Command::plan;
  request.words = std::move(words);
  return config::read_settings(request);
}

std::string gib(std::size_t bytes, const NamedDevice& device) {
  return fmt::format("{:.0f}", static_cast<double>(bytes + device.reserved_bytes) / kGiB);
}

std::string full_table() {
  std::string table =
      "| model | stage 0 | stage 1 | stage 2 | stage 2, optimizer in host memory | stage 3 | stage "
      "3, optimizer in host memory | stage 3, all in host memory |\n"
      "|---|---|---|---|---|---|---|---|\n";
  const formats::TemporaryFolder place;
  for (const KnownModel& model : kKnownModels) {
    const config::ReadResult settings =
        read(place, model, {"finetuning_type=full", "devices=8xMI300X"});
    const MachinePlan plan(settings);
    table += fmt::format("| {} |", model.name);
    for (const RankMemory& way : plan.ways()) {
      const std::string bytes = gib(way.least_bytes, plan.device());
      table += way.fits ? " **" + bytes + "** |" : " " + bytes + " |";
    }
    table += "\n";
  }
  return table;
}

std::string lora_table() {
  std::string table = "| model | GiB | cards with room for it |\n|---|---|---|\n";
  const formats::TemporaryFolder place;
  for (const KnownModel& model : kKnownModels) {
    // What it takes where memory is no matter, then on each card.
    const config::ReadResult settings = read(place, model, {"devices=4096GiB"});
    const MachinePlan plan(settings);
    std::vector<std::string> cards;
    for (const char* name :
         {"RX 7800 XT", "RX 7900 XTX", "PRO W7900", "MI210", "MI300X", "MI325X", "MI355X"}) {
      const config::ReadResult on_card = read(place, model, {std::string("devices=") + name});
      if (MachinePlan(on_card).asked().fits) cards.emplace_back(name);
    }
    table += fmt::format("| {} | {} | {} |\n", model.name,
                         gib(plan.asked().device_bytes(), plan.device()),
                         cards.empty() ? "none" : fmt::format("{}", fmt::join(cards, ", ")));
  }
  return table;
}

// DeepSpeed's documentation, "Memory Requirements": bytes of one GPU without offload.
double deepspeed_stage_2(double weights, int ranks) {
  return 4 * weights + 16 * weights / ranks;
}
double deepspeed_stage_3(double weights, double largest_layer, int ranks) {
  return 4 * largest_layer + 18 * weights / ranks;
}

std::string comparison_table() {
  constexpr int kRanks = 8;
  std::string table =
      "| model | weights, 10^9 | stage 2: DeepSpeed's formula | hone | stage 3: DeepSpeed's "
      "formula "
      "| hone |\n|---|---|---|---|---|---|\n";
  const formats::TemporaryFolder place;
  for (const KnownModel& model : kKnownModels) {
    const config::ReadResult settings =
        read(place, model, {"finetuning_type=full", "devices=8xMI300X"});
    const MachinePlan plan(settings);
    const auto hone_bytes = [&](ZeroStage stage) {
      for (const RankMemory& way : plan.ways()) {
        if (way.sharing == Sharing{stage}) return static_cast<double>(way.state_bytes());
      }
      return 0.0;
    };
    const auto weights = static_cast<double>(plan.elements());
    // The largest module of PyTorch's: the embedding, or the three matrices of an MLP apart.
    const double largest =
        static_cast<double>(model.hidden * std::max(model.vocabulary, model.intermediate));
    table += fmt::format(
        "| {} | {:.1f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |\n", model.name, weights / 1e9,
        deepspeed_stage_2(weights, kRanks) / kGB, hone_bytes(ZeroStage::gradients) / kGB,
        deepspeed_stage_3(weights, largest, kRanks) / kGB, hone_bytes(ZeroStage::parameters) / kGB);
  }
  return table;
}

TEST(MemoryPage, HasTheTablesOfThePlan) {
  const std::string file = HONE_SOURCE_ROOT "/docs/memory.md";
  std::ifstream stream(file, std::ios::binary);
  std::string page((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  struct Table {
    const char* before;  // the line above it
    std::string rows;
  };
  for (const Table& table :
       {Table{"<!-- full -->\n", full_table()}, Table{"<!-- lora -->\n", lora_table()},
        Table{"<!-- deepspeed -->\n", comparison_table()}}) {
    const std::size_t mark = page.find(table.before);
    ASSERT_NE(mark, std::string::npos) << table.before;
    const std::size_t begin = mark + std::string(table.before).size();
    const std::size_t end = std::min(page.find("\n\n", begin), page.size() - 1) + 1;
    page.replace(begin, end - begin, table.rows);
  }
  config::testing::expect_kept_text(page, file);
}

}  // namespace
}  // namespace hone::assemble
