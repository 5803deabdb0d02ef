#include "config/settings/declaration.h"

namespace hone::config {
namespace {

constexpr const char* kRanks =
    "ranks are started and connected by the environment (docs/many-devices.md)";
constexpr const char* kPlanned = "the memory plan chooses what is recomputed; see memory_limit";
constexpr const char* kLoader = "records are prepared before the first step and read from memory";

void declare_refused(Declarations& to) {
  constexpr const char* kOneDevice =
      "several devices are not in this version; leave it out to train on one";
  constexpr const char* kNoUpload =
      "hone uploads nothing; use `huggingface-cli upload` on output_dir";
  constexpr const char* kNoPredict = "not in this version of hone; use do_eval, or `hone chat`";
  to.refused(
      Group::training,
      {{"do_predict", Kind::boolean, "false", "Generate for the evaluation records.", kNoPredict},
       {"predict_with_generate", Kind::boolean, "false", "Evaluate by generating.", kNoPredict},
       {"generation_config", Kind::path, "null", "File of generation settings.",
        "not in this version of hone; write the settings themselves, e.g. temperature"},
       {"fp16", Kind::boolean, "false", "Compute in fp16.",
        "fp16 is not computed on CPUs, and overflows easily elsewhere; use bf16: true"},
       {"fp16_full_eval", Kind::boolean, "false", "Evaluate in fp16.",
        "fp16 is not computed on CPUs; use bf16: true"},
       {"fp8", Kind::boolean, "false", "Compute in fp8.",
        "not in this version of hone; use bf16: true"},
       {"parallelism_config", Kind::mapping, "null", "Settings of accelerate.", kOneDevice},
       {"optim_args", Kind::text, "null", "Settings of the optimizer.",
        "not in this version of hone; write adam_beta1, adam_beta2, adam_epsilon and weight_decay "
        "instead"},
       {"optim_target_modules", Kind::list, "null", "Modules for GaLore and APOLLO.",
        "these optimizers are not in this version; leave it out"},
       {"label_smoothing_factor", Kind::number, "0.0", "Label smoothing.",
        "not in this version of hone; leave it out"},
       {"neftune_noise_alpha", Kind::number, "null", "Noise on embeddings.",
        "not in this version of hone; leave it out"},
       {"eval_delay", Kind::number, "0", "Steps or epochs before the first evaluation.",
        "not in this version of hone; leave it out"},
       {"load_best_model_at_end", Kind::boolean, "false", "Go back to the best checkpoint.",
        "not in this version of hone; pick the checkpoint with the lowest eval_loss"},
       {"ignore_data_skip", Kind::boolean, "false", "Resume with the first record again.",
        "a resumed run goes on where it stopped; leave it out"},
       {"save_safetensors", Kind::boolean, "true", "Write safetensors.",
        "weights are written as safetensors; leave it out: every current program reads them"},
       {"dataloader_drop_last", Kind::boolean, "false", "Drop an incomplete last batch.",
        "every record is trained on; leave it out, or set max_samples"},
       {"group_by_length", Kind::boolean, "false", "Put records of one length together.",
        "hone never pads, so nothing is gained by it; leave it out"},
       {"train_sampling_strategy", Kind::text, "random", "Order of records.",
        "hone has the random order and that of the files; for the latter use disable_shuffling: "
        "true"},
       {"sortish_sampler", Kind::boolean, "false", "Sort records roughly by length.",
        "hone never pads, so nothing is gained by it; leave it out"},
       {"enable_torch_profiler", Kind::boolean, "false", "Profile with PyTorch.",
        "there is no PyTorch in hone; use profile: true"},
       {"push_to_hub", Kind::boolean, "false", "Upload the results.", kNoUpload}});
}

void declare_computation(Declarations& to) {
  constexpr const char* kAlwaysExact = "hone gives the same bits twice always";
  constexpr const char* kSameInEvaluation = "evaluation computes as training does";
  to.no_effect(
      Group::training,
      {{"backend", Kind::text, "pt", "Which program computes.", "hone computes by itself"},
       {"tf32", Kind::boolean, "null", "NVIDIA's 19-bit products.", "products sum in f32"},
       {"bf16_full_eval", Kind::boolean, "false", "Evaluate in bf16.", kSameInEvaluation},
       {"half_precision_backend", Kind::text, "auto", "Which program does half precision.",
        "hone computes by itself"},
       {"gradient_checkpointing", Kind::boolean, "false", "Recompute in backward.", kPlanned},
       {"gradient_checkpointing_kwargs", Kind::mapping, "null", "Settings of recomputation.",
        kPlanned},
       {"torch_compile", Kind::boolean, "false", "Compile the model.",
        "hone's kernels are compiled already"},
       {"torch_compile_backend", Kind::text, "null", "Compiler.",
        "hone's kernels are compiled already"},
       {"torch_compile_mode", Kind::text, "null", "Compiler's mode.",
        "hone's kernels are compiled already"},
       {"torch_empty_cache_steps", Kind::whole, "null", "Steps between freeing memory.",
        "memory is planned and taken once"},
       {"use_liger_kernel", Kind::boolean, "false", "Use Liger's kernels.",
        "hone's own kernels are fused already"},
       {"liger_kernel_config", Kind::mapping, "null", "Settings of Liger's kernels.",
        "hone's own kernels are fused already"},
       {"auto_find_batch_size", Kind::boolean, "false", "Smaller batches when memory runs out.",
        "memory is planned before the first step; see memory_limit"},
       {"average_tokens_across_devices", Kind::boolean, "true", "Mean over all label tokens.",
        "the loss is the mean over all label tokens always"},
       {"full_determinism", Kind::boolean, "false", "Same bits twice.", kAlwaysExact},
       {"logging_nan_inf_filter", Kind::boolean, "true", "Hide losses that are not numbers.",
        "such a loss stops the run before weights are touched, and is never averaged or hidden"},
       {"eval_accumulation_steps", Kind::whole, "null", "Batches before results are moved.",
        "evaluation keeps no logits"},
       {"use_cache", Kind::boolean, "false", "Keep keys and values in training.",
        "training has no use for them"},
       {"include_for_metrics", Kind::list, "null", "What metrics get to see.",
        "evaluation gives the loss only"},
       {"include_inputs_for_metrics", Kind::boolean, "false", "Show metrics the inputs.",
        "evaluation gives the loss only"},
       {"include_tokens_per_second", Kind::boolean, "false", "One more metric.",
        "tokens per second are shown in any case"},
       {"eval_do_concat_batches", Kind::boolean, "true", "Join the batches' results.",
        "evaluation gives the loss only"},
       {"eval_use_gather_object", Kind::boolean, "false", "How results are gathered.",
        "evaluation gives the loss only"},
       {"past_index", Kind::whole, "-1", "Where old models keep their past.",
        "no model that is read here has it"},
       {"fp16_opt_level", Kind::text, "O1", "How much Apex computes in fp16.",
        "hone computes by itself"},
       {"jit_mode_eval", Kind::boolean, "false", "Compile for evaluation.",
        "hone's kernels are compiled already"},
       {"use_ipex", Kind::boolean, "false", "Intel's PyTorch.", "there is no PyTorch in hone"},
       {"use_mps_device", Kind::boolean, "false", "Apple's GPUs.",
        "hone finds the device by itself; see device"},
       {"enable_jit_checkpoint", Kind::boolean, "false", "Save when asked to end.",
        "a run that is asked to end saves always"},
       {"debug", Kind::text, "null", "transformers' ways of looking for faults.",
        "a loss that is no number is explained always"},
       {"prediction_loss_only", Kind::boolean, "false", "Give the loss only.",
        "evaluation gives the loss only"},
       {"batch_eval_metrics", Kind::boolean, "false", "Metrics batch by batch.",
        "evaluation gives the loss only"},
       {"greater_is_better", Kind::boolean, "null", "Whether more is better.",
        "it belongs to load_best_model_at_end, which is not here yet"},
       {"generation_max_length", Kind::whole, "null", "Longest text when predicting.",
        "it belongs to predict_with_generate, which is not here yet"},
       {"generation_num_beams", Kind::whole, "null", "Beams when predicting.",
        "it belongs to predict_with_generate, which is not here yet"},
       {"fp8_backend", Kind::text, "auto", "Which program computes fp8.",
        "it belongs to fp8, which is not here yet"},
       {"fp8_enable_fsdp_float8_all_gather", Kind::boolean, "false", "Gather in fp8.",
        "it belongs to fp8, which is not here yet"}});
}

void declare_loading(Declarations& to) {
  to.no_effect(
      Group::training,
      {{"dataloader_num_workers", Kind::whole, "0", "Processes that read records.", kLoader},
       {"dataloader_pin_memory", Kind::boolean, "true", "Lock records in memory.", kLoader},
       {"dataloader_persistent_workers", Kind::boolean, "false", "Keep reading processes.",
        kLoader},
       {"dataloader_prefetch_factor", Kind::whole, "null", "Batches read ahead.", kLoader},
       {"remove_unused_columns", Kind::boolean, "true", "Drop unknown columns.",
        "only the columns that dataset_info.json names are read"},
       {"label_names", Kind::list, "null", "Names of labels.", "labels have one name"},
       {"length_column_name", Kind::text, "length", "Column of lengths.", "lengths are counted"},
       {"accelerator_config", Kind::mapping, "null", "Settings of accelerate.", kRanks},
       {"ddp_find_unused_parameters", Kind::boolean, "null", "DDP: unused weights.", kRanks},
       {"ddp_bucket_cap_mb", Kind::whole, "null", "DDP: size of buckets.", kRanks},
       {"ddp_broadcast_buffers", Kind::boolean, "null", "DDP: copy buffers.", kRanks},
       {"ddp_static_graph", Kind::boolean, "null", "DDP: the same graph always.", kRanks},
       {"ddp_backend", Kind::text, "null", "DDP: transport.", kRanks},
       {"local_rank", Kind::whole, "-1", "Number of this process.", kRanks},
       {"ray_num_workers", Kind::whole, "1", "Ray: processes.", kRanks},
       {"ray_init_kwargs", Kind::mapping, "null", "Ray: settings.", kRanks},
       {"master_addr", Kind::text, "null", "Address of the first process.", kRanks},
       {"master_port", Kind::text, "null", "Port of the first process.", kRanks},
       {"save_on_each_node", Kind::boolean, "false", "Save on every machine.", kRanks},
       {"log_on_each_node", Kind::boolean, "true", "Log on every machine.", kRanks},
       {"restore_callback_states_from_checkpoint", Kind::boolean, "false",
        "Resume callbacks as well.", "a resumed run is resumed in whole"}});
}

void declare_reporting(Declarations& to) {
  constexpr const char* kNoService = "it belongs to a service that gets no figures";
  constexpr const char* kNoUpload = "hone uploads nothing";
  constexpr const char* kProfile = "it belongs to enable_torch_profiler; use profile: true";
  to.no_effect(
      Group::training,
      {{"log_level", Kind::text, "passive", "How much transformers says.",
        "hone says the same always"},
       {"log_level_replica", Kind::text, "warning", "How much other processes say.", kRanks},
       {"project", Kind::text, "huggingface", "Name of the project.", kNoService},
       {"trackio_space_id", Kind::text, "null", "Trackio's space.", kNoService},
       {"trackio_bucket_id", Kind::text, "null", "Trackio's bucket.", kNoService},
       {"trackio_static_space_id", Kind::text, "null", "Trackio's still space.", kNoService},
       {"skip_memory_metrics", Kind::boolean, "true", "Do not measure memory.",
        "`hone plan` shows the memory before the run"},
       {"hub_model_id", Kind::text, "null", "Hub: name of the model.", kNoUpload},
       {"hub_token", Kind::text, "null", "Hub: token.", kNoUpload},
       {"hub_strategy", Kind::text, "every_save", "Hub: when to upload.", kNoUpload},
       {"hub_private_repo", Kind::boolean, "null", "Hub: not for everybody.", kNoUpload},
       {"hub_always_push", Kind::boolean, "false", "Hub: upload without waiting.", kNoUpload},
       {"hub_revision", Kind::text, "null", "Hub: branch.", kNoUpload},
       {"profiler_output_dir", Kind::path, "null", "Folder of profiles.", kProfile},
       {"profiler_wait_steps", Kind::whole, "1", "Steps before.", kProfile},
       {"profiler_warmup_steps", Kind::whole, "1", "Steps of warm-up.", kProfile},
       {"profiler_active_steps", Kind::whole, "1", "Steps profiled.", kProfile},
       {"profiler_repeat", Kind::whole, "1", "How often.", kProfile},
       {"profiler_record_shapes", Kind::boolean, "true", "Record shapes.", kProfile},
       {"profiler_profile_memory", Kind::boolean, "true", "Record memory.", kProfile},
       {"profiler_with_stack", Kind::boolean, "true", "Record call stacks.", kProfile},
       {"profile_modules", Kind::text, "null", "Which modules.", kProfile}});
}

}  // namespace

void declare_training_undone(Declarations& declarations) {
  declare_refused(declarations);
  declare_computation(declarations);
  declare_loading(declarations);
  declare_reporting(declarations);
}

}  // namespace hone::config
