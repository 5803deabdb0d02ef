#include "report/trainer_state.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/report/recording.h"

namespace hone::report {
namespace {

TrainerState small_state() {
  TrainerState state;
  state.global_step = 2;
  state.max_steps = 30;
  state.epoch = 0.25;
  state.num_train_epochs = 2.5;
  state.logging_steps = 1;
  state.train_batch_size = 4;
  state.tokens_seen = 1234;
  state.total_flops = 5e12;
  // Keys sorted, as they come back from a file.
  state.log_history = {
      {1, 0.125, {{"grad_norm", 0.5}, {"learning_rate", 0.0}, {"loss", 1.3687095642089844}}},
      {2, 0.25, {{"grad_norm", Measured()}, {"learning_rate", 5e-5}, {"loss", Measured()}}},
      {2, 0.25, {{"eval_loss", 2.0}, {"num_input_tokens_seen", std::int64_t{1234}}}}};
  state.loss_totals = {0.1 + 0.2, 1, 1.0 / 3, 2};
  return state;
}

constexpr const char* kSmallText = R"({
  "best_global_step": null,
  "best_metric": null,
  "best_model_checkpoint": null,
  "epoch": 0.25,
  "eval_steps": 500,
  "global_step": 2,
  "is_hyper_param_search": false,
  "is_local_process_zero": true,
  "is_world_process_zero": true,
  "log_history": [
    {
      "epoch": 0.125,
      "grad_norm": 0.5,
      "learning_rate": 0.0,
      "loss": 1.3687095642089844,
      "step": 1
    },
    {
      "epoch": 0.25,
      "grad_norm": null,
      "learning_rate": 5e-05,
      "loss": null,
      "step": 2
    },
    {
      "epoch": 0.25,
      "eval_loss": 2.0,
      "num_input_tokens_seen": 1234,
      "step": 2
    }
  ],
  "logging_steps": 1,
  "max_steps": 30,
  "num_input_tokens_seen": 1234,
  "num_train_epochs": 3,
  "save_steps": 500,
  "stateful_callbacks": {
    "HoneLossTotals": {
      "args": {},
      "attributes": {
        "steps": 2,
        "steps_since_log": 1,
        "sum": 0.3333333333333333,
        "sum_since_log": 0.30000000000000004
      }
    },
    "TrainerControl": {
      "args": {
        "should_epoch_stop": false,
        "should_evaluate": false,
        "should_log": false,
        "should_save": true,
        "should_training_stop": false
      },
      "attributes": {}
    }
  },
  "total_flos": 5000000000000.0,
  "train_batch_size": 4,
  "trial_name": null,
  "trial_params": null
}
)";

TEST(TrainerState, TextIsThatOfTransformers) {
  EXPECT_EQ(trainer_state_text(small_state()), kSmallText);
}

TEST(TrainerState, EmptyHistoryIsAList) {
  EXPECT_NE(trainer_state_text({}).find("\"log_history\": [],\n"), std::string::npos);
}

TEST(TrainerState, ComesBackAsItWas) {
  TrainerState state = small_state();
  state.num_train_epochs = 3;
  EXPECT_EQ(parse_trainer_state(trainer_state_text(state), "s.json"), state);
  state.best_metric = 0.1 + 0.2;
  state.best_global_step = 2;
  state.best_model_checkpoint = "saves/\xc3\xa9 \"x\"\\checkpoint-2";
  state.training_is_over = true;
  EXPECT_EQ(parse_trainer_state(trainer_state_text(state), "s.json"), state);
}

TEST(TrainerState, WrittenByTransformersLacksTotalsOnly) {
  std::string text = kSmallText;
  const std::size_t begin = text.find("    \"HoneLossTotals\"");
  text.erase(begin, text.find("    \"TrainerControl\"") - begin);
  const TrainerState state = parse_trainer_state(text, "s.json");
  EXPECT_EQ(state.loss_totals, LossTotals{});
  EXPECT_EQ(state.log_history.size(), 3u);
}

// Replaces the first occurrence and returns the error that follows from it.
std::string fault_after(const std::string& from, const std::string& to) {
  std::string text = kSmallText;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  try {
    parse_trainer_state(text, "s.json");
  } catch (const UserError& error) {
    return error.faults().front().asked + ": " + error.faults().front().found;
  }
  return "no error";
}

TEST(TrainerState, NamesTheKeyThatIsWrong) {
  EXPECT_EQ(fault_after("\"global_step\": 2,", ""),
            "global_step in s.json: no such key (did you mean 'best_global_step'?)");
  EXPECT_EQ(fault_after("\"max_steps\": 30", "\"max_steps\": \"30\""),
            "max_steps in s.json: a string, \"30\"");
  EXPECT_EQ(fault_after("\"loss\": null", "\"loss\": \"1.0\""),
            "log_history[1].loss in s.json: a string, \"1.0\"");
  EXPECT_EQ(fault_after("\"step\": 1\n", "\"stap\": 1\n").substr(0, 30),
            "log_history[0].step in s.json:");
  EXPECT_EQ(fault_after("\"sum\": 0.3333333333333333,", "")
                .substr(0, std::string("stateful_callbacks.HoneLossTotals.attributes.sum").size()),
            "stateful_callbacks.HoneLossTotals.attributes.sum");
}

TEST(TrainerState, RefusesWhatIsNoStateAtAll) {
  for (const char* text : {"", "[]", "{}", "{\"global_step\": ", "\xff\xfe", "null", "7"}) {
    EXPECT_THROW(parse_trainer_state(text, "s.json"), UserError) << text;
  }
}

TEST(TrainerState, TruncatedAnywhereIsRefused) {
  const std::string text = kSmallText;
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    EXPECT_THROW(parse_trainer_state(text.substr(0, length), "s.json"), UserError) << length;
  }
}

}  // namespace
}  // namespace hone::report
