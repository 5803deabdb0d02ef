// The data sets whose losses are known for the kit's models (kit_model.h), with template `default`:
// a prompt of b bytes is 19 + b tokens, an answer of b bytes 2 + b, all of them labels.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hone::kit {

struct Example {
  std::string instruction;
  std::string output;
};

std::vector<Example> data_ab();   // A: x -> aaaaaaaa (10 labels), B: x -> b (3 labels)
std::vector<Example> data_k10();  // x -> k times a, k = 1..10; closed_form's loss names the record
std::vector<Example> data_m1();   // one record of 102 tokens, 39 of them labels

// d.json, and a dataset_info.json in which it is called d.
void write_data(const std::filesystem::path& folder, const std::vector<Example>& examples);

// The loss of closed_form on a record of the data above whose answer has `a` times the letter a.
double closed_form_loss(int a);

}  // namespace hone::kit
