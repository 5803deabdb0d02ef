// Templates whose roles are plain words, and those with markers that nobody shares.
// Values from LLaMA-Factory @ ff6d4d12, data/template.py. They are protocol data: ids depend on
// every byte.
#include "data/templates/template_entry.h"

namespace hone::data {

std::vector<TemplateEntry> plain_words_entries() {
  return {
      {.name = "default",
       .system = Slots{text("System: {{content}}"), eos(), text("\n")},
       .user = Slots{text("Human: {{content}}"), eos(), text("\nAssistant:")},
       .assistant = Slots{text("{{content}}"), eos(), text("\n")},
       .replace_chat_template = true},
      {.name = "empty", .assistant = Slots{text("{{content}}")}},
      {.name = "vicuna",
       .user = Slots{text("USER: {{content}} ASSISTANT:")},
       .default_system =
           "A chat between a curious user and an artificial intelligence assistant. The assistant "
           "gives helpful, detailed, and polite answers to the user's questions.",
       .replace_chat_template = true},
      {.name = "deepseek",
       .prefix = Slots{bos()},
       .system = Slots{text("{{content}}\n\n")},
       .user = Slots{text("User: {{content}}\n\nAssistant:")}},
      {.name = "alpaca",
       .user = Slots{text("### Instruction:\n{{content}}\n\n### Response:\n")},
       .assistant = Slots{text("{{content}}"), eos(), text("\n\n")},
       .default_system = "Below is an instruction that describes a task. Write a response that "
                         "appropriately completes the request.\n\n",
       .replace_chat_template = true},
      {.name = "cohere",
       .prefix = Slots{bos()},
       .system =
           Slots{text("<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>{{content}}<|END_OF_TURN_TOKEN|>")},
       .user = Slots{text("<|START_OF_TURN_TOKEN|><|USER_TOKEN|>{{content}}<|END_OF_TURN_TOKEN|><|"
                          "START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>")}},
      {.name = "deepseekcoder",
       .prefix = Slots{bos()},
       .user = Slots{text("### Instruction:\n{{content}}\n### Response:")},
       .assistant = Slots{text("\n{{content}}\n<|EOT|>\n")},
       .default_system =
           "You are an AI programming assistant, utilizing the DeepSeek Coder model, developed by "
           "DeepSeek Company, and you only answer questions related to computer science. For "
           "politically sensitive questions, security and privacy issues, and other non-computer "
           "science questions, you will refuse to answer.\n"},
      {.name = "dots_ocr",
       .system = Slots{text("<|system|>{{content}}<|endofsystem|>\n")},
       .user = Slots{text("<|user|>{{content}}<|endofuser|><|assistant|>")},
       .assistant = Slots{text("{{content}}<|endofassistant|>")},
       .stop_words = Words{"<|endofassistant|>"},
       .efficient_eos = true,
       .sees_media = true},
      {.name = "exaone",
       .system = Slots{text("[|system|]{{content}}[|endofturn|]\n")},
       .user = Slots{text("[|user|]{{content}}\n[|assistant|]")},
       .assistant = Slots{text("{{content}}"), eos(), text("\n")}},
      {.name = "falcon",
       .user = Slots{text("User: {{content}}\nFalcon:")},
       .assistant = Slots{text("{{content}}\n")},
       .efficient_eos = true},
      {.name = "fewshot",
       .assistant = Slots{text("{{content}}\n\n")},
       .efficient_eos = true,
       .replace_chat_template = true},
      {.name = "gpt_oss",
       .kind = TemplateClass::reasoning,
       .system = Slots{text("<|start|>system<|message|>{{content}}<|end|>")},
       .user = Slots{text("<|start|>user<|message|>{{content}}<|end|><|start|>assistant")},
       .assistant = Slots{text("{{content}}")},
       .default_system = "You are ChatGPT, a large language model trained by OpenAI.",
       .thought_words = WordPair{"<|channel|>analysis<|message|>",
                                 "<|end|><|start|>assistant<|channel|>final<|message|>"},
       .efficient_eos = true},
      {.name = "llava",
       .user = Slots{text("USER: {{content}} ASSISTANT:")},
       .default_system =
           "A chat between a curious user and an artificial intelligence assistant. The assistant "
           "gives helpful, detailed, and polite answers to the user's questions.",
       .sees_media = true},
      {.name = "llava_next", .from = "llava"},
      {.name = "llava_next_video", .from = "llava"},
      {.name = "olmo",
       .prefix = Slots{eos()},
       .user = Slots{text("<|user|>\n{{content}}<|assistant|>\n")}},
      {.name = "solar",
       .system = Slots{text("### System:\n{{content}}\n\n")},
       .user = Slots{text("### User:\n{{content}}\n\n### Assistant:\n")},
       .assistant = Slots{text("{{content}}")},
       .efficient_eos = true},
      {.name = "video_llava", .from = "llava"},
      {.name = "xuanyuan",
       .user = Slots{text("Human: {{content}} Assistant:")},
       .default_system = "以下是用户和人工智能助手之间的对话。用户以Human开头，人工智能助手以Assist"
                         "ant开头，会对人类提出的问题给出有帮助、高质量、详细和礼貌的回答，并且总是"
                         "拒绝参与与不道德、不安全、有争议、政治敏感等相关的话题、问题和指示。\n"},
      {.name = "yi_vl",
       .from = "falcon",
       .user = Slots{text("### Human: {{content}}\n### Assistant:")},
       .default_system =
           "This is a chat between an inquisitive human and an AI assistant. Assume the role of "
           "the AI assistant. Read all the images carefully, and respond to the human's questions "
           "with informative, helpful, detailed and polite answers. "
           "这是一个好奇的人类和一个人工智能助手之间的对话。假设你扮演这个AI助手的角色。仔细阅读所"
           "有的图像，并对人类的问题做出信息丰富、有帮助、详细的和礼貌的回答。\n\n",
       .stop_words = Words{"###"},
       .sees_media = true},
  };
}

}  // namespace hone::data
