// Three tiny models of the Llama kind whose losses are known: what tests of whole runs train.
//
// Width 16, 2 query heads over 1 key head of width 8, 2 blocks, feed-forward width 32, 264 tokens.
// The tokenizer has no merges: the id of byte b is b; 256 <|endoftext|> (EOS), 257 <|im_start|>,
// 258 <|im_end|>, 259 <|begin_of_text|> (BOS), 260 <|pad|>.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "base/shape.h"
#include "formats/value.h"

namespace hone::kit {

enum class Kind {
  // Element k (from 0) of tensor j is 0.5 sin(12.9898 (k + 1) + 78.233 (j + 1)); norms are 1.
  everything,  // T
  // Projections 0, embeddings 1; row 97 ('a') of the head is ln(263) / 16, other rows 0: the label
  // 'a' costs ln 2 and any other ln 526, whatever came before.
  closed_form,  // C
  // Projections 0; row r (from 0) of the embedding is 0.5 sin(0.1 (r + 1) (c + 1)); tied.
  tied_sines,  // S
};

struct Sizes {
  std::int64_t hidden = 16, heads = 2, kv_heads = 1, head_dim = 8, blocks = 2, intermediate = 32,
               vocabulary = 264;
};

// More elements than a piece that is fetched at once, and several segments of the gradient norm:
// something to share out between ranks.
inline constexpr Sizes kWideSizes = {
    .hidden = 64, .heads = 4, .kv_heads = 2, .head_dim = 16, .blocks = 3, .intermediate = 512};

struct ModelOptions {
  Kind kind = Kind::everything;
  bool tied = false;  // tied_sines always is
  Sizes sizes = {};
  DType dtype = DType::f32;                // f32 or bf16
  formats::Object config = {};             // members of config.json that replace the usual ones
  std::vector<std::string> left_out = {};  // members of config.json that are not there
  bool projection_biases = false;          // zero biases of q, k and v
};

struct KitTensor {
  std::string name;
  Shape shape;
};

// In the order in which the formula counts them; biases last.
std::vector<KitTensor> kit_tensors(const ModelOptions& options);

formats::Value kit_config(const ModelOptions& options);

// config.json, model.safetensors, tokenizer.json and tokenizer_config.json. The tensors lie in the
// file in the order above, so that the head, where there is one, is the end of the file.
void write_model(const std::filesystem::path& folder, const ModelOptions& options = {});

}  // namespace hone::kit
