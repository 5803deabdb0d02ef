#include "generate/key_value_cache.h"

#include <string>

#include "base/error.h"

namespace hone::generate {

KeyValueCache::KeyValueCache(const model::ModelDescription& description,
                             std::int64_t capacity_tokens)
    : capacity_(capacity_tokens), blocks_(static_cast<std::size_t>(description.blocks)) {
  HONE_ASSERT(capacity_tokens > 0, capacity_tokens);
  const Shape shape = {capacity_tokens, description.kv_heads * description.head_width};
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const std::string name = "block " + std::to_string(i) + ": cached ";
    buffers_.add(blocks_[i].keys, name + "keys", Category::key_value_cache, DType::f32, shape);
    buffers_.add(blocks_[i].values, name + "values", Category::key_value_cache, DType::f32, shape);
  }
}

std::size_t KeyValueCache::bytes_per_token(const model::ModelDescription& description) {
  return static_cast<std::size_t>(2 * description.blocks * description.kv_heads *
                                  description.head_width) *
         size_bytes(DType::f32);
}

void KeyValueCache::extend(std::int64_t tokens) {
  HONE_ASSERT(tokens >= 0 && length_ + tokens <= capacity_, length_, tokens, capacity_);
  length_ += tokens;
}

void KeyValueCache::truncate(std::int64_t tokens) {
  HONE_ASSERT(tokens >= 0 && tokens <= length_, tokens, length_);
  length_ = tokens;
}

}  // namespace hone::generate
