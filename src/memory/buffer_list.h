// Buffers that a component needs: declared once, from which come both the plan's rows and, after
// the arena has been made from the plan, the component's views.
#pragma once

#include <string>
#include <vector>

#include "base/tensor_view.h"
#include "memory/arena.h"
#include "memory/plan.h"

namespace hone {

class BufferList {
 public:
  // Declares a buffer; `view` is set by bind() and must outlive that call.
  void add(TensorView& view, std::string name, Category category, DType dtype, const Shape& shape,
           Lifetime lifetime = Lifetime::run);

  // Adds a row for every buffer to the plan.
  void describe(Plan& plan) const;

  // Points every declared view at its row of an arena made from such a plan.
  void bind(const Arena& arena) const;

 private:
  struct Buffer {
    TensorView* view;
    PlanRow row;
    DType dtype;
    Shape shape;
  };
  std::vector<Buffer> buffers_;
};

}  // namespace hone
