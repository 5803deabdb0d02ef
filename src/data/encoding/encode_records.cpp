#include "data/encoding/encode_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/for_each_index.h"
#include "data/sources/drops.h"

namespace hone::data {
namespace {

// Records that are held at a time, and those that one thread takes at a time.
constexpr std::size_t kBatchRecords = 2048;
constexpr std::int64_t kPieceRecords = 32;

EncodedRow encode_one(const Record& record, const std::vector<std::string>& files,
                      const RowEncoder& encoder) {
  if (record.flaw.present()) return dropped_row();
  try {
    return encoder.encode(record);
  } catch (const UserError& error) {
    std::vector<Fault> faults = error.faults();
    for (Fault& fault : faults) {
      const auto file = static_cast<std::size_t>(record.origin.file);
      fault.asked = fmt::format("{} of {}: {}", shown_origin(record.origin, {}),
                                file < files.size() ? files[file] : "the data", fault.asked);
    }
    throw UserError(std::move(faults));
  }
}

std::int32_t largest_of(const EncodedRow& row) {
  const auto end = row.numbers.begin() + row.info.tokens;
  return row.info.tokens == 0 ? -1 : *std::max_element(row.numbers.begin(), end);
}

std::string counted(std::int64_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

}  // namespace

SupervisedEncoder::SupervisedEncoder(const Template& chat, const Tokenizer& tokenizer,
                                     const SupervisedOptions& options)
    : chat_(chat), tokenizer_(tokenizer), options_(options) {
  if (!chat.definition().efficient_eos) return;
  final_eos_ = tokenizer.eos_id();
  if (final_eos_) return;
  throw UserError({fmt::format("template: {}", chat.definition().name),
                   "the template ends every conversation with the tokenizer's EOS token, and "
                   "this tokenizer has none",
                   "choose another template, or name an eos_token in tokenizer_config.json"});
}

EncodedRow SupervisedEncoder::encode(const Record& record) const {
  HONE_ASSERT(record.response.size() == 1, record.response.size());
  Conversation conversation;
  conversation.messages = record.prompt;
  conversation.messages.push_back(record.response.front());
  conversation.system = record.system;
  conversation.tools = record.tools;
  const bool discard_thoughts = options_.mask_history && !chat_.options().preserve_thinking;
  const EncodedConversation encoded =
      chat_.encode_multiturn(tokenizer_, conversation, discard_thoughts);
  const LabelledRecord labelled = label_turns(encoded.turns, options_, final_eos_);
  EncodedRow row = make_row(labelled.example);
  row.info.cut_tokens = static_cast<std::int32_t>(labelled.cut_tokens);
  row.info.control_tokens = static_cast<std::int32_t>(encoded.control_tokens_in_text);
  return row;
}

PretrainingEncoder::PretrainingEncoder(const Tokenizer& tokenizer, PretrainingOptions options,
                                       std::int64_t cutoff_len, bool packed)
    : tokenizer_(tokenizer),
      options_(std::move(options)),
      cutoff_len_(cutoff_len),
      packed_(packed) {}

EncodedRow PretrainingEncoder::encode(const Record& record) const {
  const std::string& text = record.prompt.front().content;
  if (packed_) {
    return make_row(learned_everywhere(encode_text(text, tokenizer_, options_), options_));
  }
  std::int64_t cut_tokens = 0;
  EncodedRow row =
      make_row(encode_single_text(text, tokenizer_, options_, cutoff_len_, cut_tokens));
  row.info.cut_tokens = static_cast<std::int32_t>(cut_tokens);
  return row;
}

std::int32_t encode_rows(const std::function<bool(Record&)>& next,
                         const std::vector<std::string>& files, const RowEncoder& encoder,
                         int threads, RowSink& sink) {
  std::vector<Record> records;
  std::vector<EncodedRow> rows;
  std::int32_t largest_id = -1;
  for (bool more = true; more;) {
    records.clear();
    for (Record record; records.size() < kBatchRecords && (more = next(record));) {
      records.push_back(std::move(record));
    }
    rows.assign(records.size(), {});
    const auto total = static_cast<std::int64_t>(records.size());
    const std::int64_t pieces = (total + kPieceRecords - 1) / kPieceRecords;
    for_each_index(pieces, threads, [&](std::int64_t piece) {
      const std::int64_t end = std::min((piece + 1) * kPieceRecords, total);
      for (std::int64_t i = piece * kPieceRecords; i < end; ++i) {
        const auto index = static_cast<std::size_t>(i);
        rows[index] = encode_one(records[index], files, encoder);
      }
    });
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].info.file = records[i].origin.file;
      rows[i].info.number = records[i].origin.number;
      rows[i].info.line = records[i].origin.line;
      largest_id = std::max(largest_id, largest_of(rows[i]));
      sink.add(rows[i]);
    }
  }
  return largest_id;
}

void append_row(EncodedRecords& records, const EncodedRows& rows, std::int64_t row,
                std::int32_t first_file) {
  const RowInfo& info = rows.info(row);
  HONE_ASSERT((info.flags & kRowDropped) == 0, row);
  const bool apart = (info.flags & kRowApart) != 0 && info.segments > 1;
  StoredRecord stored;
  stored.numbers = rows.numbers(row);
  stored.size = {info.tokens, info.counted_labels, info.predicted_labels,
                 apart ? info.segments : 1};
  stored.checksum = info.checksum;
  stored.segments = info.segments;
  records.dataset.append_stored(stored);
  records.origins.push_back({info.file + first_file, info.number, info.line});
}

void EncodingReport::count(const RowInfo& row) {
  ++records;
  tokens += row.tokens;
  counted_labels += row.counted_labels;
  cut_records += row.cut_tokens > 0 ? 1 : 0;
  cut_tokens += row.cut_tokens;
  records_without_labels += row.predicted_labels == 0 ? 1 : 0;
  records_cut_to_no_label += row.predicted_labels == 0 && row.cut_tokens > 0 ? 1 : 0;
  records_with_control_tokens += row.control_tokens > 0 ? 1 : 0;
  control_tokens += row.control_tokens;
}

std::vector<std::string> EncodingReport::lines(const std::string& name, std::int64_t cutoff_len,
                                               bool split_special_tokens) const {
  std::vector<std::string> lines;
  if (cut_records > 0) {
    lines.push_back(
        fmt::format("{}: {} of {} records longer than cutoff_len {} {} cut, {} left out", name,
                    cut_records, records, cutoff_len, cut_records == 1 ? "was" : "were",
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
