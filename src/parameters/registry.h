// The named parameters of a model and its adapters.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/shape.h"

namespace hone {

// What a parameter is to an optimizer, which never looks at names.
enum class Role { matrix, embedding, head, norm, bias, lora_a, lora_b };

// Index of a parameter in its registry.
using ParameterId = int;
constexpr ParameterId kNoParameter = -1;

// Units are acquired at once: 0 is the embedding, 1 + i is block i, the last is the head with the
// norm before it.
using Unit = int;
constexpr Unit kEmbeddingUnit = 0;
constexpr Unit block_unit(std::int64_t block) {
  return 1 + static_cast<Unit>(block);
}

struct Parameter {
  std::string name;  // the Hugging Face name: "model.layers.0.self_attn.q_proj.weight"
  Shape shape;
  Role role = Role::matrix;
  Unit unit = kEmbeddingUnit;
  bool trainable = false;
  // This parameter lies directly behind the one registered before it, in storage and in the
  // gradient space, as further rows of one matrix.
  bool stacked = false;
};

class ParameterRegistry {
 public:
  explicit ParameterRegistry(std::int64_t blocks) : blocks_(blocks) {}

  // Registers a parameter; its name must be new.
  ParameterId add(Parameter parameter);

  const Parameter& at(ParameterId id) const { return parameters_[static_cast<std::size_t>(id)]; }
  void set_trainable(ParameterId id, bool trainable);
  ParameterId size() const { return static_cast<ParameterId>(parameters_.size()); }
  std::int64_t blocks() const { return blocks_; }
  Unit head_unit() const { return block_unit(blocks_); }

  // The parameter called `name`, or kNoParameter.
  ParameterId find(const std::string& name) const;

  // Elements of all parameters, and of those that are trained.
  std::int64_t elements() const;
  std::int64_t trainable_elements() const;

  // The lowest unit that trains something: the backward pass ends there. head_unit() + 1 if none
  // does.
  Unit first_trainable_unit() const;

 private:
  std::int64_t blocks_;
  std::vector<Parameter> parameters_;
  std::unordered_map<std::string, ParameterId> ids_;
};

}  // namespace hone
