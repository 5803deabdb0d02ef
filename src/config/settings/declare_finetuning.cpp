#include "config/settings/storage.h"

namespace hone::config {

void declare_finetuning(Declarations& to) {
  to.works(Group::finetuning, "stage", Kind::choice,
           stored<&Settings::finetuning, &FinetuningSettings::stage>(), "Which kind of training.")
      .choice("sft", static_cast<int>(Stage::sft))
      .choice("pt", static_cast<int>(Stage::pt))
      .refuse_choices({"rm", "ppo", "dpo", "kto"},
                      "not in this version of hone; use sft, supervised fine-tuning, or pt, "
                      "pre-training on text");
  to.works(Group::finetuning, "finetuning_type", Kind::choice,
           stored<&Settings::finetuning, &FinetuningSettings::finetuning_type>(),
           "Train low-rank adapters (lora) or the whole model (full).")
      .choice("lora", static_cast<int>(FinetuningType::lora))
      .choice("full", static_cast<int>(FinetuningType::full))
      .refuse_choices({"freeze", "oft"}, "not in this version of hone; use lora or full");
  to.works(Group::finetuning, "lora_rank", Kind::whole,
           stored<&Settings::finetuning, &FinetuningSettings::lora_rank>(),
           "Rank of the LoRA matrices. An adapter that is trained further keeps its own.")
      .at_least(1);
  to.works(Group::finetuning, "lora_alpha", Kind::whole,
           stored<&Settings::finetuning, &FinetuningSettings::lora_alpha>(),
           "Strength of the adapter: it is scaled by alpha / rank. null or 0: twice the rank.")
      .at_least(0)
      .default_shown_as("2 x lora_rank");
  to.works(Group::finetuning, "lora_dropout", Kind::number,
           stored<&Settings::finetuning, &FinetuningSettings::lora_dropout>(),
           "Share of an adapter's inputs that is dropped in training.")
      .at_least(0)
      .below(1);
  to.works(Group::finetuning, "lora_target", Kind::list,
           stored<&Settings::finetuning, &FinetuningSettings::lora_target>(),
           "Modules that get adapters, e.g. q_proj,v_proj; all: every linear one but the head.");
  to.works(Group::finetuning, "additional_target", Kind::list,
           stored<&Settings::finetuning, &FinetuningSettings::additional_target>(),
           "Modules trained and saved whole beside the adapter, e.g. embed_tokens,lm_head.");
  to.works(Group::finetuning, "use_rslora", Kind::boolean,
           stored<&Settings::finetuning, &FinetuningSettings::use_rslora>(),
           "Scale adapters by alpha / sqrt(rank) instead of alpha / rank.");
  to.works(Group::finetuning, "create_new_adapter", Kind::boolean,
           stored<&Settings::finetuning, &FinetuningSettings::create_new_adapter>(),
           "Merge the adapters of adapter_name_or_path and start a new one.");
  to.works(Group::finetuning, "pure_bf16", Kind::boolean,
           stored<&Settings::finetuning, &FinetuningSettings::pure_bf16>(),
           "Compute in bf16 and keep no f32 copy of trained weights.");
  to.works(Group::finetuning, "disable_shuffling", Kind::boolean,
           stored<&Settings::finetuning, &FinetuningSettings::disable_shuffling>(),
           "Train on the records in their order in the files.");
  to.works(Group::finetuning, "plot_loss", Kind::boolean,
           stored<&Settings::finetuning, &FinetuningSettings::plot_loss>(),
           "Draw training_loss.png at the end.");
}

}  // namespace hone::config
