#include "base/error.h"

#include <utility>

namespace hone {
namespace {

std::string join(const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault& fault : faults) {
    if (!text.empty()) text += '\n';
    text += to_text(fault);
  }
  return text;
}

}  // namespace

std::string to_text(const Fault& fault) {
  return fault.asked + "\n  found: " + fault.found + "\n  to do: " + fault.remedy;
}

UserError::UserError(Fault fault) : UserError(std::vector<Fault>{std::move(fault)}) {}

UserError::UserError(std::vector<Fault> faults)
    : std::runtime_error(join(faults)), faults_(std::move(faults)) {
  HONE_ASSERT(!faults_.empty());
}

void FaultList::add(const UserError& error) {
  faults_.insert(faults_.end(), error.faults().begin(), error.faults().end());
}

void FaultList::throw_if_any() const {
  if (!faults_.empty()) throw UserError(faults_);
}

void fail_assertion(const char* file, int line, const char* condition,
                    const std::string& operands) {
  std::ostringstream text;
  text << file << ':' << line << ": " << condition << " does not hold";
  if (!operands.empty()) text << ", operands:" << operands;
  throw InternalError(text.str());
}

}  // namespace hone
