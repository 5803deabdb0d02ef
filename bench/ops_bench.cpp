// Speed of each operation of the CPU at the shapes of SmolLM2-135M with a micro-step of 1,200
// tokens, beside what this machine reaches in a product and in a copy in the same run.
//
//   ops_bench [FILTER [THREADS [cpu]]]
//
// FILTER: only the lines whose name contains it. cpu: count processor time instead of elapsed time.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "device/cpu/cpu_device.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/cpu_table.h"
#include "measure.h"

namespace hone::bench {
namespace {

constexpr std::int64_t kD = 576, kH = 9, kK = 3, kE = 64, kF = 1536, kV = 49152, kT = 1200, kR = 8;
constexpr std::int64_t kSequences = 8, kLabelRows = 256, kCache = 512;

class Bench {
 public:
  Bench(std::string filter, int threads, bool processor_time)
      : filter_(std::move(filter)), device_(open_cpu_device({threads})) {
    context_.table = &kernels::cpu_table();
    context_.threads = device_->properties().threads;
    clock_ = {context_.threads, processor_time};
    roofs_ = measure_roofs(clock_);
    fmt::print("{}, {} threads: product {:.0f} GFLOP/s, copy {:.1f} GB/s\n\n",
               device_->properties().name, context_.threads, roofs_.flops_per_second / 1e9,
               roofs_.bytes_per_second / 1e9);
    fmt::print("{:<42}{:>10}{:>10}{:>8}{:>8}{:>8}\n", "operation", "ms", "GFLOP/s", "of roof",
               "GB/s", "of roof");
  }

  // Random values: zeros run faster than data does.
  TensorView tensor(const Shape& shape, DType dtype = DType::f32, double range = 1.0) {
    const std::size_t bytes = static_cast<std::size_t>(shape.elements()) * size_bytes(dtype);
    memory_.emplace_back(*device_, bytes);
    const TensorView view(memory_.back().data(), dtype, shape);
    std::uint32_t state = 12345;
    for (std::int64_t i = 0; i < shape.elements(); ++i) {
      state = state * 1664525u + 1013904223u;
      const auto value = static_cast<float>(range * (state * 0x1p-31 - 1.0));
      if (dtype == DType::f32) view.data<float>()[i] = value;
      if (dtype == DType::bf16) view.data<BFloat16>()[i] = to_bfloat16(value);
    }
    return view;
  }

  template <class Op>
  void measure(const std::string& detail, const Op& op) {
    const std::string name = std::string(Op::kName) + " " + detail;
    if (name.find(filter_) == std::string::npos) return;
    const DeviceMemory scratch(*device_, ops::scratch_bytes(context_, op) + 1);
    context_.scratch =
        TensorView(scratch.data(), DType::u8, {static_cast<std::int64_t>(scratch.bytes())});
    const double seconds = best_seconds(clock_, 0.5, [&] { ops::run(context_, op); });
    const ops::Cost cost = ops::cost(op);
    const double flops = cost.flops / seconds;
    const double bytes = cost.bytes / seconds;
    fmt::print("{:<42}{:>10.3f}{:>10.1f}{:>7.0f}%{:>8.1f}{:>7.0f}%\n", name, seconds * 1e3,
               flops / 1e9, 100.0 * flops / roofs_.flops_per_second, bytes / 1e9,
               100.0 * bytes / roofs_.bytes_per_second);
    std::fflush(stdout);
  }

