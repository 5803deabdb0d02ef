// From the turns of a conversation to token ids and labels, for supervised fine-tuning.
//
// LLaMA-Factory's rules (@ ff6d4d12, data/processor/supervised.py and processor_utils.py): turns
// are cut one after another until cutoff_len is used up; both parts of a turn keep their first ids,
// so the end of a prompt and the terminator of an answer are what a cut takes away.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "data/batches/encoded_dataset.h"
#include "data/templates/template.h"

namespace hone::data {

struct SupervisedOptions {
  std::int64_t cutoff_len = 2048;  // tokens of a record at most, at least 1
  bool train_on_prompt = false;    // prompts are learned too
  bool mask_history = false;  // only the last answer is learned, and turns are kept from the end
};

// How much of a prompt and its answer is kept.
struct TurnBudget {
  std::int64_t source = 0;
  std::int64_t target = 0;
};

// infer_seqlen: how `cutoff` tokens are shared between a prompt of `source` and an answer of
// `target` tokens. An answer below half of the cutoff is kept whole and the prompt shortened; else
// a prompt below half is kept and the answer shortened; else both in proportion (in doubles). Not
// monotone in any of its arguments. All arguments >= 0.
TurnBudget share_cutoff(std::int64_t source, std::int64_t target, std::int64_t cutoff);

struct LabelledRecord {
  Example example;
  std::int64_t cut_tokens = 0;  // what did not fit
};

// The record of these turns. `final_eos`: the template's answers carry no terminator
// (efficient_eos) and this id ends the record, for which one token of cutoff_len is set aside; it
// is also the label of the first token of each later prompt. With mask_history it becomes the label
// of the first token of each earlier turn instead, as in LLaMA-Factory, which counts turns from the
// end there.
LabelledRecord label_turns(std::span<const EncodedTurn> turns, const SupervisedOptions& options,
                           std::optional<TokenId> final_eos);

}  // namespace hone::data
