// Checks the three parts of a refusal.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace hone::formats {

// The first fault of the UserError that `action` must throw; an empty one when it throws none.
template <class Action>
Fault fault_of(const Action& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.faults().front();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

inline void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

// `asked`, `found` and `remedy` must occur in the parts of the refusal.
template <class Action>
void expect_fault(const Action& action, const std::string& asked, const std::string& found,
                  const std::string& remedy = "") {
  const Fault fault = fault_of(action);
  expect_part(fault.asked, asked);
  expect_part(fault.found, found);
  expect_part(fault.remedy, remedy);
  EXPECT_FALSE(fault.remedy.empty());
}

}  // namespace hone::formats
