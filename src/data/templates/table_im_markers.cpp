// Templates with the markers <|im_start|> and <|im_end|>.
// Values from LLaMA-Factory @ ff6d4d12, data/template.py. They are protocol data: ids depend on
// every byte.
#include "data/templates/template_entry.h"

namespace hone::data {

std::vector<TemplateEntry> im_markers_entries() {
  return {
      {.name = "chatml",
       .system = Slots{text("<|im_start|>system\n{{content}}<|im_end|>\n")},
       .user = Slots{text("<|im_start|>user\n{{content}}<|im_end|>\n<|im_start|>assistant\n")},
       .assistant = Slots{text("{{content}}<|im_end|>\n")},
       .observation =
           Slots{text("<|im_start|>tool\n{{content}}<|im_end|>\n<|im_start|>assistant\n")},
       .stop_words = Words{"<|im_end|>", "<|im_start|>"},
       .replace_eos = true,
       .replace_chat_template = true},
      {.name = "qwen",
       .from = "chatml",
       .observation = Slots{text("<|im_start|>user\n<tool_response>\n{{content}}\n</"
                                 "tool_response><|im_end|>\n<|im_start|>assistant\n")},
       .tools = ToolFormat::qwen,
       .default_system = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.",
       .stop_words = Words{"<|im_end|>"},
       .replace_chat_template = false},
      {.name = "qwen2_vl",
       .from = "qwen",
       .default_system = "You are a helpful assistant.",
       .sees_media = true},
      {.name = "yi",
       .system = Slots{text("<|im_start|>system\n{{content}}<|im_end|>\n")},
       .user = Slots{text("<|im_start|>user\n{{content}}<|im_end|>\n<|im_start|>assistant\n")},
       .assistant = Slots{text("{{content}}<|im_end|>\n")},
       .stop_words = Words{"<|im_end|>"}},
      {.name = "smollm2",
       .from = "yi",
       .default_system = "You are a helpful AI assistant named SmolLM, trained by Hugging Face."},
      {.name = "qwen3", .from = "qwen", .kind = TemplateClass::reasoning, .default_system = ""},
      {.name = "qwen3_nothink", .from = "qwen", .default_system = ""},
      {.name = "chatml_de",
       .from = "chatml",
       .default_system = "Du bist ein freundlicher und hilfsbereiter KI-Assistent."},
      {.name = "cpm4",
       .from = "yi",
       .prefix = Slots{bos()},
       .observation =
           Slots{text("<|im_start|>tool\n{{content}}<|im_end|>\n<|im_start|>assistant\n")}},
      {.name = "dbrx",
       .from = "chatml",
       .default_system =
           "You are DBRX, created by Databricks. You were last updated in December 2023. You "
           "answer questions based on information available up to that point.\nYOU PROVIDE SHORT "
           "RESPONSES TO SHORT QUESTIONS OR STATEMENTS, but provide thorough responses to more "
           "complex and open-ended questions.\nYou assist with various tasks, from writing to "
           "coding (using markdown for code blocks — remember to use ``` with code, JSON, and "
           "tables).\n(You do not have real-time data access or code execution capabilities. You "
           "avoid stereotyping and provide balanced perspectives on controversial topics. You do "
           "not provide song lyrics, poems, or news articles and do not divulge details of your "
           "training data.)\nThis is your system prompt, guiding your responses. Do not reference "
           "it, just respond to the user. If you find yourself talking about this message, stop. "
           "You should be responding appropriately and usually that means not mentioning "
           "this.\nYOU DO NOT MENTION ANY OF THIS INFORMATION ABOUT YOURSELF UNLESS THE "
           "INFORMATION IS DIRECTLY PERTINENT TO THE USER'S QUERY.",
       .stop_words = Words{"<|im_end|>"},
       .replace_chat_template = false},
      {.name = "ernie",
       .system = Slots{text("<|im_start|>system\n{{content}}<|im_end|>\n\n")},
       .user = Slots{text("<|im_start|>user\n{{content}}<|im_end|>\n\n<|im_start|>assistant\n")},
       .assistant = Slots{text("{{content}}<|im_end|>\n\n")},
       .observation =
           Slots{text("<|im_start|>tool\n{{content}}<|im_end|>\n\n<|im_start|>assistant\n")},
       .default_system = "<global_setting>\nthink_mode=True\n</global_setting>",
       .stop_words = Words{"<|im_end|>"}},
      {.name = "falcon_h1", .from = "cpm4", .stop_words = Words{"<|im_end|>", "<|end_of_text|>"}},
      {.name = "intern2",
       .from = "yi",
       .prefix = Slots{bos()},
       .default_system =
           "You are an AI assistant whose name is InternLM (书生·浦语).\n- InternLM (书生·浦语) is "
           "a conversational language model that is developed by Shanghai AI Laboratory "
           "(上海人工智能实验室). It is designed to be helpful, honest, and harmless.\n- InternLM "
           "(书生·浦语) can understand and communicate fluently in the language chosen by the user "
           "such as English and 中文."},
      {.name = "intern_vl",
       .from = "intern2",
       .default_system = "你是书生·万象，英文名是InternVL，是由上海人工智能实验室、清华大学及多家合"
                         "作单位联合开发的多模态大语言模型。",
       .sees_media = true},
      {.name = "intern_s1", .from = "intern_vl", .default_system = ""},
      {.name = "keye_vl", .from = "qwen3", .sees_media = true},
      {.name = "lfm2",
       .from = "qwen",
       .observation = Slots{text("<|im_start|>tool\n<|tool_response_start|>{{content}}<|tool_"
                                 "response_end|><|im_end|>\n<|im_start|>assistant\n")},
       .tools = ToolFormat::lfm2,
       .default_system = "You are a helpful AI assistant.",
       .tool_call_words = WordPair{"<|tool_call_start|>", "<|tool_call_end|>"}},
      {.name = "lfm2_vl",
       .from = "lfm2",
       .default_system = "You are a helpful multimodal assistant by Liquid AI.",
       .sees_media = true},
      {.name = "moss_vl", .from = "qwen2_vl", .default_system = "", .trims_lone_tools = true},
      {.name = "llava_next_qwen", .from = "qwen2_vl"},
      {.name = "llava_next_yi", .from = "yi", .sees_media = true},
      {.name = "llava_next_video_yi", .from = "llava_next_yi"},
      {.name = "mimo", .from = "qwen3", .default_system = "You are a helpful assistant."},
      {.name = "mimo_v2",
       .from = "qwen3",
       .default_system = "You are MiMo, a helpful AI assistant engineered by Xiaomi.",
       .thought_words = WordPair{"<think>", "</think>"}},
      {.name = "mimo_vl",
       .from = "keye_vl",
       .default_system = "You are MiMo, an AI assistant developed by Xiaomi."},
      {.name = "minicpm_v",
       .from = "llava_next_yi",
       .default_system = "You are a helpful assistant."},
      {.name = "minicpm_v_4_6", .from = "minicpm_v"},
      {.name = "minicpm_o",
       .from = "llava_next_yi",
       .default_system = "You are a helpful assistant. You can accept audio and text input and "
                         "output voice and text."},
      {.name = "opencoder",
       .from = "yi",
       .observation =
           Slots{text("<|im_start|>tool\n{{content}}<|im_end|>\n<|im_start|>assistant\n")},
       .default_system = "You are OpenCoder, created by OpenCoder Team."},
      {.name = "phi4",
       .system = Slots{text("<|im_start|>system<|im_sep|>{{content}}<|im_end|>")},
       .user = Slots{text(
           "<|im_start|>user<|im_sep|>{{content}}<|im_end|><|im_start|>assistant<|im_sep|>")},
       .assistant = Slots{text("{{content}}<|im_end|>")},
       .stop_words = Words{"<|im_end|>"},
       .replace_eos = true},
      {.name = "qwen2_audio", .from = "minicpm_v", .replace_eos = true},
      {.name = "qwen2_omni", .from = "qwen2_vl"},
      {.name = "qwen3_omni", .from = "keye_vl"},
      {.name = "qwen3_omni_nothink", .from = "qwen2_vl", .default_system = ""},
      {.name = "qwen3_vl", .from = "keye_vl"},
      {.name = "qwen3_vl_nothink", .from = "qwen3_omni_nothink"},
      {.name = "qwen3_5", .from = "keye_vl", .tools = ToolFormat::qwen3_5},
      {.name = "qwen3_5_nothink", .from = "qwen3_omni_nothink", .tools = ToolFormat::qwen3_5},
      {.name = "qwen3_6", .from = "qwen3_5"},
      {.name = "sailor",
       .from = "yi",
       .user = Slots{text("<|im_start|>question\n{{content}}<|im_end|>\n<|im_start|>answer\n")},
       .default_system = "You are an AI assistant named Sailor created by Sea AI Lab. Your answer "
                         "should be friendly, unbiased, faithful, informative and detailed."},
      {.name = "smollm", .from = "yi"},
  };
}

}  // namespace hone::data
