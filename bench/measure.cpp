#include "measure.h"

#include <omp.h>
#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <vector>

namespace hone::bench {

double Clock::now() const {
  timespec time;
  clock_gettime(processor_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  const double seconds =
      static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  return processor_time ? seconds / threads : seconds;
}

double best_seconds(const Clock& clock, double budget_seconds, const std::function<void()>& run) {
  run();  // pages, caches, threads
  double best = 1e30;
  const double start = clock.now();
  for (int runs = 0; runs < 3 || clock.now() - start < budget_seconds; ++runs) {
    const double before = clock.now();
    run();
    best = std::min(best, clock.now() - before);
  }
  return best;
}

Roofs measure_roofs(const Clock& clock) {
  const int threads = clock.threads;
  constexpr int kSize = 1536;
  std::vector<float> a(kSize * kSize, 0.5f), b(kSize * kSize, 0.25f), c(kSize * kSize);
  const double product = best_seconds(clock, 1.0, [&] {
    dnnl_sgemm('N', 'T', kSize, kSize, kSize, 1.0f, a.data(), kSize, b.data(), kSize, 0.0f,
               c.data(), kSize);
  });
  constexpr std::size_t kBytes = std::size_t{256} << 20;
  std::vector<char> from(kBytes, 1), to(kBytes);
  const auto part = kBytes / static_cast<std::size_t>(threads);
  const double copy = best_seconds(clock, 1.0, [&] {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int i = 0; i < threads; ++i) {
      const std::size_t at = static_cast<std::size_t>(i) * part;
      std::memcpy(to.data() + at, from.data() + at, part);
    }
  });
  return {2.0 * kSize * kSize * kSize / product, 2.0 * static_cast<double>(kBytes) / copy};
}

}  // namespace hone::bench
