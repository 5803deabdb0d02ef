#include "assemble/profile.h"

#include <algorithm>
#include <chrono>

#include "ops/elementwise.h"
#include "ops/product.h"

namespace hone::assemble {
namespace {

constexpr std::int64_t kProductSize = 1024;
constexpr std::int64_t kCopyElements = std::int64_t{16} << 20;  // 64 MiB each way
constexpr int kTries = 5;

// The shortest of some runs: the one that was disturbed least.
template <class Run>
double best_seconds(const Run& run) {
  double best = 0.0;
  for (int i = 0; i <= kTries; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    // The first run warms caches and frequencies up.
    if (i == 1 || (i > 1 && seconds.count() < best)) best = seconds.count();
  }
  return best;
}

}  // namespace

void Profile::record(std::string_view op, const ops::Cost& cost, double seconds) {
  auto found = rows_.find(op);
  if (found == rows_.end()) {
    found = rows_.emplace(std::string(op), report::ProfileRow{std::string(op), 0, 0, 0, 0}).first;
  }
  report::ProfileRow& row = found->second;
  ++row.calls;
  row.seconds += seconds;
  row.flops += cost.flops;
  row.bytes += cost.bytes;
}

std::vector<report::ProfileRow> Profile::rows() const {
  std::vector<report::ProfileRow> rows;
  for (const auto& entry : rows_) rows.push_back(entry.second);
  return rows;
}

report::Roof measure_roof(const ops::OpTable& table, Device& device) {
  const std::int64_t square = kProductSize * kProductSize;
  const DeviceMemory memory(device, static_cast<std::size_t>(2 * kCopyElements) * sizeof(float));
  auto* values = static_cast<float*>(memory.data());
  std::fill_n(values, 2 * kCopyElements, 1.0f);
  ops::OpContext context;
  context.table = &table;
  context.device = &device;
  context.threads = device.properties().threads;
  const Shape shape = {kProductSize, kProductSize};
  const ops::Product product = {.a = ConstTensorView(values, DType::f32, shape),
                                .b = ConstTensorView(values + square, DType::f32, shape),
                                .c = TensorView(values + 2 * square, DType::f32, shape),
                                .transpose_b = true};
  const ops::Cast copy = {.from = ConstTensorView(values, DType::f32, {kCopyElements}),
                          .to = TensorView(values + kCopyElements, DType::f32, {kCopyElements})};
  report::Roof roof;
  roof.flops_per_second = cost(product).flops / best_seconds([&] { ops::run(context, product); });
  roof.bytes_per_second = cost(copy).bytes / best_seconds([&] { ops::run(context, copy); });
  return roof;
}

}  // namespace hone::assemble
