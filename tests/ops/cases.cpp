#include "ops/cases.h"

namespace hone::tests {
namespace {

template <class List>
List joined(std::initializer_list<List> parts) {
  List all;
  for (const List& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

const Cases& all_cases() {
  static const Cases cases =
      joined({adamw_cases(), attention_cases(), bias_cases(), elementwise_cases(),
              embedding_cases(), head_cases(), lora_cases(), product_cases(), rms_norm_cases(),
              rope_cases(), rows_cases(), squared_norm_cases(), swiglu_cases()});
  return cases;
}

const GradientCases& all_gradient_cases() {
  static const GradientCases cases =
      joined({attention_gradients(), bias_gradients(), embedding_gradients(), head_gradients(),
              lora_gradients(), rms_norm_gradients(), rope_gradients(), rows_gradients(),
              swiglu_gradients()});
  return cases;
}

}  // namespace hone::tests
