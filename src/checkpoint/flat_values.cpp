#include "checkpoint/flat_values.h"

#include <algorithm>

#include "base/error.h"

namespace hone::checkpoint {
namespace {

// Of one piece that is fetched: large enough to hide the calls, small beside every plan.
constexpr std::int64_t kFetchedElements = std::int64_t{1} << 18;

}  // namespace

FlatValues FlatValues::slice(std::int64_t first, std::int64_t elements) const {
  HONE_ASSERT(first >= 0 && first + elements <= elements_, first, elements, elements_);
  if (whole_.present()) return {whole_.reshape({elements_}).slice(first, elements)};
  return {dtype_, elements, [read = read_, first](std::int64_t from, const TensorView& to) {
            read(first + from, to);
          }};
}

void FlatValues::for_each_piece(std::int64_t most_elements, const Use& use) const {
  if (elements_ == 0) return;
  const bool here = whole_.present();
  const std::int64_t fetched = most_elements > 0 ? most_elements : kFetchedElements;
  const std::int64_t most = here && most_elements == 0 ? elements_ : fetched;
  const ConstTensorView flat = here ? whole_.reshape({elements_}) : ConstTensorView();
  std::vector<std::byte> space(here ? 0 : static_cast<std::size_t>(most) * size_bytes(dtype_));
  for (std::int64_t first = 0; first < elements_; first += most) {
    const std::int64_t count = std::min(most, elements_ - first);
    if (here) {
      use(flat.slice(first, count));
      continue;
    }
    const TensorView piece(space.data(), dtype_, {count});
    read_(first, piece);
    use(piece);
  }
}

std::vector<SavedArray> saved_arrays(const optimizers::Optimizer& optimizer) {
  std::vector<SavedArray> arrays;
  for (const optimizers::StateArray& array : optimizer.state()) {
    arrays.push_back({array.name, array.values});
  }
  return arrays;
}

}  // namespace hone::checkpoint
