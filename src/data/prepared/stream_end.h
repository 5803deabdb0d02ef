// How far a stream is read: until the records (or packs) of a run come from rows whose places in
// the order no later row could change.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "data/prepared/encoded_rows.h"

namespace hone::data {

struct StreamNeed {
  std::int64_t rows = -1;  // usable records or, where they are packed, packs; -1: all there are
  std::int64_t spare_rows = 0;   // that the shuffle's buffer may hold back, and validation takes
  std::int64_t pack_tokens = 0;  // of a pack at most; 0: records are not packed
  std::int64_t batch_rows = 0;   // records that are packed together
  bool whole_blocks = false;     // what fills no pack at the end of a batch is left out

  // All of it as text, for keys.
  std::string key() const;
};

// Stands before the sink of a set's rows and counts what goes by.
//
// Packed, a run needs rows x pack_tokens tokens (a pack holds no more), in batches that are whole.
// The rows that may be held back are taken to be the longest.
class StreamEnd final : public RowSink {
 public:
  StreamEnd(const StreamNeed& need, RowSink& sink);

  // Whether no further row is needed.
  bool reached() const;
  // A row was read; its tokens are known later, in add. Gives true, for chaining.
  bool read(bool usable);
  void add(EncodedRow& row) override;

 private:
  StreamNeed need_;
  RowSink& sink_;
  std::int64_t usable_ = 0;  // read
  std::int64_t rows_ = 0;    // added
  std::int64_t tokens_ = 0;  // of these
  std::int64_t held_tokens_ = 0;
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> longest_;
};

}  // namespace hone::data
