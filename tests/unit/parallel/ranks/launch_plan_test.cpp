#include "parallel/ranks/launch_plan.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "parallel/ranks/membership.h"

namespace hone::parallel {
namespace {

std::string refusal(const Environment& environment) {
  try {
    plan_launch(environment);
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

TEST(LaunchPlan, NothingIsStartedForOneRank) {
  EXPECT_FALSE(plan_launch({}));
  EXPECT_FALSE(plan_launch({{"FORCE_TORCHRUN", "1"}}));
  EXPECT_FALSE(plan_launch({{"NPROC_PER_NODE", "1"}, {"NNODES", "1"}, {"MASTER_PORT", "29500"}}));
  EXPECT_FALSE(plan_launch({{"MAX_RESTARTS", "3"}}));
  // Somebody has to be there to start it again.
  EXPECT_TRUE(plan_launch({{"FORCE_TORCHRUN", "true"}, {"MAX_RESTARTS", "3"}}));
}

TEST(LaunchPlan, ARankStartsNone) {
  const Environment asked = {{"FORCE_TORCHRUN", "1"}, {"NPROC_PER_NODE", "4"}};
  EXPECT_TRUE(plan_launch(asked));
  Environment rank = asked;
  rank["RANK"] = "0";
  EXPECT_FALSE(plan_launch(rank));
}

TEST(LaunchPlan, RanksOfThisMachine) {
  for (const char* force : {"", "1", "y", "True"}) {
    const auto plan = plan_launch({{"FORCE_TORCHRUN", force}, {"NPROC_PER_NODE", "4"}});
    ASSERT_TRUE(plan) << force;
    EXPECT_EQ(plan->ranks(), 4);
    EXPECT_EQ(plan->nodes, 1);
    EXPECT_EQ(plan->master_address, "127.0.0.1");
    EXPECT_EQ(plan->master_port, 0);
    EXPECT_EQ(plan->max_restarts, 0);
  }
}

TEST(LaunchPlan, RanksOfSeveralMachines) {
  const Environment environment = {{"FORCE_TORCHRUN", "1"},  {"NNODES", "3"},
                                   {"NODE_RANK", "1"},       {"NPROC_PER_NODE", "2"},
                                   {"MASTER_ADDR", "node0"}, {"MASTER_PORT", "29501"},
                                   {"MAX_RESTARTS", "2"},    {"RDZV_ID", "night"}};
  const auto plan = plan_launch(environment);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->ranks(), 6);
  EXPECT_EQ(plan->node, 1);
  EXPECT_EQ(plan->master_address, "node0");
  EXPECT_EQ(plan->master_port, 29501);
  EXPECT_EQ(plan->max_restarts, 2);
  EXPECT_EQ(plan->run_id, "night");
  Environment elastic = environment;
  elastic.erase("NNODES");
  elastic["MIN_NNODES"] = elastic["MAX_NNODES"] = "3";
  EXPECT_EQ(plan_launch(elastic)->nodes, 3);
}

TEST(LaunchPlan, WhatARankIsTold) {
  Environment environment = {
      {"NNODES", "2"},          {"NODE_RANK", "1"},       {"NPROC_PER_NODE", "3"},
      {"MASTER_ADDR", "node0"}, {"MASTER_PORT", "29501"}, {"OMPI_COMM_WORLD_RANK", "0"},
      {"SLURM_PROCID", "0"},    {"SLURM_JOB_ID", "7"},    {"HOME", "/root"}};
  const auto plan = plan_launch(environment);
  ASSERT_TRUE(plan);
  const Environment first = environment_of_rank(environment, *plan, 2, 0);
  const Membership member = recognise_membership(first);
  EXPECT_EQ(member.launcher, Launcher::torchrun);
  EXPECT_EQ(member.rank, 5);
  EXPECT_EQ(member.ranks, 6);
  EXPECT_EQ(member.local_rank, 2);
  EXPECT_EQ(member.local_ranks, 3);
  EXPECT_EQ(member.master_address, "node0");
  EXPECT_EQ(member.master_port, 29501);
  EXPECT_FALSE(member.master_port_is_taken);
  EXPECT_EQ(first.at("HOME"), "/root");
  EXPECT_EQ(first.at("SLURM_JOB_ID"), "7");
  EXPECT_EQ(first.count("OMPI_COMM_WORLD_RANK"), 0U);
  EXPECT_FALSE(plan_launch(first));
  // Another attempt is another run: ranks of the one before must not be met.
  const Environment second = environment_of_rank(environment, *plan, 2, 1);
  EXPECT_NE(recognise_membership(second).run_id, member.run_id);
}

TEST(LaunchPlan, WhatIsMissingForSeveralMachines) {
  const std::string text = refusal({{"NNODES", "2"}});
  for (const char* name : {"NODE_RANK", "MASTER_ADDR", "MASTER_PORT"}) {
    EXPECT_NE(text.find("NNODES=2\n  found: " + std::string(name) + " is not set"),
              std::string::npos)
        << text;
  }
}

TEST(LaunchPlan, WhatContradictsItself) {
  EXPECT_NE(refusal({{"NNODES", "2"}, {"NODE_RANK", "2"}})
                .find("NODE_RANK=2\n  found: NNODES=2: machines are counted from 0"),
            std::string::npos);
  EXPECT_NE(refusal({{"MIN_NNODES", "1"}, {"MAX_NNODES", "4"}})
                .find("MIN_NNODES=1 and MAX_NNODES=4\n  found: a number of machines that may"),
            std::string::npos);
  const std::string text = refusal({{"NPROC_PER_NODE", "gpu"}, {"MASTER_PORT", "70000"}});
  EXPECT_NE(text.find("NPROC_PER_NODE=gpu\n  found: not a whole number from 1 to 4096"),
            std::string::npos);
  EXPECT_NE(text.find("MASTER_PORT=70000\n  found: not a whole number from 1 to 65535"),
            std::string::npos);
  for (const char* wrong : {"0", "-1", "2.5", " 2", "2 ", "99999999999999999999", "\xff"}) {
    EXPECT_NE(refusal({{"NPROC_PER_NODE", wrong}}).find("not a whole number"), std::string::npos);
  }
}

}  // namespace
}  // namespace hone::parallel
