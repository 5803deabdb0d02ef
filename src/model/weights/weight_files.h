// The weights that a model's files hold, under Hugging Face names, whatever the format.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log_sink.h"
#include "base/shape.h"
#include "base/tensor_view.h"
#include "model/description/model_description.h"
#include "parameters/registry.h"

namespace hone::model {

// How a tensor is stored. `dtype` is the floating type that its values have without loss: the
// stored one, or f32 for a quantized format.
struct StoredWeight {
  Shape shape;
  DType dtype = DType::f32;
  std::string format;     // for people: "f32", "bf16", "Q4_1"
  bool in_place = false;  // can be used where it lies in the file, as `dtype`
};

class WeightFiles {
 public:
  virtual ~WeightFiles() = default;

  // Nothing when the files hold no such tensor. Errors (UserError): a dtype that no weight can
  // have.
  virtual std::optional<StoredWeight> find(const std::string& name) const = 0;

  // The names of all tensors.
  virtual std::vector<std::string> names() const = 0;

  // The tensor where it lies in the file, as long as this object lives; an empty view when it
  // cannot be used in place (quantized, rows in another order, big alignment).
  virtual ConstTensorView mapped(const std::string& name) const = 0;

  // Copies the tensor into `to` (its shape; f32, bf16 or f16), converting; narrowing rounds to
  // nearest even. The file's pages leave the memory again, as what was copied is rarely asked for
  // twice. Safe from several threads.
  virtual void read(const std::string& name, const TensorView& to) const = 0;

  // For people: the files' place and format.
  virtual std::string source() const = 0;
};

// Opens a model folder with safetensors files.
std::unique_ptr<WeightFiles> open_safetensors_weights(const std::filesystem::path& folder);

// Weights that a configuration promises but that are not there: enough to plan a run, refused when
// they are read. Every parameter of the registry is stored as `dtype`.
std::unique_ptr<WeightFiles> promise_weights(const ParameterRegistry& registry, DType dtype,
                                             const std::string& source);

// Copies `from` to `to` element by element, converting between f64, f32, f16 and bf16.
void convert_weight(const ConstTensorView& from, const TensorView& to);

// Every parameter of the registry that is read from files must be there with its shape. Throws
// UserError with all that are missing or of another shape; parameters registered by adapters are
// not looked for. Returns the names of tensors that the model does not use.
std::vector<std::string> check_weights(const ParameterRegistry& registry, ParameterId base_size,
                                       const WeightFiles& files);

}  // namespace hone::model
