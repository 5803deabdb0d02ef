#include "parameters/resident.h"

#include "base/error.h"

namespace hone {

void ResidentParameters::place(ParameterId id, const ConstTensorView& view) {
  const Parameter& parameter = registry_.at(id);
  HONE_ASSERT(view.shape() == parameter.shape, parameter.name, view.shape().to_text(),
              parameter.shape.to_text());
  views_[static_cast<std::size_t>(id)] = view;
}

ConstTensorView ResidentParameters::get(ParameterId id) {
  const ConstTensorView& view = views_[static_cast<std::size_t>(id)];
  HONE_ASSERT(view.present() || view.elements() == 0, registry_.at(id).name);
  return view;
}

TensorView ResidentGradients::gradient(ParameterId id) {
  const FlatRange& range = layout_.range_of(id);
  return flat_.slice(range.first, range.elements).reshape(registry_.at(id).shape);
}

}  // namespace hone
