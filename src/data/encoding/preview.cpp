#include "data/encoding/preview.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace hone::data {
namespace {

void append_text(std::vector<std::string>& lines, const std::string& text) {
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  lines.push_back(text.substr(start));
}

}  // namespace

std::vector<std::string> preview_lines(const EncodedDataset& dataset, std::int64_t record,
                                       const Tokenizer& tokenizer, const std::string& title) {
  const auto tokens = dataset.tokens(record);
  const auto labels = dataset.labels(record);
  std::vector<TokenId> learned;
  std::copy_if(labels.begin(), labels.end(), std::back_inserter(learned),
               [](std::int32_t label) { return label != kIgnoreLabel; });
  std::vector<std::string> lines = {
      title, "input_ids:", fmt::format("[{}]", fmt::join(tokens, ", ")), "inputs:"};
  append_text(lines, tokenizer.decode({tokens.begin(), tokens.end()}, false));
  lines.push_back("label_ids:");
  lines.push_back(fmt::format("[{}]", fmt::join(labels, ", ")));
  lines.push_back("labels:");
  append_text(lines, tokenizer.decode(learned, false));
  return lines;
}

}  // namespace hone::data
