// Tiny random models of every family against transformers: logits, loss, every gradient.
#include <gtest/gtest.h>

#include "golden/expectation.h"
#include "kernels/cpu/cpu_table.h"
#include "kernels/reference/reference_table.h"

namespace hone::golden {
namespace {

const std::filesystem::path kData = HONE_TEST_DATA;

std::string same_name(const std::string& name) {
  return name;
}

struct Case {
  const char* name;
  bool fast_kernels;
};

std::string case_name(const testing::TestParamInfo<Case>& info) {
  return std::string(info.param.name) + (info.param.fast_kernels ? "_cpu" : "_reference");
}

const ops::OpTable& table_of(const Case& c) {
  return c.fast_kernels ? kernels::cpu_table() : kernels::reference_table();
}

class TinyModel : public testing::TestWithParam<Case> {};

TEST_P(TinyModel, LogitsLossAndGradientsAreThoseOfTransformers) {
  const std::filesystem::path folder = kData / "tiny" / GetParam().name;
  const Expected expected(folder);
  ModelRun run(folder, table_of(GetParam()), Train::everything);
  expect_logits(run, expected);
  expect_gradients(run, expected, folder, same_name);
}

#define HONE_TINY(name)     \
  Case{name, false}, Case { \
    name, true              \
  }
INSTANTIATE_TEST_SUITE_P(Families, TinyModel,
                         testing::Values(HONE_TINY("llama_gqa"), HONE_TINY("llama_tied"),
                                         HONE_TINY("llama_biases"), HONE_TINY("llama_head_dim"),
                                         HONE_TINY("llama_rope_linear"),
                                         HONE_TINY("llama_rope_llama3"), HONE_TINY("mistral"),
                                         HONE_TINY("qwen2"), HONE_TINY("qwen2_tied"),
                                         HONE_TINY("qwen3")),
                         case_name);

}  // namespace
}  // namespace hone::golden
