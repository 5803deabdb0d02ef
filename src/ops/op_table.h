// The list of operations, and the table in which a device says how it does each of them.
//
// An operation is a struct of named operands (one header each in this folder), with
//   check(op)  - shape and dtype rules; a breach is ours, so an assertion;
//   cost(op)   - floating-point operations and bytes moved: what the speed report divides by;
//   Op::kName, Op::kSlot - its name, and its place in the table.
// Operations accept zero tokens, sequences and labels. A device that lacks one leaves the slot
// empty.
#pragma once

#include <cstddef>

namespace hone::ops {

struct OpContext;

// How one device does one operation.
template <class Op>
struct Kernel {
  void (*run)(OpContext& context, const Op& op) = nullptr;
  // Working space that run() wants for these operands; null means none. Depends on shapes and
  // dtypes only, so that a planner may ask with operands that have no data.
  std::size_t (*scratch_bytes)(const OpContext& context, const Op& op) = nullptr;
};

struct EmbeddingForward;
struct EmbeddingBackward;
struct RmsNormForward;
struct RmsNormBackward;
struct Product;
struct BiasForward;
struct BiasBackward;
struct LoraDown;
struct LoraUp;
struct LoraUpBackward;
struct LoraDownBackward;
struct Rope;
struct AttentionForward;
struct AttentionBackward;
struct SwiGluForward;
struct SwiGluBackward;
struct GatherRows;
struct ScatterAddRows;
struct HeadStatistics;
struct HeadGradient;
struct SquaredNorm;
struct AdamW;
struct Cast;
struct AddScaled;

struct OpTable {
  Kernel<EmbeddingForward> embedding_forward;
  Kernel<EmbeddingBackward> embedding_backward;
  Kernel<RmsNormForward> rms_norm_forward;
  Kernel<RmsNormBackward> rms_norm_backward;
  Kernel<Product> product;
  Kernel<BiasForward> bias_forward;
  Kernel<BiasBackward> bias_backward;
  Kernel<LoraDown> lora_down;
  Kernel<LoraUp> lora_up;
  Kernel<LoraUpBackward> lora_up_backward;
  Kernel<LoraDownBackward> lora_down_backward;
  Kernel<Rope> rope;
  Kernel<AttentionForward> attention_forward;
  Kernel<AttentionBackward> attention_backward;
  Kernel<SwiGluForward> swiglu_forward;
  Kernel<SwiGluBackward> swiglu_backward;
  Kernel<GatherRows> gather_rows;
  Kernel<ScatterAddRows> scatter_add_rows;
  Kernel<HeadStatistics> head_statistics;
  Kernel<HeadGradient> head_gradient;
  Kernel<SquaredNorm> squared_norm;
  Kernel<AdamW> adamw;
  Kernel<Cast> cast;
  Kernel<AddScaled> add_scaled;
};

}  // namespace hone::ops
