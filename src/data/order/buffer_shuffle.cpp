#include "data/order/buffer_shuffle.h"

#include <utility>

#include "base/error.h"
#include "data/order/numpy_random.h"

namespace hone::data {
namespace {

// The package draws its places a thousand at a time.
constexpr std::size_t kDrawnTogether = 1000;

class Places {
 public:
  Places(NumpyGenerator& random, std::uint32_t bound) : random_(random), bound_(bound) {}

  std::size_t next() {
    if (next_ == drawn_.size()) {
      drawn_.clear();
      for (std::size_t i = 0; i < kDrawnTogether; ++i) drawn_.push_back(random_.below(bound_));
      next_ = 0;
    }
    return drawn_[next_++];
  }

 private:
  NumpyGenerator& random_;
  std::uint32_t bound_;
  std::vector<std::uint32_t> drawn_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<std::int64_t> buffer_shuffle(std::int64_t rows, std::int64_t buffer_rows,
                                         std::uint64_t seed) {
  HONE_ASSERT(rows >= 0 && buffer_rows >= 1 && buffer_rows <= 0xffffffffLL, rows, buffer_rows);
  NumpyGenerator random(seed);
  Places places(random, static_cast<std::uint32_t>(buffer_rows));
  std::vector<std::int64_t> buffer;
  std::vector<std::int64_t> order;
  order.reserve(static_cast<std::size_t>(rows));
  for (std::int64_t row = 0; row < rows; ++row) {
    if (static_cast<std::int64_t>(buffer.size()) < buffer_rows) {
      buffer.push_back(row);
      continue;
    }
    std::int64_t& place = buffer[places.next()];
    order.push_back(std::exchange(place, row));
  }
  for (std::size_t i = buffer.size(); i-- > 1;) {
    std::swap(buffer[i], buffer[random.up_to(i)]);
  }
  order.insert(order.end(), buffer.begin(), buffer.end());
  return order;
}

}  // namespace hone::data
