// A decoder-only language model as data: everything that its weights' shapes and its arithmetic
// depend on. Made by a family from config.json (model/families/); nothing below asks for a family.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hone::model {

// How rotary frequencies are stretched beyond the trained length. Formulas:
// model/description/rope.h.
enum class RopeKind { plain, linear, dynamic, yarn, llama3 };

struct RopeScaling {
  RopeKind kind = RopeKind::plain;
  double factor = 1.0;
  double low_frequency_factor = 1.0;   // llama3
  double high_frequency_factor = 4.0;  // llama3
  double original_positions = 0.0;     // llama3, yarn: the length the model was trained on first
  double beta_fast = 32.0;             // yarn
  double beta_slow = 1.0;              // yarn
  double attention_factor = 1.0;       // yarn: cosines and sines are multiplied by it
};

struct ModelDescription {
  std::string model_type;    // "llama": what config.json says
  std::string architecture;  // "LlamaForCausalLM"

  std::int64_t hidden = 0;        // D
  std::int64_t blocks = 0;        // N
  std::int64_t heads = 0;         // H
  std::int64_t kv_heads = 0;      // K, divides H
  std::int64_t head_width = 0;    // E, even
  std::int64_t feed_forward = 0;  // F
  std::int64_t vocabulary = 0;    // V

  double norm_epsilon = 1e-6;
  double rope_theta = 10000.0;
  RopeScaling rope_scaling;
  std::int64_t max_positions = 0;

  bool tied_embeddings = false;
  bool qkv_bias = false;
  bool attention_output_bias = false;
  bool mlp_bias = false;
  bool normalizes_heads = false;      // RMS norm over each query and key head
  std::vector<std::int64_t> windows;  // per block: sliding window in tokens, 0 for none
};

}  // namespace hone::model
