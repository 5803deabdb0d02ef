#include "base/error.h"
#include "formats/safetensors_index.h"
#include "model/weights/weight_files.h"

namespace hone::model {
namespace {

class SafetensorsWeights final : public WeightFiles {
 public:
  explicit SafetensorsWeights(const std::filesystem::path& folder)
      : folder_(folder), model_(folder) {}

  std::optional<StoredWeight> find(const std::string& name) const override {
    if (model_.find(name) == nullptr) return std::nullopt;
    const ConstTensorView view = model_.view(name);
    return StoredWeight{view.shape(), floating_dtype(name, view.dtype()),
                        std::string(hone::name(view.dtype())), view.dtype() != DType::f64};
  }

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const formats::SafetensorsFile& file : model_.files()) {
      for (const formats::SafetensorsEntry& entry : file.tensors()) names.push_back(entry.name);
    }
    return names;
  }

  ConstTensorView mapped(const std::string& name) const override { return model_.view(name); }

  void read(const std::string& name, const TensorView& to) const override {
    const TensorView elements = to.reshape({to.elements()});
    model_.read_in_pieces(name, [&](std::int64_t first, const ConstTensorView& piece) {
      convert_weight(piece, elements.slice(first, piece.elements()));
    });
  }

  std::string source() const override { return folder_.string(); }

 private:
  DType floating_dtype(const std::string& name, DType stored) const {
    switch (stored) {
      case DType::f64:
        return DType::f32;
      case DType::f32:
      case DType::bf16:
      case DType::f16:
        return stored;
      default:
        throw UserError(
            {"tensor '" + name + "' in " + folder_.string(),
             "stored as " + std::string(hone::name(stored)) + ", which hone cannot compute with",
             "use weights stored as f32, bf16 or f16"});
    }
  }

  std::filesystem::path folder_;
  formats::SafetensorsModel model_;
};

}  // namespace

std::unique_ptr<WeightFiles> open_safetensors_weights(const std::filesystem::path& folder) {
  return std::make_unique<SafetensorsWeights>(folder);
}

}  // namespace hone::model
