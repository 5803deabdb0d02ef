// Reading through the key-value cache equals one pass over the whole sequence: for every family,
// with windows, with adapters, in chunks of any size, and after history was cut off.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "golden/session_run.h"
#include "kernels/cpu/cpu_table.h"
#include "kernels/reference/reference_table.h"

namespace hone::golden {
namespace {

const std::filesystem::path kData = HONE_TEST_DATA;

// |difference| / |row|, Frobenius: both sides are f32 and differ in the order of sums only.
constexpr double kRelativeError = 1e-5;
constexpr std::size_t kLength = 40;

std::vector<std::int32_t> some_tokens() {
  std::vector<std::int32_t> tokens;
  for (std::size_t t = 0; t < kLength; ++t) {
    tokens.push_back(static_cast<std::int32_t>((t * 37 + t * t * 11 + 5) % 97));
  }
  return tokens;
}

// Logits [T][V] of one pass over the sequence.
std::vector<std::vector<float>> whole_logits(ModelRun& run,
                                             const std::vector<std::int32_t>& tokens) {
  Pack pack({tokens});
  pack.rows.clear();
  for (std::size_t t = 0; t < tokens.size(); ++t) pack.rows.push_back(static_cast<int>(t));
  const TensorView logits = run.walk->logits(pack.view());
  std::vector<std::vector<float>> rows;
  for (std::int64_t t = 0; t < logits.rows(); ++t) {
    rows.emplace_back(logits.row<float>(t), logits.row<float>(t) + logits.columns());
  }
  return rows;
}

double distance(std::span<const float> ours, std::span<const float> wanted) {
  EXPECT_EQ(ours.size(), wanted.size());
  double difference = 0.0;
  double size = 0.0;
  for (std::size_t v = 0; v < wanted.size(); ++v) {
    const double d = static_cast<double>(ours[v]) - static_cast<double>(wanted[v]);
    difference += d * d;
    size += static_cast<double>(wanted[v]) * static_cast<double>(wanted[v]);
  }
  return std::sqrt(difference / size);
}

// Reads tokens [cache length, end) in chunks and compares the logits after each chunk.
void read_and_compare(SessionRun& run, const std::vector<std::int32_t>& tokens,
                      std::size_t chunk_tokens, const std::vector<std::vector<float>>& wanted) {
  for (auto at = static_cast<std::size_t>(run.cache.length()); at < tokens.size();) {
    const std::size_t count = std::min(chunk_tokens, tokens.size() - at);
    run.session->read(std::span<const std::int32_t>(tokens).subspan(at, count));
    at += count;
    ASSERT_LT(distance(run.session->logits(), wanted[at - 1]), kRelativeError) << "row " << at - 1;
  }
}

struct Case {
  const char* name;
  bool fast_kernels;
};

const ops::OpTable& table_of(const Case& c) {
  return c.fast_kernels ? kernels::cpu_table() : kernels::reference_table();
}

class CachedDecoding : public testing::TestWithParam<Case> {};

TEST_P(CachedDecoding, GivesTheLogitsOfOnePass) {
  const ops::OpTable& table = table_of(GetParam());
  ModelRun run(kData / "tiny" / GetParam().name, table, Train::nothing);
  const std::vector<std::int32_t> tokens = some_tokens();
  const std::vector<std::vector<float>> wanted = whole_logits(run, tokens);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{3}, kLength}) {
    SCOPED_TRACE(chunk);
    SessionRun session(run, table, static_cast<std::int64_t>(kLength), 64);
    read_and_compare(session, tokens, chunk, wanted);
    EXPECT_EQ(session.cache.length(), static_cast<std::int64_t>(kLength));
  }
}

TEST_P(CachedDecoding, AnswersOnAfterHistoryWasCutOff) {
  const ops::OpTable& table = table_of(GetParam());
  ModelRun run(kData / "tiny" / GetParam().name, table, Train::nothing);
  const std::vector<std::int32_t> tokens = some_tokens();
  std::vector<std::int32_t> other = tokens;
  for (std::size_t t = 11; t < other.size(); ++t) other[t] = (other[t] + 1) % 97;
  SessionRun session(run, table, static_cast<std::int64_t>(kLength), 64);
  read_and_compare(session, other, kLength, whole_logits(run, other));
  session.cache.truncate(11);
  read_and_compare(session, tokens, 7, whole_logits(run, tokens));
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  return std::string(info.param.name) + (info.param.fast_kernels ? "_cpu" : "_reference");
}

#define HONE_TINY(name)     \
  Case{name, false}, Case { \
    name, true              \
  }
INSTANTIATE_TEST_SUITE_P(Families, CachedDecoding,
                         testing::Values(HONE_TINY("llama_gqa"), HONE_TINY("llama_tied"),
                                         HONE_TINY("llama_biases"), HONE_TINY("llama_head_dim"),
                                         HONE_TINY("llama_rope_linear"),
                                         HONE_TINY("llama_rope_llama3"), HONE_TINY("mistral"),
                                         HONE_TINY("qwen2"), HONE_TINY("qwen2_tied"),
                                         HONE_TINY("qwen3")),
                         case_name);

// The window must matter at all for the test above to say something about it.
TEST(CachedDecodingOfWindows, DiffersFromAModelWithoutWindow) {
  ModelRun run(kData / "tiny" / "mistral", kernels::reference_table(), Train::nothing);
  const std::vector<float> with = whole_logits(run, some_tokens()).back();
  for (model::Block& block : run.decoder.blocks) {
    ASSERT_GT(block.attention.window, 0);
    block.attention.window = 0;
  }
  const std::vector<float> without = whole_logits(run, some_tokens()).back();
  EXPECT_GT(distance(with, without), 100 * kRelativeError);
}

TEST(CachedDecodingWithAdapters, GivesTheLogitsOfOnePass) {
  model::LoraOptions lora;
  lora.rank = 3;
  for (const ops::OpTable* table : {&kernels::reference_table(), &kernels::cpu_table()}) {
    ModelRun run(kData / "tiny" / "llama_gqa", *table, Train::adapters, &lora);
    const std::vector<std::vector<float>> without = whole_logits(run, some_tokens());
    float* flat = run.weights->trainable().data<float>();
    for (std::int64_t i = 0; i < run.weights->trainable().elements(); ++i) {
      flat[i] = 0.01f * static_cast<float>(i * 7919 % 31 - 15);
    }
    const std::vector<std::vector<float>> wanted = whole_logits(run, some_tokens());
    EXPECT_GT(distance(wanted.back(), without.back()), 100 * kRelativeError);
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{5}, kLength}) {
      SCOPED_TRACE(chunk);
      SessionRun session(run, *table, static_cast<std::int64_t>(kLength), 64);
      read_and_compare(session, some_tokens(), chunk, wanted);
    }
  }
}

}  // namespace
}  // namespace hone::golden
