#include "device/gpu/product_samples.h"

#include <cmath>
#include <sstream>

namespace hone::hip {
namespace {

constexpr std::int64_t kSamples = 32;

float at(const LibraryMatrix& matrix, std::int64_t row, std::int64_t column) {
  return matrix.transposed ? matrix.data[column * matrix.stride + row]
                           : matrix.data[row * matrix.stride + column];
}

}  // namespace

// Corners first, where a library's last tiles are; then rows and columns by steps that share no
// factor with the extents' powers of two.
ProductSamples::ProductSamples(const LibraryProduct& product) : product_(product) {
  for (std::int64_t i = 0; i < kSamples; ++i) {
    const std::int64_t row =
        i < 4 ? (i % 2) * (product.m - 1) : i * (product.m / kSamples * 2 + 1) % product.m;
    const std::int64_t column =
        i < 4 ? (i / 2) * (product.n - 1) : (i * (product.n / kSamples * 2 + 1) + 7) % product.n;
    samples_.push_back(
        {row, column, product.accumulate ? product.c[row * product.c_stride + column] : 0.0f});
  }
}

// A sum of k products in f32, in any order, is within k units of rounding of the sum of their
// sizes; one more for what it is added to. Sums that are not finite are not judged.
std::string ProductSamples::what_is_wrong() const {
  for (const Sample& sample : samples_) {
    double sum = static_cast<double>(sample.before), sizes = std::abs(sum);
    for (std::int64_t k = 0; k < product_.k; ++k) {
      const double term = static_cast<double>(at(product_.a, sample.row, k)) *
                          static_cast<double>(at(product_.b, k, sample.column));
      sum += term;
      sizes += std::abs(term);
    }
    const float found = product_.c[sample.row * product_.c_stride + sample.column];
    const double bound = static_cast<double>(product_.k + 2) * 0x1p-23 * sizes + 1e-37;
    if (!std::isfinite(sum) || std::abs(static_cast<double>(found) - sum) <= bound) continue;
    std::ostringstream text;
    text << "row " << sample.row << ", column " << sample.column << " is " << found
         << ", should be " << sum << " (" << product_.m << " x " << product_.n << ", sums of "
         << product_.k << ")";
    return text.str();
  }
  return {};
}

}  // namespace hone::hip
