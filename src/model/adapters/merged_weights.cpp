#include "model/adapters/merged_weights.h"

#include <map>
#include <vector>

#include "base/error.h"
#include "formats/regular_file.h"

namespace hone::model {
namespace {

// The matrices of one weight, where they lie in the adapter's file.
struct LoraPair {
  ConstTensorView a;  // [rank, in]
  ConstTensorView b;  // [out, rank]
  float scale = 1.0f;
};

std::vector<float> as_f32(const ConstTensorView& view) {
  std::vector<float> values(static_cast<std::size_t>(view.elements()));
  convert_weight(view, TensorView(values.data(), DType::f32, view.shape()));
  return values;
}

// weight += scale B A, f32; each sum over the rank goes in its order.
void add_product(const LoraPair& pair, const TensorView& weight) {
  const std::vector<float> a = as_f32(pair.a);
  const std::vector<float> b = as_f32(pair.b);
  const std::size_t rank = static_cast<std::size_t>(pair.a.rows());
  const std::size_t in = static_cast<std::size_t>(weight.columns());
  std::vector<float> sum(in);
  for (std::int64_t o = 0; o < weight.rows(); ++o) {
    std::fill(sum.begin(), sum.end(), 0.0f);
    for (std::size_t r = 0; r < rank; ++r) {
      const float factor = b[static_cast<std::size_t>(o) * rank + r];
      for (std::size_t i = 0; i < in; ++i) sum[i] += factor * a[r * in + i];
    }
    float* row = weight.row<float>(o);
    for (std::size_t i = 0; i < in; ++i) row[i] += pair.scale * sum[i];
  }
}

class MergedWeights final : public WeightFiles {
 public:
  MergedWeights(const WeightFiles& base, PeftAdapter adapter, const ModelDescription& description)
      : base_(base), adapter_(std::move(adapter)) {
    Decoder decoder(description);
    const ParameterId base_size = decoder.registry.size();
    const layers::AdapterSet placed = place_lora(decoder, adapter_.options_for(decoder));
    adapter_.check(decoder.registry);
    for (const layers::Adapter& lora : placed.adapters()) {
      if (lora.target == decoder.embedding) refuse_tied_head();
      const LoraPair pair{adapter_.find(decoder.registry.at(lora.a).name),
                          adapter_.find(decoder.registry.at(lora.b).name),
                          static_cast<float>(lora.scale)};
      pairs_.emplace(decoder.registry.at(lora.target).name, pair);
    }
    for (ParameterId id = 0; id < base_size; ++id) {
      const Parameter& parameter = decoder.registry.at(id);
      if (parameter.trainable) whole_.emplace(parameter.name, adapter_.find(parameter.name));
    }
  }

  std::optional<StoredWeight> find(const std::string& name) const override {
    std::optional<StoredWeight> stored = base_.find(name);
    if (stored && is_merged(name)) stored->in_place = false;
    return stored;
  }

  std::vector<std::string> names() const override { return base_.names(); }

  ConstTensorView mapped(const std::string& name) const override {
    return is_merged(name) ? ConstTensorView() : base_.mapped(name);
  }

  void read(const std::string& name, const TensorView& to) const override {
    if (const auto whole = whole_.find(name); whole != whole_.end()) {
      convert_weight(whole->second, to);
      return;
    }
    const auto pair = pairs_.find(name);
    if (pair == pairs_.end() || to.dtype() == DType::f32) {
      base_.read(name, to);
      if (pair != pairs_.end()) add_product(pair->second, to);
      return;
    }
    std::vector<float> values(static_cast<std::size_t>(to.elements()));
    const TensorView wide(values.data(), DType::f32, to.shape());
    base_.read(name, wide);
    add_product(pair->second, wide);
    convert_weight(wide, to);
  }

  std::string source() const override { return base_.source(); }

 private:
  bool is_merged(const std::string& name) const {
    return pairs_.count(name) > 0 || whole_.count(name) > 0;
  }

  [[noreturn]] void refuse_tied_head() const {
    throw UserError({"adapter " + formats::shown_path(adapter_.folder()),
                     "it adapts lm_head, which this model ties to the embedding: merged, it would "
                     "change the embedding too",
                     "use it alone and unmerged, or train one that leaves lm_head out"});
  }

  const WeightFiles& base_;
  PeftAdapter adapter_;
  std::map<std::string, LoraPair> pairs_;         // by the weight's name
  std::map<std::string, ConstTensorView> whole_;  // in the place of the base's
};

}  // namespace

std::unique_ptr<WeightFiles> merge_adapter(const WeightFiles& base, PeftAdapter adapter,
                                           const ModelDescription& description) {
  return std::make_unique<MergedWeights>(base, std::move(adapter), description);
}

}  // namespace hone::model
