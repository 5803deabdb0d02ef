#include "kernels/cpu/cpu_table.h"

#include "kernels/cpu/cpu_kernels.h"

namespace hone::kernels {
namespace {

template <class Op>
void fill(ops::OpTable& table) {
  (table.*Op::kSlot).run = &cpu::run;
}

template <class Op>
void fill_with_scratch(ops::OpTable& table) {
  fill<Op>(table);
  (table.*Op::kSlot).scratch_bytes = &cpu::scratch_bytes;
}

ops::OpTable make_table() {
  ops::OpTable table;
  fill<ops::EmbeddingForward>(table);
  fill<ops::EmbeddingBackward>(table);
  fill_with_scratch<ops::RmsNormForward>(table);
  fill_with_scratch<ops::RmsNormBackward>(table);
  fill_with_scratch<ops::Product>(table);
  fill_with_scratch<ops::BiasForward>(table);
  fill_with_scratch<ops::BiasBackward>(table);
  fill_with_scratch<ops::LoraDown>(table);
  fill_with_scratch<ops::LoraUp>(table);
  fill_with_scratch<ops::LoraUpBackward>(table);
  fill_with_scratch<ops::LoraDownBackward>(table);
  fill<ops::Rope>(table);
  fill_with_scratch<ops::AttentionForward>(table);
  fill_with_scratch<ops::AttentionBackward>(table);
  fill<ops::SwiGluForward>(table);
  fill<ops::SwiGluBackward>(table);
  fill<ops::GatherRows>(table);
  fill<ops::ScatterAddRows>(table);
  fill<ops::HeadStatistics>(table);
  fill<ops::HeadGradient>(table);
  fill<ops::SquaredNorm>(table);
  fill<ops::AdamW>(table);
  fill<ops::Cast>(table);
  fill<ops::AddScaled>(table);
  return table;
}

}  // namespace

const ops::OpTable& cpu_table() {
  static const ops::OpTable table = make_table();
  return table;
}

}  // namespace hone::kernels
