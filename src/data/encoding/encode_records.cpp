#include "data/encoding/encode_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/for_each_index.h"
#include "data/sources/drops.h"

namespace hone::data {
namespace {

// Records that one thread takes at a time.
constexpr std::int64_t kChunkRecords = 64;

struct EncodedRecord {
  LabelledRecord labelled;
  std::size_t control_tokens = 0;
};

class RecordEncoder {
 public:
  RecordEncoder(const std::vector<std::string>& files, const Template& chat,
                const Tokenizer& tokenizer, const SupervisedOptions& options)
      : files_(files), chat_(chat), tokenizer_(tokenizer), options_(options) {
    if (!chat.definition().efficient_eos) return;
    final_eos_ = tokenizer.eos_id();
    if (final_eos_) return;
    throw UserError({fmt::format("template: {}", chat.definition().name),
                     "the template ends every conversation with the tokenizer's EOS token, and "
                     "this tokenizer has none",
                     "choose another template, or name an eos_token in tokenizer_config.json"});
  }

  EncodedRecord encode(const Record& record) const {
    HONE_ASSERT(!record.flaw.present() && record.response.size() == 1, record.flaw.detail);
    Conversation conversation;
    conversation.messages = record.prompt;
    conversation.messages.push_back(record.response.front());
    conversation.system = record.system;
    conversation.tools = record.tools;
    const bool discard_thoughts = options_.mask_history && !chat_.options().preserve_thinking;
    try {
      const EncodedConversation encoded =
          chat_.encode_multiturn(tokenizer_, conversation, discard_thoughts);
      return {label_turns(encoded.turns, options_, final_eos_), encoded.control_tokens_in_text};
    } catch (const UserError& error) {
      std::vector<Fault> faults = error.faults();
      for (Fault& fault : faults) {
        const auto file = static_cast<std::size_t>(record.origin.file);
        fault.asked = fmt::format("{} of {}: {}", shown_origin(record.origin, {}),
                                  file < files_.size() ? files_[file] : "the data", fault.asked);
      }
      throw UserError(std::move(faults));
    }
  }

 private:
  const std::vector<std::string>& files_;
  const Template& chat_;
  const Tokenizer& tokenizer_;
  const SupervisedOptions& options_;
  std::optional<TokenId> final_eos_;
};

void count(const EncodedRecord& record, const RecordSize& size, EncodingReport& report) {
  if (size.predicted_labels == 0 && record.labelled.cut_tokens > 0) {
    ++report.records_cut_to_no_label;
  }
  report.cut_records += record.labelled.cut_tokens > 0 ? 1 : 0;
  report.cut_tokens += record.labelled.cut_tokens;
  report.records_with_control_tokens += record.control_tokens > 0 ? 1 : 0;
  report.control_tokens += static_cast<std::int64_t>(record.control_tokens);
}

std::string counted(std::int64_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

}  // namespace

EncodedRecords encode_supervised(const std::vector<Record>& records,
                                 const std::vector<std::string>& files, const Template& chat,
                                 const Tokenizer& tokenizer, const SupervisedOptions& options,
                                 int threads) {
  const RecordEncoder encoder(files, chat, tokenizer, options);
  const auto total = static_cast<std::int64_t>(records.size());
  std::vector<EncodedRecord> encoded(records.size());
  const std::int64_t chunks = (total + kChunkRecords - 1) / kChunkRecords;
  for_each_index(chunks, threads, [&](std::int64_t chunk) {
    const std::int64_t end = std::min((chunk + 1) * kChunkRecords, total);
    for (std::int64_t i = chunk * kChunkRecords; i < end; ++i) {
      const auto index = static_cast<std::size_t>(i);
      encoded[index] = encoder.encode(records[index]);
    }
  });

  std::int64_t tokens = 0;
  for (const EncodedRecord& record : encoded) {
    tokens += static_cast<std::int64_t>(record.labelled.example.tokens.size());
  }
  EncodedRecords result;
  result.dataset.reserve(total, tokens);
  result.origins.reserve(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    result.dataset.append(encoded[i].labelled.example);
    result.origins.push_back(records[i].origin);
    count(encoded[i], result.dataset.sizes().back(), result.report);
    encoded[i] = {};  // the flat arrays have it now
  }
  result.report.records = total;
  result.report.tokens = result.dataset.total_tokens();
  result.report.counted_labels = result.dataset.total_counted_labels();
  result.report.records_without_labels = result.dataset.records_without_labels();
  return result;
}

std::vector<std::string> EncodingReport::lines(const std::string& name,
                                               const SupervisedOptions& options,
                                               bool split_special_tokens) const {
  std::vector<std::string> lines;
  if (cut_records > 0) {
    lines.push_back(
        fmt::format("{}: {} of {} records longer than cutoff_len {} {} cut, {} left out", name,
                    cut_records, records, options.cutoff_len, cut_records == 1 ? "was" : "were",
                    counted(cut_tokens, "token", "tokens")));
  }
  if (records_cut_to_no_label > 0) {
    lines.push_back(fmt::format("{}: {} no label after truncation", name,
                                counted(records_cut_to_no_label, "record has", "records have")));
  }
  if (records_without_labels > records_cut_to_no_label) {
    lines.push_back(fmt::format(
        "{}: {} no label", name,
        counted(records_without_labels - records_cut_to_no_label, "record has", "records have")));
  }
  if (records_with_control_tokens > 0) {
    lines.push_back(
        fmt::format("{}: {} special tokens of the tokenizer in {} own text ({} in all), read as {}",
                    name, counted(records_with_control_tokens, "record has", "records have"),
                    records_with_control_tokens == 1 ? "its" : "their", control_tokens,
                    split_special_tokens ? "plain text"
                                         : "control tokens; split_special_tokens: true reads "
                                           "them as plain text"));
  }
  return lines;
}

}  // namespace hone::data
