#include "ops/head.h"

#include <complex>
#include <cstring>

#include "ops/cases.h"

namespace hone::tests {
namespace {

std::vector<std::int32_t> some_labels(std::int64_t count, std::int64_t vocabulary) {
  std::vector<std::int32_t> labels;
  for (std::int64_t i = 0; i < count; ++i) {
    labels.push_back(static_cast<std::int32_t>((i * 31 + vocabulary - 1) % vocabulary));
  }
  return labels;
}

auto statistics(const Shape& logits) {
  return [labels = some_labels(logits[0], logits[1])](const Operands& o) {
    return ops::HeadStatistics{o["logits"], labels, o["log_probability"], o["log_sum_exp"]};
  };
}

auto gradient(const Shape& logits, const std::string& in_place) {
  return [labels = some_labels(logits[0], logits[1]), in_place](const Operands& o) {
    return ops::HeadGradient{labels, o["log_sum_exp"], o["coefficient"], o[in_place]};
  };
}

OpCase statistics_case(const std::string& name, const Shape& logits, double range,
                       std::int64_t gap) {
  return op_case(
      name,
      {in("logits", logits).between(-range, range).strided(gap),
       assigned("log_probability", {logits[0]}), assigned("log_sum_exp", {logits[0]})},
      statistics(logits),
      {1.0, 8.0, 2.0, "log of a sum in f64 of chunks in f32: a relative error becomes absolute"});
}

// The statistics are given, of about the right size, so that probabilities are.
OpCase gradient_case(const std::string& name, const Shape& logits, std::int64_t gap) {
  const double log_sum = std::log(static_cast<double>(std::max<std::int64_t>(2, logits[1])));
  return op_case(
      name,
      {in("log_sum_exp", {logits[0]}).between(log_sum, log_sum + 0.5),
       in("coefficient", {logits[0]}), updated("logits", logits).strided(gap)},
      gradient(logits, "logits"),
      {12.0, 1.0, 1.0, "logit - log_sum_exp rounds at its own size, exp makes it relative"});
}

// The gradient is made in place of the logits: copies them first.
Runner copy_and_run(const Shape& logits) {
  const Runner run = runner(gradient(logits, "d_logits"));
  return [run](const Machine& machine, const Operands& operands) {
    std::memcpy(operands["d_logits"].raw(), operands["logits"].raw(), operands["logits"].bytes());
    for (std::int64_t i = 0; i < operands["coefficient"].rows(); ++i) {
      operands["coefficient"].data<std::complex<double>>()[i] =
          -operands["weights"].data<std::complex<double>>()[i];
    }
    run(machine, operands);
  };
}

}  // namespace

Cases head_cases() {
  Cases cases = {
      statistics_case("plain", {3, 37}, 5.0, 0),  statistics_case("chunks", {5, 5001}, 10.0, 3),
      statistics_case("far", {2, 100}, 500.0, 0), statistics_case("one", {1, 1}, 5.0, 0),
      statistics_case("empty", {0, 100}, 5.0, 0), gradient_case("plain", {3, 37}, 0),
      gradient_case("wide", {5, 5001}, 3),        gradient_case("one", {1, 1}, 0),
      gradient_case("empty", {0, 100}, 0)};
  cases[1].rounds_visibly = true;
  cases[6].rounds_visibly = true;
  return cases;
}

GradientCases head_gradients() {
  const Shape logits = {3, 7};
  return {{std::string(ops::HeadGradient::kName),
           "plain",
           {in("logits", logits).between(-3.0, 3.0), assigned("log_probability", {3}),
            assigned("log_sum_exp", {3}), in("weights", {3}), assigned("coefficient", {3}),
            assigned("d_logits", logits)},
           runner(statistics(logits)),
           copy_and_run(logits),
           {{"log_probability", "weights"}},
           {{"logits", "d_logits"}}}};
}

}  // namespace hone::tests
