#include "unit/layers/complex_layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "kernels/reference/reference_table.h"

namespace hone::layers::tests {
namespace {

constexpr double kStep = 1e-60;
constexpr std::size_t kGapNumbers = 5;

double number_of(std::uint64_t seed, std::uint64_t index) {
  return 2.0 * CounterRandom(seed, RandomStream::sampling).uniform(index, 0) - 1.0;
}

// What every gradient holds before the first backward.
double held_before(std::size_t index) {
  return 0.25 + static_cast<double>(index % 7);
}

}  // namespace

Tensor::Tensor(const Shape& shape, std::uint64_t seed) : shape_(shape), columns_(shape.columns()) {
  for (std::int64_t i = 0; i < shape.elements(); ++i) {
    values.emplace_back(number_of(seed, static_cast<std::uint64_t>(i)));
  }
}

Tensor Tensor::unset(const Shape& shape) {
  Tensor tensor(shape, 0);
  for (Number& value : tensor.values) value = NAN;
  return tensor;
}

TensorView Tensor::view() {
  if (shape_.rank() == 0) return {};
  return TensorView(values.data(), DType::c128, shape_);
}

ParameterId Parameters::add(const std::string& name, const Shape& shape, bool trainable,
                            bool stacked) {
  const ParameterId id =
      registry.add({name, shape, hone::Role::matrix, kEmbeddingUnit, trainable, stacked});
  if (!stacked) values_.resize(values_.size() + kGapNumbers, NAN);
  firsts_.push_back(values_.size());
  for (std::int64_t i = 0; i < shape.elements(); ++i) {
    values_.emplace_back(
        number_of(100 + static_cast<std::uint64_t>(id), static_cast<std::uint64_t>(i)));
  }
  restart();
  return id;
}

void Parameters::restart() {
  gradients_.clear();
  for (std::size_t i = 0; i < values_.size(); ++i) gradients_.emplace_back(held_before(i));
}

TensorView Parameters::view(std::vector<Number>& numbers, ParameterId id) {
  return TensorView(numbers.data() + index(id, 0), DType::c128, registry.at(id).shape);
}

TensorView Parameters::gradient(ParameterId id) {
  EXPECT_TRUE(registry.at(id).trainable) << registry.at(id).name << " is frozen";
  return view(gradients_, id);
}

double Parameters::value(ParameterId id, std::int64_t row, std::int64_t column) const {
  return values_[index(id, row * registry.at(id).shape.columns() + column)].real();
}

double Parameters::gained(ParameterId id, std::int64_t element) const {
  const std::size_t i = index(id, element);
  return gradients_[i].real() - held_before(i);
}

LayerContext LayerTest::context() {
  ops_.table = &kernels::reference_table();
  return {.ops = ops_,
          .registry = parameters.registry,
          .parameters = parameters,
          .gradients = &parameters,
          .adapters = &adapters,
          .dropout_seed = 77,
          .dropout_keys = dropout_keys};
}

void LayerTest::expect_gradients(const Proof& proof) {
  LayerContext context = this->context();
  const auto derivative = [&](Number& moved) {
    moved += Number(0.0, kStep);
    proof.forward(context);
    moved = moved.real();
    Number sum = 0.0;
    for (const auto& [output, weights] : proof.outputs) {
      for (std::size_t i = 0; i < output->values.size(); ++i) {
        sum += output->values[i] * weights->values[i].real();
      }
    }
    return sum.imag() / kStep;
  };
  // Backward may overwrite the outputs' gradients only if it says so; then forward and these are
  // made again.
  std::vector<std::vector<Number>> weights;
  for (const auto& pair : proof.outputs) weights.push_back(pair.second->values);
  parameters.restart();
  for (const double times : {1.0, 2.0}) {
    proof.forward(context);
    proof.backward(context);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      EXPECT_EQ(proof.outputs[i].second->values, weights[i]) << "a given gradient changed";
    }
    const auto found = [&](double wanted) { return 1e-12 * std::max(1.0, std::fabs(wanted)); };
    for (const auto& [input, gradient] : proof.inputs) {
      const std::vector<Number> ours = gradient->values;
      for (std::size_t i = 0; i < input->values.size(); ++i) {
        const double wanted = derivative(input->values[i]);
        ASSERT_NEAR(ours[i].real(), wanted, found(wanted)) << "input, element " << i;
      }
    }
    for (ParameterId id = 0; id < parameters.registry.size(); ++id) {
      const Parameter& parameter = parameters.registry.at(id);
      for (std::int64_t i = 0; i < parameter.shape.elements(); ++i) {
        const double wanted =
            parameter.trainable ? times * derivative(parameters.number(id, i)) : 0.0;
        // Held beside 0.25 to 6.25: their digits are lost.
        ASSERT_NEAR(parameters.gained(id, i), wanted, 10.0 * found(wanted))
            << parameter.name << ", element " << i << ", after " << times << " backward passes";
      }
    }
  }
}

}  // namespace hone::layers::tests
