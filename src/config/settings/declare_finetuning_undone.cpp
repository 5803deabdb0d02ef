#include "config/settings/declaration.h"

namespace hone::config {
namespace {

constexpr const char* kOptimizer =
    "not in this version of hone; use optim: adamw_torch or adamw_bf16";
constexpr const char* kLoss =
    "not in this version of hone; leave it out: the loss is cross-entropy";
constexpr const char* kBackend = "not in hone; leave it out";

void declare_refused(Declarations& to) {
  to.refused(
      Group::finetuning,
      {{"use_llama_pro", Kind::boolean, "false", "Train added blocks only.",
        "not in this version of hone; use finetuning_type: lora"},
       {"use_dora", Kind::boolean, "false", "Weight-decomposed LoRA.",
        "not in this version of hone; leave it out or use use_rslora: true"},
       {"loraplus_lr_ratio", Kind::number, "null", "LoRA+: learning rate of B over that of A.",
        "not in this version of hone; leave it out"},
       {"pissa_init", Kind::boolean, "false", "Start adapters from principal parts.",
        "not in this version of hone; leave it out"},
       {"use_adam_mini", Kind::boolean, "false", "Adam-mini.", kOptimizer},
       {"use_muon", Kind::boolean, "false", "Muon.", kOptimizer},
       {"use_galore", Kind::boolean, "false", "GaLore.", kOptimizer},
       {"use_apollo", Kind::boolean, "false", "APOLLO.", kOptimizer},
       {"use_badam", Kind::boolean, "false", "BAdam.", kOptimizer},
       {"use_dft_loss", Kind::boolean, "false", "DFT loss.", kLoss},
       {"use_eaft_loss", Kind::boolean, "false", "EAFT loss.", kLoss},
       {"use_asft_loss", Kind::boolean, "false", "ASFT loss.", kLoss},
       {"compute_accuracy", Kind::boolean, "false", "Token accuracy in evaluation.",
        "not in this version of hone; leave it out: eval_loss is given"},
       {"early_stopping_steps", Kind::whole, "null", "Stop when evaluation no longer improves.",
        "not in this version of hone; save often and pick the checkpoint with the lowest "
        "eval_loss"},
       {"use_mca", Kind::boolean, "false", "Train with Megatron-Core.", kBackend},
       {"use_megatron_bridge", Kind::boolean, "false", "Train with Megatron Bridge.", kBackend},
       {"use_hyper_parallel", Kind::boolean, "false", "Train with HyperParallel.", kBackend},
       {"use_swanlab", Kind::boolean, "false", "Report to SwanLab.",
        "not in this version of hone; leave it out: trainer_log.jsonl and plot_loss: true show the "
        "run"}});
}

void declare_methods(Declarations& to) {
  constexpr const char* kWithOft = "it belongs to finetuning_type: oft, which is not here yet";
  constexpr const char* kWithFreeze =
      "it belongs to finetuning_type: freeze, which is not here yet";
  constexpr const char* kWithPissa = "it belongs to pissa_init, which is not here yet";
  constexpr const char* kTextOnly = "hone trains on text alone";
  constexpr const char* kWithHyper = "it belongs to use_hyper_parallel, which is not in hone";
  to.no_effect(
      Group::finetuning,
      {{"include_effective_tokens_per_second", Kind::boolean, "false", "One more metric.",
        "tokens per second are shown in any case, and hone has no other tokens than effective "
        "ones"},
       {"eaft_alpha", Kind::number, "1.0", "EAFT: exponent.",
        "it belongs to use_eaft_loss, which is not here yet"},
       {"asft_alpha", Kind::number, "0.1", "ASFT: weight of the divergence.",
        "it belongs to use_asft_loss, which is not here yet"},
       {"freeze_vision_tower", Kind::boolean, "true", "Do not train the vision part.", kTextOnly},
       {"freeze_multi_modal_projector", Kind::boolean, "true", "Do not train the projector.",
        kTextOnly},
       {"freeze_language_model", Kind::boolean, "false", "Do not train the language part.",
        kTextOnly},
       {"hyper_parallel_args", Kind::mapping, "null", "HyperParallel: settings.", kWithHyper},
       {"hyper_parallel_cp_size", Kind::whole, "1", "HyperParallel: context ranks.", kWithHyper},
       {"loraplus_lr_embedding", Kind::number, "1e-6", "LoRA+: learning rate of embeddings.",
        "it belongs to loraplus_lr_ratio, which is not here yet"},
       {"pissa_iter", Kind::whole, "16", "PiSSA: iterations.", kWithPissa},
       {"pissa_convert", Kind::boolean, "false", "PiSSA: convert at the end.", kWithPissa},
       {"oft_rank", Kind::whole, "0", "OFT: rank.", kWithOft},
       {"oft_block_size", Kind::whole, "32", "OFT: block size.", kWithOft},
       {"oft_target", Kind::list, "all", "OFT: modules.", kWithOft},
       {"module_dropout", Kind::number, "0.0", "OFT: dropout.", kWithOft},
       {"freeze_trainable_layers", Kind::whole, "2", "Blocks that are trained.", kWithFreeze},
       {"freeze_trainable_modules", Kind::list, "all", "Modules that are trained.", kWithFreeze},
       {"freeze_extra_modules", Kind::list, "null", "Further modules that are trained.",
        kWithFreeze}});
}

void declare_preference(Declarations& to) {
  constexpr const char* kPreference = "it belongs to stages other than sft, which are not here yet";
  to.no_effect(
      Group::finetuning,
      {{"pref_beta", Kind::number, "0.1", "Strength of the preference.", kPreference},
       {"pref_ftx", Kind::number, "0.0", "Weight of the sft loss.", kPreference},
       {"pref_bco_weight", Kind::number, "0.0", "Weight of the BCO loss.", kPreference},
       {"pref_loss", Kind::text, "sigmoid", "Loss of preferences.", kPreference},
       {"dpo_label_smoothing", Kind::number, "0.0", "Label smoothing of DPO.", kPreference},
       {"kto_chosen_weight", Kind::number, "1.0", "Weight of good answers.", kPreference},
       {"kto_rejected_weight", Kind::number, "1.0", "Weight of bad answers.", kPreference},
       {"simpo_gamma", Kind::number, "0.5", "Margin of SimPO.", kPreference},
       {"ld_alpha", Kind::number, "null", "LD-DPO: weight of surplus tokens.", kPreference},
       {"ref_model", Kind::path, "null", "Reference model.", kPreference},
       {"ref_model_adapters", Kind::path_list, "null", "Adapters of the reference model.",
        kPreference},
       {"ref_model_quantization_bit", Kind::whole, "null", "Bits of the reference model.",
        kPreference},
       {"reward_model", Kind::path, "null", "Reward model.", kPreference},
       {"reward_model_adapters", Kind::path_list, "null", "Adapters of the reward model.",
        kPreference},
       {"reward_model_quantization_bit", Kind::whole, "null", "Bits of the reward model.",
        kPreference},
       {"reward_model_type", Kind::text, "lora", "Kind of the reward model.", kPreference},
       {"ppo_buffer_size", Kind::whole, "1", "PPO: batches per buffer.", kPreference},
       {"ppo_epochs", Kind::whole, "4", "PPO: passes over a buffer.", kPreference},
       {"ppo_score_norm", Kind::boolean, "false", "PPO: normalize scores.", kPreference},
       {"ppo_target", Kind::number, "6.0", "PPO: target divergence.", kPreference},
       {"ppo_whiten_rewards", Kind::boolean, "false", "PPO: whiten rewards.", kPreference}});
}

void declare_optimizers(Declarations& to) {
  constexpr const char* kGalore = "it belongs to use_galore, which is not here yet";
  constexpr const char* kApollo = "it belongs to use_apollo, which is not here yet";
  constexpr const char* kBadam = "it belongs to use_badam, which is not here yet";
  to.no_effect(
      Group::finetuning,
      {{"galore_target", Kind::list, "all", "GaLore: modules.", kGalore},
       {"galore_rank", Kind::whole, "16", "GaLore: rank.", kGalore},
       {"galore_update_interval", Kind::whole, "200", "GaLore: steps between.", kGalore},
       {"galore_scale", Kind::number, "2.0", "GaLore: scale.", kGalore},
       {"galore_proj_type", Kind::text, "std", "GaLore: kind of projection.", kGalore},
       {"galore_layerwise", Kind::boolean, "false", "GaLore: one block at a time.", kGalore},
       {"apollo_target", Kind::list, "all", "APOLLO: modules.", kApollo},
       {"apollo_rank", Kind::whole, "16", "APOLLO: rank.", kApollo},
       {"apollo_update_interval", Kind::whole, "200", "APOLLO: steps between.", kApollo},
       {"apollo_scale", Kind::number, "32.0", "APOLLO: scale.", kApollo},
       {"apollo_proj", Kind::text, "random", "APOLLO: projection.", kApollo},
       {"apollo_proj_type", Kind::text, "std", "APOLLO: kind of projection.", kApollo},
       {"apollo_scale_type", Kind::text, "channel", "APOLLO: grain of scales.", kApollo},
       {"apollo_layerwise", Kind::boolean, "false", "APOLLO: one block at a time.", kApollo},
       {"apollo_scale_front", Kind::boolean, "false", "APOLLO: order of scaling.", kApollo},
       {"badam_mode", Kind::text, "layer", "BAdam: by block or by mask.", kBadam},
       {"badam_start_block", Kind::whole, "null", "BAdam: first block.", kBadam},
       {"badam_switch_mode", Kind::text, "ascending", "BAdam: order of blocks.", kBadam},
       {"badam_switch_interval", Kind::whole, "50", "BAdam: steps per block.", kBadam},
       {"badam_update_ratio", Kind::number, "0.05", "BAdam: share updated.", kBadam},
       {"badam_mask_mode", Kind::text, "adjacent", "BAdam: kind of mask.", kBadam},
       {"badam_verbose", Kind::whole, "0", "BAdam: how much it says.", kBadam}});
}

void declare_swanlab(Declarations& to) {
  constexpr const char* kSwanlab = "it belongs to use_swanlab, which is not here yet";
  to.no_effect(
      Group::finetuning,
      {{"swanlab_project", Kind::text, "llamafactory", "SwanLab: project.", kSwanlab},
       {"swanlab_workspace", Kind::text, "null", "SwanLab: workspace.", kSwanlab},
       {"swanlab_run_name", Kind::text, "null", "SwanLab: name of the run.", kSwanlab},
       {"swanlab_mode", Kind::text, "cloud", "SwanLab: cloud or local.", kSwanlab},
       {"swanlab_api_key", Kind::text, "null", "SwanLab: key.", kSwanlab},
       {"swanlab_logdir", Kind::path, "null", "SwanLab: folder.", kSwanlab},
       {"swanlab_lark_webhook_url", Kind::text, "null", "SwanLab: Lark address.", kSwanlab},
       {"swanlab_lark_secret", Kind::text, "null", "SwanLab: Lark secret.", kSwanlab}});
}

}  // namespace

void declare_finetuning_undone(Declarations& declarations) {
  declare_refused(declarations);
  declare_methods(declarations);
  declare_preference(declarations);
  declare_optimizers(declarations);
  declare_swanlab(declarations);
}

}  // namespace hone::config
