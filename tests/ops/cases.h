// All cases; each operation's are in its own file.
#pragma once

#include "ops/op_case.h"

namespace hone::tests {

Cases adamw_cases();
Cases attention_cases();
GradientCases attention_gradients();
Cases bias_cases();
GradientCases bias_gradients();
Cases elementwise_cases();
Cases embedding_cases();
GradientCases embedding_gradients();
Cases head_cases();
GradientCases head_gradients();
Cases lora_cases();
GradientCases lora_gradients();
Cases product_cases();
Cases rms_norm_cases();
GradientCases rms_norm_gradients();
Cases rope_cases();
GradientCases rope_gradients();
Cases rows_cases();
GradientCases rows_gradients();
Cases squared_norm_cases();
Cases swiglu_cases();
GradientCases swiglu_gradients();

const Cases& all_cases();
const GradientCases& all_gradient_cases();

}  // namespace hone::tests
