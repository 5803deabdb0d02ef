#include "unit/data/tokenizer/tokenizer_fixture.h"

#include <cstdlib>
#include <fstream>

#include "data/tokenizer/json_text.h"
#include "formats/json.h"

namespace hone::data {

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "hone-tokenizer-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void ScratchFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
}

Tokenizer b256(const Edit& edit) {
  const std::filesystem::path source = HONE_TEST_DATA "/b256";
  formats::Value tokenizer = formats::read_json(source / "tokenizer.json");
  formats::Value config = formats::read_json(source / "tokenizer_config.json");
  if (edit) edit(tokenizer, config);
  const ScratchFolder folder;
  folder.write("tokenizer.json", json_text(tokenizer));
  folder.write("tokenizer_config.json", json_text(config));
  return Tokenizer::from_folder(folder.path());
}

Tokenizer bare_bpe(const std::string& tokenizer_json) {
  const ScratchFolder folder;
  folder.write("tokenizer.json", tokenizer_json);
  return Tokenizer::from_folder(folder.path());
}

formats::Value& at(formats::Value& value, const std::vector<std::string>& path) {
  formats::Value* found = &value;
  for (const std::string& name : path) {
    formats::Value* next = nullptr;
    for (formats::Member& member : found->object()) {
      if (member.key == name) next = &member.value;
    }
    if (next == nullptr) throw std::runtime_error("the fixture has no " + name);
    found = next;
  }
  return *found;
}

std::vector<TokenId> bytes_of(const std::string& text) {
  std::vector<TokenId> ids;
  for (const char letter : text) ids.push_back(static_cast<unsigned char>(letter));
  return ids;
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const UserError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

}  // namespace hone::data
