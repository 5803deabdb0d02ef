// What goes wrong on machines with AMD GPUs: one entry per failure, as data. Checks and
// explanations speak through these entries and have no other words for cause and remedy.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace hone::doctor {

// How bad it is. The exit status of `hone doctor` is made of the worst.
enum class Grade { note, warning, failure };
std::string_view grade_name(Grade grade);  // "note", "warning", "failure"

struct Entry {
  std::string_view id;  // "DEV-03": group and number; never used again for something else
  Grade grade = Grade::failure;
  bool checked = false;  // a check finds it before a run
  std::string_view symptom;
  std::string_view cause;
  std::string_view remedy;
  // How its lines are recognised: one pattern per line, see patterns.h. Empty: it has no text.
  std::string_view patterns = "";
  // For what is neither checked nor recognised: why it cannot be.
  std::string_view undetectable = "";
};

// The groups, one file each.
std::span<const Entry> discovery_entries();    // DEV
std::span<const Entry> driver_entries();       // DRV
std::span<const Entry> binary_entries();       // BIN
std::span<const Entry> blas_entries();         // BLAS
std::span<const Entry> launch_entries();       // LCH
std::span<const Entry> memory_entries();       // MEM
std::span<const Entry> fault_entries();        // FLT
std::span<const Entry> network_entries();      // NET
std::span<const Entry> numerics_entries();     // NUM, and RUN: how the loss moves
std::span<const Entry> environment_entries();  // ENV
std::span<const Entry> host_entries();         // D: how the host should be tuned

// All of them, in the order above.
std::vector<const Entry*> all_entries();

// The entry of that name, which must be there.
const Entry& entry(std::string_view id);

// "before a run, by a check; from its text": for people and --json.
std::string_view when_detectable(const Entry& entry);

}  // namespace hone::doctor
