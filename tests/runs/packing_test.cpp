// Packs, texts and prepared records in whole runs. AB: records of 30 and 23 tokens.
#include <gtest/gtest.h>

#include "assemble/training_data.h"
#include "kit/training_session.h"

namespace hone::kit {
namespace {

using Words = std::vector<std::string>;

constexpr double kLossError = 1e-5;

void expect_loss(const Session& session, double expected) {
  ASSERT_EQ(session.error, "");
  ASSERT_EQ(session.events.steps.size(), 1u);
  EXPECT_NEAR(*session.first().loss, expected, kLossError * expected);
  EXPECT_EQ(session.first().tokens, 53);
}

// The loss of both records together, as without packing (known_losses_test.cpp).
TEST(Packing, RecordsOfANeatPackAreAsAlone) {
  expect_loss(*Workshop().run({"neat_packing=true", "cutoff_len=64"}), 6.495287);
}

// Positions begin anew and attention does not: LLaMA-Factory's plain packs.
TEST(Packing, RecordsOfAPlainPackSeeEachOther) {
  expect_loss(*Workshop().run({"packing=true", "cutoff_len=64"}), 6.519925);
}

TEST(Packing, TakesOneTokenOfTheCutoff) {
  const auto fits = Workshop().run({"neat_packing=true", "cutoff_len=54"});
  ASSERT_EQ(fits->error, "");
  EXPECT_EQ(fits->events.steps.size(), 1u);
  const auto apart = Workshop().run({"neat_packing=true", "cutoff_len=53"});
  ASSERT_EQ(apart->error, "");
  EXPECT_EQ(apart->events.steps.size(), 2u);
}

TEST(Packing, DropoutOfAPackDependsOnNoCut) {
  const Words settings = {"finetuning_type=lora", "lora_dropout=0.3", "neat_packing=true",
                          "cutoff_len=64"};
  const Workshop shop;
  const auto one = shop.run(settings);
  ASSERT_EQ(one->error, "");
  Words again = settings;
  again.push_back("overwrite_output_dir=true");
  EXPECT_EQ(one->losses(), shop.run(again)->losses());
}

TEST(Pretraining, TextsAreLearnedWhole) {
  const Workshop shop({Kind::closed_form}, {{"abcdefg", "-"}, {"hij", "-"}, {"k", "-"}});
  const auto single = shop.run({"stage=pt", "packing=false", "per_device_train_batch_size=3"});
  ASSERT_EQ(single->error, "");
  EXPECT_EQ(single->first().tokens, 8 + 4 + 2);
  EXPECT_EQ(single->first().label_tokens, 8 + 4 + 2);
  const auto blocks = shop.run({"stage=pt", "cutoff_len=5", "overwrite_output_dir=true"});
  ASSERT_EQ(blocks->error, "");
  EXPECT_EQ(blocks->events.steps.size(), 2u);
  EXPECT_EQ(blocks->first().tokens, 5);
  EXPECT_TRUE(blocks->log.has("4 tokens at the ends of batches fill no block"));
}

TEST(TokenizedPath, TheSecondRunReadsWhatTheFirstWrote) {
  const Workshop shop;
  const std::string kept = "tokenized_path=" + (shop.place().path() / "KEPT").string();
  const auto first = shop.run({kept, "disable_shuffling=true"});
  ASSERT_EQ(first->error, "");
  EXPECT_TRUE(first->log.has("prepared records lie in "));
  write_data(shop.data(), {{"other", "other"}});
  const auto second = shop.run({kept, "disable_shuffling=true", "overwrite_output_dir=true"});
  ASSERT_EQ(second->error, "");
  EXPECT_TRUE(second->log.has("warning: records come prepared from "));
  EXPECT_EQ(second->losses(), first->losses());
}

TEST(TokenizedPath, OfAnEvaluationWithoutTraining) {
  const Workshop shop({}, data_k10());
  const std::string kept = "tokenized_path=" + (shop.place().path() / "KEPT").string();
  ASSERT_EQ(shop.run({kept, "val_size=4", "do_eval=true"})->error, "");
  const auto read = config::read_settings(
      {config::Command::train, shop.words({kept, "do_train=false", "do_eval=true", "val_size=2"}),
       "", false});
  RecordingLog log;
  const assemble::EvaluationData data = assemble::load_evaluation_data(
      read.settings, data::Tokenizer::from_folder(shop.model()), 1000, 1, {}, log);
  ASSERT_EQ(data.sets.size(), 1u);
  EXPECT_EQ(data.sets[0].records.dataset.records(), 4);
}

// Ten records whose losses name them (kit_data.h).
TEST(Streaming, StepsTakeTheShuffledStreamAndGoOnAfterAStop) {
  const Workshop shop({Kind::closed_form}, data_k10());
  const Words settings = {"streaming=true", "buffer_size=4", "max_steps=6", "save_strategy=steps",
                          "save_steps=3"};
  const auto whole = shop.run(settings);
  ASSERT_EQ(whole->error, "");
  ASSERT_EQ(whole->losses().size(), 6u);
  // numpy's default_rng(42).integers(0, 4) through a buffer of 4: rows 0 3 2 1 7 5.
  const int answers[] = {1, 4, 3, 2, 8, 6};
  for (std::size_t step = 0; step < 6; ++step) {
    EXPECT_NEAR(whole->losses()[step], closed_form_loss(answers[step]), 1e-4) << step;
  }
  Words resumed = settings;
  resumed.push_back("resume_from_checkpoint=" + (shop.results() / "checkpoint-3").string());
  const auto rest = shop.run(resumed);
  ASSERT_EQ(rest->error, "");
  const auto all = whole->losses();
  EXPECT_EQ(rest->losses(), std::vector<double>(all.begin() + 3, all.end()));
}

TEST(Streaming, OfPacksAndOfPreparedRecords) {
  const Workshop shop({Kind::closed_form}, data_k10());
  const std::string kept = "tokenized_path=" + (shop.place().path() / "KEPT").string();
  // Records of 23 to 32 tokens, two a pack of 63; the stream's order is 0 3 2 1, 7 5 4 6, ...
  const Words packed = {"streaming=true",
                        "buffer_size=4",
                        "max_steps=2",
                        "neat_packing=true",
                        "cutoff_len=64",
                        "preprocessing_batch_size=2",
                        "preprocessing_num_workers=3"};
  const auto packs = shop.run(packed);
  ASSERT_EQ(packs->error, "");
  const auto pair = [](int a, int b) {  // the mean over the labels of both, a + 2 and b + 2
    return (closed_form_loss(a) * (a + 2) + closed_form_loss(b) * (b + 2)) / (a + b + 4);
  };
  ASSERT_EQ(packs->losses().size(), 2u);
  EXPECT_NEAR(packs->losses()[0], pair(1, 4), 1e-4);
  EXPECT_NEAR(packs->losses()[1], pair(3, 2), 1e-4);

  Words streamed = {"streaming=true", "max_steps=2", kept, "overwrite_output_dir=true"};
  const auto nothing_there = shop.run(streamed);
  EXPECT_NE(nothing_there->error.find("a stream, whose records are not kept, and no prepared "
                                      "records there"),
            std::string::npos)
      << nothing_there->error;
  ASSERT_EQ(shop.run({kept, "overwrite_output_dir=true"})->error, "");
  const auto in_order = shop.run(streamed);
  ASSERT_EQ(in_order->error, "");
  EXPECT_NEAR(in_order->losses()[0], closed_form_loss(1), 1e-4);
  EXPECT_NEAR(in_order->losses()[1], closed_form_loss(2), 1e-4);
}

}  // namespace
}  // namespace hone::kit
