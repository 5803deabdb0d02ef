#include "cli/rank_run.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "assemble/rank_session.h"
#include "base/error.h"
#include "base/version.h"
#include "cli/configuration.h"
#include "cli/data_cache.h"
#include "cli/error_text.h"
#include "cli/hub_access.h"
#include "cli/launch_environment.h"
#include "cli/rank_voice.h"
#include "cli/show_and_run.h"
#include "cli/stop_signal.h"
#include "config/effective.h"
#include "parallel/collectives/collective_error.h"

namespace hone::cli {
namespace {

constexpr int kFailed = 1;

// One of several ranks, up to the point where its session is ready.
class RankRun {
 public:
  RankRun(const parallel::Membership& member, const Invocation& invocation, Terminal& terminal)
      : member_(member), invocation_(invocation), terminal_(terminal), voice_(member, terminal) {}

  int run() {
    // A peer's death must not end this process without a word.
    std::signal(SIGPIPE, SIG_IGN);
    try {
      return train_together();
    } catch (...) {
      say_what_happened();
    }
    return kFailed;
  }

 private:
  int train_together() {
    config::ReadResult read =
        read_configuration(config::Command::train, invocation_, terminal_, member_.ranks);
    if (!read.settings.training.do_train) {
      throw UserError({fmt::format("an evaluation without training on {} ranks", member_.ranks),
                       "hone evaluates on one rank",
                       "start it once: without FORCE_TORCHRUN, NPROC_PER_NODE and NNODES"});
    }
    session_ = std::make_unique<assemble::RankSession>(rank_options());
    session_->compare("start", facts(read));
    session_->first_of_machine_first("hub",
                                     [&] { fetch_from_hub(read, invocation_, {}, terminal_); });
    const std::unique_ptr<report::Listener> progress =
        terminal_.progress(!read.settings.training.disable_tqdm.value_or(false));
    const StopSignal stop(member_.rank == 0 ? "stopping after this step and saving" : "");
    const bool bound = processors_are_dealt_out();
    assemble::RunEnvironment environment = {terminal_, *progress,
                                            [&stop] { return stop.requested(); },
                                            data_cache_folder(invocation_.home)};
    environment.open_machine = [this, bound](const config::Settings& settings, LogSink&) {
      return assemble::open_shared_cpu_machine(settings, member_.local_ranks, bound);
    };
    environment.ranks = session_.get();
    environment.output_chosen = [this](const std::filesystem::path& folder) {
      voice_.open_log(folder);
    };
    environment.first_attempt = first_attempt();
    return train(read, environment, terminal_);
  }

  assemble::RankOptions rank_options() {
    assemble::RankOptions options;
    options.member = member_;
    for (const char* name : {"GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"}) {
      const std::optional<std::string> interface = environment(name);
      if (!interface || !options.interface.empty()) continue;
      // NCCL's lists, beginnings of names and exclusions are more than one name.
      const bool one_name = interface->find_first_of(",^") == std::string::npos;
      if (!one_name && std::string(name) == "NCCL_SOCKET_IFNAME") continue;
      options.interface = interface->substr(interface->front() == '=' ? 1 : 0);
      options.interface_variable = name;
    }
    options.meeting_limit = environment_seconds("HONE_MEETING_SECONDS", options.meeting_limit);
    options.heartbeat_limit =
        environment_seconds("HONE_HEARTBEAT_SECONDS", options.heartbeat_limit);
    options.on_failure = [this](const std::string& what) { end_soon(what); };
    return options;
  }

  parallel::RankFacts facts(const config::ReadResult& read) const {
    parallel::RankFacts facts = {{"hone's version", std::string(version())}};
    for (const config::EffectiveSetting& setting : config::effective_settings(read)) {
      facts.emplace_back(setting.name, setting.value);
    }
    // The file that deepspeed names may say different things on different machines.
    facts.emplace_back("how the model is shared out", config::to_text(read.settings.zero));
    return facts;
  }

  // mpirun and srun may have bound each rank to processors of its own.
  bool processors_are_dealt_out() const {
    if (member_.launcher == parallel::Launcher::torchrun) return false;
    cpu_set_t usable;
    CPU_ZERO(&usable);
    if (sched_getaffinity(0, sizeof usable, &usable) != 0) return false;
    return CPU_COUNT(&usable) < sysconf(_SC_NPROCESSORS_ONLN);
  }

  static std::optional<std::filesystem::file_time_type> first_attempt() {
    const std::optional<std::string> attempt = environment("TORCHELASTIC_RESTART_COUNT");
    const std::optional<std::string> begun = environment(kFirstAttemptVariable);
    if (!attempt || *attempt == "0" || !begun) return std::nullopt;
    const std::chrono::seconds seconds(std::strtoll(begun->c_str(), nullptr, 10));
    return std::filesystem::file_time_type::clock::from_sys(
        std::chrono::sys_time<std::chrono::seconds>(seconds));
  }

  // Another rank has failed. What this one is doing may not ask for the others for long.
  void end_soon(const std::string& what) {
    std::thread([this, what] {
      std::this_thread::sleep_for(kTimeToEnd);
      voice_.say_last({true, what}, true);
      ::_exit(kFailed);
    }).detach();
  }

  void say_what_happened() {
    const std::string own = error_text();
    bool told = false;
    bool exchange = false;
    try {
      throw;
    } catch (const assemble::OtherRankFailed&) {
      told = true;
    } catch (const parallel::CollectiveError&) {
      exchange = true;
    } catch (...) {
    }
    if (told || !session_) {
      voice_.say_last({told, own}, told);
      return;
    }
    // A connection that breaks is seen sooner than the news of why arrives.
    const auto wait = exchange ? kTimeForNews : std::chrono::milliseconds(0);
    if (const std::optional<std::string> first = session_->failure(wait)) {
      voice_.say_last({true, *first}, true);
      return;
    }
    session_->report_failure(own);
    voice_.say_last({false, own}, member_.rank != 0);
  }

  static constexpr std::chrono::seconds kTimeToEnd{20};
  static constexpr std::chrono::milliseconds kTimeForNews{3000};

  const parallel::Membership& member_;
  const Invocation& invocation_;
  Terminal& terminal_;
  RankVoice voice_;
  std::unique_ptr<assemble::RankSession> session_;
};

}  // namespace

int train_as_rank(const parallel::Membership& member, const Invocation& invocation,
                  Terminal& terminal) {
  return RankRun(member, invocation, terminal).run();
}

}  // namespace hone::cli
