// Tiny random models of every family against transformers: logits, loss, every gradient.
#include <gtest/gtest.h>

#include <cmath>

#include "formats/safetensors.h"
#include "golden/model_run.h"
#include "kernels/cpu/cpu_table.h"
#include "kernels/reference/reference_table.h"

namespace hone::golden {
namespace {

using formats::Value;

const std::filesystem::path kData = HONE_TEST_DATA;

// f32 storage and sums of at most a few hundred terms: transformers itself differs from its f64 run
// by about this much, and its rope tables and norms are f32 even there.
constexpr double kRelativeError = 2e-5;

std::vector<std::int32_t> integers(const Value& array) {
  std::vector<std::int32_t> values;
  for (const Value& value : array.array()) {
    values.push_back(static_cast<std::int32_t>(value.integer()));
  }
  return values;
}

struct Expected {
  Value json;
  std::vector<std::vector<std::int32_t>> ids, labels;

  explicit Expected(const std::filesystem::path& folder)
      : json(formats::read_json(folder / "expected.json")) {
    for (const Value& sequence : json.find("sequences")->array()) {
      ids.push_back(integers(*sequence.find("ids")));
      labels.push_back(integers(*sequence.find("labels")));
    }
  }
};

// |a - b| / |b| over all elements, Frobenius; both zero counts as equal.
double distance(const ConstTensorView& ours, const ConstTensorView& theirs) {
  EXPECT_EQ(ours.elements(), theirs.elements());
  double difference = 0.0;
  double size = 0.0;
  for (std::int64_t i = 0; i < theirs.elements(); ++i) {
    const double a = ours.data<float>()[i];
    const double b = theirs.dtype() == DType::f64 ? theirs.data<double>()[i]
                                                  : static_cast<double>(theirs.data<float>()[i]);
    difference += (a - b) * (a - b);
    size += b * b;
  }
  return std::sqrt(difference) / std::max(std::sqrt(size), 1e-12);
}

void expect_logits(ModelRun& run, const Expected& expected) {
  for (std::size_t s = 0; s < expected.ids.size(); ++s) {
    Pack pack({expected.ids[s]});
    pack.rows.clear();
    for (std::size_t t = 0; t < expected.ids[s].size(); ++t) {
      pack.rows.push_back(static_cast<std::int32_t>(t));
    }
    const TensorView logits = run.walk->logits(pack.view());
    const auto& rows = expected.json.find("sequences")->array()[s].find("logits")->array();
    ASSERT_EQ(logits.rows(), static_cast<std::int64_t>(rows.size()));
    for (std::size_t t = 0; t < rows.size(); ++t) {
      for (std::int64_t v = 0; v < logits.columns(); ++v) {
        const double wanted = rows[t].array()[static_cast<std::size_t>(v)].number();
        ASSERT_NEAR(logits.row<float>(static_cast<std::int64_t>(t))[v], wanted, 2e-5)
            << "sequence " << s << " row " << t << " token " << v;
      }
    }
  }
}

// `file_name` maps a parameter's name to its name in the file of gradients.
void expect_gradients(ModelRun& run, const Expected& expected, const std::filesystem::path& folder,
                      std::string (*file_name)(const std::string&)) {
  const Pack pack(expected.ids, expected.labels);
  EXPECT_EQ(pack.counted_labels, expected.json.find("label_count")->integer());
  run.clear_gradients();
  const double scale = 1.0 / static_cast<double>(pack.counted_labels);
  const double loss = run.walk->train(pack.view(), run.loss, scale) * scale;
  const double wanted = expected.json.find("loss")->number();
  EXPECT_NEAR(loss, wanted, 1e-6 * wanted);
  const formats::SafetensorsFile gradients(folder / "grad.safetensors");
  std::size_t compared = 0;
  for (const FlatRange& range : run.layout->ranges()) {
    const std::string& name = run.decoder.registry.at(range.id).name;
    SCOPED_TRACE(name);
    EXPECT_LT(distance(run.gradients->gradient(range.id), gradients.view(file_name(name))),
              kRelativeError);
    ++compared;
  }
  EXPECT_EQ(compared, gradients.tensors().size());
}

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
