#include "assemble/scratch_survey.h"

#include <sys/mman.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "generate/decoder_session.h"
#include "losses/token_loss.h"
#include "memory/arena.h"
#include "model/forward_backward/walk.h"
#include "ops/op_list.h"
#include "parameters/resident.h"

namespace hone::assemble {
namespace {

// A device that has addresses only: reserved, never backed by memory, never touched.
class AddressDevice final : public Device {
 public:
  const DeviceProperties& properties() const override { return properties_; }
  void* allocate(std::size_t bytes) override {
    void* address = mmap(nullptr, std::max<std::size_t>(bytes, 1), PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED) {
      throw UserError({"memory: " + std::to_string(bytes) + " bytes of addresses for this run",
                       "the system gives no more; it may be limited (ulimit -v)",
                       "raise that limit, or make micro_step_tokens or cutoff_len smaller"});
    }
    return address;
  }
  void release(void* memory, std::size_t bytes) override {
    munmap(memory, std::max<std::size_t>(bytes, 1));
  }
  void copy_in(void*, const void*, std::size_t) override { HONE_ASSERT(false); }
  void copy_out(void*, const void*, std::size_t) override { HONE_ASSERT(false); }
  void fill_zero(void*, std::size_t) override {}

 private:
  DeviceProperties properties_;
};

struct SurveyContext : ops::OpContext {
  SurveyContext(const ops::OpTable& device_table, const ops::OpTable& asking, Device& addresses,
                int thread_count) {
    real.table = &device_table;
    real.threads = thread_count;
    table = &asking;
    device = &addresses;
    threads = thread_count;
  }

  ops::OpContext real;  // the device's own table
  Survey survey;
};

template <class Op>
void ask(ops::OpContext& context, const Op& op) {
  auto& survey = static_cast<SurveyContext&>(context);
  survey.survey.scratch_bytes =
      std::max(survey.survey.scratch_bytes, ops::scratch_bytes(survey.real, op));
}

ops::OpTable asking_table() {
  ops::OpTable table;
  ops::AllOps::for_each([&]<class Op>() { (table.*Op::kSlot).run = &ask<Op>; });
  return table;
}

// Weights at addresses without memory; neighbours in the flat space are neighbours here too.
class AddressParameters final : public ParameterSource {
 public:
  AddressParameters(const ParameterRegistry& registry, const FlatLayout& layout,
                    const model::ResidentWeights& weights)
      : registry_(registry),
        layout_(layout),
        weights_(weights),
        memory_(device_, static_cast<std::size_t>(registry.elements() + layout.elements()) *
                             sizeof(float)) {}

  void announce(Unit) override {}
  void acquire(Unit) override {}
  void release(Unit) override {}
  ConstTensorView get(ParameterId id) override {
    const Parameter& parameter = registry_.at(id);
    const DType dtype = weights_.dtype_of(id);
    const std::int64_t first = parameter.trainable ? layout_.range_of(id).first : 0;
    return ConstTensorView(static_cast<const std::byte*>(memory_.data()) +
                               static_cast<std::size_t>(first) * size_bytes(dtype),
                           dtype, parameter.shape);
  }

 private:
  const ParameterRegistry& registry_;
  const FlatLayout& layout_;
  const model::ResidentWeights& weights_;
  AddressDevice device_;
  DeviceMemory memory_;
};

// Reads nothing.
class NoLoss final : public losses::TokenLoss {
 public:
  double rows(std::span<const float>, std::span<const float>, double,
              std::span<float>) const override {
    return 0.0;
  }
};

// A micro-step that fills the capacity: records as long as the longest, all labels in front.
struct FullBatch {
  FullBatch(const model::PassCapacity& capacity, bool dropout)
      : tokens(static_cast<std::size_t>(capacity.tokens), 0),
        positions(tokens.size()),
        order(tokens.size()),
        rows(static_cast<std::size_t>(capacity.labels)),
        labels(rows.size(), 0),
        weights(rows.size(), 1.0f),
        keys(dropout ? tokens.size() : 0) {
    std::iota(order.begin(), order.end(), 0);
    std::iota(rows.begin(), rows.end(), 0);
    const std::int64_t longest = std::max<std::int64_t>(capacity.positions, 1);
    for (std::int64_t first = 0; first < capacity.tokens; first += longest) {
      const std::int64_t length = std::min(longest, capacity.tokens - first);
      const auto start = positions.begin() + first;
      std::iota(start, start + length, 0);
      lengths.push_back(static_cast<std::int32_t>(length));
      starts.push_back(static_cast<std::int32_t>(first + length));
    }
  }

  model::BatchView view() const {
    return {tokens, positions, starts, lengths, order, rows, labels, weights, keys};
  }

  std::vector<std::int32_t> tokens, positions, order, rows, labels;
  std::vector<float> weights;
  std::vector<std::uint64_t> keys;
  std::vector<std::int32_t> starts = {0};
  std::vector<std::int32_t> lengths;
};

}  // namespace

Survey survey_walk(const model::Decoder& decoder, const layers::AdapterSet* adapters,
                   const FlatLayout& layout, const model::ResidentWeights& weights,
                   model::PassBuffers& buffers, const ops::OpTable& table, int threads) {
  AddressDevice device;
  Plan plan;
  buffers.list.describe(plan);
  const Arena arena(device, plan);
  buffers.list.bind(arena);
  const ops::OpTable asking = asking_table();
  SurveyContext context(table, asking, device, threads);
  AddressParameters parameters(decoder.registry, layout, weights);
  model::Walk walk(decoder, buffers, parameters, adapters, context);
  const FullBatch batch(buffers.capacity,
                        adapters != nullptr && adapters->dropout_probability() > 0.0);
  const NoLoss loss;
  if (!buffers.options.training) {
    walk.evaluate(batch.view(), loss);
    return context.survey;
  }
  const DeviceMemory flat(device, static_cast<std::size_t>(layout.elements()) * sizeof(float));
  ResidentGradients gradients(decoder.registry, layout,
                              TensorView(flat.data(), DType::f32, {layout.elements()}));
  walk.set_training(gradients, 0);
  walk.train(batch.view(), loss, 1.0);
  return context.survey;
}

Survey survey_session(const model::Decoder& decoder, const layers::AdapterSet* adapters,
                      const FlatLayout& layout, const model::ResidentWeights& weights,
                      model::PassBuffers& buffers, generate::KeyValueCache& cache,
                      const ops::OpTable& table, int threads) {
  AddressDevice device;
  Plan plan;
  buffers.list.describe(plan);
  cache.buffers().describe(plan);
  const Arena arena(device, plan);
  buffers.list.bind(arena);
  cache.buffers().bind(arena);
  const ops::OpTable asking = asking_table();
  SurveyContext context(table, asking, device, threads);
  AddressParameters parameters(decoder.registry, layout, weights);
  generate::DecoderSession session(decoder, buffers, cache, parameters, adapters, context);
  const std::int64_t chunk = std::min(session.chunk_tokens(), cache.capacity());
  const std::vector<std::int32_t> tokens(static_cast<std::size_t>(chunk), 0);
  const auto read = [&](std::int64_t before, std::int64_t count) {
    cache.extend(before);
    session.read(std::span<const std::int32_t>(tokens).first(static_cast<std::size_t>(count)));
    session.logits();
    cache.truncate(0);
  };
  read(0, chunk);
  read(cache.capacity() - 1, 1);
  return context.survey;
}

}  // namespace hone::assemble
