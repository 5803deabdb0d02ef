// A model's parts and the parameters they use, made from its description: what the walk follows.
#pragma once

#include <cstdint>
#include <vector>

#include "layers/attention.h"
#include "layers/head.h"
#include "layers/mlp.h"
#include "layers/norm.h"
#include "model/description/model_description.h"
#include "parameters/registry.h"

namespace hone::model {

struct Block {
  layers::Norm attention_norm;
  layers::Attention attention;
  layers::Norm mlp_norm;
  layers::Mlp mlp;
};

struct Decoder {
  explicit Decoder(const ModelDescription& model);

  ModelDescription description;
  ParameterRegistry registry;  // Hugging Face names; everything frozen at first
  ParameterId embedding = kNoParameter;
  std::vector<Block> blocks;
  layers::Norm final_norm;
  layers::Head head;  // its weight is the embedding's when they are tied
};

}  // namespace hone::model
