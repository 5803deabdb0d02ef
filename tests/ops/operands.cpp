#include "ops/operands.h"

#include <complex>
#include <cstring>
#include <functional>
#include <limits>

#include "base/random.h"

namespace hone::tests {
namespace {

constexpr std::byte kGuard{0xA5};
// Not a multiple of a vector, so that no operand is aligned better than its elements need.
constexpr std::size_t kGuardBytes = 80;

std::uint64_t hash_of(const std::string& name) {
  std::uint64_t hash = 1469598103934665603u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace

OperandSpec OperandSpec::strided(std::int64_t gap) const {
  OperandSpec spec = *this;
  spec.row_gap = gap;
  return spec;
}

OperandSpec OperandSpec::as(DType other) const {
  OperandSpec spec = *this;
  spec.dtype = other;
  return spec;
}

OperandSpec OperandSpec::between(double least, double most) const {
  OperandSpec spec = *this;
  spec.low = least;
  spec.high = most;
  return spec;
}

OperandSpec in(const std::string& name, const Shape& shape) {
  return {name, shape, Role::input};
}

OperandSpec assigned(const std::string& name, const Shape& shape) {
  return {name, shape, Role::assigned};
}

OperandSpec updated(const std::string& name, const Shape& shape) {
  return {name, shape, Role::updated};
}

GuardedTensor::GuardedTensor(const OperandSpec& spec, DType dtype)
    : spec_(spec), dtype_(dtype), first_(kGuardBytes) {
  if (spec_.shape.rank() == 1) spec_.row_gap = 0;
  const std::int64_t rows = spec_.shape[0];
  const std::int64_t stride = spec_.shape.columns() + spec_.row_gap;
  storage_.assign(static_cast<std::size_t>(rows * stride) * size_bytes(dtype) + 2 * kGuardBytes,
                  kGuard);
}

TensorView GuardedTensor::view() const {
  if (elements() == 0) return TensorView(nullptr, dtype_, spec_.shape);
  if (spec_.shape.rank() == 1) return TensorView(storage_.data() + first_, dtype_, spec_.shape);
  return TensorView(storage_.data() + first_, dtype_, spec_.shape,
                    spec_.shape.columns() + spec_.row_gap);
}

std::size_t GuardedTensor::offset(std::int64_t element) const {
  const std::int64_t columns = std::max<std::int64_t>(1, spec_.shape.columns());
  const std::int64_t at = element / columns * (columns + spec_.row_gap) + element % columns;
  return first_ + static_cast<std::size_t>(at) * size_bytes(dtype_);
}

std::byte* GuardedTensor::address(std::int64_t element) const {
  return storage_.data() + offset(element);
}

double GuardedTensor::get(std::int64_t element) const {
  const std::byte* from = address(element);
  switch (dtype_) {
    case DType::f64:
      return *reinterpret_cast<const double*>(from);
    case DType::bf16:
      return to_float(*reinterpret_cast<const BFloat16*>(from));
    case DType::f16:
      return to_float(*reinterpret_cast<const Float16*>(from));
    case DType::c128:
      return reinterpret_cast<const std::complex<double>*>(from)->real();
    default:
      return *reinterpret_cast<const float*>(from);
  }
}

double GuardedTensor::get_imaginary(std::int64_t element) const {
  return reinterpret_cast<const std::complex<double>*>(address(element))->imag();
}

void GuardedTensor::set(std::int64_t element, double value, double imaginary) {
  std::byte* to = address(element);
  switch (dtype_) {
    case DType::f64:
      *reinterpret_cast<double*>(to) = value;
      break;
    case DType::bf16:
      *reinterpret_cast<BFloat16*>(to) = to_bfloat16(static_cast<float>(value));
      break;
    case DType::f16:
      *reinterpret_cast<Float16*>(to) = to_float16(static_cast<float>(value));
      break;
    case DType::c128:
      *reinterpret_cast<std::complex<double>*>(to) = {value, imaginary};
      break;
    default:
      *reinterpret_cast<float*>(to) = static_cast<float>(value);
  }
}

std::string GuardedTensor::broken_guard() const {
  std::vector<bool> used(storage_.size(), false);
  for (std::int64_t i = 0; i < elements(); ++i) {
    const std::size_t at = offset(i);
    for (std::size_t b = 0; b < size_bytes(dtype_); ++b) used[at + b] = true;
  }
  for (std::size_t i = 0; i < storage_.size(); ++i) {
    if (used[i] || storage_[i] == kGuard) continue;
    return spec_.name + ": byte " +
           std::to_string(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(first_)) +
           " beside its elements was written";
  }
  return {};
}

Operands::Operands(const std::vector<OperandSpec>& specs, std::uint64_t seed) : specs_(specs) {
  for (const OperandSpec& spec : specs) {
    GuardedTensor tensor(spec, spec.dtype);
    const CounterRandom random(seed, RandomStream::sampling);
    const std::uint64_t start = hash_of(spec.name);
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
      const double uniform = random.uniform(start + static_cast<std::uint64_t>(i), 0);
      const double value = spec.role == Role::assigned
                               ? std::numeric_limits<double>::quiet_NaN()
                               : spec.low + (spec.high - spec.low) * uniform;
      tensor.set(i, value);
    }
    tensors_.emplace(spec.name, std::move(tensor));
  }
}

Operands Operands::as_complex() const {
  Operands other;
  other.specs_ = specs_;
  other.shared_ = shared_;
  for (const auto& [name, tensor] : tensors_) {
    GuardedTensor copy(tensor.spec(), DType::c128);
    for (std::int64_t i = 0; i < tensor.elements(); ++i) copy.set(i, tensor.get(i));
    other.tensors_.emplace(name, std::move(copy));
  }
  return other;
}

const std::string& Operands::place(const std::string& name) const {
  const auto shared = shared_.find(name);
  return shared == shared_.end() ? name : shared->second;
}

TensorView Operands::operator[](const std::string& name) const {
  const auto found = tensors_.find(place(name));
  return found == tensors_.end() ? TensorView() : found->second.view();
}

GuardedTensor& Operands::tensor(const std::string& name) {
  return tensors_.at(place(name));
}

const GuardedTensor& Operands::tensor(const std::string& name) const {
  return tensors_.at(place(name));
}

}  // namespace hone::tests
