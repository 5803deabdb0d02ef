#include "base/error.h"
#include "model/weights/weight_files.h"

namespace hone::model {
namespace {

class PromisedWeights final : public WeightFiles {
 public:
  PromisedWeights(const ParameterRegistry& registry, DType dtype, std::string source)
      : registry_(registry), dtype_(dtype), source_(std::move(source)) {}

  std::optional<StoredWeight> find(const std::string& name) const override {
    const ParameterId id = registry_.find(name);
    if (id == kNoParameter) return std::nullopt;
    return StoredWeight{registry_.at(id).shape, dtype_, std::string(hone::name(dtype_)), true};
  }

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (ParameterId id = 0; id < registry_.size(); ++id) names.push_back(registry_.at(id).name);
    return names;
  }

  ConstTensorView mapped(const std::string& name) const override { refuse(name); }
  void read(const std::string& name, const TensorView&) const override { refuse(name); }
  std::string source() const override { return source_; }

 private:
  [[noreturn]] void refuse(const std::string& name) const {
    throw UserError({"tensor '" + name + "' in " + source_, "a configuration without weights",
                     "put the model's safetensors files beside its config.json"});
  }

  const ParameterRegistry& registry_;
  DType dtype_;
  std::string source_;
};

}  // namespace

std::unique_ptr<WeightFiles> promise_weights(const ParameterRegistry& registry, DType dtype,
                                             const std::string& source) {
  return std::make_unique<PromisedWeights>(registry, dtype, source);
}

}  // namespace hone::model
