// One JSON string per line in, one line of JSON out: {"ids": [...], "text": decoded}. For the
// comparison with the `tokenizers` package (compare_tokenizers.py).
//
//   tokenize_lines FOLDER_OR_GGUF [--save FOLDER]
//
// With --save, only writes the tokenizer's files into an existing folder.
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "data/tokenizer/gguf_vocabulary.h"
#include "data/tokenizer/json_text.h"
#include "data/tokenizer/tokenizer.h"
#include "formats/json.h"

namespace {

hone::data::Tokenizer open_tokenizer(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) return hone::data::Tokenizer::from_folder(path);
  const hone::formats::GgufFile file(path);
  return hone::data::Tokenizer::from_gguf(hone::data::read_gguf_vocabulary(file), path.string());
}

void save(const hone::data::Tokenizer& tokenizer, const std::filesystem::path& folder) {
  for (const hone::data::TokenizerFile& file : tokenizer.files()) {
    std::ofstream(folder / file.name, std::ios::binary) << file.content;
  }
}

void answer(const hone::data::Tokenizer& tokenizer, const std::string& line) {
  const std::string text = hone::formats::parse_json(line, "a line").string();
  const std::vector<hone::data::TokenId> ids = tokenizer.encode(text);
  hone::formats::Array numbers;
  for (const hone::data::TokenId id : ids) numbers.emplace_back(id);
  const hone::formats::Object object = {{"ids", numbers}, {"text", tokenizer.decode(ids, false)}};
  std::cout << hone::data::json_text(object) << '\n';
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count < 2) return 2;
    const hone::data::Tokenizer tokenizer = open_tokenizer(arguments[1]);
    for (const std::string& note : tokenizer.notes()) std::cerr << note << '\n';
    if (count == 4) {
      save(tokenizer, arguments[3]);
      return 0;
    }
    for (std::string line; std::getline(std::cin, line);) answer(tokenizer, line);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
