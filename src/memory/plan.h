// The table that says what will fit is the table from which memory is taken.
//
// Every component that needs memory writes rows; the planner adds them up and shows them; the arena
// (arena.h) allocates exactly them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hone {

// What memory is for, in the order in which it is shown.
enum class Category {
  weights,         // frozen weights, mapped from files or held in memory
  master_weights,  // trainable weights
  gradients,
  optimizer_state,
  activations,  // what forward saves for backward
  head,         // chunks of logits
  key_value_cache,
  scratch,  // working space of operations
  program,  // the program itself, its libraries, the tokenizer and the records
};
std::string_view name(Category category);

// When a row's bytes are in use. Rows of the transient lifetimes (block, head, update) overlay one
// another: a block's working space, the head's and the optimizer's are never needed together.
enum class Lifetime { run, block, head, update };

struct PlanRow {
  std::string name;  // unique in the plan: "block 3: gate"
  Category category = Category::scratch;
  std::size_t bytes = 0;
  Lifetime lifetime = Lifetime::run;
  // Bytes that lie elsewhere, mapped from a file or taken before the plan was made: counted and
  // shown, but not taken by the arena.
  bool outside = false;
};

class Plan {
 public:
  void add(PlanRow row);
  const std::vector<PlanRow>& rows() const { return rows_; }

  // What the arena will allocate: all run rows, and the largest of the transient lifetimes. Every
  // row is rounded up to kAlignmentBytes.
  std::size_t arena_bytes() const;
  std::size_t outside_bytes() const;
  std::size_t total_bytes() const { return arena_bytes() + outside_bytes(); }

  // A category's share of total_bytes(). Of the overlaid rows only those of the largest transient
  // lifetime count, so that the shares add up to the total.
  std::size_t bytes_of(Category category) const;

  static constexpr std::size_t kAlignmentBytes = 4096;

 private:
  Lifetime largest_transient() const;
  std::size_t bytes_of(Lifetime lifetime) const;

  std::vector<PlanRow> rows_;
};

// `bytes` rounded up to the arena's alignment.
std::size_t aligned_bytes(std::size_t bytes);

}  // namespace hone
