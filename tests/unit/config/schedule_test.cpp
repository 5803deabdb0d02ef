// lr_scheduler_kwargs: how it is written, and what each schedule takes.
#include <gtest/gtest.h>

#include "unit/config/read_text.h"

namespace hone::config {
namespace {

using testing::Outcome;
using testing::train;

std::string cosine_cycles(const Outcome& outcome) {
  EXPECT_EQ(outcome.fault_text, "");
  return std::to_string(outcome.result.settings.training.schedule.number("num_cycles", -1));
}

TEST(ScheduleArguments, AreMapsOrJsonText) {
  const std::string kind = "lr_scheduler_type: cosine\n";
  const std::string two = "2.000000";
  EXPECT_EQ(cosine_cycles(train(kind + "lr_scheduler_kwargs: {num_cycles: 2}\n")), two);
  EXPECT_EQ(cosine_cycles(train(kind + "lr_scheduler_kwargs:\n  num_cycles: 2\n")), two);
  EXPECT_EQ(cosine_cycles(train(kind + "lr_scheduler_kwargs: '{\"num_cycles\": 2}'\n")), two);
  EXPECT_EQ(cosine_cycles(train(kind, {"lr_scheduler_kwargs={\"num_cycles\": 2.0}"})), two);
  EXPECT_EQ(cosine_cycles(train(kind, {"--lr_scheduler_kwargs", "{\"num_cycles\": 2}"})), two);
  const std::string none = "-1.000000";
  EXPECT_EQ(cosine_cycles(train(kind + "lr_scheduler_kwargs: {}\n")), none);
  EXPECT_EQ(cosine_cycles(train(kind + "lr_scheduler_kwargs: null\n")), none);
  EXPECT_EQ(cosine_cycles(train(kind + "lr_scheduler_kwargs: {num_cycles: null}\n")), none);
}

struct Refused {
  const char* kind;
  const char* lines;  // from line 5 on
  const char* text;
};

class ScheduleRefusal : public ::testing::TestWithParam<Refused> {};

TEST_P(ScheduleRefusal, SaysWhatTheScheduleTakes) {
  const Refused& refused = GetParam();
  EXPECT_EQ(
      train("lr_scheduler_type: " + std::string(refused.kind) + "\n" + refused.lines).fault_text,
      refused.text);
}

INSTANTIATE_TEST_SUITE_P(
    All, ScheduleRefusal,
    ::testing::Values(
        Refused{"cosine", "lr_scheduler_kwargs: schedule.json\n",
                "lr_scheduler_kwargs: 'schedule.json' (base.yaml, line 5)\n"
                "  found: no map of settings\n"
                "  to do: write it as JSON: lr_scheduler_kwargs: {\"num_cycles\": 2}\n"},
        Refused{"cosine", "lr_scheduler_kwargs: {num_cycle: 2}\n",
                "lr_scheduler_kwargs.num_cycle: '2' (base.yaml, line 5)\n"
                "  found: nothing that cosine has\n"
                "  to do: did you mean 'num_cycles'? It has num_cycles\n"},
        Refused{"polynomial", "lr_scheduler_kwargs: {min_lr: 0.1}\n",
                "lr_scheduler_kwargs.min_lr: '0.1' (base.yaml, line 5)\n"
                "  found: nothing that polynomial has\n"
                "  to do: it has lr_end, power\n"},
        Refused{"linear", "lr_scheduler_kwargs: {num_cycles: 2}\n",
                "lr_scheduler_kwargs.num_cycles: '2' (base.yaml, line 5)\n"
                "  found: nothing that linear has\n"
                "  to do: leave lr_scheduler_kwargs out: this schedule has no settings\n"},
        Refused{"cosine", "lr_scheduler_kwargs: {num_cycles: many}\n",
                "lr_scheduler_kwargs.num_cycles: 'many' (base.yaml, line 5)\n"
                "  found: not a number\n"
                "  to do: write a number such as 0.5\n"},
        Refused{"cosine", "lr_scheduler_kwargs: {num_cycles: [1]}\n",
                "lr_scheduler_kwargs.num_cycles: '' (base.yaml, line 5)\n"
                "  found: not a number\n"
                "  to do: write a number such as 0.5\n"},
        Refused{"inverse_sqrt", "lr_scheduler_kwargs: {timescale: 0}\n",
                "lr_scheduler_kwargs.timescale: '0' (base.yaml, line 5)\n"
                "  found: a number out of range\n"
                "  to do: write a number above 0\n"},
        Refused{"warmup_stable_decay", "lr_scheduler_kwargs: {num_decay_steps: 1.5}\n",
                "lr_scheduler_kwargs.num_decay_steps: '1.5' (base.yaml, line 5)\n"
                "  found: not a whole number\n"
                "  to do: write a whole number\n"},
        Refused{"warmup_stable_decay", "lr_scheduler_kwargs: {decay_type: sqrt}\n",
                "lr_scheduler_kwargs.decay_type: 'sqrt' (base.yaml, line 5)\n"
                "  found: none of its choices\n"
                "  to do: the choices are: linear, cosine, 1-sqrt\n"},
        Refused{"polynomial", "learning_rate: 1.0e-7\n",
                "learning_rate: '1.0e-7' (base.yaml, line 5)\n"
                "  found: not above lr_scheduler_kwargs.lr_end, 1e-07, that it would fall to\n"
                "  to do: raise learning_rate, or lower lr_end\n"},
        Refused{"cosine_with_min_lr", "",
                "lr_scheduler_type: 'cosine_with_min_lr' (base.yaml, line 4)\n"
                "  found: no rate that it falls to\n"
                "  to do: set lr_scheduler_kwargs: {\"min_lr_rate\": 0.1}, a share of "
                "learning_rate, or min_lr\n"},
        Refused{"cosine_warmup_with_min_lr",
                "lr_scheduler_kwargs: '{\"min_lr\": 0, \"min_lr_rate\": 0}'\n",
                "lr_scheduler_kwargs: '{\"min_lr\": 0, \"min_lr_rate\": 0}' (base.yaml, line 5)\n"
                "  found: both min_lr and min_lr_rate\n"
                "  to do: keep one of the two\n"},
        Refused{"reduce_lr_on_plateau", "",
                "lr_scheduler_type: 'reduce_lr_on_plateau' (base.yaml, line 4)\n"
                "  found: a rate that falls by evaluations, and no evaluations\n"
                "  to do: set eval_strategy: steps or epoch\n"},
        Refused{"reduce_lr_on_plateau",
                "eval_strategy: epoch\nval_size: 0.1\nmetric_for_best_model: accuracy\n",
                "metric_for_best_model: 'accuracy' (base.yaml, line 7)\n"
                "  found: a measure that evaluations of this run do not give\n"
                "  to do: write one of: loss\n"},
        Refused{"reduce_lr_on_plateau",
                "eval_strategy: epoch\neval_dataset: a,b\neval_on_each_dataset: true\n",
                "metric_for_best_model (not given)\n"
                "  found: a measure that evaluations of this run do not give\n"
                "  to do: write one of: a_loss, b_loss\n"}));

TEST(ScheduleArguments, OneFaultOfASettingIsEnough) {
  EXPECT_EQ(train("lr_scheduler_type: cosin\nlr_scheduler_kwargs: {min_lr: 1}\n").faults.size(),
            1U);
  EXPECT_EQ(train("lr_scheduler_type: cosine_with_min_lr\nlr_scheduler_kwargs: {min_lr: -1}\n")
                .faults.size(),
            1U);
}

}  // namespace
}  // namespace hone::config
