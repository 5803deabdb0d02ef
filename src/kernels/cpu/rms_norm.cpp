#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/rms_norm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <cstring>

#include "kernels/cpu/add_scaled.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/cpu/simd-inl.h"
#include "kernels/cpu/widen.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

// One vector of `width` elements; sum and delta both or neither. Returns inv_rms.
float norm_vector(const float* x, const float* delta, float* sum, const float* weight,
                  double epsilon, float* y, std::int64_t width) {
  const DF d;
  VF squares = hn::Zero(d);
  for (std::int64_t i = 0; i < width; i += lanes()) {
    const std::int64_t left = width - i;
    VF v = load_up_to(x + i, left);
    if (delta != nullptr) {
      v = hn::Add(v, load_up_to(delta + i, left));
      store_up_to(v, sum + i, left);
    }
    squares = hn::MulAdd(v, v, squares);
  }
  const double mean = static_cast<double>(sum_of(squares)) / static_cast<double>(width);
  const auto inv_rms = static_cast<float>(1.0 / std::sqrt(mean + epsilon));
  const float* normed = delta != nullptr ? sum : x;
  const VF factor = hn::Set(d, inv_rms);
  for (std::int64_t i = 0; i < width; i += lanes()) {
    const std::int64_t left = width - i;
    const VF n = hn::Mul(load_up_to(normed + i, left), factor);
    store_up_to(hn::Mul(n, load_up_to(weight + i, left)), y + i, left);
  }
  return inv_rms;
}

// d_weight may be absent.
void norm_gradient_vector(const float* d_y, const float* x, const float* weight, float inv_rms,
                          bool assign, float* d_x, float* d_weight, std::int64_t width) {
  const DF d;
  VF products = hn::Zero(d);  // of g and x
  for (std::int64_t i = 0; i < width; i += lanes()) {
    const std::int64_t left = width - i;
    const VF g = hn::Mul(load_up_to(d_y + i, left), load_up_to(weight + i, left));
    products = hn::MulAdd(g, load_up_to(x + i, left), products);
  }
  const VF factor = hn::Set(d, inv_rms);
  const VF mean = hn::Set(d, sum_of(products) * inv_rms / static_cast<float>(width));
  for (std::int64_t i = 0; i < width; i += lanes()) {
    const std::int64_t left = width - i;
    const VF d_out = load_up_to(d_y + i, left);
    const VF n = hn::Mul(load_up_to(x + i, left), factor);
    if (d_weight != nullptr) {
      store_up_to(hn::MulAdd(d_out, n, load_up_to(d_weight + i, left)), d_weight + i, left);
    }
    const VF g = hn::Mul(d_out, load_up_to(weight + i, left));
    const VF inner = hn::NegMulAdd(n, mean, g);
    const VF d_in =
        assign ? hn::Mul(factor, inner) : hn::MulAdd(factor, inner, load_up_to(d_x + i, left));
    store_up_to(d_in, d_x + i, left);
  }
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(norm_vector);
HWY_EXPORT(norm_gradient_vector);

namespace {

// Vectors per row: 1, or the heads of a query or key norm.
std::int64_t groups(const ConstTensorView& x) {
  return x.shape().rank() == 3 ? x.shape()[1] : 1;
}

void backward_rows(const ops::RmsNormBackward& op, const float* weight, std::int64_t first,
                   std::int64_t last, float* d_weight) {
  const std::int64_t width = op.x.shape()[-1];
  for (std::int64_t t = first; t < last; ++t) {
    const float* inv_rms = op.inv_rms.row<float>(t);
    for (std::int64_t g = 0; g < groups(op.x); ++g) {
      HWY_DYNAMIC_DISPATCH(norm_gradient_vector)
      (op.d_y.row<float>(t) + g * width, op.x.row<float>(t) + g * width, weight, inv_rms[g],
       op.assign, op.d_x.row<float>(t) + g * width, d_weight, width);
    }
  }
}

}  // namespace

std::size_t scratch_bytes(const ops::OpContext&, const ops::RmsNormForward& op) {
  return array_bytes<float>(widened_elements(op.weight));
}

void run(ops::OpContext& context, const ops::RmsNormForward& op) {
  const std::int64_t width = op.x.shape()[-1];
  const bool fused = op.delta.present();
  Scratch scratch(context.scratch);
  const float* weight = widened(op.weight, scratch.take<float>(widened_elements(op.weight)));
  parallel_ranges(context.threads, op.x.rows(), row_grain(op.x.columns()),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t t = first; t < last; ++t) {
                      for (std::int64_t g = 0; g < groups(op.x); ++g) {
                        const std::int64_t at = g * width;
                        op.inv_rms.row<float>(t)[g] = HWY_DYNAMIC_DISPATCH(norm_vector)(
                            op.x.row<float>(t) + at, fused ? op.delta.row<float>(t) + at : nullptr,
                            fused ? op.sum.row<float>(t) + at : nullptr, weight, op.epsilon,
                            op.y.row<float>(t) + at, width);
                      }
                    }
                  });
}

std::size_t scratch_bytes(const ops::OpContext&, const ops::RmsNormBackward& op) {
  const std::int64_t width = op.x.shape()[-1];
  const std::int64_t blocks = op.d_weight.present() ? row_blocks(op.x.rows()) : 0;
  return array_bytes<float>(widened_elements(op.weight)) + array_bytes<float>(blocks * width);
}

void run(ops::OpContext& context, const ops::RmsNormBackward& op) {
  const std::int64_t rows = op.x.rows();
  const std::int64_t width = op.x.shape()[-1];
  Scratch scratch(context.scratch);
  const float* weight = widened(op.weight, scratch.take<float>(widened_elements(op.weight)));
  if (!op.d_weight.present()) {
    parallel_ranges(context.threads, rows, row_grain(op.x.columns()),
                    [&](std::int64_t first, std::int64_t last) {
                      backward_rows(op, weight, first, last, nullptr);
                    });
    return;
  }
  const std::int64_t blocks = row_blocks(rows);
  auto* partials = scratch.take<float>(blocks * width);
  parallel_tasks(context.threads, blocks, [&](std::int64_t block, int) {
    float* partial = partials + block * width;
    std::memset(partial, 0, static_cast<std::size_t>(width) * sizeof(float));
    const std::int64_t first = block * kRowBlock;
    backward_rows(op, weight, first, std::min(rows, first + kRowBlock), partial);
  });
  for (std::int64_t block = 0; block < blocks; ++block) {
    add_scaled(partials + block * width, 1.0f, op.d_weight.data<float>(), width);
  }
}

}  // namespace hone::kernels::cpu
#endif
