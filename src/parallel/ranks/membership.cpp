#include "parallel/ranks/membership.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "base/error.h"

namespace hone::parallel {
namespace {

constexpr int kMostPorts = 65535;
// Slurm gives no port: one of ten thousand by the job's number, above those of system services and
// below those that are handed out to clients.
constexpr int kFirstSlurmPort = 20000;
constexpr std::int64_t kSlurmPorts = 10000;

class Reader {
 public:
  explicit Reader(const Environment& environment) : environment_(environment) {}

  bool has(const std::string& name) const {
    const auto found = environment_.find(name);
    return found != environment_.end() && !found->second.empty();
  }
  std::string text(const std::string& name, const std::string& otherwise) const {
    return has(name) ? environment_.at(name) : otherwise;
  }

  // A whole number in [least, most]; `least` when it is missing or wrong, which is a fault.
  int number(const std::string& name, int least, int most) {
    if (!has(name)) {
      faults_.add({name, "it is not set, although others of its kind are",
                   "start all ranks with one launcher, or set it"});
      return least;
    }
    const std::string& value = environment_.at(name);
    int result = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (error != std::errc() || end != value.data() + value.size() || result < least ||
        result > most) {
      faults_.add({fmt::format("{}: '{}'", name, value),
                   fmt::format("not a whole number from {} to {}", least, most),
                   "start all ranks with one launcher, or correct it"});
      return least;
    }
    return result;
  }
  int number(const std::string& name, int least, int most, int otherwise) {
    return has(name) ? number(name, least, most) : otherwise;
  }

  void refuse(Fault fault) { faults_.add(std::move(fault)); }
  void throw_if_any() const { faults_.throw_if_any(); }

 private:
  const Environment& environment_;
  FaultList faults_;
};

constexpr int kMostRanks = 1 << 20;

void read_ranks(Reader& reader, Membership& member, const char* rank, const char* ranks,
                const char* local_rank, const char* local_ranks) {
  member.ranks = reader.number(ranks, 1, kMostRanks);
  member.rank = reader.number(rank, 0, member.ranks - 1);
  member.local_ranks = reader.number(local_ranks, 1, member.ranks, 1);
  member.local_rank = reader.number(local_rank, 0, kMostRanks, 0);
}

void read_torchrun(Reader& reader, Membership& member) {
  member.launcher = Launcher::torchrun;
  read_ranks(reader, member, "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE");
  member.run_id = reader.text("TORCHELASTIC_RUN_ID", member.run_id);
  const std::string store = reader.text("TORCHELASTIC_USE_AGENT_STORE", "");
  member.master_port_is_taken = store == "True" || store == "true" || store == "1";
}

void read_open_mpi(Reader& reader, Membership& member) {
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

void read_slurm(Reader& reader, Membership& member) {
  member.launcher = Launcher::slurm;
  read_ranks(reader, member, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID",
             "SLURM_NTASKS_PER_NODE");
  const std::string job = reader.text("SLURM_JOB_ID", "0");
  member.run_id = job + "." + reader.text("SLURM_STEP_ID", "0");
  std::int64_t number = 0;
  std::from_chars(job.data(), job.data() + job.size(), number);
  member.master_port = kFirstSlurmPort + static_cast<int>(number % kSlurmPorts);
  const std::string nodes = reader.text("SLURM_STEP_NODELIST", "");
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
  Reader reader(environment);
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
