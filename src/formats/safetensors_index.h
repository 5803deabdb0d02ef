// The weights of a model folder: one safetensors file, or several with an index.
//
// Format of `<stem>.safetensors.index.json`: {"metadata": {"total_size": bytes}, "weight_map":
// {"tensor name": "file name", ...}}. As in transformers `<stem>.safetensors` wins where both
// exist.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/tensor_view.h"
#include "formats/safetensors.h"

namespace hone::formats {

class SafetensorsModel {
 public:
  // Opens all files of the model. Errors (UserError), as many as there are together: no weights in
  // the folder; an index that names files outside of it (see resolve_in_folder), files that are
  // missing, tensors that are not in the file it names; a tensor in two files. A tensor that the
  // index does not list is taken.
  explicit SafetensorsModel(const std::filesystem::path& folder, const std::string& stem = "model");

  // Whether the folder holds `<stem>.safetensors` or its index.
  static bool is_in(const std::filesystem::path& folder, const std::string& stem = "model");

  // In the order of their names in the index.
  const std::vector<SafetensorsFile>& files() const { return files_; }

  // nullptr when there is none of that name.
  const SafetensorsEntry* find(std::string_view name) const;

  // See SafetensorsFile::view.
  ConstTensorView view(std::string_view name) const;

  // Calls visit(first, piece) for consecutive pieces of the tensor's elements, as flat views: piece
  // [n] begins at element `first`. The file's pages leave the memory after each piece, so that a
  // big tensor that is copied is never there twice.
  using VisitPiece = std::function<void(std::int64_t first, const ConstTensorView& piece)>;
  void read_in_pieces(std::string_view name, const VisitPiece& visit) const;

  std::size_t tensor_count() const { return file_of_.size(); }

  // Sum over all tensors.
  std::uint64_t size_bytes() const;

 private:
  void open_index(const std::filesystem::path& folder, const std::string& index_name);
  void add_tensors();

  std::filesystem::path folder_;
  std::vector<SafetensorsFile> files_;
  std::unordered_map<std::string_view, std::size_t> file_of_;  // names point into files_
};

}  // namespace hone::formats
