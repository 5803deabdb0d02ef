#include "optimizers/adamw.h"

#include <utility>

#include "ops/adamw.h"

namespace hone::optimizers {
namespace {

class AdamW final : public Optimizer {
 public:
  AdamW(const AdamWOptions& options, std::vector<Segment> segments, std::int64_t elements)
      : options_(options), segments_(std::move(segments)) {
    buffers_.add(first_moment_, "AdamW: first moment", Category::optimizer_state, options.state,
                 {elements});
    buffers_.add(second_moment_, "AdamW: second moment", Category::optimizer_state, options.state,
                 {elements});
  }

  const BufferList& buffers() const override { return buffers_; }

  std::vector<StateArray> state() const override {
    return {{"first_moment", first_moment_}, {"second_moment", second_moment_}};
  }

  void update(ops::OpContext& context, const TensorView& weights, const ConstTensorView& gradients,
              const Update& update) override {
    for (const Segment& segment : segments_) {
      const TensorView weight =
          weights.slice(segment.first + segment.weights_offset, segment.elements);
      const TensorView first_moment = first_moment_.slice(segment.first, segment.elements);
      const TensorView second_moment = second_moment_.slice(segment.first, segment.elements);
      ops::run(context, ops::AdamW{.gradient = gradients.slice(
                                       segment.first + segment.gradients_offset, segment.elements),
                                   .weight = weight,
                                   .first_moment = first_moment,
                                   .second_moment = second_moment,
                                   .learning_rate = update.learning_rate,
                                   .beta1 = options_.beta1,
                                   .beta2 = options_.beta2,
                                   .epsilon = options_.epsilon,
                                   .weight_decay = segment.weight_decay,
                                   .gradient_scale = update.gradient_scale,
                                   .step = update.step,
                                   .stochastic_rounding = options_.stochastic_rounding,
                                   .seed = options_.seed,
                                   .first_element = static_cast<std::uint64_t>(
                                       segment.first + segment.flat_offset)});
      if (!done_with_) continue;
      for (const TensorView& values : {weight, first_moment, second_moment}) done_with_(values);
    }
  }

 private:
  AdamWOptions options_;
  std::vector<Segment> segments_;
  BufferList buffers_;
  TensorView first_moment_;
  TensorView second_moment_;
};

}  // namespace

std::unique_ptr<Optimizer> make_adamw(const AdamWOptions& options, std::vector<Segment> segments,
                                      std::int64_t elements) {
  return std::make_unique<AdamW>(options, std::move(segments), elements);
}

}  // namespace hone::optimizers
