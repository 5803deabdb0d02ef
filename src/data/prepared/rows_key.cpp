#include "data/prepared/rows_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/version.h"
#include "formats/checksum.h"
#include "formats/regular_file.h"

namespace hone::data {
namespace {

constexpr std::uint64_t kReadWholeBytes = std::uint64_t{64} << 20;

// Ids of a conversation that uses what templates treat differently, so that a change of template,
// tokenizer or their code makes another key even within one version.
std::string probe(const Template& chat, const Tokenizer& tokenizer) {
  std::string text;
  for (const char* system : {"", "Answer in d\xC3\xA9tail."}) {
    Conversation conversation;
    conversation.system = system;
    conversation.messages = {{Role::user, "Hello, how are you doing today? 1234 <|x|>\n\n"},
                             {Role::assistant, "<think>\nwell\n</think>\n\nI'm fine."},
                             {Role::user, " \xE4\xBD\xA0\xE5\xA5\xBD \xF0\x9F\x98\x80 for(i=0;)"},
                             {Role::assistant, "Bye"}};
    try {
      const EncodedConversation encoded = chat.encode_multiturn(tokenizer, conversation, false);
      for (const EncodedTurn& turn : encoded.turns) {
        text +=
            fmt::format("{} | {}\n", fmt::join(turn.prompt, " "), fmt::join(turn.response, " "));
      }
    } catch (const UserError&) {
      text += "refused\n";  // a template may know no system text, for one
    }
  }
  return text;
}

std::string tokenizer_key(const Tokenizer& tokenizer) {
  formats::Checksum checksum;
  for (const TokenizerFile& file : tokenizer.files()) {
    checksum.add(file.name);
    checksum.add(file.content);
  }
  return checksum.text();
}

std::string shown(const std::optional<std::string>& text) {
  return text ? fmt::format("'{}'", *text) : "-";
}

std::string shown(const std::optional<bool>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

std::string columns_key(const DatasetEntry& entry) {
  const ColumnNames& c = entry.columns;
  const TagNames& t = entry.tags;
  std::string text;
  for (const auto* name : {&c.prompt, &c.query, &c.response, &c.history, &c.messages, &c.system,
                           &c.tools, &c.chosen, &c.rejected, &c.kto_tag, &t.role, &t.content,
                           &t.user, &t.assistant, &t.observation, &t.function, &t.system}) {
    text += shown(*name) + " ";
  }
  return text;
}

}  // namespace

std::string key_of(const std::string& text) {
  formats::Checksum checksum;
  checksum.add(text);
  return checksum.text();
}

std::string encoding_key(const PreparationOptions& options, const Template& chat,
                         const Tokenizer& tokenizer) {
  const TemplateOptions& how = chat.options();
  const SupervisedOptions& encoding = options.encoding;
  const bool texts = options.purpose == Purpose::pretraining;
  return fmt::format(
      "hone {} rows 1\ntokenizer {} pad {} ids {}\ntemplate {} {} {} {} {} {} {}\n"
      "purpose {} packed {} cutoff {} prompt {} history {}\n{}",
      version(),
      options.tokenizer_identity.empty() ? tokenizer_key(tokenizer) : options.tokenizer_identity,
      tokenizer.pad_id().value_or(-1), tokenizer.id_limit(), chat.definition().name,
      shown(how.enable_thinking), how.preserve_thinking, shown(how.default_system),
      shown(how.tool_format), how.split_special_tokens, how.today,
      static_cast<int>(options.purpose), texts && options.packing,
      texts && options.packing ? 0 : encoding.cutoff_len, encoding.train_on_prompt,
      encoding.mask_history, probe(chat, tokenizer));
}

std::string files_key(const std::vector<std::filesystem::path>& paths) {
  std::string text;
  for (const std::filesystem::path& path : paths) {
    const formats::RegularFile file = formats::open_regular_file(path);
    const formats::FileIdentity& identity = file.identity;
    text += path.filename().string() + " ";
    if (identity.size_bytes <= kReadWholeBytes) {
      text += formats::checksum_of_file(path).text() + "\n";
    } else {
      text += fmt::format("{} {} {} {}\n", identity.device, identity.inode, identity.size_bytes,
                          identity.modified_nanoseconds);
    }
  }
  return text;
}

std::string rows_key(const std::string& encoding, const DatasetReader& reader,
                     const std::string& files, std::optional<std::int64_t> max_rows) {
  const DatasetEntry& entry = reader.entry();
  return key_of(fmt::format("{}set {} {} {} {}\ncolumns {}\nrows {}\n{}\n{}", encoding, entry.name,
                            entry.file_name, static_cast<int>(entry.formatting),
                            entry.columns_given, columns_key(entry), max_rows.value_or(-1),
                            fmt::join(entry.notes, "\n"), files));
}

}  // namespace hone::data
