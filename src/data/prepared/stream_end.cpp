#include "data/prepared/stream_end.h"

#include <fmt/format.h>

namespace hone::data {

std::string StreamNeed::key() const {
  return fmt::format("stream {} {} {} {} {}\n", rows, spare_rows, pack_tokens, batch_rows,
                     whole_blocks);
}

StreamEnd::StreamEnd(const StreamNeed& need, RowSink& sink) : need_(need), sink_(sink) {}

bool StreamEnd::reached() const {
  if (need_.rows < 0) return false;
  if (need_.pack_tokens == 0) return usable_ >= need_.rows + need_.spare_rows;
  const std::int64_t batches = need_.whole_blocks ? rows_ / need_.batch_rows + 1 : 0;
  return tokens_ - held_tokens_ >= (need_.rows + batches) * need_.pack_tokens;
}

bool StreamEnd::read(bool usable) {
  if (usable) ++usable_;
  return true;
}

void StreamEnd::add(EncodedRow& row) {
  ++rows_;
  if (need_.rows >= 0 && need_.pack_tokens > 0) {
    tokens_ += row.info.tokens;
    held_tokens_ += row.info.tokens;
    longest_.push(row.info.tokens);
    // Of the last batch any row may be missing.
    if (static_cast<std::int64_t>(longest_.size()) > need_.spare_rows + need_.batch_rows) {
      held_tokens_ -= longest_.top();
      longest_.pop();
    }
  }
  sink_.add(row);
}

}  // namespace hone::data
