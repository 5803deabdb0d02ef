#include "kit/kit_data.h"

#include <cmath>
#include <fstream>

#include "formats/json_writer.h"

namespace hone::kit {

std::vector<Example> data_ab() {
  return {{"x", "aaaaaaaa"}, {"x", "b"}};
}

std::vector<Example> data_k10() {
  std::vector<Example> examples;
  for (std::size_t k = 1; k <= 10; ++k) examples.push_back({"x", std::string(k, 'a')});
  return examples;
}

std::vector<Example> data_m1() {
  return {
      {"The quick brown fox jumps over the lazy dog.", "abcdefghijklmnopqrstuvwxyz 0123456789"}};
}

void write_data(const std::filesystem::path& folder, const std::vector<Example>& examples) {
  std::filesystem::create_directories(folder);
  formats::Array records;
  for (const Example& example : examples) {
    records.push_back(formats::Object{
        {"instruction", example.instruction}, {"input", ""}, {"output", example.output}});
  }
  std::ofstream(folder / "d.json") << formats::dump_python(records, {.indent = 1});
  const formats::Object info = {{"d", formats::Object{{"file_name", "d.json"}}}};
  std::ofstream(folder / "dataset_info.json") << formats::dump_python(info);
}

double closed_form_loss(int a) {
  // Two more labels end the answer: EOS and a line feed.
  return (a * std::log(2.0) + 2.0 * std::log(526.0)) / (a + 2.0);
}

}  // namespace hone::kit
