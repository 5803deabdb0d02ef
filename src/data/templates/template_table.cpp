// Values from LLaMA-Factory @ ff6d4d12, data/template.py. They are protocol data: ids depend on
// every byte.
#include "data/templates/template_table.h"

namespace hone::data {

namespace {

Slot text(std::string content) {
  return {Slot::Kind::text, std::move(content)};
}
Slot bos() {
  return {Slot::Kind::bos, ""};
}
Slot eos() {
  return {Slot::Kind::eos, ""};
}

// What LLaMA-Factory's registration assumes for what a template does not say.
TemplateDefinition with_defaults(std::string name) {
  TemplateDefinition made;
  made.name = std::move(name);
  made.system = {text("{{content}}")};
  made.user = {text("{{content}}")};
  made.assistant = {text("{{content}}"), eos()};
  made.observation = made.user;
  made.function = made.assistant;
  return made;
}

void set_user(TemplateDefinition& definition, Slots slots) {
  definition.user = std::move(slots);
  definition.observation = definition.user;
}

void set_assistant(TemplateDefinition& definition, Slots slots) {
  definition.assistant = std::move(slots);
  definition.function = definition.assistant;
}

TemplateDefinition alpaca() {
  TemplateDefinition made = with_defaults("alpaca");
  set_user(made, {text("### Instruction:\n{{content}}\n\n### Response:\n")});
  set_assistant(made, {text("{{content}}"), eos(), text("\n\n")});
  made.default_system =
      "Below is an instruction that describes a task. "
      "Write a response that appropriately completes the request.\n\n";
  made.replace_chat_template = true;
  return made;
}

// The markers that several families share.
TemplateDefinition im_markers(std::string name) {
  TemplateDefinition made = with_defaults(std::move(name));
  made.system = {text("<|im_start|>system\n{{content}}<|im_end|>\n")};
  set_user(made, {text("<|im_start|>user\n{{content}}<|im_end|>\n<|im_start|>assistant\n")});
  set_assistant(made, {text("{{content}}<|im_end|>\n")});
  made.stop_words = {"<|im_end|>"};
  return made;
}

TemplateDefinition chatml() {
  TemplateDefinition made = im_markers("chatml");
  made.observation = {text("<|im_start|>tool\n{{content}}<|im_end|>\n<|im_start|>assistant\n")};
  made.stop_words = {"<|im_end|>", "<|im_start|>"};
  made.replace_eos = true;
  made.replace_chat_template = true;
  return made;
}

TemplateDefinition plain_default() {
  TemplateDefinition made = with_defaults("default");
  made.system = {text("System: {{content}}"), eos(), text("\n")};
  set_user(made, {text("Human: {{content}}"), eos(), text("\nAssistant:")});
  set_assistant(made, {text("{{content}}"), eos(), text("\n")});
  made.replace_chat_template = true;
  return made;
}

TemplateDefinition empty() {
  TemplateDefinition made = with_defaults("empty");
  set_assistant(made, {text("{{content}}")});
  return made;
}

TemplateDefinition llama2() {
  TemplateDefinition made = with_defaults("llama2");
  made.kind = TemplateClass::fused_system;
  made.system = {text("<<SYS>>\n{{content}}\n<</SYS>>\n\n")};
  set_user(made, {bos(), text("[INST] {{content}} [/INST]")});
  return made;
}

TemplateDefinition llama3() {
  constexpr const char* kAnswer = "<|start_header_id|>assistant<|end_header_id|>\n\n";
  constexpr const char* kUser = "<|start_header_id|>user<|end_header_id|>\n\n{{content}}<|eot_id|>";
  constexpr const char* kTool =
      "<|start_header_id|>ipython<|end_header_id|>\n\n{{content}}<|eot_id|>";
  TemplateDefinition made = with_defaults("llama3");
  made.prefix = {bos()};
  made.system = {text("<|start_header_id|>system<|end_header_id|>\n\n{{content}}<|eot_id|>")};
  made.user = {text(std::string(kUser) + kAnswer)};
  made.observation = {text(std::string(kTool) + kAnswer)};
  set_assistant(made, {text("{{content}}<|eot_id|>")});
  made.function_format = made.tools_format = ToolFormat::llama3;
  made.stop_words = {"<|eot_id|>", "<|eom_id|>"};
  made.replace_eos = true;
  return made;
}

TemplateDefinition mistral() {
  TemplateDefinition made = with_defaults("mistral");
  made.kind = TemplateClass::fused_system;
  made.prefix = {bos()};
  made.system = {text("{{content}}\n\n")};
  made.user = {text("[INST] {{content}}[/INST]")};
  made.assistant = {text(" {{content}}"), eos()};
  made.observation = {text("[TOOL_RESULTS] {\"content\": {{content}}}[/TOOL_RESULTS]")};
  made.function = {text("[TOOL_CALLS] {{content}}"), eos()};
  made.function_format = made.tools_format = ToolFormat::mistral;
  return made;
}

TemplateDefinition qwen_markers(std::string name) {
  TemplateDefinition made = im_markers(std::move(name));
  made.observation = {
      text("<|im_start|>user\n<tool_response>\n{{content}}\n</tool_response><|im_end|>\n"
           "<|im_start|>assistant\n")};
  made.function_format = made.tools_format = ToolFormat::qwen;
  made.replace_eos = true;
  return made;
}

TemplateDefinition qwen() {
  TemplateDefinition made = qwen_markers("qwen");
  made.default_system = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.";
  return made;
}

TemplateDefinition qwen3() {
  TemplateDefinition made = qwen_markers("qwen3");
  made.kind = TemplateClass::reasoning;
  return made;
}

TemplateDefinition smollm2() {
  TemplateDefinition made = im_markers("smollm2");
  made.default_system = "You are a helpful AI assistant named SmolLM, trained by Hugging Face.";
  return made;
}

}  // namespace

std::vector<TemplateDefinition> template_table() {
  return {alpaca(), chatml(),  plain_default(), empty(), llama2(),
          llama3(), mistral(), qwen(),          qwen3(), smollm2()};
}

}  // namespace hone::data
