// All operations as a list of types, for whoever fills or visits a whole table.
#pragma once

#include "ops/adamw.h"
#include "ops/attention.h"
#include "ops/bias.h"
#include "ops/elementwise.h"
#include "ops/embedding.h"
#include "ops/head.h"
#include "ops/lora.h"
#include "ops/product.h"
#include "ops/rms_norm.h"
#include "ops/rope.h"
#include "ops/rows.h"
#include "ops/squared_norm.h"
#include "ops/swiglu.h"

namespace hone::ops {

template <class... Ops>
struct OpList {
  // Calls visit.template operator()<Op>() for every operation.
  template <class Visit>
  static void for_each(const Visit& visit) {
    (visit.template operator()<Ops>(), ...);
  }
};

using AllOps =
    OpList<EmbeddingForward, EmbeddingBackward, RmsNormForward, RmsNormBackward, Product,
           BiasForward, BiasBackward, LoraDown, LoraUp, LoraUpBackward, LoraDownBackward, Rope,
           AttentionForward, AttentionBackward, SwiGluForward, SwiGluBackward, GatherRows,
           ScatterAddRows, HeadStatistics, HeadGradient, SquaredNorm, AdamW, Cast, AddScaled>;

}  // namespace hone::ops
