#include "data/encoding/supervised.h"

#include <algorithm>

#include "base/error.h"

namespace hone::data {
namespace {

using Ids = std::vector<std::int32_t>;

// What one turn adds to the record.
struct CutTurn {
  Ids tokens;
  Ids labels;
};

// `place` counts turns in the order of processing, which mask_history reverses.
CutTurn cut_turn(const EncodedTurn& turn, const TurnBudget& kept, std::size_t place,
                 const SupervisedOptions& options, std::optional<TokenId> final_eos) {
  CutTurn cut;
  const auto source_end = turn.prompt.begin() + static_cast<std::ptrdiff_t>(kept.source);
  const auto target_end = turn.response.begin() + static_cast<std::ptrdiff_t>(kept.target);
  cut.tokens.assign(turn.prompt.begin(), source_end);
  cut.tokens.insert(cut.tokens.end(), turn.response.begin(), target_end);

  if (options.train_on_prompt) {
    cut.labels.assign(turn.prompt.begin(), source_end);
  } else {
    cut.labels.assign(static_cast<std::size_t>(kept.source), kIgnoreLabel);
    if (final_eos && place != 0 && kept.source > 0) cut.labels.front() = *final_eos;
  }
  if (options.mask_history && place != 0) {
    cut.labels.resize(cut.tokens.size(), kIgnoreLabel);
  } else {
    cut.labels.insert(cut.labels.end(), turn.response.begin(), target_end);
  }
  return cut;
}

std::int64_t length(const Ids& ids) {
  return static_cast<std::int64_t>(ids.size());
}

}  // namespace

TurnBudget share_cutoff(std::int64_t source, std::int64_t target, std::int64_t cutoff) {
  HONE_ASSERT(source >= 0 && target >= 0 && cutoff >= 0, source, target, cutoff);
  std::int64_t max_target = cutoff;
  if (target * 2 < cutoff) {
    max_target = cutoff;
  } else if (source * 2 < cutoff) {
    max_target = cutoff - source;
  } else if (source + target > 0) {
    const double share = static_cast<double>(target) / static_cast<double>(source + target);
    max_target = static_cast<std::int64_t>(static_cast<double>(cutoff) * share);
  }
  TurnBudget kept;
  kept.target = std::min(max_target, target);
  kept.source = std::min(std::max<std::int64_t>(cutoff - kept.target, 0), source);
  return kept;
}

LabelledRecord label_turns(std::span<const EncodedTurn> turns, const SupervisedOptions& options,
                           std::optional<TokenId> final_eos) {
  HONE_ASSERT(options.cutoff_len >= 1, options.cutoff_len);
  std::int64_t all_tokens = final_eos ? 1 : 0;
  std::int64_t used = all_tokens;
  std::vector<CutTurn> cut;
  for (std::size_t place = 0; place < turns.size(); ++place) {
    const EncodedTurn& turn = turns[options.mask_history ? turns.size() - 1 - place : place];
    const std::int64_t source = length(turn.prompt);
    const std::int64_t target = length(turn.response);
    all_tokens += source + target;
    if (used >= options.cutoff_len) continue;
    const TurnBudget kept = share_cutoff(source, target, options.cutoff_len - used);
    used += kept.source + kept.target;
    cut.push_back(cut_turn(turn, kept, place, options, final_eos));
  }
  if (options.mask_history) std::reverse(cut.begin(), cut.end());

  LabelledRecord record;
  record.cut_tokens = all_tokens - used;
  Example& example = record.example;
  example.tokens.reserve(static_cast<std::size_t>(used));
  example.labels.reserve(static_cast<std::size_t>(used));
  for (const CutTurn& turn : cut) {
    example.tokens.insert(example.tokens.end(), turn.tokens.begin(), turn.tokens.end());
    example.labels.insert(example.labels.end(), turn.labels.begin(), turn.labels.end());
  }
  if (final_eos) {
    example.tokens.push_back(*final_eos);
    example.labels.push_back(*final_eos);
  }
  return record;
}

}  // namespace hone::data
