// Conversations as LLaMA-Factory @ ff6d4d12 encodes them: every string is one call of the
// tokenizer.
#include <gtest/gtest.h>

#include "unit/data/templates/template_fixture.h"

namespace hone::data {
namespace {

using Pieces = std::vector<std::string>;

struct Golden {
  std::string name;
  // prompt, response, prompt, response
  std::vector<Pieces> with_system;  // SYS, Q1, A1, Q2, A2
  std::vector<Pieces> with_call;    // Q1, a call of get_weather, OBS, A2
};

const std::vector<Golden>& goldens() {
  static const std::vector<Golden> all = {
      {"alpaca",
       {{"SYS", "### Instruction:\nQ1\n\n### Response:\n"},
        {"A1", kEos, "\n\n"},
        {"### Instruction:\nQ2\n\n### Response:\n"},
        {"A2", kEos, "\n\n"}},
       {{"Below is an instruction that describes a task. Write a response that appropriately "
         "completes the request.\n\n",
         "### Instruction:\nQ1\n\n### Response:\n"},
        {"Action: get_weather\nAction Input: {\"city\": \"Oslo\"}", kEos, "\n\n"},
        {"### Instruction:\nOBS\n\n### Response:\n"},
        {"A2", kEos, "\n\n"}}},
      {"chatml",
       {{"<|im_start|>system\nSYS<|im_end|>\n",
         "<|im_start|>user\nQ1<|im_end|>\n<|im_start|>assistant\n"},
        {"A1<|im_end|>\n"},
        {"<|im_start|>user\nQ2<|im_end|>\n<|im_start|>assistant\n"},
        {"A2<|im_end|>\n"}},
       {{"<|im_start|>user\nQ1<|im_end|>\n<|im_start|>assistant\n"},
        {"Action: get_weather\nAction Input: {\"city\": \"Oslo\"}<|im_end|>\n"},
        {"<|im_start|>tool\nOBS<|im_end|>\n<|im_start|>assistant\n"},
        {"A2<|im_end|>\n"}}},
      {"default",
       {{"System: SYS", kEos, "\n", "Human: Q1", kEos, "\nAssistant:"},
        {"A1", kEos, "\n"},
        {"Human: Q2", kEos, "\nAssistant:"},
        {"A2", kEos, "\n"}},
       {{"Human: Q1", kEos, "\nAssistant:"},
        {"Action: get_weather\nAction Input: {\"city\": \"Oslo\"}", kEos, "\n"},
        {"Human: OBS", kEos, "\nAssistant:"},
        {"A2", kEos, "\n"}}},
      {"empty",
       {{"SYS", "Q1"}, {"A1"}, {"Q2"}, {"A2"}},
       {{"Q1"}, {"Action: get_weather\nAction Input: {\"city\": \"Oslo\"}"}, {"OBS"}, {"A2"}}},
      {"llama2",
       {{kBos, "[INST] <<SYS>>\nSYS\n<</SYS>>\n\nQ1 [/INST]"},
        {"A1", kEos},
        {kBos, "[INST] Q2 [/INST]"},
        {"A2", kEos}},
       {{kBos, "[INST] Q1 [/INST]"},
        {"Action: get_weather\nAction Input: {\"city\": \"Oslo\"}", kEos},
        {kBos, "[INST] OBS [/INST]"},
        {"A2", kEos}}},
      {"llama3",
       {{kBos, "<|start_header_id|>system<|end_header_id|>\n\nSYS<|eot_id|>",
         "<|start_header_id|>user<|end_header_id|>\n\nQ1<|eot_id|><|start_header_id|>assistant<|"
         "end_header_id|>\n\n"},
        {"A1<|eot_id|>"},
        {"<|start_header_id|>user<|end_header_id|>\n\nQ2<|eot_id|><|start_header_id|>assistant<|"
         "end_header_id|>\n\n"},
        {"A2<|eot_id|>"}},
       {{kBos,
         "<|start_header_id|>user<|end_header_id|>\n\nQ1<|eot_id|><|start_header_id|>assistant<|"
         "end_header_id|>\n\n"},
        {"{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}}<|eot_id|>"},
        {"<|start_header_id|>ipython<|end_header_id|>\n\nOBS<|eot_id|><|start_header_id|>assistant<"
         "|end_header_id|>\n\n"},
        {"A2<|eot_id|>"}}},
      {"mistral",
       {{kBos, "[INST] SYS\n\nQ1[/INST]"}, {" A1", kEos}, {"[INST] Q2[/INST]"}, {" A2", kEos}},
       {{kBos, "[INST] Q1[/INST]"},
        {"[TOOL_CALLS] [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]", kEos},
        {"[TOOL_RESULTS] {\"content\": OBS}[/TOOL_RESULTS]"},
        {" A2", kEos}}},
      {"qwen",
       {{"<|im_start|>system\nSYS<|im_end|>\n",
         "<|im_start|>user\nQ1<|im_end|>\n<|im_start|>assistant\n"},
        {"A1<|im_end|>\n"},
        {"<|im_start|>user\nQ2<|im_end|>\n<|im_start|>assistant\n"},
        {"A2<|im_end|>\n"}},
       {{"<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful "
         "assistant.<|im_end|>\n",
         "<|im_start|>user\nQ1<|im_end|>\n<|im_start|>assistant\n"},
        {"<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": "
         "\"Oslo\"}}\n</tool_call><|im_end|>\n"},
        {"<|im_start|>user\n<tool_response>\nOBS\n</"
         "tool_response><|im_end|>\n<|im_start|>assistant\n"},
        {"A2<|im_end|>\n"}}},
      {"qwen3",
       {{"<|im_start|>system\nSYS<|im_end|>\n",
         "<|im_start|>user\nQ1<|im_end|>\n<|im_start|>assistant\n"},
        {"<think>\n\n</think>\n\n", "A1<|im_end|>\n"},
        {"<|im_start|>user\nQ2<|im_end|>\n<|im_start|>assistant\n"},
        {"<think>\n\n</think>\n\n", "A2<|im_end|>\n"}},
       {{"<|im_start|>user\nQ1<|im_end|>\n<|im_start|>assistant\n"},
        {"<think>\n\n</think>\n\n",
         "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": "
         "\"Oslo\"}}\n</tool_call><|im_end|>\n"},
        {"<|im_start|>user\n<tool_response>\nOBS\n</"
         "tool_response><|im_end|>\n<|im_start|>assistant\n"},
        {"<think>\n\n</think>\n\n", "A2<|im_end|>\n"}}},
      {"smollm2",
       {{"<|im_start|>system\nSYS<|im_end|>\n",
         "<|im_start|>user\nQ1<|im_end|>\n<|im_start|>assistant\n"},
        {"A1<|im_end|>\n"},
        {"<|im_start|>user\nQ2<|im_end|>\n<|im_start|>assistant\n"},
        {"A2<|im_end|>\n"}},
       {{"<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging "
         "Face.<|im_end|>\n",
         "<|im_start|>user\nQ1<|im_end|>\n<|im_start|>assistant\n"},
        {"Action: get_weather\nAction Input: {\"city\": \"Oslo\"}<|im_end|>\n"},
        {"<|im_start|>user\nOBS<|im_end|>\n<|im_start|>assistant\n"},
        {"A2<|im_end|>\n"}}},
  };
  return all;
}

class GoldenTemplate : public ::testing::TestWithParam<std::size_t> {
 protected:
  std::vector<Pieces> encoded(const Conversation& conversation) const {
    const Tokenizer tokenizer = showing_tokenizer();
    std::vector<Pieces> pieces;
    const Template made = make_template(golden_.name);
    for (const EncodedTurn& turn : made.encode_multiturn(tokenizer, conversation, false).turns) {
      pieces.push_back(pieces_of(tokenizer, turn.prompt));
      pieces.push_back(pieces_of(tokenizer, turn.response));
    }
    return pieces;
  }

  const Golden& golden_ = goldens()[GetParam()];
};

TEST_P(GoldenTemplate, TwoTurnsWithSystem) {
  EXPECT_EQ(encoded(talk({"Q1", "A1", "Q2", "A2"}, "SYS")), golden_.with_system);
}

TEST_P(GoldenTemplate, CallAndObservation) {
  Conversation conversation =
      talk({"Q1", R"({"name": "get_weather", "arguments": {"city": "Oslo"}})", "OBS", "A2"});
  conversation.messages[1].role = Role::function;
  conversation.messages[2].role = Role::observation;
  EXPECT_EQ(encoded(conversation), golden_.with_call);
}

INSTANTIATE_TEST_SUITE_P(All, GoldenTemplate, ::testing::Range<std::size_t>(0, 10),
                         [](const auto& index) { return goldens()[index.param].name; });

TEST(GoldenTemplates, CoverTheRegistry) {
  std::vector<std::string> covered;
  for (const Golden& golden : goldens()) covered.push_back(golden.name);
  EXPECT_EQ(covered, template_names());
}

}  // namespace
}  // namespace hone::data