 private:
  std::string filter_;
  std::unique_ptr<Device> device_;
  std::list<DeviceMemory> memory_;
  ops::OpContext context_;
  Clock clock_;
  Roofs roofs_ = {};
};

void measure_products(Bench& bench) {
  const TensorView x = bench.tensor({kT, kD});
  const TensorView wide = bench.tensor({kT, kF});
  const TensorView up = bench.tensor({kF, kD});
  const TensorView down = bench.tensor({kD, kF});
  const TensorView square = bench.tensor({kD, kD});
  const TensorView y = bench.tensor({kT, kD});
  const TensorView d_up = bench.tensor({kF, kD});
  bench.measure("q: x W^T", ops::Product{x, square, y, false, true, false});
  bench.measure("up: x W^T", ops::Product{x, up, wide, false, true, true});
  bench.measure("down: x W^T", ops::Product{wide, down, y, false, true, false});
  bench.measure("up: d_y W", ops::Product{wide, up, y, false, false, false});
  bench.measure("down: d_y W", ops::Product{x, down, wide, false, false, false});
  bench.measure("up: d_y^T x", ops::Product{wide, x, d_up, true, false, true});
  const TensorView up16 = bench.tensor({kF, kD}, DType::bf16);
  const TensorView down16 = bench.tensor({kD, kF}, DType::bf16);
  bench.measure("up: x W^T, bf16", ops::Product{x, up16, wide, false, true, false});
  bench.measure("down: x W^T, bf16", ops::Product{wide, down16, y, false, true, false});
  bench.measure("up: d_y W, bf16", ops::Product{wide, up16, y, false, false, false});
  bench.measure("down: d_y W, bf16", ops::Product{x, down16, wide, false, false, false});
}

void measure_head(Bench& bench) {
  const TensorView x = bench.tensor({kLabelRows, kD});
  const TensorView table = bench.tensor({kV, kD});
  const TensorView table16 = bench.tensor({kV, kD}, DType::bf16);
  const TensorView logits = bench.tensor({kLabelRows, kV}, DType::f32, 4.0);
  const TensorView statistics = bench.tensor({kLabelRows});
  const TensorView log_sum_exp = bench.tensor({kLabelRows}, DType::f32, 12.0);
  const std::vector<std::int32_t> labels(kLabelRows, 7);
  bench.measure("", ops::HeadStatistics{logits, labels, statistics, log_sum_exp});
  bench.measure("", ops::HeadGradient{labels, log_sum_exp, statistics, logits});
  bench.measure("head: x W^T", ops::Product{x, table, logits, false, true, false});
  bench.measure("head: d_logits W", ops::Product{logits, table, x, false, false, false});
  const TensorView one = bench.tensor({1, kD});
  const TensorView one_row = bench.tensor({1, kV});
  bench.measure("decode head", ops::Product{one, table, one_row, false, true, false});
  bench.measure("decode head, bf16", ops::Product{one, table16, one_row, false, true, false});
  const TensorView four = bench.tensor({4, kD});
  const TensorView four_rows = bench.tensor({4, kV});
  bench.measure("decode head, 4 rows", ops::Product{four, table, four_rows, false, true, false});
}

void measure_lora(Bench& bench, std::int64_t width, std::int64_t rank, const std::string& detail) {
  const TensorView x = bench.tensor({kT, width});
  const TensorView y = bench.tensor({kT, width});
  const TensorView a = bench.tensor({rank, width});
  const TensorView b = bench.tensor({width, rank});
  const TensorView d_a = bench.tensor({rank, width});
  const TensorView d_b = bench.tensor({width, rank});
  const TensorView h = bench.tensor({kT, rank});
  const TensorView d_h = bench.tensor({kT, rank});
  const std::vector<std::uint64_t> keys(kT, 5);
  const ops::Dropout none;
  const ops::Dropout some = {0.1, 1, 1, keys};
  bench.measure(detail, ops::LoraDown{x, a, none, h});
  bench.measure(detail, ops::LoraUp{h, b, 2.0, false, y});
  bench.measure(detail, ops::LoraUpBackward{y, h, b, 2.0, d_h, d_b});
  bench.measure(detail, ops::LoraDownBackward{d_h, x, a, none, d_a, y, true});
  bench.measure(detail + " dropout", ops::LoraDown{x, a, some, h});
  bench.measure(detail + " dropout", ops::LoraDownBackward{d_h, x, a, some, d_a, y, true});
}

// Records of different lengths that fill a micro-step.
std::vector<std::int32_t> starts_of(std::int64_t sequences) {
  std::vector<std::int32_t> starts = {0};
  for (std::int64_t s = 1; s <= sequences; ++s) {
    const double share = std::pow(static_cast<double>(s) / static_cast<double>(sequences), 1.3);
    starts.push_back(static_cast<std::int32_t>(std::lround(share * kT)));
  }
  return starts;
}

void measure_attention(Bench& bench, std::int64_t sequences) {
  const std::vector<std::int32_t> starts = starts_of(sequences);
  std::vector<std::int32_t> lengths;
  for (std::size_t s = 0; s + 1 < starts.size(); ++s) lengths.push_back(starts[s + 1] - starts[s]);
  const ops::AttentionLayout layout = {starts, {starts.data(), lengths.size()}, lengths, 0, 0.125};
  const Shape queries = {kT, kH, kE};
  const Shape keys = {kT, kK, kE};
  const TensorView q = bench.tensor(queries), k = bench.tensor(keys), v = bench.tensor(keys);
  const TensorView out = bench.tensor(queries), d_out = bench.tensor(queries);
  const TensorView d_q = bench.tensor(queries), d_k = bench.tensor(keys), d_v = bench.tensor(keys);
  const TensorView log_sum_exp = bench.tensor({kT, kH}, DType::f32, 8.0);
  const std::string detail = fmt::format("{} records", sequences);
  bench.measure(detail, ops::AttentionForward{layout, q, k, v, out, log_sum_exp});
  bench.measure(detail,
                ops::AttentionBackward{layout, d_out, q, k, v, out, log_sum_exp, d_q, d_k, d_v});
}

void measure_decoding(Bench& bench) {
  const std::vector<std::int32_t> query_starts = {0, 1}, key_starts = {0}, lengths = {kCache};
  const ops::AttentionLayout layout = {query_starts, key_starts, lengths, 0, 0.125};
  const TensorView q = bench.tensor({1, kH, kE}), out = bench.tensor({1, kH, kE});
  const TensorView k = bench.tensor({kCache, kK, kE}), v = bench.tensor({kCache, kK, kE});
  bench.measure("decode, 512 keys",
                ops::AttentionForward{layout, q, k, v, out, bench.tensor({1, kH})});
}

void measure_elementwise(Bench& bench) {
  const TensorView x = bench.tensor({kT, kD}), delta = bench.tensor({kT, kD});
  const TensorView y = bench.tensor({kT, kD}), d_x = bench.tensor({kT, kD});
  const TensorView weight = bench.tensor({kD}), d_weight = bench.tensor({kD});
  const TensorView inv_rms = bench.tensor({kT});
  bench.measure("+ residual", ops::RmsNormForward{x, delta, weight, 1e-5, x, y, inv_rms});
  bench.measure("", ops::RmsNormBackward{y, x, weight, inv_rms, d_x, false, d_weight});
  bench.measure("frozen", ops::RmsNormBackward{y, x, weight, inv_rms, d_x, false, {}});
  std::vector<std::int32_t> positions(kT);
  for (std::size_t t = 0; t < positions.size(); ++t) positions[t] = static_cast<std::int32_t>(t);
  const TensorView cosines = bench.tensor({kT, kE / 2}), sines = bench.tensor({kT, kE / 2});
  bench.measure("q", ops::Rope{positions, cosines, sines, false, bench.tensor({kT, kH, kE})});
  const TensorView gate = bench.tensor({kT, kF}), up = bench.tensor({kT, kF});
  const TensorView out = bench.tensor({kT, kF});
  bench.measure("", ops::SwiGluForward{gate, up, out});
  bench.measure("",
                ops::SwiGluBackward{out, gate, up, bench.tensor({kT, kF}), bench.tensor({kT, kF})});
  bench.measure("", ops::AddScaled{x, 1.0, y});
}

void measure_update(Bench& bench) {
  constexpr std::int64_t kCount = std::int64_t{8} << 20;
  const TensorView gradient = bench.tensor({kCount});
  const TensorView partials(bench.tensor({2 * ops::segments(kCount)}).raw(), DType::f64,
                            {ops::segments(kCount)});
  bench.measure("", ops::SquaredNorm{gradient, partials});
  for (const DType dtype : {DType::f32, DType::bf16}) {
    ops::AdamW op;
    op.gradient = gradient;
    op.weight = bench.tensor({kCount}, dtype);
    op.first_moment = bench.tensor({kCount}, dtype, 0.0);
    op.second_moment = bench.tensor({kCount}, dtype, 0.0);
    op.learning_rate = 1e-5;
    bench.measure(std::string(name(dtype)), op);
    if (dtype == DType::f32) continue;
    op.stochastic_rounding = true;
    bench.measure("bf16, stochastic", op);
    bench.measure("bf16 to f32", ops::Cast{op.weight, gradient});
    bench.measure("f32 to bf16", ops::Cast{gradient, op.weight});
  }
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  using namespace hone::bench;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 0;
  const bool processor_time = argc > 3 && std::string(argv[3]) == "cpu";
  Bench bench(argc > 1 ? argv[1] : "", threads, processor_time);
  measure_products(bench);
  measure_head(bench);
  measure_attention(bench, kSequences);
  measure_attention(bench, 1);
  measure_decoding(bench);
  measure_lora(bench, kD, kR, "576 x 8");
  measure_lora(bench, kD, 3 * kR, "576 x 24");
  measure_lora(bench, kF, kR, "1536 x 8");
  measure_elementwise(bench);
  measure_update(bench);
  return 0;
}
