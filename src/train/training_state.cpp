#include "train/training_state.h"

namespace hone::train {

Gradients::Gradients(const ParameterRegistry& registry, const FlatLayout& layout)
    : registry_(registry), layout_(layout), norm_(layout.elements()) {
  buffers_.add(flat_, "gradients", Category::gradients, DType::f32, {layout.elements()});
}

void Gradients::describe(Plan& plan) const {
  buffers_.describe(plan);
  norm_.buffers().describe(plan);
}

void Gradients::bind(const Arena& arena) {
  buffers_.bind(arena);
  norm_.buffers().bind(arena);
  sink_ = std::make_unique<ResidentGradients>(registry_, layout_, flat_);
}

}  // namespace hone::train
