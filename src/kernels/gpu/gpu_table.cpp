#include "kernels/gpu/gpu_table.h"

#include "kernels/gpu/gpu_kernels.h"

namespace hone::kernels {
namespace {

template <class Op>
void fill(ops::OpTable& table) {
  (table.*Op::kSlot).run = &gpu::run;
}

template <class Op>
void fill_with_scratch(ops::OpTable& table) {
  fill<Op>(table);
  (table.*Op::kSlot).scratch_bytes = &gpu::scratch_bytes;
}

ops::OpTable make_table() {
  ops::OpTable table;
  fill_with_scratch<ops::EmbeddingForward>(table);
  fill_with_scratch<ops::EmbeddingBackward>(table);
  fill<ops::RmsNormForward>(table);
  fill_with_scratch<ops::RmsNormBackward>(table);
  fill<ops::BiasForward>(table);
  fill_with_scratch<ops::BiasBackward>(table);
  fill_with_scratch<ops::LoraDown>(table);
  fill<ops::LoraUp>(table);
  fill<ops::LoraUpBackward>(table);
  fill_with_scratch<ops::LoraDownBackward>(table);
  fill_with_scratch<ops::Rope>(table);
  fill_with_scratch<ops::AttentionForward>(table);
  fill_with_scratch<ops::AttentionBackward>(table);
  fill<ops::SwiGluForward>(table);
  fill<ops::SwiGluBackward>(table);
  fill_with_scratch<ops::GatherRows>(table);
  fill_with_scratch<ops::ScatterAddRows>(table);
  fill_with_scratch<ops::HeadStatistics>(table);
  fill_with_scratch<ops::HeadGradient>(table);
  fill<ops::SquaredNorm>(table);
  fill<ops::AdamW>(table);
  fill<ops::Cast>(table);
  fill<ops::AddScaled>(table);
  return table;
}

}  // namespace

const ops::OpTable& gpu_table() {
  static const ops::OpTable table = make_table();
  return table;
}

}  // namespace hone::kernels
