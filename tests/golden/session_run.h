// A session that generates from a ModelRun's weights, with a cache of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "generate/decoder_session.h"
#include "golden/model_run.h"

namespace hone::golden {

class SessionRun {
 public:
  SessionRun(ModelRun& run, const ops::OpTable& table, std::int64_t capacity,
             std::int64_t chunk_tokens)
      : cache(run.decoder.description, capacity),
        buffers_(run.decoder, adapters_of(run), generate::session_capacity(cache, chunk_tokens),
                 {.training = false}) {
    work_.add(ops_.scratch, "scratch", Category::scratch, DType::u8, {std::int64_t{64} << 20});
    const std::vector<const BufferList*> lists = {&cache.buffers(), &buffers_.list, &work_};
    Plan plan;
    for (const BufferList* list : lists) list->describe(plan);
    arena_ = std::make_unique<Arena>(*run.device, plan);
    for (const BufferList* list : lists) list->bind(*arena_);
    ops_.table = &table;
    ops_.device = run.device.get();
    ops_.threads = run.device->properties().threads;
    session = std::make_unique<generate::DecoderSession>(
        run.decoder, buffers_, cache, run.weights->parameters(), adapters_of(run), ops_);
    session->prepare();
  }

  generate::KeyValueCache cache;
  std::unique_ptr<generate::DecoderSession> session;

 private:
  static const layers::AdapterSet* adapters_of(const ModelRun& run) {
    return run.adapters ? &*run.adapters : nullptr;
  }

  model::PassBuffers buffers_;
  BufferList work_;
  ops::OpContext ops_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace hone::golden
