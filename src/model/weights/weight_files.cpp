#include "model/weights/weight_files.h"

#include <algorithm>

#include "base/error.h"

namespace hone::model {
namespace {

float widened(double value) {
  return static_cast<float>(value);
}
float widened(float value) {
  return value;
}
float widened(BFloat16 value) {
  return to_float(value);
}
float widened(Float16 value) {
  return to_float(value);
}

void put(float value, float& to) {
  to = value;
}
void put(float value, BFloat16& to) {
  to = to_bfloat16(value);
}
void put(float value, Float16& to) {
  to = to_float16(value);
}

// Types are told apart outside the loop: gigabytes pass through it before the first step.
template <class From, class To>
void convert_elements(const From* from, To* to, std::int64_t elements) {
  for (std::int64_t i = 0; i < elements; ++i) put(widened(from[i]), to[i]);
}

template <class From>
void convert_from(const ConstTensorView& from, const TensorView& to) {
  switch (to.dtype()) {
    case DType::f32:
      return convert_elements(from.data<From>(), to.data<float>(), from.elements());
    case DType::bf16:
      return convert_elements(from.data<From>(), to.data<BFloat16>(), from.elements());
    case DType::f16:
      return convert_elements(from.data<From>(), to.data<Float16>(), from.elements());
    default:
      HONE_ASSERT(false, name(to.dtype()));
  }
}

}  // namespace

void convert_weight(const ConstTensorView& from, const TensorView& to) {
  HONE_ASSERT(from.shape() == to.shape() && from.contiguous() && to.contiguous(),
              from.shape().to_text(), to.shape().to_text());
  if (from.dtype() == to.dtype()) {
    std::copy_n(static_cast<const std::byte*>(from.raw()), from.bytes(),
                static_cast<std::byte*>(to.raw()));
    return;
  }
  switch (from.dtype()) {
    case DType::f64:
      return convert_from<double>(from, to);
    case DType::f32:
      return convert_from<float>(from, to);
    case DType::bf16:
      return convert_from<BFloat16>(from, to);
    case DType::f16:
      return convert_from<Float16>(from, to);
    default:
      HONE_ASSERT(false, name(from.dtype()));
  }
}

std::vector<std::string> check_weights(const ParameterRegistry& registry, ParameterId base_size,
                                       const WeightFiles& files) {
  FaultList faults;
  std::vector<std::string> unused = files.names();
  std::sort(unused.begin(), unused.end());
  for (ParameterId id = 0; id < base_size; ++id) {
    const Parameter& parameter = registry.at(id);
    const auto place = std::lower_bound(unused.begin(), unused.end(), parameter.name);
    if (place != unused.end() && *place == parameter.name) unused.erase(place);
    const std::optional<StoredWeight> stored = files.find(parameter.name);
    if (!stored) {
      faults.add({"tensor '" + parameter.name + "' in " + files.source(), "no such tensor",
                  "use complete weights that belong to this config.json"});
    } else if (!(stored->shape == parameter.shape)) {
      faults.add({"tensor '" + parameter.name + "' in " + files.source(),
                  "shape " + stored->shape.to_text() + ", where config.json asks for " +
                      parameter.shape.to_text(),
                  "use the config.json that belongs to these weights"});
    }
  }
  faults.throw_if_any();
  return unused;
}

}  // namespace hone::model
