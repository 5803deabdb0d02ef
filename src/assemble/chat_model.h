// A model that generates: weights, adapters, key-value cache and working space, planned and taken.
//
// Of several adapters all but the last are merged into the base, in their order; the last one stays
// beside it. That is the arithmetic that training saw, and nothing is rounded; weights stay mapped
// where they lie in the files, so that a tuned model starts as fast as its base.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assemble/model_source.h"
#include "base/log_sink.h"
#include "config/settings/settings.h"
#include "generate/decoder_session.h"
#include "memory/arena.h"
#include "model/adapters/peft_adapter.h"
#include "model/weights/resident_weights.h"
#include "parameters/flat_layout.h"

namespace hone::assemble {

class ChatModel {
 public:
  // Opens the model and its adapters and plans: the context is as long as the model's positions
  // reach, or, said on `log`, as memory allows. Throws UserError. `settings` must outlive this.
  ChatModel(const config::Settings& settings, ModelSource source, LogSink& log);
  ChatModel(const ChatModel&) = delete;
  ChatModel& operator=(const ChatModel&) = delete;

  // Device, model, adapters, memory: one line each.
  std::vector<std::string> summary() const;

  // Takes the memory and loads the weights.
  void load();

  generate::DecoderSession& session() { return *session_; }  // after load()
  int threads() const { return device_->properties().threads; }
  std::int64_t context_tokens() const { return cache_->capacity(); }
  const ModelSource& source() const { return source_; }
  const Plan& plan() const { return plan_; }

 private:
  void open_adapters(LogSink& log);
  void settle(LogSink& log);
  void build(std::int64_t context_tokens);
  const model::WeightFiles& weight_files() const {
    return merged_.empty() ? *source_.weights : *merged_.back();
  }
  const layers::AdapterSet* adapter_set() const { return adapters_ ? &*adapters_ : nullptr; }

  const config::Settings& settings_;
  ModelSource source_;
  std::unique_ptr<Device> device_;
  model::Decoder decoder_;
  ParameterId base_size_;
  std::vector<std::unique_ptr<model::WeightFiles>> merged_;
  std::optional<model::PeftAdapter> attached_;
  std::optional<layers::AdapterSet> adapters_;
  std::unique_ptr<FlatLayout> layout_;

  std::unique_ptr<model::ResidentWeights> weights_;
  std::unique_ptr<generate::KeyValueCache> cache_;
  std::unique_ptr<model::PassBuffers> buffers_;
  BufferList work_buffers_;
  ops::OpContext ops_;  // its scratch is one of work_buffers_
  std::size_t program_bytes_ = 0;
  Plan plan_;
  std::unique_ptr<Arena> arena_;
  std::unique_ptr<generate::DecoderSession> session_;
};

}  // namespace hone::assemble
