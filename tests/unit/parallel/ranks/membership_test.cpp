#include "parallel/ranks/membership.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::parallel {
namespace {

std::string refusal(const Environment& environment) {
  try {
    recognise_membership(environment);
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

TEST(Membership, OneProcessWithoutALauncher) {
  const Membership member = recognise_membership({{"HOME", "/root"}, {"RANK", ""}});
  EXPECT_EQ(member.launcher, Launcher::none);
  EXPECT_EQ(member.rank, 0);
  EXPECT_EQ(member.ranks, 1);
}

TEST(Membership, Torchrun) {
  const Membership member = recognise_membership({{"RANK", "5"},
                                                  {"WORLD_SIZE", "8"},
                                                  {"LOCAL_RANK", "1"},
                                                  {"LOCAL_WORLD_SIZE", "4"},
                                                  {"MASTER_ADDR", "node0"},
                                                  {"MASTER_PORT", "29401"},
                                                  {"TORCHELASTIC_RUN_ID", "abc"},
                                                  {"TORCHELASTIC_USE_AGENT_STORE", "True"}});
  EXPECT_EQ(member.launcher, Launcher::torchrun);
  EXPECT_EQ(member.rank, 5);
  EXPECT_EQ(member.ranks, 8);
  EXPECT_EQ(member.local_rank, 1);
  EXPECT_EQ(member.local_ranks, 4);
  EXPECT_EQ(member.master_address, "node0");
  EXPECT_EQ(member.master_port, 29401);
  EXPECT_TRUE(member.master_port_is_taken);
  EXPECT_EQ(member.run_id, "abc");
}

TEST(Membership, APodOfAPyTorchJobIsOneRank) {
  const Membership member = recognise_membership({{"RANK", "1"},
                                                  {"WORLD_SIZE", "2"},
                                                  {"MASTER_ADDR", "job-master-0"},
                                                  {"MASTER_PORT", "23456"}});
  EXPECT_EQ(member.rank, 1);
  EXPECT_EQ(member.local_rank, 0);
  EXPECT_EQ(member.local_ranks, 1);
  EXPECT_FALSE(member.master_port_is_taken);
}

TEST(Membership, OpenMpi) {
  Environment environment = {{"OMPI_COMM_WORLD_RANK", "3"},
                             {"OMPI_COMM_WORLD_SIZE", "4"},
                             {"OMPI_COMM_WORLD_LOCAL_RANK", "3"},
                             {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
                             {"PMIX_NAMESPACE", "job-7"}};
  const Membership member = recognise_membership(environment);
  EXPECT_EQ(member.launcher, Launcher::open_mpi);
  EXPECT_EQ(member.rank, 3);
  EXPECT_EQ(member.local_rank, 3);
  EXPECT_EQ(member.run_id, "job-7");
  environment["OMPI_COMM_WORLD_LOCAL_SIZE"] = "2";
  environment["OMPI_COMM_WORLD_LOCAL_RANK"] = "1";
  EXPECT_EQ(refusal(environment),
            "MASTER_ADDR for 4 ranks on several machines\n"
            "  found: it is not set, and Open MPI does not say where rank 0 is\n"
            "  to do: mpirun -x MASTER_ADDR=<host of rank 0> ...");
  environment["MASTER_ADDR"] = "10.0.0.1";
  EXPECT_EQ(recognise_membership(environment).master_address, "10.0.0.1");
}

TEST(Membership, SlurmStep) {
  Environment environment = {{"SLURM_PROCID", "2"},         {"SLURM_STEP_NUM_TASKS", "4"},
                             {"SLURM_LOCALID", "0"},        {"SLURM_JOB_ID", "123456"},
                             {"SLURM_STEP_ID", "1"},        {"SLURM_STEP_NODELIST", "gpu[03-04]"},
                             {"SLURM_NTASKS_PER_NODE", "2"}};
  const Membership member = recognise_membership(environment);
  EXPECT_EQ(member.launcher, Launcher::slurm);
  EXPECT_EQ(member.rank, 2);
  EXPECT_EQ(member.local_ranks, 2);
  EXPECT_EQ(member.master_address, "gpu03");
  EXPECT_EQ(member.master_port, 23456);
  EXPECT_EQ(member.run_id, "123456.1");
  // A batch script outside of srun.
  environment.erase("SLURM_STEP_NUM_TASKS");
  EXPECT_EQ(recognise_membership(environment).ranks, 1);
}

TEST(Membership, TheRanksOfASlurmNodeAreThoseOfTheStep) {
  const auto local_ranks = [](const std::string& tasks, const std::string& node) {
    return recognise_membership({{"SLURM_PROCID", "0"},
                                 {"SLURM_STEP_NUM_TASKS", "8"},
                                 {"SLURM_LOCALID", "0"},
                                 {"SLURM_JOB_NODELIST", "a[1-4]"},
                                 {"SLURM_STEP_TASKS_PER_NODE", tasks},
                                 {"SLURM_NODEID", node}})
        .local_ranks;
  };
  EXPECT_EQ(local_ranks("8", "0"), 8);
  EXPECT_EQ(local_ranks("2(x3),1,1", "2"), 2);
  EXPECT_EQ(local_ranks("2(x3),1,1", "3"), 1);
  EXPECT_EQ(local_ranks("3,5", "1"), 5);
  for (const char* wrong : {"", "x", "2(x", "2(x3", "2(xa)", ",", "3,"}) {
    EXPECT_EQ(local_ranks(wrong, "5"), 1) << wrong;
  }
}

TEST(Membership, RanksOnSeveralMachinesNeedAMaster) {
  const std::string text = refusal({{"RANK", "0"}, {"WORLD_SIZE", "4"}, {"LOCAL_WORLD_SIZE", "2"}});
  EXPECT_EQ(text,
            "MASTER_ADDR for ranks on several machines (WORLD_SIZE=4)\n"
            "  found: it is not set, and only 2 of them run here (LOCAL_WORLD_SIZE=2)\n"
            "  to do: set MASTER_ADDR to the host of rank 0, on all ranks");
  EXPECT_NE(refusal({{"RANK", "0"}, {"WORLD_SIZE", "4"}}).find("nor is LOCAL_WORLD_SIZE"),
            std::string::npos);
  EXPECT_EQ(refusal({{"RANK", "0"}, {"WORLD_SIZE", "4"}, {"LOCAL_WORLD_SIZE", "4"}}), "");
}

TEST(Membership, TheFirstHostOfANodeList) {
  EXPECT_EQ(first_host("node"), "node");
  EXPECT_EQ(first_host("a,b"), "a");
  EXPECT_EQ(first_host("node[03-05,9],login1"), "node03");
  EXPECT_EQ(first_host("n[7].site,x"), "n7.site");
  EXPECT_EQ(first_host("a,n[1-2]"), "a");
  EXPECT_EQ(first_host(""), "");
  EXPECT_EQ(first_host("n["), "n");
}

TEST(Membership, EverythingThatIsWrongIsSaidAtOnce) {
  const std::string text = refusal({{"RANK", "4"},
                                    {"WORLD_SIZE", "4"},
                                    {"LOCAL_RANK", "x"},
                                    {"MASTER_ADDR", "node0"},
                                    {"MASTER_PORT", "70000"}});
  EXPECT_NE(text.find("RANK=4\n  found: not a whole number from 0 to 3, with WORLD_SIZE=4"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("LOCAL_RANK=x"), std::string::npos) << text;
  EXPECT_NE(text.find("MASTER_PORT=70000\n  found: not a whole number from 1 to 65535"),
            std::string::npos)
      << text;
  EXPECT_NE(refusal({{"RANK", "0"}}).find("WORLD_SIZE\n  found: it is not set, although RANK=0 is"),
            std::string::npos);
}

}  // namespace
}  // namespace hone::parallel
