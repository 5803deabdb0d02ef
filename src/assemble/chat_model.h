// A model that generates: weights, adapters, key-value cache and working space, planned and taken.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "assemble/frozen_model.h"
#include "assemble/machine.h"
#include "base/log_sink.h"
#include "config/settings/settings.h"
#include "generate/decoder_session.h"
#include "memory/arena.h"

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
  int threads() const { return machine_.device->properties().threads; }
  std::int64_t context_tokens() const { return cache_->capacity(); }
  const ModelSource& source() const { return model_.source(); }
  const Plan& plan() const { return plan_; }

 private:
  void settle(LogSink& log);
  void build(std::int64_t context_tokens);
  const model::ModelDescription& description() const { return model_.decoder().description; }

  const config::Settings& settings_;
  Machine machine_;
  FrozenModel model_;

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
