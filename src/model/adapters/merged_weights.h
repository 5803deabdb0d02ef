// A model's weights with an adapter merged in: W + scale B A, and whole modules in the place of the
// base's. Sums are f32 whatever the weights are stored as; the result is rounded once.
//
// Source of the formula: PEFT, tuners/lora (merge). Several adapters are merged by wrapping the
// result again, in their order.
#pragma once

#include <memory>

#include "model/adapters/peft_adapter.h"
#include "model/description/model_description.h"
#include "model/weights/weight_files.h"

namespace hone::model {

// Merged tensors are never in place: read() makes them. Nothing is computed here. `base` must
// outlive the result. Errors (UserError): the adapter does not fit the model (PeftAdapter::check);
// it targets a head that is tied to the embedding, which a merge would change too.
std::unique_ptr<WeightFiles> merge_adapter(const WeightFiles& base, PeftAdapter adapter,
                                           const ModelDescription& description);

}  // namespace hone::model
