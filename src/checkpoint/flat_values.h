// A flat array as those who write it into files see it: whole in this process, or in pieces that
// are fetched from the ranks that hold them, so that nobody ever has all of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/tensor_view.h"
#include "optimizers/optimizer.h"

namespace hone::checkpoint {

class FlatValues {
 public:
  // Fills `to`, of the array's dtype, with the elements from `first` on.
  using Read = std::function<void(std::int64_t first, const TensorView& to)>;

  FlatValues() = default;  // none
  FlatValues(const ConstTensorView& whole)
      : whole_(whole), dtype_(whole.dtype()), elements_(whole.elements()) {}
  FlatValues(const TensorView& whole) : FlatValues(ConstTensorView(whole)) {}
  FlatValues(DType dtype, std::int64_t elements, Read read)
      : read_(std::move(read)), dtype_(dtype), elements_(elements) {}

  bool present() const { return whole_.present() || read_; }
  DType dtype() const { return dtype_; }
  std::int64_t elements() const { return elements_; }

  FlatValues slice(std::int64_t first, std::int64_t elements) const;

  // Calls use(piece) for consecutive flat pieces, valid during the call: of at most `most_elements`
  // each, or one that holds everything where it lies here and `most_elements` is 0.
  using Use = std::function<void(const ConstTensorView& piece)>;
  void for_each_piece(std::int64_t most_elements, const Use& use) const;

 private:
  ConstTensorView whole_;
  Read read_;
  DType dtype_ = DType::f32;
  std::int64_t elements_ = 0;
};

// A state array of an optimizer, as it is saved.
struct SavedArray {
  std::string name;
  FlatValues values;
};

// Of an optimizer that holds all of its state here, and is bound.
std::vector<SavedArray> saved_arrays(const optimizers::Optimizer& optimizer);

}  // namespace hone::checkpoint
