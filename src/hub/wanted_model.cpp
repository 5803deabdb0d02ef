#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "formats/json.h"
#include "formats/text_encoding.h"
#include "hub/wanted_files.h"

namespace hone::hub {
namespace {

constexpr const char* kConfig = "config.json";
constexpr const char* kIndex = "model.safetensors.index.json";
constexpr const char* kOneFile = "model.safetensors";
constexpr const char* kSmallFiles[] = {kConfig,
                                       "generation_config.json",
                                       "tokenizer.json",
                                       "tokenizer_config.json",
                                       "special_tokens_map.json",
                                       "added_tokens.json",
                                       "vocab.json",
                                       "merges.txt",
                                       "tokenizer.model",
                                       "chat_template.jinja",
                                       "chat_template.json"};
constexpr std::size_t kNamesShown = 5;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::vector<std::string> named(const Snapshot& snapshot, std::string_view end) {
  std::vector<std::string> names;
  for (const RepositoryFile& file : snapshot.files()) {
    if (ends_with(file.name, end)) names.push_back(formats::printable(file.name));
  }
  return names;
}

std::string shown(std::vector<std::string> names) {
  const std::size_t more = names.size() > kNamesShown ? names.size() - kNamesShown : 0;
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

[[noreturn]] void refuse_weights(const Snapshot& snapshot, const Repository& repository) {
  const std::vector<std::string> gguf = named(snapshot, ".gguf");
  if (!gguf.empty()) {
    throw UserError(
        {repository.text(), fmt::format("GGUF files alone: {}", shown(gguf)),
         "fetch the one that is wanted (`hf download`, or with a browser) and write its "
         "path; or name the repository that it was made from"});
  }
  const bool pickled = !named(snapshot, ".bin").empty() || !named(snapshot, ".pth").empty();
  throw UserError({repository.text(),
                   pickled ? "weights as pickled PyTorch files alone (.bin, .pth)"
                           : "no weights that hone reads (model.safetensors)",
                   pickled ? "ask its owner for safetensors, or save it as such with transformers "
                             "(save_pretrained) and write the path of that folder"
                           : "name a repository that has them"});
}

// The files that an index of sharded weights names.
std::vector<std::string> shards_in(const std::filesystem::path& index) {
  const formats::Value value = formats::read_json(index);
  const formats::JsonObject whole(value, index.string());
  const formats::JsonObject map = whole.object("weight_map");
  std::set<std::string> names;
  for (const formats::Member& member : map.value().object()) {
    const std::string& name = map.string(member.key);
    if (!is_safe_file_name(name) || !ends_with(name, ".safetensors")) {
      throw UserError(
          {fmt::format("weight_map of {}", index.string()),
           fmt::format("'{}' is not the name of a safetensors file", formats::printable(name)),
           "name another repository: this one is broken"});
    }
    names.insert(name);
  }
  return {names.begin(), names.end()};
}

}  // namespace

std::filesystem::path fetch_model(Hub& hub, const Repository& repository, bool weights) {
  Snapshot snapshot = hub.open(repository);
  if (!snapshot.lists(kConfig)) {
    if (!named(snapshot, ".gguf").empty()) refuse_weights(snapshot, repository);
    const bool adapter = snapshot.lists("adapter_config.json");
    throw UserError({repository.text(), adapter ? "an adapter, no model" : "no config.json in it",
                     adapter ? "name it in adapter_name_or_path, and its base model here"
                             : "name a repository with a model as transformers saves it"});
  }
  std::vector<std::string> wanted;
  for (const char* name : kSmallFiles) {
    if (snapshot.lists(name)) wanted.emplace_back(name);
  }
  const bool sharded = snapshot.lists(kIndex);
  if (weights && !sharded && !snapshot.lists(kOneFile)) refuse_weights(snapshot, repository);
  snapshot.fetch(wanted);
  if (!weights) return snapshot.folder();
  if (sharded) {
    // The index last: a folder with it alone would look like a model.
    snapshot.fetch(shards_in(snapshot.peek(kIndex)));
    snapshot.fetch({kIndex});
  } else {
    snapshot.fetch({kOneFile});
  }
  return snapshot.folder();
}

bool has_weights(const std::filesystem::path& snapshot) {
  std::error_code error;
  return std::filesystem::exists(snapshot / kIndex, error) ||
         std::filesystem::exists(snapshot / kOneFile, error);
}

std::filesystem::path fetch_adapter(Hub& hub, const Repository& repository) {
  Snapshot snapshot = hub.open(repository);
  const std::vector<std::string> wanted = {"adapter_config.json", "adapter_model.safetensors"};
  for (const std::string& name : wanted) {
    if (snapshot.lists(name)) continue;
    throw UserError({repository.text(), fmt::format("no {} in it", name),
                     "name a repository with a PEFT adapter saved as safetensors"});
  }
  snapshot.fetch(wanted);
  return snapshot.folder();
}

}  // namespace hone::hub
