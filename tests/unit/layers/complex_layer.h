// Layers proved by the complex step: parameters, gradients and operands in complex double over the
// reference kernels. With f = sum of weight * output, the derivative by any real number x of a
// layer is Im f(x + i h) / h, without a difference and so without loss of digits.
#pragma once

#include <complex>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "layers/layer_context.h"
#include "parameters/contracts.h"
#include "parameters/registry.h"

namespace hone::layers::tests {

using Number = std::complex<double>;

// A tensor that owns its numbers.
class Tensor {
 public:
  Tensor() = default;  // absent
  // Filled with numbers in [-1, 1) that are a function of the seed.
  Tensor(const Shape& shape, std::uint64_t seed);
  static Tensor unset(const Shape& shape);  // NaN: to be assigned

  TensorView view();
  std::vector<Number> values;

  // Element (row, column)'s real part.
  double at(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * columns_ + column)].real();
  }

 private:
  Shape shape_;
  std::int64_t columns_ = 0;
};

// The registry with its values and gradients. What is stacked lies behind what came before it;
// between others there is a gap of NaN, so that taking them for one matrix shows.
class Parameters final : public ParameterSource, public GradientSink {
 public:
  ParameterId add(const std::string& name, const Shape& shape, bool trainable = true,
                  bool stacked = false);

  void announce(Unit) override {}
  void acquire(Unit) override {}
  void release(Unit) override {}
  ConstTensorView get(ParameterId id) override { return view(values_, id); }
  // Fails the test when the parameter is frozen.
  TensorView gradient(ParameterId id) override;
  void finished(ParameterId) override {}

  double value(ParameterId id, std::int64_t row, std::int64_t column) const;
  Number& number(ParameterId id, std::int64_t element) { return values_[index(id, element)]; }
  // What was added to an element's gradient, which starts with something in it.
  double gained(ParameterId id, std::int64_t element) const;

  // Gradients as before the first backward.
  void restart();

  ParameterRegistry registry{0};

 private:
  TensorView view(std::vector<Number>& numbers, ParameterId id);
  std::size_t index(ParameterId id, std::int64_t element) const {
    return firsts_[static_cast<std::size_t>(id)] + static_cast<std::size_t>(element);
  }

  std::vector<Number> values_, gradients_;
  std::vector<std::size_t> firsts_;
};

struct Proof {
  std::function<void(LayerContext&)> forward;
  std::function<void(LayerContext&)> backward;
  std::vector<std::pair<Tensor*, Tensor*>> outputs;  // (output, its gradient: the weights)
  std::vector<std::pair<Tensor*, Tensor*>> inputs;   // (input, its gradient, assigned)
};

class LayerTest {
 public:
  LayerContext context();

  // Every trainable parameter's and every input's gradient, element by element; twice, the
  // parameters' accumulating.
  void expect_gradients(const Proof& proof);

  Parameters parameters;
  AdapterSet adapters;
  std::vector<std::uint64_t> dropout_keys;

 private:
  ops::OpContext ops_;
};

}  // namespace hone::layers::tests
