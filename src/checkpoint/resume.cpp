#include "checkpoint/resume.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "checkpoint/checkpoint_folders.h"
#include "formats/regular_file.h"

namespace hone::checkpoint {
namespace {

namespace fs = std::filesystem;

// "missing: a; b has 3 bytes, where 4 were written".
std::string summary(const UserError& error) {
  std::string text;
  for (const Fault& fault : error.faults()) {
    text += (text.empty() ? "" : "; ") + fault.found;
  }
  return text;
}

// Every checkpoint of a folder, the one to be tried first in front.
struct Candidate {
  std::int64_t step = 0;
  fs::path folder;
  bool partial = false;
};

std::vector<Candidate> candidates(const fs::path& output_dir) {
  std::vector<Candidate> found;
  for (const fs::path& folder : checkpoint_folders(output_dir)) {
    found.push_back({*checkpoint_number(folder), folder, false});
  }
  for (const fs::path& folder : partial_folders(output_dir)) {
    found.push_back({*checkpoint_number(folder.parent_path() / folder.stem()), folder, true});
  }
  std::stable_sort(found.begin(), found.end(), [](const Candidate& left, const Candidate& right) {
    return left.step != right.step ? left.step > right.step : left.partial < right.partial;
  });
  return found;
}

// Gives a checkpoint whose writer was stopped after the last byte its name.
Checkpoint complete(formats::FileSystem& system, Checkpoint checkpoint, LogSink& log) {
  const fs::path output_dir = checkpoint.folder.parent_path();
  const fs::path folder = output_dir / checkpoint.folder.stem();
  std::error_code ignored;
  if (fs::exists(folder, ignored)) {
    formats::remove_tree(system, removed_name(folder));
    system.rename(folder, removed_name(folder));
  }
  system.rename(checkpoint.folder, folder);
  system.sync_folder(output_dir);
  log.info("completed " + folder.string() + ": its save was stopped after everything was written");
  checkpoint.folder = folder;
  return checkpoint;
}

struct Search {
  std::optional<Checkpoint> newest;
  std::vector<Fault> damaged;  // checkpoints of hone that are not whole
  std::vector<Fault> foreign;  // checkpoints of other programs
};

Search find_newest(formats::FileSystem& system, const fs::path& output_dir, LogSink& log) {
  Search search;
  std::error_code ignored;
  for (const fs::path& path : unlike_checkpoints(output_dir)) {
    log.warning("passed over " + path.string() + ": not a folder called checkpoint-<step>");
  }
  for (const Candidate& candidate : candidates(output_dir)) {
    try {
      search.newest = open_checkpoint(candidate.folder);
      if (candidate.partial) search.newest = complete(system, std::move(*search.newest), log);
      return search;
    } catch (const UserError& error) {
      // A save that was stopped half-way: the normal thing after a kill.
      if (candidate.partial) continue;
      log.warning("passed over " + candidate.folder.string() + ": " + summary(error));
      const bool ours = fs::exists(candidate.folder / kStateFile, ignored);
      const bool any = ours || fs::exists(candidate.folder / kTrainerStateFile, ignored);
      std::vector<Fault>& list = ours ? search.damaged : search.foreign;
      if (any) list.insert(list.end(), error.faults().begin(), error.faults().end());
    }
  }
  return search;
}

[[noreturn]] void refuse_none(const Search& search, const fs::path& output_dir) {
  FaultList faults;
  faults.add({"resume_from_checkpoint: true",
              "no checkpoint in " + formats::shown_path(output_dir) + " that is whole",
              "name a checkpoint, or leave resume_from_checkpoint out to train from the start"});
  for (const Fault& fault : search.damaged) faults.add(fault);
  for (const Fault& fault : search.foreign) faults.add(fault);
  throw UserError(faults.faults());
}

// Nothing was asked for, but what is there shows that a run was to go on.
void refuse_lost(const Search& search) {
  FaultList faults;
  for (Fault fault : search.damaged) {
    fault.remedy = "restore it, or set overwrite_output_dir: true to train from the start";
    faults.add(std::move(fault));
  }
  for (Fault fault : search.foreign) {
    fault.remedy += "; choose another output_dir, or set overwrite_output_dir: true";
    faults.add(std::move(fault));
  }
  faults.throw_if_any();
}

void warn_of_later(const Checkpoint& checkpoint, LogSink& log) {
  for (const fs::path& folder : checkpoint_folders(checkpoint.folder.parent_path())) {
    if (*checkpoint_number(folder) <= checkpoint.step()) continue;
    log.warning(folder.string() + " is later than the checkpoint that this run goes on from; it " +
                "stays until this run saves the same step");
  }
}

bool says(const std::string& named, std::string_view word) {
  return named.size() == word.size() &&
         std::equal(named.begin(), named.end(), word.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

}  // namespace

std::optional<Checkpoint> choose_checkpoint(formats::FileSystem& system,
                                            const ResumeRequest& request, LogSink& log) {
  if (request.named && says(*request.named, "false")) return std::nullopt;
  const bool newest = request.named && says(*request.named, "true");
  if (request.named && !newest) {
    Checkpoint checkpoint = open_checkpoint(fs::absolute(*request.named).lexically_normal());
    warn_of_later(checkpoint, log);
    return checkpoint;
  }
  if (!newest && request.overwrite) return std::nullopt;
  Search search = find_newest(system, request.output_dir, log);
  if (!search.newest && newest) refuse_none(search, request.output_dir);
  if (!search.newest) refuse_lost(search);
  return std::move(search.newest);
}

}  // namespace hone::checkpoint
