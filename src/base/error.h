// The two kinds of error.
//
// The user's: UserError, which carries one or more faults, each in three parts: what was asked,
// what was found, what to do. Thrown before any long work wherever that is possible; all faults of
// one input together. Ours: InternalError, thrown by HONE_ASSERT, with the operands of the broken
// promise. The library never prints and never exits; apps/ shows what() and chooses the exit
// status.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace hone {

// One thing that is wrong with what the user gave.
struct Fault {
  std::string asked;   // what was asked, and where: "learning_rate: '1,0e-5' (base.yaml, line 14)"
  std::string found;   // what was found instead: "not a number"
  std::string remedy;  // what to do: "write a number such as 1.0e-5"
};

// "asked\n  found: ...\n  to do: ..."; multi-line parts keep their indentation.
std::string to_text(const Fault& fault);

class UserError : public std::runtime_error {
 public:
  explicit UserError(Fault fault);
  explicit UserError(std::vector<Fault> faults);  // at least one
  const std::vector<Fault>& faults() const { return faults_; }

 private:
  std::vector<Fault> faults_;
};

// Collects the faults of one input, so that the user sees them together.
class FaultList {
 public:
  void add(Fault fault) { faults_.push_back(std::move(fault)); }
  void add(const UserError& error);
  bool empty() const { return faults_.empty(); }
  const std::vector<Fault>& faults() const { return faults_; }
  // Throws UserError with everything collected so far, if there is anything.
  void throw_if_any() const;

 private:
  std::vector<Fault> faults_;
};

// A promise of ours was broken: a defect of hone, never of its input.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_assertion(const char* file, int line, const char* condition,
                                 const std::string& operands);

// The operands of an assertion, separated by blanks.
template <class... Operands>
std::string describe_operands(const Operands&... operands) {
  std::ostringstream text;
  (void)text;
  ((text << ' ' << operands), ...);
  return text.str();
}

}  // namespace hone

// Checks a promise between our own parts. Further arguments are shown: HONE_ASSERT(a == b, a, b).
#define HONE_ASSERT(condition, ...)                                   \
  do {                                                                \
    if (!(condition)) {                                               \
      ::hone::fail_assertion(__FILE__, __LINE__, #condition,          \
                             ::hone::describe_operands(__VA_ARGS__)); \
    }                                                                 \
  } while (false)
