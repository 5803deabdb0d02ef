// Some sums of a product, made again in double by the CPU.
#pragma once

#include <string>
#include <vector>

#include "device/gpu/product_library.h"

namespace hone::hip {

class ProductSamples {
 public:
  // Before the product runs: what it is added to is remembered. Its operands must be readable.
  explicit ProductSamples(const LibraryProduct& product);

  // After it ran; empty: every sample is right. "row 3, column 5 is 1.5, should be 2.5 (64 x 32,
  // sums of 128)".
  std::string what_is_wrong() const;

 private:
  struct Sample {
    std::int64_t row, column;
    float before;
  };

  LibraryProduct product_;
  std::vector<Sample> samples_;
};

}  // namespace hone::hip
