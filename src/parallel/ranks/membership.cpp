#include "parallel/ranks/membership.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace hone::parallel {
namespace {

constexpr int kMostPorts = 65535;
// Slurm gives no port: one of ten thousand by the job's number, above those of system services and
// below those that are handed out to clients.
constexpr int kFirstSlurmPort = 20000;
constexpr std::int64_t kSlurmPorts = 10000;

constexpr int kMostRanks = 1 << 20;

void read_ranks(EnvironmentReader& reader, Membership& member, const char* rank, const char* ranks,
                const char* local_rank, const char* local_ranks) {
  member.ranks = reader.required_number(ranks, 1, kMostRanks, rank);
  member.rank = reader.required_number(rank, 0, std::max(member.ranks - 1, 0), ranks);
  member.local_ranks = reader.number(local_ranks, 1, member.ranks, 1, ranks);
  const bool alone = !reader.has(local_ranks);
  member.local_rank =
      reader.number(local_rank, 0, alone ? member.ranks - 1 : member.local_ranks - 1, 0,
                    alone ? ranks : local_ranks);
}

// Ranks on other machines have to be told where rank 0 is.
void require_master(EnvironmentReader& reader, const Membership& member, const char* ranks,
                    const char* local_ranks) {
  if (member.ranks <= member.local_ranks || reader.has("MASTER_ADDR")) return;
  // Without a number of ranks on this machine it is known of torchrun's kind alone that there are
  // others; one pod is one rank.
  reader.refuse({fmt::format("MASTER_ADDR for ranks on several machines ({})", reader.shown(ranks)),
                 reader.has(local_ranks)
                     ? fmt::format("it is not set, and only {} of them run here ({})",
                                   member.local_ranks, reader.shown(local_ranks))
                     : fmt::format("it is not set, nor is {}", local_ranks),
                 "set MASTER_ADDR to the host of rank 0, on all ranks"});
}

void read_torchrun(EnvironmentReader& reader, Membership& member) {
  member.launcher = Launcher::torchrun;
  read_ranks(reader, member, "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE");
  member.run_id = reader.text("TORCHELASTIC_RUN_ID", member.run_id);
  member.master_port_is_taken = is_on(reader.text("TORCHELASTIC_USE_AGENT_STORE"));
  require_master(reader, member, "WORLD_SIZE", "LOCAL_WORLD_SIZE");
}

void read_open_mpi(EnvironmentReader& reader, Membership& member) {
  member.launcher = Launcher::open_mpi;
  read_ranks(reader, member, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
             "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE");
  member.run_id = reader.text("PMIX_NAMESPACE", member.run_id);
  if (member.ranks > member.local_ranks && !reader.has("MASTER_ADDR")) {
    reader.refuse({fmt::format("MASTER_ADDR for {} ranks on several machines", member.ranks),
                   "it is not set, and Open MPI does not say where rank 0 is",
                   "mpirun -x MASTER_ADDR=<host of rank 0> ..."});
  }
}

// Of Slurm's "2(x3),1": the tasks of each node, runs of equal ones written once.
std::optional<int> tasks_of_node(const std::string& text, int node) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    int tasks = 0;
    int times = 1;
    const auto first = std::from_chars(at, end, tasks);
    if (first.ec != std::errc()) return std::nullopt;
    at = first.ptr;
    if (end - at > 2 && at[0] == '(' && at[1] == 'x') {
      const auto second = std::from_chars(at + 2, end, times);
      if (second.ec != std::errc() || second.ptr == end) return std::nullopt;
      at = second.ptr + 1;
    }
    if (node < times) return tasks > 0 ? std::optional<int>(tasks) : std::nullopt;
    node -= times;
    if (at < end) ++at;  // the comma
  }
  return std::nullopt;
}

void read_slurm(EnvironmentReader& reader, Membership& member) {
  member.launcher = Launcher::slurm;
  read_ranks(reader, member, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID",
             "SLURM_NTASKS_PER_NODE");
  if (const auto tasks = tasks_of_node(reader.text("SLURM_STEP_TASKS_PER_NODE"),
                                       reader.number("SLURM_NODEID", 0, kMostRanks, 0))) {
    member.local_ranks = std::min(*tasks, member.ranks);
  }
  const std::string job = reader.text("SLURM_JOB_ID", "0");
  member.run_id = job + "." + reader.text("SLURM_STEP_ID", "0");
  std::int64_t number = 0;
  std::from_chars(job.data(), job.data() + job.size(), number);
  member.master_port = kFirstSlurmPort + static_cast<int>(number % kSlurmPorts);
  const std::string nodes = reader.text("SLURM_STEP_NODELIST", reader.text("SLURM_JOB_NODELIST"));
  if (!nodes.empty()) member.master_address = first_host(nodes);
}

}  // namespace

std::string first_host(const std::string& node_list) {
  const std::size_t end = node_list.find_first_of(",[");
  if (end == std::string::npos || node_list[end] == ',') return node_list.substr(0, end);
  const std::size_t stop = node_list.find_first_of(",-]", end + 1);
  std::string host = node_list.substr(0, end) + node_list.substr(end + 1, stop - end - 1);
  const std::size_t close = node_list.find(']', end);
  if (close != std::string::npos) {
    const std::size_t next = node_list.find(',', close);
    host += node_list.substr(close + 1, next == std::string::npos ? next : next - close - 1);
  }
  return host;
}

Membership recognise_membership(const Environment& environment) {
  EnvironmentReader reader(environment);
  Membership member;
  if (reader.has("RANK") || reader.has("WORLD_SIZE")) {
    read_torchrun(reader, member);
  } else if (reader.has("OMPI_COMM_WORLD_RANK")) {
    read_open_mpi(reader, member);
  } else if (reader.has("SLURM_PROCID") && reader.has("SLURM_STEP_NUM_TASKS")) {
    read_slurm(reader, member);
  }
  member.master_address = reader.text("MASTER_ADDR", member.master_address);
  member.master_port = reader.number("MASTER_PORT", 1, kMostPorts, member.master_port);
  reader.throw_if_any();
  return member;
}

}  // namespace hone::parallel
