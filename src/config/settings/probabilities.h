// The shares of `interleave_probs` as numbers.
#pragma once

#include <string>
#include <vector>

namespace hone::config {

// What is wrong with them: not a number, not a share, or a sum other than 1. Empty: nothing.
std::string fault_of_probabilities(const std::vector<std::string>& shares);

// Of shares without a fault.
std::vector<double> probabilities_of(const std::vector<std::string>& shares);

}  // namespace hone::config
