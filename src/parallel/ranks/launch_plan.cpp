#include "parallel/ranks/launch_plan.h"

#include <fmt/format.h>

namespace hone::parallel {
namespace {

constexpr int kMostNodes = 65536;
constexpr int kMostRanksPerNode = 4096;
constexpr int kMostPorts = 65535;
constexpr int kMostRestarts = 1000000;

void read_nodes(EnvironmentReader& reader, LaunchPlan& plan) {
  plan.nodes = reader.number("NNODES", 1, kMostNodes, 1);
  const int least = reader.number("MIN_NNODES", 1, kMostNodes, plan.nodes);
  const int most = reader.number("MAX_NNODES", 1, kMostNodes, plan.nodes);
  if (reader.has("MIN_NNODES") && reader.has("MAX_NNODES")) {
    if (least != most) {
      reader.refuse({fmt::format("MIN_NNODES={} and MAX_NNODES={}", least, most),
                     "a number of machines that may change during the run, which hone does not "
                     "have",
                     "set both to the number of machines, or use NNODES"});
    }
    plan.nodes = most;
  }
  plan.node = reader.number("NODE_RANK", 0, kMostNodes, 0);
  if (plan.node >= plan.nodes) {
    reader.refuse(
        {fmt::format("NODE_RANK={}", plan.node),
         fmt::format("NNODES={}: machines are counted from 0", plan.nodes),
         fmt::format("set NODE_RANK to 0 ... {}, another one on each machine", plan.nodes - 1)});
  }
  if (plan.nodes == 1) return;
  // With 127.0.0.1 or a port of its own choice every machine would wait for itself.
  for (const char* name : {"NODE_RANK", "MASTER_ADDR", "MASTER_PORT"}) {
    if (reader.has(name)) continue;
    reader.refuse({reader.shown("NNODES"), fmt::format("{} is not set", name),
                   "set NODE_RANK to each machine's number, and MASTER_ADDR and MASTER_PORT to "
                   "the first machine's address and a free port of it, the same on all"});
  }
}

bool belongs_to_other_launchers(const std::string& name) {
  for (const char* start : {"OMPI_COMM_WORLD_", "PMIX_", "SLURM_PROCID", "SLURM_LOCALID",
                            "SLURM_STEP_NUM_TASKS", "TORCHELASTIC_"}) {
    if (name.rfind(start, 0) == 0) return true;
  }
  return false;
}

}  // namespace

std::optional<LaunchPlan> plan_launch(const Environment& environment) {
  EnvironmentReader reader(environment);
  if (reader.has("RANK") || reader.has("WORLD_SIZE")) return std::nullopt;
  LaunchPlan plan;
  plan.ranks_per_node = reader.number("NPROC_PER_NODE", 1, kMostRanksPerNode, 1);
  plan.max_restarts = reader.number("MAX_RESTARTS", 0, kMostRestarts, 0);
  read_nodes(reader, plan);
  plan.master_address = reader.text("MASTER_ADDR", plan.master_address);
  plan.master_port = reader.number("MASTER_PORT", 1, kMostPorts, 0);
  plan.run_id = reader.text("RDZV_ID", plan.run_id);
  reader.throw_if_any();
  // One rank is this process itself, unless somebody has to start it again.
  const bool restarts = is_on(reader.text("FORCE_TORCHRUN")) && plan.max_restarts > 0;
  if (plan.ranks() == 1 && !restarts) return std::nullopt;
  return plan;
}

Environment environment_of_rank(const Environment& launcher, const LaunchPlan& plan, int local_rank,
                                int attempt) {
  Environment environment;
  for (const auto& [name, value] : launcher) {
    if (!belongs_to_other_launchers(name)) environment[name] = value;
  }
  environment["RANK"] = std::to_string(plan.node * plan.ranks_per_node + local_rank);
  environment["WORLD_SIZE"] = std::to_string(plan.ranks());
  environment["LOCAL_RANK"] = std::to_string(local_rank);
  environment["LOCAL_WORLD_SIZE"] = std::to_string(plan.ranks_per_node);
  environment["GROUP_RANK"] = std::to_string(plan.node);
  environment["MASTER_ADDR"] = plan.master_address;
  environment["MASTER_PORT"] = std::to_string(plan.master_port);
  environment["TORCHELASTIC_RUN_ID"] = fmt::format("{}/{}", plan.run_id, attempt);
  environment["TORCHELASTIC_RESTART_COUNT"] = std::to_string(attempt);
  return environment;
}

}  // namespace hone::parallel
