#include "formats/foreign_content.h"

#include <algorithm>
#include <cctype>

namespace hone::formats {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

bool is_html(std::string_view start) {
  const std::size_t first = start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos) return false;
  const std::string text = lower(start.substr(first, 16));
  return text.rfind("<!doctype", 0) == 0 || text.rfind("<html", 0) == 0 ||
         text.rfind("<head", 0) == 0 || text.rfind("<?xml", 0) == 0;
}

}  // namespace

std::optional<ForeignContent> foreign_content(std::string_view start) {
  const auto begins = [&](std::string_view mark) { return start.substr(0, mark.size()) == mark; };
  if (begins("version https://git-lfs")) {
    return ForeignContent{"a git-lfs pointer, which only names the file that was meant",
                          "fetch the file itself (in the model's folder: git lfs pull)"};
  }
  if (is_html(start)) {
    return ForeignContent{"an HTML page",
                          "download it again: the server answered with a page, perhaps to log in"};
  }
  if (begins("PK\x03\x04")) {
    return ForeignContent{"a zip archive, as PyTorch's .bin and .pt files are",
                          "convert the model to safetensors"};
  }
  if (begins("GGUF")) {
    return ForeignContent{"a GGUF file", "give its path as that of a GGUF model (name.gguf)"};
  }
  return std::nullopt;
}

}  // namespace hone::formats
