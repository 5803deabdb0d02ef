// A model's weights in the memory of one rank: frozen ones mapped where they lie when that is
// possible, trainable ones end to end in one flat array (parameters/flat_layout.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/buffer_list.h"
#include "model/description/decoder.h"
#include "model/weights/weight_files.h"
#include "parameters/flat_layout.h"
#include "parameters/resident.h"

namespace hone::model {

struct WeightPolicy {
  // What frozen matrices are stored as: as in the files (f64 and quantized formats as f32), or
  // bf16, which halves the memory of f32 files and rounds. Vectors (norms, biases) stay as in the
  // files.
  bool frozen_as_bf16 = false;
  // Frozen weights may stay mapped where they lie in the files. Not on a GPU, which sees its own
  // memory only.
  bool map_frozen = true;
  // What trainable weights are stored as: f32, or bf16 (pure_bf16).
  DType trainable = DType::f32;
  // False: trainable weights are held elsewhere, in shards; only the frozen ones are here.
  bool holds_trainable = true;
};

class ResidentWeights {
 public:
  // `base_size`: parameters below it come from the files, those from it on belong to adapters and
  // are filled by their owner. All references must outlive this object.
  ResidentWeights(const Decoder& decoder, ParameterId base_size, const FlatLayout& layout,
                  const WeightFiles& files, const WeightPolicy& policy);
  ResidentWeights(const ResidentWeights&) = delete;
  ResidentWeights& operator=(const ResidentWeights&) = delete;

  // Rows of what is allocated and of what is mapped.
  void describe(Plan& plan) const;

  // After the arena exists: binds, reads the files (with `threads` threads) and fills
  // `parameters()`.
  void load(const Arena& arena, int threads);

  ResidentParameters& parameters() { return parameters_; }

  // What a parameter is stored as; known before anything is loaded.
  DType dtype_of(ParameterId id) const;

  // The flat trainable weights, and the part of one parameter; empty where they are held elsewhere.
  const TensorView& trainable() const { return trainable_; }
  TensorView trainable(ParameterId id) const;

 private:
  struct Frozen {
    ParameterId id;
    DType dtype;
    bool mapped;
    std::int64_t first;  // of its bytes in `frozen_`
  };

  const Decoder& decoder_;
  ParameterId base_size_;
  const FlatLayout& layout_;
  const WeightFiles& files_;
  WeightPolicy policy_;
  std::vector<Frozen> frozen_parameters_;
  std::size_t mapped_bytes_ = 0;
  TensorView frozen_;     // u8: frozen weights that cannot be mapped
  TensorView trainable_;  // [layout.elements()]
  BufferList buffers_;
  ResidentParameters parameters_;
};

}  // namespace hone::model
