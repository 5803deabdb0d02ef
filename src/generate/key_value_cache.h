// Keys and values of the tokens that a model has read: what makes the next token cost one row.
//
// One conversation, rows in the order of its tokens: row t of block b holds the rotated keys (and
// the values) of token t, [capacity, K * E] f32 each. Memory is a plan row per block and kind, for
// the whole capacity; on a CPU, pages that no token has reached yet are not backed by memory.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tensor_view.h"
#include "memory/buffer_list.h"
#include "model/description/model_description.h"

namespace hone::generate {

class KeyValueCache {
 public:
  KeyValueCache(const model::ModelDescription& description, std::int64_t capacity_tokens);
  KeyValueCache(const KeyValueCache&) = delete;
  KeyValueCache& operator=(const KeyValueCache&) = delete;

  // What one token takes, over all blocks.
  static std::size_t bytes_per_token(const model::ModelDescription& description);

  // describe() before the arena exists, bind() afterwards.
  const BufferList& buffers() const { return buffers_; }

  std::int64_t capacity() const { return capacity_; }
  std::int64_t length() const { return length_; }

  // All rows of a block; those from length() on hold nothing yet.
  const TensorView& keys(std::int64_t block) const { return at(block).keys; }
  const TensorView& values(std::int64_t block) const { return at(block).values; }

  // Counts `tokens` more rows as filled; there must be room for them.
  void extend(std::int64_t tokens);

  // Forgets everything but the first `tokens` tokens.
  void truncate(std::int64_t tokens);

 private:
  struct Block {
    TensorView keys;
    TensorView values;
  };
  const Block& at(std::int64_t block) const { return blocks_.at(static_cast<std::size_t>(block)); }

  std::int64_t capacity_;
  std::int64_t length_ = 0;
  std::vector<Block> blocks_;
  BufferList buffers_;
};

}  // namespace hone::generate
