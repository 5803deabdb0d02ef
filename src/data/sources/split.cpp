#include "data/sources/split.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "data/order/numpy_random.h"

namespace hone::data {
namespace {

[[noreturn]] void refuse(double val_size, std::string found, std::string remedy) {
  throw UserError({fmt::format("val_size: {}", val_size), std::move(found), std::move(remedy)});
}

}  // namespace

bool asks_for_split(double val_size) {
  return val_size > 1e-6;
}

std::int64_t evaluation_records(double val_size, std::int64_t records) {
  if (!asks_for_split(val_size)) return 0;
  if (val_size == 1.0) {
    refuse(val_size, "it reads as a fraction that leaves nothing to train on",
           "give a fraction below 1, or a number of records from 2 on");
  }
  if (val_size > 1.0 && val_size != std::floor(val_size)) {
    refuse(val_size, "neither a fraction below 1 nor a whole number of records",
           "give a fraction below 1, or a number of records from 2 on");
  }
  const double wanted =
      val_size > 1.0 ? val_size : std::ceil(val_size * static_cast<double>(records));
  if (wanted >= static_cast<double>(records)) {
    refuse(val_size,
           fmt::format("{} of {} records would be set aside; none is left to train on", wanted,
                       records),
           "set a smaller val_size, or add records");
  }
  return static_cast<std::int64_t>(wanted);
}

Split split_records(double val_size, std::int64_t seed, std::int64_t records) {
  const std::int64_t set_aside = evaluation_records(val_size, records);
  Split split;
  if (set_aside == 0) {
    split.training.resize(static_cast<std::size_t>(records));
    std::iota(split.training.begin(), split.training.end(), std::int64_t{0});
    return split;
  }
  if (seed < 0) {
    throw UserError({fmt::format("seed: {}", seed),
                     "val_size splits by this seed, which must not be negative",
                     "set a seed of 0 or more"});
  }
  const auto order = numpy_permutation(records, static_cast<std::uint64_t>(seed));
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(set_aside);
  split.evaluation.assign(order.begin(), middle);
  split.training.assign(middle, order.end());
  return split;
}

}  // namespace hone::data
