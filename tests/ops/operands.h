// Tensors of a case: filled from a seed, surrounded by guard bytes (also between strided rows), and
// available as the same values in complex double for the reference.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/tensor_view.h"

namespace hone::tests {

enum class Role {
  input,     // must not change
  assigned,  // starts as NaN
  updated,   // accumulated or changed in place: starts with values
};

struct OperandSpec {
  std::string name;
  Shape shape;
  Role role = Role::input;
  DType dtype = DType::f32;
  std::int64_t row_gap = 0;  // elements between rows
  double low = -1.0;
  double high = 1.0;

  OperandSpec strided(std::int64_t gap) const;
  OperandSpec as(DType other) const;
  OperandSpec between(double least, double most) const;
};

OperandSpec in(const std::string& name, const Shape& shape);
OperandSpec assigned(const std::string& name, const Shape& shape);
OperandSpec updated(const std::string& name, const Shape& shape);

// One tensor with its guards.
class GuardedTensor {
 public:
  GuardedTensor(const OperandSpec& spec, DType dtype);

  TensorView view() const;
  const OperandSpec& spec() const { return spec_; }
  // Empty when every guard byte is as it was, else which one is not.
  std::string broken_guard() const;

  std::int64_t elements() const { return spec_.shape.elements(); }
  double get(std::int64_t element) const;  // real part
  double get_imaginary(std::int64_t element) const;
  void set(std::int64_t element, double value, double imaginary = 0.0);
  std::vector<std::byte> bytes() const { return storage_; }

 private:
  std::byte* address(std::int64_t element) const;
  std::size_t offset(std::int64_t element) const;

  OperandSpec spec_;
  DType dtype_;
  mutable std::vector<std::byte> storage_;
  std::size_t first_;  // offset of element 0 in storage_
};

class Operands {
 public:
  // Values are a function of (seed, name, element).
  Operands(const std::vector<OperandSpec>& specs, std::uint64_t seed);

  // The same values, every floating operand as complex double.
  Operands as_complex() const;

  // The operand's view; an empty one when the case has no such operand. `other` names an operand
  // whose memory `name` shares from now on.
  TensorView operator[](const std::string& name) const;
  void share(const std::string& name, const std::string& other) { shared_[name] = other; }

  GuardedTensor& tensor(const std::string& name);
  const GuardedTensor& tensor(const std::string& name) const;
  const std::vector<OperandSpec>& specs() const { return specs_; }

 private:
  Operands() = default;
  const std::string& place(const std::string& name) const;

  std::vector<OperandSpec> specs_;
  std::map<std::string, GuardedTensor> tensors_;
  std::map<std::string, std::string> shared_;
};

}  // namespace hone::tests
