// Memory of one pass over the model: what forward saves for backward, and working space. Declared
// once; the plan's rows and the views come from the same declaration (memory/buffer_list.h).
#pragma once

#include <cstdint>
#include <vector>

#include "layers/adapter_set.h"
#include "layers/attention.h"
#include "layers/head.h"
#include "layers/mlp.h"
#include "memory/buffer_list.h"
#include "model/description/decoder.h"

namespace hone::model {

// The largest micro-step that the buffers must hold.
struct PassCapacity {
  std::int64_t tokens = 0;     // T
  std::int64_t labels = 0;     // L
  std::int64_t positions = 0;  // P: one more than the largest position
};

struct PassOptions {
  bool training = true;  // false: nothing is kept for backward
  // Blocks 0 .. recomputed_blocks - 1 keep their input only; backward runs their forward again.
  std::int64_t recomputed_blocks = 0;
};

// What a block saves.
struct BlockSaved {
  TensorView input;       // [T, D]: the residual stream before the block
  TensorView middle;      // [T, D]: after attention
  TensorView input_rms;   // [T]
  TensorView middle_rms;  // [T]
  layers::AttentionSaved attention;
  layers::MlpSaved mlp;
};

struct PassBuffers {
  PassBuffers(const Decoder& decoder, const layers::AdapterSet* adapters,
              const PassCapacity& capacity, const PassOptions& options);
  PassBuffers(const PassBuffers&) = delete;
  PassBuffers& operator=(const PassBuffers&) = delete;

  PassCapacity capacity;
  PassOptions options;
  BufferList list;  // describe() before the arena exists, bind() afterwards

  // Rotary tables.
  TensorView cosines, sines;  // [P, E/2]

  // Per block; blocks that are recomputed (all of them outside of training) share `shared_block`
  // for everything but their input.
  std::vector<TensorView> block_inputs;  // [T, D]; outside of training all share one
  std::vector<BlockSaved> kept_blocks;   // for blocks recomputed_blocks .. N - 1
  BlockSaved shared_block;

  // The end of the stack.
  TensorView last;       // [T, D]: the residual stream after the last block
  TensorView last_rms;   // [T]
  TensorView label_x;    // [L, D]: normed rows that have a label
  TensorView d_label_x;  // [L, D]

  // Working space of a block, both directions.
  TensorView normed;      // [T, D]
  TensorView delta;       // [T, D]: what a part adds to the residual stream
  TensorView d_normed;    // [T, D]
  TensorView d_residual;  // [T, D]: gradient of the residual stream
  layers::AttentionWork attention_work;
  layers::MlpWork mlp_work;
  layers::HeadWork head_work;

  // The saved values of block `index`, its input included.
  BlockSaved block(std::int64_t index) const;
  bool recomputed(std::int64_t index) const {
    return !options.training || index < options.recomputed_blocks;
  }

 private:
  void add_block(BlockSaved& saved, const std::string& prefix, const Decoder& decoder,
                 const layers::AdapterSet* adapters, Category category);
  void add_work(const Decoder& decoder, const layers::AdapterSet* adapters);
  void add_head(const Decoder& decoder, const layers::AdapterSet* adapters);
};

// The first `rows` rows of every buffer of a block, for a pass of that many tokens.
BlockSaved first_rows(const BlockSaved& saved, std::int64_t rows);
TensorView first_rows(const TensorView& view, std::int64_t rows);

}  // namespace hone::model
