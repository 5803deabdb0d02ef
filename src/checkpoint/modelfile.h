// The Modelfile beside an exported model, by which Ollama serves the folder (`ollama create NAME -f
// Modelfile`): the chat template in Go's template language, the system text, where answers stop.
//
// Its form is that of LLaMA-Factory's export (data/template.py, get_ollama_modelfile). One thing is
// different: with templates that put the system text into the first question (llama2, mistral),
// so does this file, as the model has learnt it; LLaMA-Factory puts it before the question's
// marker. Tools have no place in it, in neither program.
#pragma once

#include <optional>
#include <string>

#include "data/templates/template.h"
#include "data/tokenizer/tokenizer.h"

namespace hone::checkpoint {

inline constexpr const char* kModelfileName = "Modelfile";

// `tokenizer` as the template has fixed it. Nothing when a text holds three quotation marks in a
// row, or a stop token one: the format has no way to write them.
std::optional<std::string> modelfile_text(const data::Template& chat,
                                          const data::Tokenizer& tokenizer);

}  // namespace hone::checkpoint
