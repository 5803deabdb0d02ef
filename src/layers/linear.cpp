#include "layers/linear.h"

#include "ops/bias.h"
#include "ops/lora.h"
#include "ops/product.h"

namespace hone::layers {
namespace {

// An adapter of the group with its columns of lora_h.
struct Placed {
  const Adapter* adapter;
  std::size_t linear;
  std::int64_t first_column;
};

std::vector<Placed> placed_adapters(const AdapterSet* adapters, const LinearGroup& group) {
  std::vector<Placed> placed;
  std::int64_t column = 0;
  for (std::size_t i = 0; adapters != nullptr && i < group.size(); ++i) {
    const Adapter* adapter = adapters->find(group[i].weight);
    if (adapter == nullptr) continue;
    placed.push_back({adapter, i, column});
    column += adapter->rank;
  }
  return placed;
}

ops::Dropout dropout_of(const LayerContext& context, const Adapter& adapter) {
  ops::Dropout dropout;
  if (context.dropout_keys.empty()) return dropout;
  dropout.probability = context.adapters->dropout_probability();
  dropout.seed = context.dropout_seed;
  dropout.channel = adapter.channel;
  dropout.key_of_row = context.dropout_keys;
  return dropout;
}

// Adapters whose A matrices can be taken as one: stacked in storage, and fed the same dropped
// input.
std::size_t run_length(const LayerContext& context, std::span<const Placed> placed) {
  std::size_t length = 1;
  if (!context.dropout_keys.empty() && context.adapters->dropout_probability() > 0.0) return length;
  while (length < placed.size() && context.registry.at(placed[length].adapter->a).stacked &&
         placed[length].adapter->a == placed[length - 1].adapter->a + 1) {
    ++length;
  }
  return length;
}

// Calls visit(first, last, columns) for each run of adapters that share one narrow product.
template <class Visit>
void for_each_run(const LayerContext& context, const std::vector<Placed>& placed,
                  const Visit& visit) {
  for (std::size_t i = 0; i < placed.size();) {
    const std::span<const Placed> rest(placed.data() + i, placed.size() - i);
    const std::size_t length = run_length(context, rest);
    const Placed& last = rest[length - 1];
    const std::int64_t columns = last.first_column + last.adapter->rank - rest.front().first_column;
    visit(rest.front(), last, columns);
    i += length;
  }
}

ConstTensorView columns_of(const ConstTensorView& lora_h, const Placed& placed) {
  return lora_h.slice_columns(placed.first_column, placed.adapter->rank);
}

TensorView columns_of(const TensorView& lora_h, const Placed& placed) {
  return lora_h.slice_columns(placed.first_column, placed.adapter->rank);
}

void add_weight_gradients(LayerContext& context, const Linear& linear, const ConstTensorView& x,
                          const ConstTensorView& d_y) {
  if (const TensorView d_weight = context.gradient_of(linear.weight); d_weight.present()) {
    ops::run(
        context.ops,
        ops::Product{.a = d_y, .b = x, .c = d_weight, .transpose_a = true, .accumulate = true});
  }
  if (const TensorView d_bias = context.gradient_of(linear.bias); d_bias.present()) {
    ops::run(context.ops, ops::BiasBackward{.d_y = d_y, .d_bias = d_bias});
  }
}

// The adapters' part of the backward pass; returns whether it has assigned d_x.
bool adapters_backward(LayerContext& context, const LinearGroup& group, const LinearBackward& op) {
  const std::vector<Placed> placed = placed_adapters(context.adapters, group);
  for (const Placed& one : placed) {
    ops::run(context.ops, ops::LoraUpBackward{.d_y = op.d_outputs[one.linear],
                                              .h = columns_of(op.lora_h, one),
                                              .b = context.parameters.get(one.adapter->b),
                                              .scale = one.adapter->scale,
                                              .d_h = columns_of(op.d_lora_h, one),
                                              .d_b = context.gradients->gradient(one.adapter->b)});
  }
  bool assigned = false;
  for_each_run(context, placed, [&](const Placed& first, const Placed& last, std::int64_t columns) {
    const ParameterId a = first.adapter->a;
    const ParameterId last_a = last.adapter->a;
    ops::run(context.ops,
             ops::LoraDownBackward{
                 .d_h = op.d_lora_h.slice_columns(first.first_column, columns),
                 .x = op.x,
                 .a = stack(context.parameters.get(a), context.parameters.get(last_a)),
                 .dropout = dropout_of(context, *first.adapter),
                 .d_a = stack(context.gradients->gradient(a), context.gradients->gradient(last_a)),
                 .d_x = op.d_x,
                 .accumulate = assigned});
    assigned = true;
  });
  return assigned;
}

}  // namespace

std::int64_t lora_columns(const AdapterSet* adapters, const LinearGroup& group) {
  std::int64_t columns = 0;
  for (const Placed& placed : placed_adapters(adapters, group)) columns += placed.adapter->rank;
  return columns;
}

void linear_forward(LayerContext& context, const LinearGroup& group, const ConstTensorView& x,
                    const TensorView& lora_h, std::span<const TensorView> outputs) {
  const std::vector<Placed> placed = placed_adapters(context.adapters, group);
  for_each_run(context, placed, [&](const Placed& first, const Placed& last, std::int64_t columns) {
    ops::run(context.ops, ops::LoraDown{.x = x,
                                        .a = stack(context.parameters.get(first.adapter->a),
                                                   context.parameters.get(last.adapter->a)),
                                        .dropout = dropout_of(context, *first.adapter),
                                        .h = lora_h.slice_columns(first.first_column, columns)});
  });
  for (const Placed& one : placed) {
    ops::run(context.ops, ops::LoraUp{.h = columns_of(lora_h, one),
                                      .b = context.parameters.get(one.adapter->b),
                                      .scale = one.adapter->scale,
                                      .y = outputs[one.linear]});
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    ops::run(context.ops,
             ops::Product{.a = x,
                          .b = context.parameters.get(group[i].weight),
                          .c = outputs[i],
                          .transpose_b = true,
                          .accumulate = context.adapter_of(group[i].weight) != nullptr});
    if (group[i].bias == kNoParameter) continue;
    ops::run(context.ops,
             ops::BiasForward{.bias = context.parameters.get(group[i].bias), .y = outputs[i]});
  }
}

void linear_backward(LayerContext& context, const LinearGroup& group, const LinearBackward& op) {
  bool assigned = adapters_backward(context, group, op);
  for (std::size_t i = 0; i < group.size(); ++i) {
    add_weight_gradients(context, group[i], op.x, op.d_outputs[i]);
    if (!op.d_x.present()) continue;
    ops::run(context.ops, ops::Product{.a = op.d_outputs[i],
                                       .b = context.parameters.get(group[i].weight),
                                       .c = op.d_x,
                                       .accumulate = assigned});
    assigned = true;
  }
}

}  // namespace hone::layers
