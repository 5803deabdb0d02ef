#include "kernels/reference/reference_table.h"

#include "kernels/reference/adamw.h"
#include "kernels/reference/attention.h"
#include "kernels/reference/bias.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/embedding.h"
#include "kernels/reference/head.h"
#include "kernels/reference/lora.h"
#include "kernels/reference/product.h"
#include "kernels/reference/rms_norm.h"
#include "kernels/reference/rope.h"
#include "kernels/reference/rows.h"
#include "kernels/reference/squared_norm.h"
#include "kernels/reference/swiglu.h"

namespace hone::kernels {
namespace {

template <class Op>
void run(ops::OpContext&, const Op& op) {
  if (reference::number_dtype(op) == DType::c128) {
    reference::reference<reference::Complex>(op);
  } else {
    reference::reference<double>(op);
  }
}

template <class Op>
void fill(ops::OpTable& table) {
  (table.*Op::kSlot).run = &run<Op>;
}

template <class... Ops>
ops::OpTable make_table() {
  ops::OpTable table;
  (fill<Ops>(table), ...);
  return table;
}

}  // namespace

const ops::OpTable& reference_table() {
  static const ops::OpTable table =
      make_table<ops::EmbeddingForward, ops::EmbeddingBackward, ops::RmsNormForward,
                 ops::RmsNormBackward, ops::Product, ops::BiasForward, ops::BiasBackward,
                 ops::LoraDown, ops::LoraUp, ops::LoraUpBackward, ops::LoraDownBackward, ops::Rope,
                 ops::AttentionForward, ops::AttentionBackward, ops::SwiGluForward,
                 ops::SwiGluBackward, ops::GatherRows, ops::ScatterAddRows, ops::HeadStatistics,
                 ops::HeadGradient, ops::SquaredNorm, ops::AdamW, ops::Cast, ops::AddScaled>();
  return table;
}

}  // namespace hone::kernels
