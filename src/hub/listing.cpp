#include "hub/listing.h"

#include <fmt/format.h>

#include "base/error.h"
#include "formats/json.h"
#include "formats/text_encoding.h"

namespace hone::hub {
namespace {

using formats::Value;

constexpr std::size_t kCommitDigits = 40;
constexpr std::size_t kGitDigits = 40;
constexpr std::size_t kShaDigits = 64;
constexpr std::size_t kLongestMessage = 200;

std::string string_in(const Value& object, const char* key) {
  const Value* value = object.find(key);
  return value != nullptr && value->get_string() != nullptr ? *value->get_string() : std::string();
}

std::optional<std::uint64_t> size_in(const Value& object, const char* key) {
  const Value* value = object.find(key);
  if (value == nullptr || value->kind() != Value::Kind::integer || value->integer() < 0) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(value->integer());
}

const formats::Array* list_in(const Value& object, const char* key) {
  const Value* value = object.find(key);
  return value == nullptr ? nullptr : value->get_array();
}

void add_if_safe(RepositoryFile file, Listing& to) {
  if (!is_safe_file_name(file.name)) return;
  if (!is_digest(file.digest)) file.digest.clear();
  to.files.push_back(std::move(file));
}

// Null where the text is no JSON object.
Value object_in(const std::string& text) {
  try {
    Value answer = formats::parse_json(text, "answer");
    return answer.is_object() ? answer : Value();
  } catch (const UserError&) {
    return {};
  }
}

}  // namespace

bool is_digest(const std::string& text) {
  return is_hexadecimal(text, kGitDigits) || is_hexadecimal(text, kShaDigits);
}

ListingAnswer huggingface_listing(const std::string& text) {
  ListingAnswer answer;
  const Value value = object_in(text);
  if (value.is_null()) {
    answer.fault = "what is no JSON";
    return answer;
  }
  answer.listing.commit = string_in(value, "sha");
  const formats::Array* siblings = list_in(value, "siblings");
  if (!is_hexadecimal(answer.listing.commit, kCommitDigits) || siblings == nullptr) {
    answer.fault = "JSON without the commit and the files of a repository";
    return answer;
  }
  answer.entries = siblings->size();
  for (const Value& sibling : *siblings) {
    RepositoryFile file;
    file.name = string_in(sibling, "rfilename");
    file.size_bytes = size_in(sibling, "size");
    file.digest = string_in(sibling, "blobId");
    const Value* large = sibling.find("lfs");
    if (large != nullptr && large->is_object()) {
      file.digest = string_in(*large, "sha256");
      if (const auto size = size_in(*large, "size")) file.size_bytes = size;
    }
    add_if_safe(std::move(file), answer.listing);
  }
  return answer;
}

ListingAnswer modelscope_listing(const std::string& text) {
  ListingAnswer answer;
  const Value value = object_in(text);
  if (value.is_null()) {
    answer.fault = "what is no JSON";
    return answer;
  }
  const Value* data = value.find("Data");
  const formats::Array* files = data == nullptr ? nullptr : list_in(*data, "Files");
  if (files == nullptr) {
    const std::string message = string_in(value, "Message").substr(0, kLongestMessage);
    answer.fault = message.empty()
                       ? "JSON without the files of a repository"
                       : fmt::format("no list of files: {}", formats::printable(message));
    return answer;
  }
  answer.entries = files->size();
  for (const Value& each : *files) {
    if (string_in(each, "Type") == "tree") continue;
    add_if_safe({string_in(each, "Path"), size_in(each, "Size"), string_in(each, "Sha256")},
                answer.listing);
  }
  return answer;
}

}  // namespace hone::hub
