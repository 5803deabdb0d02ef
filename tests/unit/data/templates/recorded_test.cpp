// Conversations with every template, against the ids and labels that LLaMA-Factory gives
// (tests/unit/data/record/record_templates.py).
#include <algorithm>

#include <gtest/gtest.h>

#include "data/encoding/supervised.h"
#include "formats/json.h"
#include "unit/data/templates/template_fixture.h"

namespace hone::data {
namespace {

using formats::Value;
using Ids = std::vector<TokenId>;

const std::string kFolder = HONE_TEST_DATA "/templates";

const Value& recorded() {
  static const Value read = formats::read_json(kFolder + "/recorded.json");
  return read;
}

const Value& dialogues() {
  static const Value read = formats::read_json(kFolder + "/dialogues.json");
  return read;
}

Ids ids_of(const Value& list) {
  Ids ids;
  for (const Value& id : list.array()) ids.push_back(static_cast<TokenId>(id.integer()));
  return ids;
}

// The ids of an encoding, which is written as numbers of pieces.
Ids recorded_ids(const Value& encoding) {
  Ids ids;
  for (const Value& number : encoding.find("ids")->array()) {
    const auto place = static_cast<std::size_t>(number.integer());
    const Ids piece = ids_of(recorded().find("pieces")->array().at(place));
    ids.insert(ids.end(), piece.begin(), piece.end());
  }
  return ids;
}

// The group of templates that `name` was recorded with.
const Value& group_of(const std::string& name) {
  for (const Value& group : recorded().find("groups")->array()) {
    for (const Value& other : group.find("names")->array()) {
      if (other.string() == name) return group;
    }
  }
  throw std::runtime_error("not recorded: " + name);
}

Role role_of(const std::string& name) {
  if (name == "user") return Role::user;
  if (name == "assistant") return Role::assistant;
  return name == "function" ? Role::function : Role::observation;
}

std::string spelled(std::string content, const TemplateDefinition& definition) {
  const std::pair<const char*, std::string> words[] = {
      {"{open}", definition.thought_words.open},
      {"{close}", definition.thought_words.close},
      {"{call}", definition.tool_call_words.open},
      {"{/call}", definition.tool_call_words.close}};
  for (const auto& [mark, word] : words) {
    const std::size_t at = content.find(mark);
    if (at != std::string::npos) content.replace(at, std::string(mark).size(), word);
  }
  return content;
}

Conversation conversation_of(const Value& dialogue, const TemplateDefinition& definition) {
  Conversation conversation;
  for (const Value& message : dialogue.find("messages")->array()) {
    conversation.messages.push_back(
        {role_of(message.array()[0].string()), spelled(message.array()[1].string(), definition)});
  }
  if (const Value* system = dialogue.find("system")) conversation.system = system->string();
  if (const Value* tools = dialogue.find("tools")) conversation.tools = tools->string();
  return conversation;
}

struct Trial {
  std::string dialogue;
  SupervisedOptions labels;
  TemplateOptions options;
};

// "turns mask_history enable_thinking=false"
Trial trial_of(const std::string& key) {
  const auto has = [&](const char* word) { return key.find(word) != std::string::npos; };
  Trial trial;
  trial.dialogue = key.substr(0, key.find(' '));
  trial.labels.cutoff_len = 100000;
  trial.labels.mask_history = has("mask_history");
  trial.labels.train_on_prompt = has("train_on_prompt");
  if (has("enable_thinking=false")) trial.options.enable_thinking = false;
  if (has("enable_thinking=null")) trial.options.enable_thinking = std::nullopt;
  trial.options.preserve_thinking = has("preserve_thinking");
  trial.options.today = "05 Nov 2026";
  return trial;
}

Ids labels_of(const Value& encoding) {
  Ids labels = recorded_ids(encoding);
  std::size_t place = 0;
  bool learnt = false;
  for (const Value& run : encoding.find("runs")->array()) {
    for (std::int64_t i = 0; i < run.integer(); ++i, ++place) {
      if (!learnt) labels.at(place) = kIgnoreLabel;
    }
    learnt = !learnt;
  }
  EXPECT_EQ(place, labels.size());
  if (const Value* other = encoding.find("other")) {
    for (const Value& pair : other->array()) {
      labels.at(static_cast<std::size_t>(pair.array()[0].integer())) =
          static_cast<TokenId>(pair.array()[1].integer());
    }
  }
  return labels;
}

class RecordedTemplate : public ::testing::TestWithParam<std::string> {
 protected:
  RecordedTemplate() : tokenizer_(Tokenizer::from_folder(kFolder)) {}

  LabelledRecord encoded(const Trial& trial) const {
    const Template made = make_template(GetParam(), trial.options);
    const Conversation conversation =
        conversation_of(*dialogues().find(trial.dialogue), made.definition());
    const bool discard = trial.labels.mask_history && !trial.options.preserve_thinking;
    const EncodedConversation turns = made.encode_multiturn(tokenizer_, conversation, discard);
    return label_turns(turns.turns, trial.labels,
                       made.definition().efficient_eos ? tokenizer_.eos_id() : std::nullopt);
  }

  const Value& group_ = group_of(GetParam());
  Tokenizer tokenizer_;
};

TEST_P(RecordedTemplate, RepairsTheTokenizer) {
  const Value& repairs = *group_.find("repairs");
  const Template made = make_template(GetParam());
  const TokenizerChanges changes = made.fix_tokenizer(tokenizer_);
  EXPECT_EQ(tokenizer_.eos_id(), static_cast<TokenId>(repairs.find("eos")->integer()));
  EXPECT_EQ(tokenizer_.pad_id(), static_cast<TokenId>(repairs.find("pad")->integer()));
  std::vector<std::string> fresh;
  for (const Value& token : repairs.find("new")->array()) fresh.push_back(token.string());
  EXPECT_EQ(changes.new_tokens, fresh);
  EXPECT_EQ(made.stop_ids(tokenizer_), ids_of(*repairs.find("stop")));
}

TEST_P(RecordedTemplate, GivesItsIdsAndLabels) {
  make_template(GetParam()).fix_tokenizer(tokenizer_);
  for (const formats::Member& encoding : group_.find("encodings")->object()) {
    SCOPED_TRACE(encoding.key);
    const Trial trial = trial_of(encoding.key);
    if (encoding.value.find("error") != nullptr) {
      EXPECT_THROW(encoded(trial), UserError);
      continue;
    }
    const LabelledRecord record = encoded(trial);
    EXPECT_EQ(Ids(record.example.tokens.begin(), record.example.tokens.end()),
              recorded_ids(encoding.value))
        << tokenizer_.decode(record.example.tokens, false);
    EXPECT_EQ(Ids(record.example.labels.begin(), record.example.labels.end()),
              labels_of(encoding.value));
  }
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char letter) { return letter == '-' || letter == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, RecordedTemplate, ::testing::ValuesIn(template_names()), test_name);

TEST(RecordedTemplates, AreAllThereAre) {
  std::vector<std::string> names;
  for (const Value& group : recorded().find("groups")->array()) {
    for (const Value& name : group.find("names")->array()) names.push_back(name.string());
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, template_names());
}

}  // namespace
}  // namespace hone::data
