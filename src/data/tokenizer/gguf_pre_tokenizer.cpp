#include "data/tokenizer/gguf_pre_tokenizer.h"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest_name.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

using formats::Array;
using formats::Object;
using formats::Value;

enum class Rule { gpt2, digits, llama3, qwen2, fallback };

struct NamedRule {
  std::string_view name;
  Rule rule;
};

// The names that llama.cpp's converter writes.
constexpr std::array<NamedRule, 20> kRules = {
    {{"gpt-2", Rule::gpt2},       {"gpt2", Rule::gpt2},        {"phi-2", Rule::gpt2},
     {"mpt", Rule::gpt2},         {"olmo", Rule::gpt2},        {"jais", Rule::gpt2},
     {"smollm", Rule::digits},    {"starcoder", Rule::digits}, {"refact", Rule::digits},
     {"command-r", Rule::digits}, {"codeshell", Rule::digits}, {"llama-bpe", Rule::llama3},
     {"llama3", Rule::llama3},    {"llama-v3", Rule::llama3},  {"falcon3", Rule::llama3},
     {"pixtral", Rule::llama3},   {"qwen2", Rule::qwen2},      {"deepseek-r1-qwen", Rule::qwen2},
     {"megrez", Rule::qwen2},     {"default", Rule::fallback}}};

constexpr std::string_view kLlama3Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen2Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
// llama.cpp's rule for files without a name, applied one after the other.
constexpr std::array<std::string_view, 4> kFallbackPatterns = {
    R"([\p{P}\$\+<=>\^~\|]+)",
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))", R"(\p{N}+)",
    R"([0-9][0-9][0-9])"};

Value byte_level(bool add_prefix_space, bool use_regex) {
  return Object{{"type", "ByteLevel"},
                {"add_prefix_space", add_prefix_space},
                {"trim_offsets", true},
                {"use_regex", use_regex}};
}

Value split(std::string_view pattern) {
  return Object{{"type", "Split"},
                {"pattern", Object{{"Regex", pattern}}},
                {"behavior", "Isolated"},
                {"invert", false}};
}

Value sequence(Array parts) {
  return Object{{"type", "Sequence"}, {"pretokenizers", std::move(parts)}};
}

Rule rule_named(std::string_view name, std::string_view source) {
  if (name.empty()) return Rule::fallback;
  std::vector<std::string> names;
  for (const NamedRule& rule : kRules) {
    if (rule.name == name) return rule.rule;
    names.emplace_back(rule.name);
  }
  throw UserError({fmt::format("{}: tokenizer.ggml.pre '{}'", source, formats::printable(name)),
                   fmt::format("hone has no rule of this name{}", did_you_mean(name, names)),
                   "give the model as a folder with its tokenizer.json"});
}

}  // namespace

GgufPreTokenizer gguf_pre_tokenizer(std::string_view name, bool add_prefix_space,
                                    std::string_view source) {
  GgufPreTokenizer made;
  switch (rule_named(name, source)) {
    case Rule::gpt2:
      made.pre_tokenizer = byte_level(add_prefix_space, true);
      break;
    case Rule::digits:
      made.pre_tokenizer = sequence({Object{{"type", "Digits"}, {"individual_digits", true}},
                                     byte_level(add_prefix_space, true)});
      break;
    case Rule::llama3:
      made.pre_tokenizer = sequence({split(kLlama3Pattern), byte_level(add_prefix_space, false)});
      made.ignore_merges = true;
      break;
    case Rule::qwen2:
      made.normalizer = Object{{"type", "NFC"}};
      made.pre_tokenizer = sequence({split(kQwen2Pattern), byte_level(add_prefix_space, false)});
      break;
    case Rule::fallback: {
      Array parts;
      for (const std::string_view pattern : kFallbackPatterns) parts.push_back(split(pattern));
      parts.push_back(byte_level(add_prefix_space, false));
      made.pre_tokenizer = sequence(std::move(parts));
      break;
    }
  }
  return made;
}

}  // namespace hone::data
