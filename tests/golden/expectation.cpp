#include "golden/expectation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "formats/safetensors.h"

namespace hone::golden {

using formats::Value;

namespace {

// f32 storage and sums of at most a few hundred terms: transformers itself differs from its f64 run
// by about this much, and its rope tables and norms are f32 even there.
constexpr double kRelativeError = 2e-5;

}  // namespace

std::vector<std::int32_t> integers(const Value& array) {
  std::vector<std::int32_t> values;
  for (const Value& value : array.array()) {
    values.push_back(static_cast<std::int32_t>(value.integer()));
  }
  return values;
}

Expected::Expected(const std::filesystem::path& folder)
    : json(formats::read_json(folder / "expected.json")) {
  for (const Value& sequence : json.find("sequences")->array()) {
    ids.push_back(integers(*sequence.find("ids")));
    labels.push_back(integers(*sequence.find("labels")));
  }
}

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

}  // namespace hone::golden
