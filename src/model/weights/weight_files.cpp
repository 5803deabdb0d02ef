#include "model/weights/weight_files.h"

#include <algorithm>

#include "base/error.h"

namespace hone::model {
namespace {

float load(const ConstTensorView& from, std::int64_t i) {
  switch (from.dtype()) {
    case DType::f64:
      return static_cast<float>(from.data<double>()[i]);
    case DType::f32:
      return from.data<float>()[i];
    case DType::bf16:
      return to_float(from.data<BFloat16>()[i]);
    case DType::f16:
      return to_float(from.data<Float16>()[i]);
    default:
      HONE_ASSERT(false, name(from.dtype()));
      return 0.0f;
  }
}

}  // namespace

void convert_weight(const ConstTensorView& from, const TensorView& to) {
  HONE_ASSERT(from.shape() == to.shape() && from.contiguous() && to.contiguous(),
              from.shape().to_text(), to.shape().to_text());
  const std::int64_t elements = from.elements();
  if (from.dtype() == to.dtype()) {
    std::copy_n(static_cast<const std::byte*>(from.raw()), from.bytes(),
                static_cast<std::byte*>(to.raw()));
    return;
  }
  switch (to.dtype()) {
    case DType::f32:
      for (std::int64_t i = 0; i < elements; ++i) to.data<float>()[i] = load(from, i);
      break;
    case DType::bf16:
      for (std::int64_t i = 0; i < elements; ++i) {
        to.data<BFloat16>()[i] = to_bfloat16(load(from, i));
      }
      break;
    case DType::f16:
      for (std::int64_t i = 0; i < elements; ++i) {
        to.data<Float16>()[i] = to_float16(load(from, i));
      }
      break;
    default:
      HONE_ASSERT(false, name(to.dtype()));
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
