// Plans of other machines: what `devices` says, and stages in place of the run's.
#include <gtest/gtest.h>

#include "config/reading/device_list.h"
#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::Outcome;
using testing::read_words;

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

TEST(DeviceList, CountsMachinesAndDevices) {
  EXPECT_EQ(parse_device_list("8xMI300X"), (DeviceList{1, 8, "MI300X", std::nullopt}));
  EXPECT_EQ(parse_device_list("2x8xMI300X"), (DeviceList{2, 8, "MI300X", std::nullopt}));
  EXPECT_EQ(parse_device_list("MI300X"), (DeviceList{1, 1, "MI300X", std::nullopt}));
  EXPECT_EQ(parse_device_list("4x7900XTX"), (DeviceList{1, 4, "7900XTX", std::nullopt}));
  EXPECT_EQ(parse_device_list("4x7900xtx"), (DeviceList{1, 4, "7900xtx", std::nullopt}));
  EXPECT_EQ(parse_device_list("7900xtx"), (DeviceList{1, 1, "7900xtx", std::nullopt}));
  EXPECT_EQ(parse_device_list("4xRX 7900 XTX"), (DeviceList{1, 4, "RX 7900 XTX", std::nullopt}));
  EXPECT_EQ(parse_device_list("8xgfx942:192GiB"), (DeviceList{1, 8, "gfx942", 192 * kGiB}));
  EXPECT_EQ(parse_device_list("8x80GiB"), (DeviceList{1, 8, "", 80 * kGiB}));
  EXPECT_EQ(parse_device_list("4xcpu"), (DeviceList{1, 4, "cpu", std::nullopt}));
}

TEST(DeviceList, TakesNothingElse) {
  for (const char* text :
       {"", "8x", "x", "0xMI300X", "8xgfx942:", "8xgfx942:much", "8x:", "8xcpu:0"}) {
    EXPECT_EQ(parse_device_list(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_device_list(std::string(100000, '9')).value_or(DeviceList()).per_machine, 1);
}

Outcome plan(std::vector<std::string> words) {
  words.insert(words.begin(), "model_name_or_path=m");
  return read_words(Command::plan, words);
}

TEST(Planning, NeedsNoDataForNamedDevices) {
  const Outcome outcome = plan({"devices=8xMI300X", "zero_stage=3", "offload=optimizer"});
  EXPECT_EQ(outcome.fault_text, "");
  const ZeroOptions& zero = outcome.result.settings.zero;
  EXPECT_EQ(zero.source, "zero_stage: '3' (command line)");
  EXPECT_EQ(zero.stage, ZeroStage::parameters);
  EXPECT_EQ(zero.optimizer.to, OffloadTo::host);
  EXPECT_EQ(zero.parameters.to, OffloadTo::device);
}

TEST(Planning, CountsTheDevicesAsRanks) {
  EXPECT_EQ(plan({"devices=2x8xMI300X", "per_device_train_batch_size=1",
                  "deepspeed={\"train_batch_size\": 16}"})
                .fault_text,
            "");
  EXPECT_EQ(plan({"devices=8xMI300X", "per_device_train_batch_size=1",
                  "deepspeed={\"train_batch_size\": 16}"})
                .faults.size(),
            1U);
}

TEST(Planning, SaysWhatIsWrong) {
  EXPECT_EQ(plan({"devices=8x"}).fault_text,
            "devices: '8x' (command line)\n"
            "  found: not a list of devices\n"
            "  to do: write how many and which, e.g. 8xMI300X, 2x8xMI300X, 8xgfx942:192GiB or "
            "8x80GiB\n");
  EXPECT_EQ(plan({"devices=8xMI300X", "zero_stage=3", "offload=everything"}).fault_text,
            "offload: 'everything' (command line)\n"
            "  found: none of its choices\n"
            "  to do: write optimizer, or optimizer,parameters\n");
  EXPECT_EQ(plan({"devices=8xMI300X", "offload=optimizer"}).fault_text,
            "offload: 'optimizer' (command line), zero_stage: 'null' (default)\n"
            "  found: something elsewhere, where nothing is shared out\n"
            "  to do: set zero_stage: 1, 2 or 3\n");
  EXPECT_EQ(plan({"devices=8xMI300X", "zero_stage=2", "offload=parameters"}).fault_text,
            "offload: 'parameters' (command line), zero_stage: '2' (command line)\n"
            "  found: weights elsewhere, where they are not shared out\n"
            "  to do: set zero_stage: 3\n");
  EXPECT_EQ(plan({"zero_stage=2", "dataset=d", "do_train=true"}).fault_text,
            "zero_stage: '2' (command line)\n"
            "  found: a stage, and no devices to share out the model among\n"
            "  to do: set devices too, e.g. 8xMI300X or 4xcpu\n");
  EXPECT_EQ(read_words(Command::train,
                       {"model_name_or_path=m", "devices=8xMI300X", "do_train=true", "dataset=d"})
                .fault_text,
            "devices (command line)\n"
            "  found: a setting of plan, which train does not take\n"
            "  to do: remove it, or run `hone plan`\n");
}

}  // namespace
}  // namespace hone::config
