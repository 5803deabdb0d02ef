#include "memory/plan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"

namespace hone {
namespace {

constexpr std::array kTransient = {Lifetime::block, Lifetime::head, Lifetime::update};

}  // namespace

std::string_view name(Category category) {
  switch (category) {
    case Category::weights:
      return "weights";
    case Category::master_weights:
      return "trainable weights";
    case Category::gradients:
      return "gradients";
    case Category::optimizer_state:
      return "optimizer state";
    case Category::activations:
      return "activations";
    case Category::head:
      return "logits";
    case Category::key_value_cache:
      return "key-value cache";
    case Category::scratch:
      return "working space";
    case Category::program:
      return "program and records";
  }
  HONE_ASSERT(false, static_cast<int>(category));
  return {};
}

std::size_t aligned_bytes(std::size_t bytes) {
  return (bytes + Plan::kAlignmentBytes - 1) / Plan::kAlignmentBytes * Plan::kAlignmentBytes;
}

void Plan::add(PlanRow row) {
  const auto same = [&](const PlanRow& other) { return other.name == row.name; };
  HONE_ASSERT(std::none_of(rows_.begin(), rows_.end(), same), row.name);
  rows_.push_back(std::move(row));
}

std::size_t Plan::bytes_of(Lifetime lifetime) const {
  std::size_t sum = 0;
  for (const PlanRow& row : rows_) {
    if (row.lifetime == lifetime && !row.outside) sum += aligned_bytes(row.bytes);
  }
  return sum;
}

Lifetime Plan::largest_transient() const {
  return *std::max_element(kTransient.begin(), kTransient.end(),
                           [&](Lifetime a, Lifetime b) { return bytes_of(a) < bytes_of(b); });
}

std::size_t Plan::arena_bytes() const {
  return bytes_of(Lifetime::run) + bytes_of(largest_transient());
}

std::size_t Plan::outside_bytes() const {
  std::size_t sum = 0;
  for (const PlanRow& row : rows_) {
    if (row.outside) sum += row.bytes;
  }
  return sum;
}

std::size_t Plan::bytes_of(Category category) const {
  const Lifetime transient = largest_transient();
  std::size_t sum = 0;
  for (const PlanRow& row : rows_) {
    if (row.category != category) continue;
    if (row.lifetime != Lifetime::run && row.lifetime != transient) continue;
    sum += row.outside ? row.bytes : aligned_bytes(row.bytes);
  }
  return sum;
}

}  // namespace hone
