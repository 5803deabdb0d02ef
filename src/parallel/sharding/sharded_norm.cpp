#include "parallel/sharding/sharded_norm.h"

#include <cmath>

#include "ops/squared_norm.h"

namespace hone::parallel {

ShardedNorm::ShardedNorm(const ShardMap& map, Collectives& collectives)
    : map_(map), collectives_(collectives) {
  buffers_.add(partials_, "partial sums of the gradient norm", Category::scratch, DType::f64,
               {ops::segments(map.elements())});
}

double ShardedNorm::measure(ops::OpContext& context, const StepGradients& gradients) {
  const int rank = collectives_.rank();
  for (const FlatRun& run : map_.owned(rank)) {
    const std::int64_t first = run.first / ops::SquaredNorm::kSegmentElements;
    ops::run(context,
             ops::SquaredNorm{.x = own_run(gradients.sums(), gradients.whole(), map_, rank, run),
                              .partials = partials_.slice(first, ops::segments(run.elements))});
  }
  collectives_.all_gather(partials_, map_.segment_parts());
  double sum = 0.0;
  for (std::int64_t i = 0; i < partials_.rows(); ++i) sum += partials_.data<double>()[i];
  return std::sqrt(sum);
}

}  // namespace hone::parallel
