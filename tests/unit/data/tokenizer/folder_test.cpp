// A tokenizer from a model folder: roles, added tokens, decoding, saving.
#include <gtest/gtest.h>

#include "data/tokenizer/json_text.h"
#include "formats/json.h"
#include "unit/data/tokenizer/tokenizer_fixture.h"

namespace hone::data {
namespace {

using formats::Array;
using formats::Object;
using formats::Value;
using Ids = std::vector<TokenId>;

Value added(std::int64_t id, const char* content, bool special) {
  return Object{{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
                {"rstrip", false}, {"normalized", false}, {"special", special}};
}

std::string file_named(const Tokenizer& tokenizer, const std::string& name) {
  for (const TokenizerFile& file : tokenizer.files()) {
    if (file.name == name) return file.content;
  }
  return {};
}

Tokenizer saved_and_read(const Tokenizer& tokenizer) {
  const ScratchFolder folder;
  for (const TokenizerFile& file : tokenizer.files()) folder.write(file.name, file.content);
  return Tokenizer::from_folder(folder.path());
}

TEST(Folder, B256EncodesBytes) {
  const Tokenizer tokenizer = b256();
  EXPECT_EQ(tokenizer.encode("hé"), (Ids{104, 195, 169}));
  EXPECT_EQ(tokenizer.encode("a<|im_end|>b"), (Ids{97, 258, 98}));
  EXPECT_EQ(tokenizer.encode(""), Ids{});
  EXPECT_EQ(tokenizer.encode("<|im_end|>", {.split_special_tokens = true}), bytes_of("<|im_end|>"));
  EXPECT_EQ(tokenizer.bos_id(), 259);
  EXPECT_EQ(tokenizer.eos_id(), 256);
  EXPECT_EQ(tokenizer.pad_id(), 260);
  EXPECT_EQ(tokenizer.special_tokens().unk, std::nullopt);
  EXPECT_EQ(tokenizer.vocabulary_size(), 261U);
  EXPECT_EQ(tokenizer.id_limit(), 261U);
  EXPECT_EQ(tokenizer.token_text(258), "<|im_end|>");
  EXPECT_EQ(tokenizer.token_text(999), "");
  EXPECT_TRUE(tokenizer.is_special(258));
  EXPECT_FALSE(tokenizer.is_special(97));
  EXPECT_TRUE(tokenizer.notes().empty());
}

TEST(Folder, DecodeSkipsSpecialTokensAndMendsBytes) {
  const Tokenizer tokenizer = b256();
  EXPECT_EQ(tokenizer.decode({104, 258, 195, 169}, true), "hé");
  EXPECT_EQ(tokenizer.decode({104, 258, 195}, false), "h<|im_end|>\ufffd");
  EXPECT_EQ(tokenizer.decode({104, 9999, 105}, false), "hi");
  StreamDecoder stream(tokenizer, true);
  EXPECT_EQ(stream.push(195), "");
  EXPECT_EQ(stream.push(258), "");
  EXPECT_EQ(stream.push(169), "é");
  EXPECT_EQ(stream.push(226), "");
  EXPECT_EQ(stream.finish(), "\ufffd");
}

TEST(Folder, TextThatIsNoUtf8IsRefusedByItsByte) {
  const Tokenizer tokenizer = b256();
  const std::string text = refusal([&] { tokenizer.encode("ab\xff"); });
  EXPECT_NE(text.find("a text of 3 bytes"), std::string::npos);
  EXPECT_NE(text.find("byte 2 (0xff) is not UTF-8"), std::string::npos);
}

TEST(Folder, UserTextIsToldFromTheTemplates) {
  const Tokenizer tokenizer = b256();
  const std::string text = "<|im_start|>u<|im_end|><|im_end|>";
  const std::vector<TextRange> user = {{12, 23}};  // u<|im_end|>
  const SegmentEncoding kept = tokenizer.encode_segment(text, user, false);
  EXPECT_EQ(kept.ids, (Ids{257, 117, 258, 258}));
  EXPECT_EQ(kept.control_tokens, 1U);
  Ids expected = {257, 117};
  for (const TokenId id : bytes_of("<|im_end|>")) expected.push_back(id);
  expected.push_back(258);
  const SegmentEncoding split = tokenizer.encode_segment(text, user, true);
  EXPECT_EQ(split.ids, expected);
  EXPECT_EQ(split.control_tokens, 1U);
}

TEST(Folder, UserTextIsToldFromTheTemplatesAfterNormalizationToo) {
  const Tokenizer tokenizer = b256([](Value& file, Value&) {
    file.set("normalizer", Object{{"type", "Lowercase"}});
    for (Value& token : at(file, {"added_tokens"}).array()) token.set("normalized", true);
  });
  const std::string text = "<|IM_END|>U<|IM_END|>V";
  const std::vector<TextRange> user = {{10, 22}};  // U<|IM_END|>V
  const SegmentEncoding kept = tokenizer.encode_segment(text, user, false);
  EXPECT_EQ(kept.ids, (Ids{258, 117, 258, 118}));
  EXPECT_EQ(kept.control_tokens, 1U);
  Ids expected = {258};
  for (const TokenId id : bytes_of("u<|im_end|>v")) expected.push_back(id);
  EXPECT_EQ(tokenizer.encode_segment(text, user, true).ids, expected);
}

TEST(Folder, PostProcessorRunsOnRequestOnly) {
  const Tokenizer tokenizer = b256([](Value& file, Value&) {
    const Value bos = Object{{"SpecialToken", Object{{"id", "<s>"}, {"type_id", 0}}}};
    const Value text = Object{{"Sequence", Object{{"id", "A"}, {"type_id", 0}}}};
    const Value special = Object{{"id", "<s>"}, {"ids", Array{259}}, {"tokens", Array{"<s>"}}};
    file.set("post_processor",
             Object{{"type", "Sequence"},
                    {"processors", Array{Object{{"type", "ByteLevel"}},
                                         Object{{"type", "TemplateProcessing"},
                                                {"single", Array{bos, text, bos}},
                                                {"pair", Array{}},
                                                {"special_tokens", Object{{"<s>", special}}}}}}});
  });
  EXPECT_EQ(tokenizer.encode("x"), (Ids{120}));
  EXPECT_EQ(tokenizer.encode("x", {.add_special_tokens = true}), (Ids{259, 120, 259}));
  const Tokenizer roberta = b256([](Value& file, Value&) {
    file.set("post_processor", Object{{"type", "RobertaProcessing"},
                                      {"cls", Array{"<s>", 259}},
                                      {"sep", Array{"</s>", 256}}});
  });
  EXPECT_EQ(roberta.encode("x", {.add_special_tokens = true}), (Ids{259, 120, 256}));
  EXPECT_NE(refusal([] {
              b256([](Value& file, Value&) {
                file.set("post_processor", Object{{"type", "BertProcessing"},
                                                  {"cls", Array{"<s>"}},
                                                  {"sep", Array{"</s>", 256}}});
              });
            }).find("a list that is not a token and its id"),
            std::string::npos);
  const Tokenizer other = b256([](Value& file, Value&) {
    file.set("post_processor", Object{{"type", "SpecialProcessing"}});
  });
  EXPECT_EQ(other.encode("x"), (Ids{120}));
  EXPECT_NE(refusal([&] {
              other.encode("x", {.add_special_tokens = true});
            }).find("post_processor of type 'SpecialProcessing'"),
            std::string::npos);
}

TEST(Folder, AddedTokensAreNumberedFromTheVocabularysSize) {
  const Tokenizer tokenizer =
      b256([](Value& file, Value&) { at(file, {"model", "vocab"}).set("ab", 256); });
  EXPECT_EQ(tokenizer.token_id("<|endoftext|>"), 257);
  ASSERT_FALSE(tokenizer.notes().empty());
  EXPECT_NE(tokenizer.notes().front().find(
                "the added token '<|endoftext|>' has the id 256 in the file and gets 257"),
            std::string::npos);
}

TEST(Folder, BytesWithoutATokenAreTold) {
  const Tokenizer tokenizer = b256([](Value& file, Value&) {
    Object kept;
    for (const formats::Member& entry : at(file, {"model", "vocab"}).object()) {
      if (entry.key != "a" && entry.key != "b") kept.push_back(entry);
    }
    at(file, {"model", "vocab"}) = kept;
  });
  EXPECT_EQ(tokenizer.encode("abc"), (Ids{99}));
  ASSERT_EQ(tokenizer.notes().size(), 6U);  // the special tokens' numbers, too
  EXPECT_NE(tokenizer.notes().back().find("no token for 2 of the bytes"), std::string::npos);
}

TEST(Folder, RolesComeFromTextsObjectsAndTheOlderMap) {
  const ScratchFolder folder;
  folder.write("tokenizer.json", file_named(b256(), "tokenizer.json"));
  folder.write("tokenizer_config.json",
               R"({"bos_token": null, "eos_token": {"content": "<|im_end|>", "lstrip": false},
                   "additional_special_tokens": ["<|im_start|>", "<extra>"],
                   "chat_template": [{"name": "tool_use", "template": "t"},
                                     {"name": "default", "template": "d"}]})");
  folder.write("special_tokens_map.json", R"({"pad_token": "<|pad|>", "eos_token": "<|pad|>"})");
  const Tokenizer tokenizer = Tokenizer::from_folder(folder.path());
  EXPECT_EQ(tokenizer.bos_id(), std::nullopt);
  EXPECT_EQ(tokenizer.eos_id(), 260);  // the older map wins where there is no added_tokens_decoder
  EXPECT_EQ(tokenizer.pad_id(), 260);
  EXPECT_EQ(tokenizer.token_id("<extra>"), 261);
  EXPECT_EQ(tokenizer.encode("<extra>"), (Ids{261}));
  EXPECT_EQ(tokenizer.chat_template(), "d");

  folder.write("tokenizer_config.json",
               R"({"eos_token": "<|im_end|>", "added_tokens_decoder":
                   {"261": {"content": "<tool>", "special": false, "normalized": false}}})");
  folder.write("chat_template.jinja", "from the file");
  const Tokenizer newer = Tokenizer::from_folder(folder.path());
  EXPECT_EQ(newer.eos_id(), 258);
  EXPECT_EQ(newer.token_id("<tool>"), 261);
  EXPECT_FALSE(newer.is_special(261));
  EXPECT_EQ(newer.chat_template(), "from the file");
}

TEST(Folder, SavedUnchangedIsTheSameTokenizerFile) {
  const Tokenizer tokenizer = b256();
  const Tokenizer again = saved_and_read(tokenizer);
  EXPECT_EQ(file_named(again, "tokenizer.json"), file_named(tokenizer, "tokenizer.json"));
  EXPECT_EQ(file_named(again, "tokenizer_config.json"),
            file_named(tokenizer, "tokenizer_config.json"));
  EXPECT_EQ(tokenizer.files().size(), 3U);
}

TEST(Folder, SavedWithItsChanges) {
  Tokenizer tokenizer = b256([](Value& file, Value& config) {
    at(file, {"added_tokens"}).array().push_back(added(261, "<tool>", false));
    config.set("added_tokens_decoder",
               Object{{"258", Object{{"content", "<|im_end|>"}, {"special", true}}}});
    config.set("chat_template", "old");
  });
  EXPECT_FALSE(tokenizer.set_eos("<|im_end|>"));
  EXPECT_TRUE(tokenizer.set_pad("<new pad>"));
  EXPECT_TRUE(tokenizer.add_special_token("<stop>"));
  EXPECT_FALSE(tokenizer.add_special_token("<stop>"));
  tokenizer.set_chat_template("{{ new }}");
  const Tokenizer again = saved_and_read(tokenizer);
  EXPECT_EQ(again.eos_id(), 258);
  EXPECT_EQ(again.pad_id(), 262);
  EXPECT_EQ(again.token_id("<stop>"), 263);
  EXPECT_EQ(again.special_tokens().additional, (std::vector<std::string>{"<stop>"}));
  EXPECT_EQ(again.chat_template(), "{{ new }}");
  EXPECT_EQ(again.encode("<stop>x<tool>"), (Ids{263, 120, 261}));
  const Value config = formats::parse_json(file_named(tokenizer, "tokenizer_config.json"), "c");
  EXPECT_EQ(*config.find("eos_token"), Value("<|im_end|>"));
  EXPECT_EQ(*config.find("model_max_length"), Value(4096));  // what else is there stays
  EXPECT_EQ(config.find("chat_template"), nullptr);
  EXPECT_NE(config.find("added_tokens_decoder")->find("263"), nullptr);
  const Value map = formats::parse_json(file_named(tokenizer, "special_tokens_map.json"), "m");
  EXPECT_EQ(*map.find("pad_token")->find("content"), Value("<new pad>"));
}

TEST(Folder, RefusesFoldersWithoutAReadableTokenizer) {
  const ScratchFolder folder;
  const auto read = [&] { Tokenizer::from_folder(folder.path()); };
  EXPECT_NE(refusal(read).find("no tokenizer.json and no tokenizer.model in the folder"),
            std::string::npos);
  folder.write("vocab.txt", "x");
  EXPECT_NE(refusal(read).find("there is a vocab.txt, which hone does not read by itself"),
            std::string::npos);
  folder.write("tokenizer.json", "{\"model\": ");
  EXPECT_NE(refusal(read).find("tokenizer.json"), std::string::npos);
  folder.write("tokenizer.json", "{}");
  EXPECT_NE(refusal(read).find("model"), std::string::npos);
  folder.write("tokenizer.json", file_named(b256(), "tokenizer.json"));
  folder.write("tokenizer_config.json", R"({"added_tokens_decoder": {"x1": {"content": "a"}}})");
  EXPECT_NE(refusal(read).find("the name is no token id"), std::string::npos);
  folder.write("tokenizer_config.json", R"({"eos_token": 7})");
  EXPECT_NE(refusal(read).find("eos_token"), std::string::npos);
}

}  // namespace
}  // namespace hone::data
