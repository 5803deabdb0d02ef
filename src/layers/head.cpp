#include "layers/head.h"

#include <algorithm>
#include <array>

#include "ops/head.h"

namespace hone::layers {
namespace {

TensorView rows_of(const TensorView& buffer, std::int64_t rows) {
  return buffer.present() ? buffer.slice(0, rows) : buffer;
}

}  // namespace

TensorView head_logits(LayerContext& context, const Head& head, const ConstTensorView& x,
                       const HeadWork& work) {
  const TensorView logits = work.logits.slice(0, x.rows());
  linear_forward(context, head.linear, x, rows_of(work.lora_h, x.rows()), std::array{logits});
  return logits;
}

double head_loss(LayerContext& context, const Head& head, const HeadRows& rows,
                 const losses::TokenLoss& loss, const HeadWork& work, const TensorView& d_x) {
  const std::int64_t chunk_rows = work.logits.rows();
  double value = 0.0;
  for (std::int64_t first = 0; first < rows.x.rows(); first += chunk_rows) {
    const std::int64_t count = std::min(chunk_rows, rows.x.rows() - first);
    const auto offset = static_cast<std::size_t>(first);
    const auto size = static_cast<std::size_t>(count);
    const ConstTensorView x = rows.x.slice(first, count);
    const std::span<const std::int32_t> labels = rows.labels.subspan(offset, size);
    const TensorView logits = head_logits(context, head, x, work);
    const TensorView log_probability = work.log_probability.slice(0, count);
    const TensorView log_sum_exp = work.log_sum_exp.slice(0, count);
    ops::run(context.ops, ops::HeadStatistics{.logits = logits,
                                              .labels = labels,
                                              .log_probability = log_probability,
                                              .log_sum_exp = log_sum_exp});
    const TensorView coefficient = work.coefficient.slice(0, count);
    value += loss.rows({log_probability.data<float>(), size}, rows.weights.subspan(offset, size),
                       rows.scale, {coefficient.data<float>(), size});
    if (!d_x.present()) continue;
    ops::run(context.ops, ops::HeadGradient{.labels = labels,
                                            .log_sum_exp = log_sum_exp,
                                            .coefficient = coefficient,
                                            .logits = logits});
    linear_backward(context, head.linear,
                    {.x = x,
                     .lora_h = rows_of(work.lora_h, count),
                     .d_outputs = std::array{ConstTensorView(logits)},
                     .d_lora_h = rows_of(work.d_lora_h, count),
                     .d_x = d_x.slice(first, count)});
  }
  return value;
}

}  // namespace hone::layers
